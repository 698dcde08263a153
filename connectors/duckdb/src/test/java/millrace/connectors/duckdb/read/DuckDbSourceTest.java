package millrace.connectors.duckdb.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import millrace.connectors.duckdb.Duck;
import millrace.connectors.duckdb.DuckDbConnector;
import millrace.data.Batch;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBFunctions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is read from a DuckDB file, and what is said if it can't be.
class DuckDbSourceTest {

  private static final DuckDbConnector DUCKDB = new DuckDbConnector();

  @TempDir Path folder;

  private static List<Row> rows(Endpoint from, Selection selection, long splitBytes) {
    try (Source source = DUCKDB.source(from, selection, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      return Reading.rows(described, Reading.splits(described, splitBytes), null);
    }
  }

  private static SourceDescription describe(Endpoint from, Selection selection) {
    try (Source source = DUCKDB.source(from, selection, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description();
    }
  }

  @Test
  void splitsOfATableWithDeletedRowsGiveEachRowOnce() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t AS SELECT i AS id FROM range(400000) r(i)",
        "DELETE FROM t WHERE id % 3 = 0 OR id > 390000 OR id BETWEEN 100000 AND 250000",
        "INSERT INTO t SELECT i FROM range(500000, 500010) r(i)");
    List<Row> rows = rows(duck.table("t"), Selection.ALL, 300_000);
    Set<Row> distinct = new HashSet<>(rows);
    assertThat(rows).hasSameSizeAs(distinct);
    assertThat(rows).hasSize(Integer.parseInt(duck.rows("SELECT count(*) FROM t").getFirst()));
    assertThat(distinct).contains(Row.of(1), Row.of(500_009)).doesNotContain(Row.of(3));
  }

  @Test
  void aTableIsReadInSplitsOfAboutTheSizeAskedFor() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT i AS id, repeat('x', 1000) AS wide FROM range(20000) r(i)");
    try (Source source = DUCKDB.source(duck.table("t"), Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      SourceDescription description = described.description();
      assertThat(description.size().rows()).isEqualTo(20_000);
      assertThat(description.size().bytes()).isBetween(20_000_000L, 21_000_000L);
      assertThat(Reading.splits(described, 1 << 20)).hasSizeBetween(18, 22);
    }
  }

