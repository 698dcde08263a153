package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which rows and columns come from a source if not all are wanted, whether the source or the
/// engine chooses them; and what becomes of a table that is copied within its own system.
public interface SelectionSuite extends Suite {

  int ROWS = 8_000;

  int LANES = 2;

  long SPLIT_BYTES = 16 << 10;

  Schema IDS = Schema.of(List.of(Column.of("id", new Type.Int(64))));

  static Stream<Arguments> conditions() {
    return Stream.of(
        condition("id < 100", row -> id(row) < 100),
        condition("id >= 7990 AND name IS NOT NULL", row -> id(row) >= 7_990 && name(row) != null),
        condition("id = 4711 OR id = 4712", row -> id(row) == 4_711 || id(row) == 4_712),
        condition("id BETWEEN 20 AND 29", row -> id(row) >= 20 && id(row) <= 29),
        condition("id IN (3, 5, 80000)", row -> id(row) == 3 || id(row) == 5),
        condition("NOT (id > 10)", row -> id(row) <= 10),
        condition("name IS NULL", row -> name(row) == null),
        condition("name LIKE '%\"77%'", row -> String.valueOf(name(row)).contains("\"77")),
        // Of a missing amount nothing is known, so neither half of the rows has it.
        condition("amount > 5000.25", row -> row.value(2) instanceof Long n && n > 500_025),
        condition("amount <= 5000.25", row -> row.value(2) instanceof Long n && n <= 500_025),
        condition("id < 0", _ -> false));
  }

  private static Arguments condition(String sql, Predicate<Row> rows) {
    return Arguments.of(sql, rows);
  }

  private static long id(Row row) {
    return row.value(0) instanceof Long id ? id : -1;
  }

  private static @Nullable String name(Row row) {
    return (String) row.value(1);
  }

  /// Copies what is selected into memory.
  private List<Row> select(Schema schema, Selection selection, Endpoint from) {
    memory().put("selected", Schema.of(schema.columns()), List.of());
    Copying.of(connector(), from, memory(), memory().endpoint("selected"))
        .mode(Mode.APPEND)
        .lanes(LANES, SPLIT_BYTES)
        .select(selection)
        .run();
    return memory().rows("selected");
  }

  @ParameterizedTest
  @MethodSource("conditions")
  default void aConditionKeepsTheRowsThatItIsTrueOf(String sql, Predicate<Row> isTrue) {
    List<Row> expected = items(0, ROWS).stream().filter(isTrue).toList();
    Selection selection = new Selection(List.of(), sql, Long.MAX_VALUE);
    RowCheck.sameRows(ITEMS, expected, select(ITEMS, selection, filled()));
  }

  @Test
  default void aConditionMayNameAColumnThatIsNotSelected() {
    List<Row> expected =
        items(0, ROWS).stream()
            .filter(row -> name(row) == null)
            .map(row -> row.pick(List.of(0)))
            .toList();
    Selection selection = new Selection(List.of("id"), "name IS NULL", Long.MAX_VALUE);
    RowCheck.sameRows(IDS, expected, select(IDS, selection, filled()));
  }

  /// The target's names are the source's in another order: who takes one for the other is found
  /// out.
  @Test
  default void namesAreTheSourcesAlsoIfColumnsPairByPosition() {
    Schema swapped =
        Schema.of(
            List.of(
                Column.of("name", new Type.Decimal(9, 2)), Column.of("amount", new Type.Int(64))));
    List<Row> expected =
        items(0, ROWS).stream()
            .filter(row -> name(row) == null)
            .map(row -> row.pick(List.of(2, 0)))
            .toList();
    Selection selection = new Selection(List.of("amount", "id"), "name IS NULL", Long.MAX_VALUE);
    RowCheck.sameRows(swapped, expected, selectByPosition(swapped, selection));
  }

