package millrace.testkit.suite;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.support.ReflectionSupport;

/// What every connector that can be read and written does: here what its modes promise, in {@link
/// InterruptedRunSuite} what they do if a run ends early, in {@link TablesSuite} what becomes of
/// values and tables, in {@link SourceSuite} how it is read. What becomes of copies that are killed
/// or repeated, {@link ResumeSuite} tries of those that keep a journal.
///
/// A {@link Fixture} names the connector, says how to address a table, and declares what the
/// connector can't do. The other end of every copy is memory.
public interface ConnectorSuite extends Trial {

  /// Whether the connector has the mode; if not, checks that it refuses and changes nothing.
  private boolean has(Behaviour behaviour, Copying copying, List<Row> before) {
    if (can(behaviour)) {
      return true;
    }
    assertThatThrownBy(copying::run).isInstanceOf(Fault.User.class);
    RowCheck.sameRows(ITEMS, before, read(ITEMS, copying.job().to()));
    return false;
  }

  /// All suites but the short form of those that the kit keeps, and but {@link JoinSuite}, which is
  /// about journals.
  static Stream<Class<?>> suites() {
    return ReflectionSupport.findAllClassesInPackage(
            ConnectorSuite.class.getPackageName(),
            each -> each.isInterface() && Trial.class.isAssignableFrom(each),
            _ -> true)
        .stream()
        .filter(each -> each != Trial.class && each != KitSuite.class && each != JoinSuite.class);
  }

  /// By a class of tests beside this one, of the same fixture.
  @ParameterizedTest
  @MethodSource("suites")
  default void everySuiteIsTriedOrLeftOutWithAReason(Class<?> suite) {
    String reason = leavesOut().get(suite);
    List<Class<?>> tried =
        ReflectionSupport.findAllClassesInPackage(
            getClass().getPackageName(),
            each ->
                each.getSuperclass() == getClass().getSuperclass() && suite.isAssignableFrom(each),
            _ -> true);
    assertThat(tried.isEmpty()).as("%s is not tried", suite).isEqualTo(reason != null);
    needs(reason == null, suite.getSimpleName() + ", since " + reason);
  }

  @Test
  default void createRefusesATableThatExists() {
    Endpoint table = tenRows("create_again");
    assertThatThrownBy(() -> copying(items(50, 5), table, Mode.CREATE).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("create_again");
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
  }

  @Test
  default void withoutAModeATableWithRowsIsRefusedAndTheModesNamed() {
    Endpoint table = tenRows("no_mode");
    assertThatThrownBy(() -> into(ITEMS, items(50, 5), table).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("no_mode");
              assertThat(fault.advice()).contains("replace");
            });
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
  }

  @Test
  default void appendAddsRows() {
    Endpoint table = tenRows("append_to");
    Copying copying = copying(items(50, 500), table, Mode.APPEND);
    if (has(Behaviour.APPEND, copying, items(0, 10))) {
      copying.run();
      RowCheck.sameRows(ITEMS, both(items(0, 10), items(50, 500)), read(ITEMS, table));
    }
  }

  @Test
  default void appendMakesATableThatIsMissing() {
    Endpoint table = table("append_to_none");
    Copying copying = copying(items(50, 500), table, Mode.APPEND);
    if (can(Behaviour.APPEND)) {
      copying.run();
      RowCheck.sameRows(ITEMS, items(50, 500), read(ITEMS, table));
    } else {
      assertThatThrownBy(copying::run).isInstanceOf(Fault.User.class);
      assertAbsent(table);
    }
  }

  /// There is nothing to empty.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"TRUNCATE", "MERGE"})
  default void otherModesMakeATableThatIsMissingToo(Mode mode) {
    Endpoint table = table("made_by_mode");
    needs(mode, false);
    copying(items(50, 500), table, mode).run();
    RowCheck.sameRows(ITEMS, items(50, 500), read(ITEMS, table));
  }

  @Test
  default void truncateLeavesTheNewRowsAlone() {
    Endpoint table = tenRows("truncated");
    Copying copying = copying(items(5, 500), table, Mode.TRUNCATE);
    if (has(Behaviour.TRUNCATE, copying, items(0, 10))) {
      copying.run();
      RowCheck.sameRows(ITEMS, items(5, 500), read(ITEMS, table));
    }
  }

  @Test
  default void replacePutsATableOfOtherColumnsInItsPlace() {
    Endpoint table = table("replaced");
    Schema first =
        Schema.of(List.of(Column.of("id", new Type.Int(64)), Column.of("n", new Type.Int(64))));
    write(first, List.of(Row.of(1, 1)), table);
    Schema other =
        Schema.of(
            List.of(Column.of("other", Type.Text.UNLIMITED), Column.of("n", new Type.Int(32))));
    List<Row> rows = List.of(Row.of("a", 1), Row.of("b", null));
    // A key that the table had to have is given up.
    WriteOptions.Types types = can(Behaviour.KEYLESS) ? null : WriteOptions.Types.SOURCE;
    into(other, rows, table)
        .landing(new WriteOptions(Mode.REPLACE, false, List.of(), false, types))
        .run();
    RowCheck.sameRows(other, rows, read(other, table));
  }

  @Test
  default void replaceMakesATableThatIsMissing() {
    Endpoint table = table("replaced_none");
    copying(items(5, 500), table, Mode.REPLACE).run();
    RowCheck.sameRows(ITEMS, items(5, 500), read(ITEMS, table));
  }

