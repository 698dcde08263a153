package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import millrace.copy.CopyContext;
import millrace.copy.EndOpener;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.endpoint.Endpoints;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.job.DefinitionSteps;
import millrace.job.JobContext;
import millrace.job.JobLedger;
import millrace.job.JobListener;
import millrace.job.JobPlan;
import millrace.job.LaneBudget;
import millrace.job.TableCopy;
import millrace.job.file.JobDescription;
import millrace.plan.Job;
import millrace.report.RunStore;
import millrace.spi.Connector;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Independent;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.memory.MemoryConnector;
import millrace.verify.Verify;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;

/// What suites share: copies between memory and the connector, and what they expect of them. It has
/// no tests.
///
/// If a test has a time limit, it only keeps a hang from holding the build up.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public interface Suite extends Fixture {

  /// Text of any length.
  Type TEXT = Type.Text.UNLIMITED;

  /// A key and a text.
  Schema CODES =
      new Schema(
          List.of(new Column("id", new Type.Int(64), false, null), Column.of("v", TEXT)),
          List.of("id"));

  /// The end that is known to be right.
  MemoryConnector memory();

  /// A folder of this test alone, for what a copy sets aside.
  Path aside();

  /// That many rows of {@link #ITEMS} with keys from a number on.
  default List<Row> items(int first, int count) {
    return MemoryFixture.itemsFrom(first, count);
  }

  /// The same columns; the first is the key if the connector needs one and none of them could be.
  default Schema keyed(Schema schema) {
    if (can(Behaviour.KEYLESS) || !schema.columns().stream().allMatch(Column::nullable)) {
      return schema;
    }
    List<Column> columns = new ArrayList<>(schema.columns());
    Column first = columns.removeFirst();
    columns.addFirst(new Column(first.name(), first.type(), false, first.declared()));
    return new Schema(columns, List.of(first.name()));
  }

  /// A copy of rows from memory into a table.
  default Copying into(Schema schema, List<Row> rows, Endpoint to) {
    memory().put("rows", keyed(schema), rows);
    return Copying.of(memory(), memory().endpoint("rows"), connector(), to);
  }

  /// Writes rows into a table that does not exist.
  default void write(Schema schema, List<Row> rows, Endpoint to) {
    into(schema, rows, to).run();
  }

  /// Reads a table as columns of those types.
  default List<Row> read(Schema schema, Endpoint from) {
    Schema bare = Schema.of(schema.columns());
    memory().put("back", bare, List.of());
    Endpoint back = memory().endpoint("back");
    Copying.of(connector(), from, memory(), back).mode(Mode.APPEND).lanes(2, 64 << 10).run();
    return memory().rows("back");
  }

  /// Checks that there is no such table.
  default void assertAbsent(Endpoint table) {
    Fault.User fault =
        catchThrowableOfType(
            Fault.User.class,
            () -> {
              try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
                source.describe(new ColumnRequest.Typed());
              }
            });
    assertThat(fault).as(table.label() + " should not exist").isNotNull();
  }

  /// Writes rows into a table that does not exist, and checks that they come back.
  default void writtenComesBack(Schema schema, List<Row> rows, String name) {
    write(schema, rows, table(name));
    comesBack(schema, rows, name);
  }

  /// Checks that a table has those rows, in the eyes of the connector and of the system's client.
  default void comesBack(Schema schema, List<Row> rows, String name) {
    boolean byValue = !can(Behaviour.JSON_TEXT);
    List<Row> expected = byValue ? JsonByValue.rows(schema, rows) : rows;
    List<Row> read = read(schema, table(name));
    RowCheck.sameRows(schema, expected, byValue ? JsonByValue.rows(schema, read) : read);
    List<List<@Nullable Object>> found;
    try {
      found = independently(name, schema.names());
    } catch (Exception e) {
      throw new AssertionError(name + " can't be read without the connector", e);
    }
    if (found != null) {
      Independent.check(schema, expected, byValue ? JsonByValue.values(schema, found) : found);
    }
  }

  /// Inserts rows, each by a statement.
  ///
  /// @param columns in parentheses; empty for all
  /// @param rows values as SQL spells them
  default void insert(String name, String columns, String... rows) {
    for (String row : rows) {
      sql(name, "INSERT INTO %s " + columns + " VALUES (" + row + ")");
    }
  }

  /// The columns of a table as a source.
  default Schema described(Endpoint table) {
    try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description().schema();
    }
  }

  /// A table of that name with ten rows in it.
  default Endpoint tenRows(String name) {
    Endpoint table = table(name);
    write(ITEMS, items(0, 10), table);
    return table;
  }

  /// A copy of rows into a table in a mode, on several lanes.
  default Copying copying(List<Row> rows, Endpoint table, Mode mode) {
    return into(ITEMS, rows, table).mode(mode).lanes(2, 2_400);
  }

  /// Rows, and others after them.
  default List<Row> both(List<Row> some, List<Row> others) {
    List<Row> both = new ArrayList<>(some);
    both.addAll(others);
    return both;
  }

  /// A merge of rows into a table, by a key that is named or by its own.
  default Copying merging(Schema schema, List<Row> rows, Endpoint table, String... key) {
    return into(schema, rows, table)
        .landing(new WriteOptions(Mode.MERGE, false, List.of(key), false));
  }

  /// Checks what a merge says that it made of the rows, if it can tell.
  default void checkCounts(Ran run, long inserted, long updated, long unchanged, long superseded) {
    if (can(Behaviour.MERGE_WHOLE)) {
      assertThat(run.merged()).isEqualTo(new MergeCounts(inserted, updated, unchanged, superseded));
    }
  }

  default Schema keyed(Type type) {
    return new Schema(
        List.of(new Column("k", type, false, null), Column.of("v", TEXT)), List.of("k"));
  }

  /// The last row of each key.
  default List<Row> lastRows(List<Row> rows) {
    Map<Object, Row> last = new LinkedHashMap<>();
    rows.forEach(row -> last.put(Objects.requireNonNull(row.value(0)), row));
    return List.copyOf(last.values());
  }

  /// Opens the connector's ends, and tries nothing again.
  default EndOpener endOpener() {
    return new EndOpener(new ConnectorRegistry(List.of(connector())), RetryPolicy.NONE, _ -> {});
  }

  /// What a job between the connector and memory needs.
  default JobContext jobs(Path folder, JobListener listener) {
    List<Connector> both = List.of(connector(), memory());
    return new JobContext(
        new CopyContext(new ConnectorRegistry(both), new RunStore(folder.resolve("runs"))),
        new Endpoints(both, Map.of()),
        folder,
        listener);
  }

  /// A job of tables that become what their copies make of them.
  default JobPlan plan(JobContext context, List<TableCopy> copies, LaneBudget budget) {
    JobLedger ledger = JobLedger.open(context.ledgers(), "suite", "", false);
    return new JobPlan(
        context, copies, budget, ledger, DefinitionSteps.none(ledger), false, JobDescription.NONE);
  }

  /// One side of a comparison.
  default Verify.Side side(Connector connector, Endpoint end) {
    Job job =
        new Job(
            end,
            end,
            Selection.ALL,
            WriteOptions.DEFAULT,
            Job.Tuning.AUTOMATIC,
            Job.RejectPolicy.NONE);
    return new Verify.Side(job, () -> connector.source(end, Selection.ALL, new OpenContext()));
  }

  /// The least that two times differ by, in microseconds.
  default long timeUnit() {
    return can(Behaviour.MICROSECONDS) ? 1 : (long) Math.pow(10, 6 - fractionDigits());
  }

  /// Ends the test as not offered if columns of the type are refused.
  default void needs(Type type) {
    needs(refuses(type).isEmpty(), "columns of " + type.label());
  }
}