  @Test
  default void aNameOfTheTargetAloneIsRefusedWithTheSourcesNames() {
    Schema table = Schema.of(List.of(Column.of("order_id", new Type.Int(64))));
    Selection selection = new Selection(List.of("order_id"), null, Long.MAX_VALUE);
    assertThatThrownBy(() -> selectByPosition(table, selection))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault ->
                assertThat(fault.getMessage() + " " + fault.advice())
                    .contains(
                        "order_id", kept("id") + ", " + kept("name") + ", " + kept("amount")));
  }

  private List<Row> selectByPosition(Schema table, Selection selection) {
    memory().put("by_position", table, List.of());
    Copying.of(connector(), filled(), memory(), memory().endpoint("by_position"))
        .landing(new WriteOptions(Mode.APPEND, false, List.of(), true))
        .select(selection)
        .run();
    return memory().rows("by_position");
  }

  @Test
  default void aConditionOnAColumnThatDoesNotExistIsRefusedByName() {
    Selection selection = new Selection(List.of(), "no_such_column = 1", Long.MAX_VALUE);
    assertThatThrownBy(() -> select(ITEMS, selection, filled()))
        .isInstanceOf(Fault.User.class)
        .message()
        .containsIgnoringCase("no_such_column");
  }

  @Test
  default void aConditionThatIsNoSqlIsRefused() {
    Selection selection = new Selection(List.of(), "id = ", Long.MAX_VALUE);
    assertThatThrownBy(() -> select(ITEMS, selection, filled())).isInstanceOf(Fault.User.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 777, ROWS - 1, ROWS, ROWS + 1})
  default void aLimitGivesThatManyRowsEachOnce(long limit) {
    List<Row> rows = select(ITEMS, new Selection(List.of(), null, limit), filled());
    assertThat(rows).hasSize((int) Math.min(limit, ROWS));
    RowCheck.onlyRowsOf(ITEMS, items(0, ROWS), rows);
  }

  @Test
  default void aLimitCountsTheRowsThatTheConditionKeeps() {
    Selection selection = new Selection(List.of(), "name IS NULL", 50);
    List<Row> rows = select(ITEMS, selection, filled());
    assertThat(rows).hasSize(50).allMatch(row -> row.value(1) == null);
    RowCheck.onlyRowsOf(ITEMS, items(0, ROWS), rows);
  }

  @Test
  default void aQueryGivesItsRowsEachOnce() {
    Endpoint query = query("id", "asked", "id % 3 = 1");
    write(ITEMS, items(0, ROWS), table("asked"));
    List<Row> expected =
        items(0, ROWS).stream()
            .filter(row -> id(row) % 3 == 1)
            .map(row -> row.pick(List.of(0)))
            .toList();
    RowCheck.sameRows(IDS, expected, select(IDS, Selection.ALL, query));
    Selection less = new Selection(List.of(), "id < 100", 10);
    assertThat(select(IDS, less, query)).hasSize(10).allMatch(row -> id(row) < 100);
  }

  @Test
  default void aQueryThatIsNoSqlIsRefused() {
    Endpoint query = query("no_such_column", "asked_wrongly", "true");
    write(ITEMS, items(0, 3), table("asked_wrongly"));
    assertThatThrownBy(() -> select(IDS, Selection.ALL, query))
        .isInstanceOf(Fault.User.class)
        .message()
        .containsIgnoringCase("no_such_column");
  }

  @Test
  default void aCopyWithinOneSystemBringsEachRowOnce() {
    Endpoint to = table("copied_within");
    Copying.of(connector(), filled(), connector(), to).lanes(LANES, SPLIT_BYTES).run();
    RowCheck.sameRows(ITEMS, items(0, ROWS), read(ITEMS, to));
  }

  /// What a copy of a table into itself may do: refuse and change nothing, or what the mode says.
  @ParameterizedTest
  @MethodSource("modes")
  default void aTableThatIsCopiedIntoItselfLosesNothing(Mode mode) {
    Endpoint table = table("into_itself");
    write(ITEMS, items(0, ROWS), table);
    Copying copying =
        Copying.of(connector(), table, connector(), table).mode(mode).lanes(LANES, SPLIT_BYTES);
    List<Row> expected = new ArrayList<>(items(0, ROWS));
    try {
      copying.run();
      if (mode == Mode.APPEND) {
        expected.addAll(items(0, ROWS));
      }
    } catch (Fault.User | Fault.Data refused) {
      assertThat(refused).hasMessageNotContaining("null");
    } catch (Fault.Transient locked) {
      assertThat(cannot()).containsKey(Behaviour.INTO_ITSELF);
      assertThat(locked).hasMessageContaining("lock");
    }
    RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
  }

  static Stream<Mode> modes() {
    return Stream.of(Mode.values());
  }
}