  @Test
  default void mergeUpdatesAndInsertsAndTheLastRowOfAKeyWins() {
    Endpoint table = tenRows("merged");
    List<Row> rows = new ArrayList<>(items(5, 500));
    rows.add(Row.of(7, "first", 1));
    rows.addAll(items(600, 500));
    rows.add(Row.of(7, "last", 2));
    rows.add(Row.of(3, null, null));
    Copying copying = copying(rows, table, Mode.MERGE);
    if (has(Behaviour.MERGE, copying, items(0, 10))) {
      copying.run();
      List<Row> expected = new ArrayList<>(both(items(0, 5), both(items(5, 500), items(600, 500))));
      expected.removeIf(row -> row.value(0) instanceof Long id && (id == 7 || id == 3));
      expected.add(Row.of(7, "last", 2));
      expected.add(Row.of(3, null, null));
      RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
    }
  }

  @Test
  default void mergeGoesByTheColumnsNamed() {
    Endpoint table = table("merged_by_name");
    Schema noKey = Schema.of(ITEMS.columns());
    write(noKey, List.of(Row.of(1, "a", 1), Row.of(2, "b", 2)), table);
    List<Row> rows = List.of(Row.of(10, "b", 20), Row.of(11, "c", 30));
    Copying copying =
        into(noKey, rows, table)
            .landing(new WriteOptions(Mode.MERGE, false, List.of("name"), false));
    Behaviour needed = can(Behaviour.MERGE) ? Behaviour.MERGE_BY_ANY_COLUMNS : Behaviour.MERGE;
    if (has(needed, copying, List.of(Row.of(1, "a", 1), Row.of(2, "b", 2)))) {
      copying.run();
      List<Row> expected = List.of(Row.of(1, "a", 1), Row.of(10, "b", 20), Row.of(11, "c", 30));
      RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
    }
  }

  @Test
  default void mergeWithoutAKeyIsRefused() {
    Endpoint table = table("merged_without_key");
    Schema noKey = Schema.of(ITEMS.columns());
    write(noKey, items(0, 10), table);
    assertThatThrownBy(() -> into(noKey, items(5, 10), table).mode(Mode.MERGE).run())
        .isInstanceOf(Fault.User.class);
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
  }

  @Test
  default void columnsGoToThoseOfTheSameNameAndTheOthersStayEmpty() {
    Endpoint table = table("by_name");
    write(ITEMS, items(0, 10), table);
    Schema some =
        Schema.of(
            List.of(
                Column.of("amount", new Type.Decimal(9, 2)), Column.of("id", new Type.Int(64))));
    Copying copying =
        into(some, List.of(Row.of(150, 100), Row.of(null, 101)), table).mode(Mode.APPEND);
    if (has(Behaviour.EXISTING_COLUMNS, copying, items(0, 10))) {
      copying.run();
      List<Row> expected =
          both(items(0, 10), List.of(Row.of(100, null, 150), Row.of(101, null, null)));
      RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
    }
  }

  @Test
  default void columnsGoByPositionOnRequest() {
    Endpoint table = table("by_position");
    write(ITEMS, items(0, 10), table);
    Schema renamed =
        Schema.of(List.of(Column.of("x", new Type.Int(64)), Column.of("y", Type.Text.UNLIMITED)));
    Copying copying =
        into(renamed, List.of(Row.of(100, "by position")), table)
            .landing(new WriteOptions(Mode.APPEND, false, List.of(), true));
    if (has(Behaviour.EXISTING_COLUMNS, copying, items(0, 10))) {
      copying.run();
      List<Row> expected = both(items(0, 10), List.of(Row.of(100, "by position", null)));
      RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
    }
  }

  @Test
  default void columnsThatAreSelectedGoByPositionInTheOrderOfTheSelection() {
    Endpoint table = table("selected_by_position");
    write(ITEMS, items(0, 10), table);
    Schema swapped =
        Schema.of(
            List.of(
                Column.of("id", Type.Text.UNLIMITED),
                Column.of("junk", Type.Text.UNLIMITED),
                Column.of("name", new Type.Int(64))));
    Copying copying =
        into(swapped, List.of(Row.of("by position", "junk", 100)), table)
            .landing(new WriteOptions(Mode.APPEND, false, List.of(), true))
            .select(List.of("name", "id"));
    if (has(Behaviour.EXISTING_COLUMNS, copying, items(0, 10))) {
      copying.run();
      List<Row> expected = both(items(0, 10), List.of(Row.of(100, "by position", null)));
      RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
    }
  }

  @Test
  default void aColumnThatTheTableLacksIsRefusedByName() {
    Endpoint table = tenRows("lacks_a_column");
    Schema more =
        Schema.of(
            List.of(Column.of("id", new Type.Int(64)), Column.of("colour", new Type.Int(32))));
    assertThatThrownBy(() -> into(more, List.of(Row.of(100, 1)), table).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(can(Behaviour.EXISTING_COLUMNS) ? "colour" : "lacks_a_column");
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
  }

  /// Whoever forgets or mistakes a scheme must not lose a database by it.
  @ParameterizedTest
  @EnumSource(Mode.class)
  default void aFileOfAnotherFormatIsNeitherReadNorReplaced(Mode mode) throws IOException {
    Endpoint table = elsewhere("other_format");
    for (Path file : connector().place(table).paths()) {
      byte[] database = Arrays.copyOf(otherFormat().getBytes(ISO_8859_1), 8_192);
      Files.write(file, database);
      assertRefused(
          () -> copying(items(0, 10), table, mode).run(),
          offers(mode, false) ? otherFormatIs() : "");
      assertThat(file).hasBinaryContent(database);
      assertRefused(() -> read(ITEMS, table), otherFormatIs());
    }
  }

  private static void assertRefused(ThrowingCallable call, String words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.getMessage() + fault.advice()).contains(words));
  }
}
