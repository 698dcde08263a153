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
import java.util.Map;
import java.util.function.Consumer;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.job.DefinitionSteps;
import millrace.job.JobLedger;
import millrace.job.JobListener;
import millrace.job.JobRun;
import millrace.job.LaneBudget;
import millrace.job.TableCopy;
import millrace.job.TableResult;
import millrace.plan.Job;
import millrace.report.RunStore;
import millrace.resume.ResumeChoice;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What every connector that can be read and written does: here what its modes promise, in {@link
/// InterruptedRunSuite} what they do if a run ends early, in {@link TablesSuite} what becomes of
/// values and tables, in {@link SourceSuite} how it is read. What becomes of copies that are killed
/// or repeated, {@link ResumeSuite} tries of those that keep a journal.
///
/// A subclass names the connector, says how to address a table, and declares what the connector
/// can't do. The other end of every copy is memory.
public abstract class ConnectorSuite extends InterruptedRunSuite {

  /// Whether the connector has the mode; if not, checks that it refuses and changes nothing.
  private boolean has(Behaviour behaviour, Copying copying, List<Row> before) {
    if (can(behaviour)) {
      return true;
    }
    assertThatThrownBy(copying::run).isInstanceOf(Fault.User.class);
    RowCheck.sameRows(ITEMS, before, read(ITEMS, copying.job().to()));
    return false;
  }

  @Test
  void createRefusesATableThatExists() {
    Endpoint table = tenRows("create_again");
    assertThatThrownBy(() -> copying(items(50, 5), table, Mode.CREATE).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("create_again");
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
  }

  @Test
  void withoutAModeATableWithRowsIsRefusedAndTheModesNamed() {
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
  void appendAddsRows() {
    Endpoint table = tenRows("append_to");
    Copying copying = copying(items(50, 500), table, Mode.APPEND);
    if (has(Behaviour.APPEND, copying, items(0, 10))) {
      copying.run();
      RowCheck.sameRows(ITEMS, both(items(0, 10), items(50, 500)), read(ITEMS, table));
    }
  }

  @Test
  void appendMakesATableThatIsMissing() {
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
  void otherModesMakeATableThatIsMissingToo(Mode mode) {
    Endpoint table = table("made_by_mode");
    needs(mode, false);
    copying(items(50, 500), table, mode).run();
    RowCheck.sameRows(ITEMS, items(50, 500), read(ITEMS, table));
  }

  @Test
  void truncateLeavesTheNewRowsAlone() {
    Endpoint table = tenRows("truncated");
    Copying copying = copying(items(5, 500), table, Mode.TRUNCATE);
    if (has(Behaviour.TRUNCATE, copying, items(0, 10))) {
      copying.run();
      RowCheck.sameRows(ITEMS, items(5, 500), read(ITEMS, table));
    }
  }

  @Test
  void replacePutsATableOfOtherColumnsInItsPlace() {
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
  void replaceMakesATableThatIsMissing() {
    Endpoint table = table("replaced_none");
    copying(items(5, 500), table, Mode.REPLACE).run();
    RowCheck.sameRows(ITEMS, items(5, 500), read(ITEMS, table));
  }

  @Test
  void mergeUpdatesAndInsertsAndTheLastRowOfAKeyWins() {
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
  void mergeGoesByTheColumnsNamed() {
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
  void mergeWithoutAKeyIsRefused() {
    Endpoint table = table("merged_without_key");
    Schema noKey = Schema.of(ITEMS.columns());
    write(noKey, items(0, 10), table);
    assertThatThrownBy(() -> into(noKey, items(5, 10), table).mode(Mode.MERGE).run())
        .isInstanceOf(Fault.User.class);
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
  }

  @Test
  void columnsGoToThoseOfTheSameNameAndTheOthersStayEmpty() {
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
  void columnsGoByPositionOnRequest() {
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
  void columnsThatAreSelectedGoByPositionInTheOrderOfTheSelection() {
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
  void aColumnThatTheTableLacksIsRefusedByName() {
    Endpoint table = tenRows("lacks_a_column");
    Schema more =
        Schema.of(
            List.of(Column.of("id", new Type.Int(64)), Column.of("colour", new Type.Int(32))));
    assertThatThrownBy(() -> into(more, List.of(Row.of(100, 1)), table).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(can(Behaviour.EXISTING_COLUMNS) ? "colour" : "lacks_a_column");
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
  }

  /// How a file begins that is of another format than the connector's.
  protected String otherFormat() {
    return "SQLite format 3\0";
  }

  /// What it is called.
  protected String otherFormatIs() {
    return "an SQLite database";
  }

  /// Whoever forgets or mistakes a scheme must not lose a database by it.
  @ParameterizedTest
  @EnumSource(Mode.class)
  void aFileOfAnotherFormatIsNeitherReadNorReplaced(Mode mode) throws IOException {
    Endpoint table = table("other_format");
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

  /// Why no other program writes to what a job holds in one state; empty if it may. Makes ready for
  /// it.
  protected String whyNoneWritesMeanwhile() {
    return "";
  }

  /// Between the first copy of a job and the second, rows move from the table that has been read to
  /// the other one, and back: each is seen in the table in which it was when the job began.
  @Test
  void whatMovesBetweenTheTablesOfAJobIsSeenWhereItWas(@TempDir Path folder) {
    needs(connector().capability(SharedSnapshot.class) != null, "one state of several tables");
    Map<String, List<Row>> before =
        Map.of("moved_a", items(0, 50), "moved_b", items(50, 50), "moved_c", items(100, 50));
    before.forEach((name, rows) -> write(ITEMS, rows, table(name)));
    String whyNot = whyNoneWritesMeanwhile();
    needs(whyNot.isEmpty(), whyNot);
    List<TableCopy> copies =
        before.keySet().stream().map(name -> new TableCopy(name, toMemory(name), 1)).toList();
    OneByOne moving = new OneByOne(this::move);
    JobLedger ledger = JobLedger.open(folder, "moving", "", false);
    JobRun run =
        new JobRun(
            new ConnectorRegistry(List.of(connector(), memory)),
            new RunStore(folder.resolve("runs")),
            moving,
            ledger,
            DefinitionSteps.none(ledger),
            false);
    assertThat(run.run(copies, new LaneBudget(1, false)))
        .extracting(TableResult::fault)
        .containsOnlyNulls();
    assertThat(run.state()).isEqualTo("all tables as they were at one moment");
    before.forEach((name, rows) -> RowCheck.sameRows(ITEMS, rows, memory.rows(name)));
    String last = moving.names.getLast();
    RowCheck.sameRows(ITEMS, items(900, 9), read(ITEMS, table(last)));
  }

  private CopySpec toMemory(String name) {
    memory.put(name, ITEMS, List.of());
    Job job =
        Copying.of(connector(), table(name), memory, memory.endpoint(name)).mode(Mode.APPEND).job();
    return new CopySpec(job, ResumeChoice.NONE, RetryPolicy.NONE, CopySpec.Measures.NONE, null);
  }

  /// All other tables get other rows.
  private void move(List<String> done) {
    for (String name : List.of("moved_a", "moved_b", "moved_c")) {
      if (!done.contains(name)) {
        assertThat(sql(name, "DELETE FROM %s")).isTrue();
        copying(items(900, 9), table(name), Mode.APPEND).run();
      }
    }
  }

  /// Does something once the first copy of a job has ended.
  private static final class OneByOne implements JobListener {
    private final Consumer<List<String>> work;
    private final List<String> names = new ArrayList<>();

    OneByOne(Consumer<List<String>> work) {
      this.work = work;
    }

    @Override
    public CopyListener copies(TableCopy copy) {
      return new CopyListener() {};
    }

    @Override
    public void ended(TableResult table, @Nullable CopyResult result) {
      names.add(table.name());
      if (names.size() == 1) {
        work.accept(names);
      }
    }
  }
}