  @Test
  void aConditionIsAppliedByDuckDbInEverySplit() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT i AS id FROM range(300000) r(i)");
    Selection some = new Selection(List.of(), "id % 1000 = 7 OR id = 3 -- note", Long.MAX_VALUE);
    assertThat(describe(duck.table("t"), some).pushDown().where()).isTrue();
    assertThat(rows(duck.table("t"), some, 1 << 20)).hasSize(301).contains(Row.of(3), Row.of(7));
  }

  @Test
  void aConditionThatIsNoneIsToldInOneLine() throws SQLException {
    assertRefused("idd = 1", "idd");
  }

  @Test
  void aConditionThatEndsTheParenthesesAroundItIsRefused() throws SQLException {
    assertRefused("id = 1) OR (1 = 1", "syntax error");
  }

  private void assertRefused(String condition, String said) throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT 1 AS id");
    Selection wrong = new Selection(List.of(), condition, Long.MAX_VALUE);
    assertThatThrownBy(() -> rows(duck.table("t"), wrong, 1 << 20))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(said)
        .extracting(Throwable::getMessage)
        .asString()
        .doesNotContain("\n");
  }

  @Test
  void aLimitIsOneQuery() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT i AS id FROM range(300000) r(i)");
    Selection few = new Selection(List.of(), "id > 10", 5);
    SourceDescription description = describe(duck.table("t"), few);
    assertThat(description.pushDown().limit()).isTrue();
    assertThat(description.lanes().max()).isEqualTo(1);
    assertThat(rows(duck.table("t"), few, 1 << 20)).hasSize(5);
  }

  @Test
  void aQueryIsReadAsOne() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT i AS id FROM range(10) r(i)");
    Endpoint query = duck.query("SELECT id * 2 AS twice FROM t ORDER BY id DESC; ");
    assertThat(describe(query, Selection.ALL).lanes().why()).isNotEmpty();
    List<Row> rows =
        rows(query, new Selection(List.of("twice"), "twice > 14", Long.MAX_VALUE), 1 << 20);
    assertThat(rows).containsExactly(Row.of(18), Row.of(16));
  }

  @Test
  void aQueryThatFailsHalfWayIsNotTakenForComplete() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id INTEGER)");
    Endpoint query =
        duck.query(
            "SELECT CASE WHEN i = 1900000 THEN error('row 1900000 is bad') ELSE repeat('x', 30) END"
                + " AS v FROM range(2000000) r(i)");
    try (Source source = DUCKDB.source(query, Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      try (ReadSession session = Reading.open(described, 1 << 20);
          Reader reader = session.reader(Reading.context(null))) {
        Split split = Reading.splits(session).getFirst();
        assertThatThrownBy(
                () -> {
                  reader.start(split);
                  for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
                    batch.release();
                  }
                })
            .isInstanceOf(Fault.Data.class)
            .hasMessageContaining("row 1900000 is bad");
      }
    }
  }

  @Test
  void aViewIsReadAsOne() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE SCHEMA s", "CREATE VIEW s.v AS SELECT 1 AS a, 'x' AS b");
    assertThat(describe(duck.table("s.v"), Selection.ALL).lanes().max()).isEqualTo(1);
    assertThat(rows(duck.table("s.v"), Selection.ALL, 1 << 20)).containsExactly(Row.of(1, "x"));
  }

  @Test
  void aTableWithAColumnNamedLikeDuckDbsRowidIsReadAsOne() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT 5 AS rowid FROM range(300000)");
    assertThat(describe(duck.table("t"), Selection.ALL).lanes().why()).contains("rowid");
    assertThat(rows(duck.table("t"), Selection.ALL, 1 << 10)).hasSize(300_000);
  }

  @Test
  void lanesSeeOneStateWhileRowsAreAdded() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT i AS id FROM range(1000) r(i)");
    MemoryConnector memory = new MemoryConnector();
    memory.put("more", Schema.of(List.of(Column.of("id", new Type.Int(64)))), List.of(Row.of(-1)));
    try (Source source = DUCKDB.source(duck.table("t"), Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      try (ReadSession session = Reading.open(described, 4_000)) {
        List<Split> splits = Reading.splits(session);
        Copying.of(memory, memory.endpoint("more"), DUCKDB, duck.table("t"))
            .mode(Mode.APPEND)
            .run();
        assertThat(splits).hasSizeGreaterThan(1);
        assertThat(Reading.rows(session, splits, null)).hasSize(1000).doesNotContain(Row.of(-1));
      }
    }
    assertThat(duck.rows("SELECT count(*) FROM t")).containsExactly("1001");
  }

  @Test
  void aLongQueryEndsSoonAfterItsReaderIsCancelled() throws Exception {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id INTEGER)");
    CountDownLatch begun = new CountDownLatch(1);
    try (DuckDBConnection connection = duck.connect()) {
      DuckDBFunctions.scalarFunction()
          .withName("begun")
          .withParameter(DuckDBColumnType.BIGINT)
          .withReturnType(DuckDBColumnType.BIGINT)
          .withLongFunction(value -> told(begun, value))
          .withVolatile()
          .register(connection);
      Endpoint endless =
          duck.query(
              "SELECT sum(begun(a.i) * b.i) AS v FROM range(9999999) a(i), range(9999999) b(i)");
      try (Source source = DUCKDB.source(endless, Selection.ALL, new OpenContext())) {
        DescribedSource described = source.describe(new ColumnRequest.Typed());
        try (ReadSession session = Reading.open(described, 1 << 20);
            Reader reader = session.reader(Reading.context(null))) {
          Split split = Reading.splits(session).getFirst();
          Thread canceller = Thread.ofPlatform().start(() -> cancelWhen(begun, reader));
          assertThatThrownBy(
                  () -> {
                    reader.start(split);
                    reader.next();
                  })
              .isInstanceOf(Fault.Cancelled.class);
          canceller.join();
        }
      }
    }
  }

  private static long told(CountDownLatch latch, long value) {
    latch.countDown();
    return value;
  }

  private static void cancelWhen(CountDownLatch begun, Reader reader) {
    try {
      begun.await();
      reader.cancel();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void rowsWithLongTextsComeInSmallerBatches() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t AS SELECT i AS id, CASE WHEN i >= 3000 THEN repeat('水', 100000) ELSE 'x'"
            + " END AS wide FROM range(3100) r(i)");
    try (Source source = DUCKDB.source(duck.table("t"), Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      try (ReadSession session = Reading.open(described, 1 << 30);
          Reader reader = session.reader(Reading.context(null))) {
        Split split = Reading.splits(session).getFirst();
        reader.start(split);
        long rows = 0;
        for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
          assertThat(batch.sourceBytes()).isLessThan(3 << 20);
          rows += batch.rows();
          batch.release();
        }
        assertThat(rows).isEqualTo(3100);
      }
    }
  }

  @Test
  void batchesOfASmallReadUnitHoldThatManyRows() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT i AS id FROM range(5000) r(i)");
    try (Source source = DUCKDB.source(duck.table("t"), Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      ReadContext context = Reading.context(new millrace.text.Amount(100, false));
      try (ReadSession session = Reading.open(described, 1 << 20);
          Reader reader = session.reader(context)) {
        Split split = Reading.splits(session).getFirst();
        reader.start(split);
        Columns first = (Columns) java.util.Objects.requireNonNull(reader.next());
        assertThat(first.rows()).isEqualTo(100);
        assertThat(first.location().firstRow()).isEqualTo(1);
        Columns second = (Columns) java.util.Objects.requireNonNull(reader.next());
        assertThat(second.location().firstRow()).isEqualTo(101);
      }
    }
  }

  @Test
  void aValueThatDuckDbCanNotReadCanNotBeSetAsideAndTheAdviceSaysSo() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT 'x' AS v");
    Endpoint query = duck.query("SELECT v::INT AS v FROM t");
    assertThatThrownBy(() -> rows(query, Selection.ALL, 1 << 20))
        .isInstanceOfSatisfying(
            Fault.Data.class,
            fault -> assertThat(fault.advice()).contains("leave its column out with --select"));
  }

  @Test
  void aFileThatIsNoDatabaseIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("test.db"), "a,b\n".repeat(5_000));
    Duck duck = new Duck(file);
    assertThatThrownBy(() -> describe(duck.table("t"), Selection.ALL))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("test.db")
        .hasMessageContaining("is not a DuckDB database");
  }

  @Test
  void aMissingFileIsNamedAndNotMade() {
    Duck duck = Duck.in(folder);
    assertThatThrownBy(() -> DUCKDB.source(duck.table("t"), Selection.ALL, new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("test.db");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aMissingFolderIsNamed() {
    Duck duck = new Duck(folder.resolve("none").resolve("test.db"));
    MemoryConnector memory = new MemoryConnector();
    memory.put("rows", Schema.of(List.of(Column.of("id", new Type.Int(64)))), List.of());
    Copying copying = Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table("t"));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("there is no folder");
  }

  @Test
  void aFolderInsteadOfAFileIsNamed() {
    Duck duck = new Duck(folder);
    assertThatThrownBy(() -> describe(duck.table("t"), Selection.ALL))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is a folder");
  }

  @Test
  void aMissingTableComesWithTheNamesOfThoseThatExist() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE orders (id INTEGER)", "CREATE SCHEMA s", "CREATE TABLE s.t (i INTEGER)");
    assertThatThrownBy(() -> describe(duck.table("order"), Selection.ALL))
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).isEqualTo("It has orders, s.t."));
  }

  @Test
  void aTableAndAQueryTogetherAreRefused() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id INTEGER)");
    assertThatThrownBy(() -> describe(duck.with("table", "t", "query", "SELECT 1"), Selection.ALL))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("both");
  }

  @Test
  void aFileThatAnotherProcessHasOpenIsReportedWithThatProcess() throws Exception {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id INTEGER)");
    Process other =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                duck.file().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('o');
      assertThatThrownBy(() -> describe(duck.table("t"), Selection.ALL))
          .isInstanceOfSatisfying(
              Fault.Transient.class,
              fault -> {
                assertThat(fault).hasMessageContaining("in use by process " + other.pid());
                assertThat(fault.advice()).contains("close it there");
              });
      assertThatThrownBy(() ->
              DUCKDB.target(duck.table("t"), WriteOptions.DEFAULT, new OpenContext()).describe())
          .isInstanceOf(Fault.Transient.class);
    } finally {
      other.getOutputStream().close();
      other.waitFor();
    }
  }

  /// Another process: opens the file, says so, and holds it until its input ends.
  static final class Holder {
    private Holder() {}

    /// Holds the file.
    ///
    /// @param args the file
    public static void main(String[] args) throws Exception {
      try (DuckDBConnection connection = new Duck(Path.of(args[0])).connect()) {
        System.out.print(connection.isClosed() ? 'c' : 'o');
        System.out.flush();
        System.in.transferTo(java.io.OutputStream.nullOutputStream());
      }
    }
  }
}
