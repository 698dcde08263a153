package millrace.connectors.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.ServerWait;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.forwarding.ForwardingDescribedSource;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What only SQLite has: columns that take any value, rowids, and locks on a file.
class SqliteTest {

  private static final String NUMBERS =
      "INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
          + " SELECT i, 'row ' || i FROM n";

  private static final Job.RejectPolicy ANY = new Job.RejectPolicy(Long.MAX_VALUE, null);

  @TempDir Path folder;
  private final MemoryConnector memory = new MemoryConnector();
  private final SqliteConnector connector = new SqliteConnector();
  private Sqlite sqlite;

  @BeforeEach
  void file() {
    sqlite = new Sqlite(folder.resolve("a file?.db"));
  }

  private Copying reading(Endpoint from) {
    return Copying.of(connector, from, memory, memory.endpoint("back")).lanes(3, 4_000);
  }

  private Copying writing(Schema schema, List<Row> rows, String table) {
    memory.put("rows", schema, rows);
    return Copying.of(memory, memory.endpoint("rows"), connector, sqlite.table(table));
  }

  private static Schema one(Type type) {
    return Schema.of(List.of(Column.of("c", type)));
  }

  private List<Split> splits(Endpoint from) {
    try (Source source = connector.source(from, Selection.ALL, new OpenContext())) {
      return Reading.splits(source.describe(new ColumnRequest.Typed()), 4_000);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CREATE TABLE t(i INTEGER PRIMARY KEY; a), true",
    "CREATE TABLE t(i INTEGER; rowid TEXT), true",
    "CREATE TABLE t(rowid INTEGER; _rowid_ TEXT), true",
    "CREATE TABLE t(i INTEGER PRIMARY KEY; a) WITHOUT ROWID, false",
  })
  void everyRowIsReadOnceWhateverCutsTheTable(String ddl, boolean isCut) throws SQLException {
    sqlite.run(ddl.replace(';', ','), NUMBERS, "CREATE VIEW v AS SELECT * FROM t");
    assertThat(splits(sqlite.table("t")).size() > 1).isEqualTo(isCut);
    assertThat(splits(sqlite.table("v"))).hasSize(1);
    for (Endpoint from : List.of(sqlite.table("t"), sqlite.table("v"))) {
      reading(from).mode(Mode.REPLACE).run();
      assertThat(memory.rows("back")).doesNotHaveDuplicates().hasSize(5_000);
    }
  }

  @Test
  void keysOfEverySizeAreReadOnce() throws SQLException {
    sqlite.run(
        "CREATE TABLE t(i INTEGER PRIMARY KEY, a)",
        NUMBERS,
        "INSERT INTO t VALUES (-9223372036854775808, 'a'), (9223372036854775807, 'z'), (0, 'o')");
    assertThat(splits(sqlite.table("t"))).hasSizeGreaterThan(1);
    reading(sqlite.table("t")).run();
    assertThat(memory.rows("back")).doesNotHaveDuplicates().hasSize(5_003);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "INTEGER | 'abc' | text 'abc'",
        "INTEGER | 1.5 | the number 1.5",
        "BIGINT | x'00' | 1 bytes",
        "SMALLINT | 40000 | the number 40000",
        "BOOLEAN | 2 | the number 2",
        "REAL | 'abc' | text 'abc'",
        "DECIMAL(9,2) | 1.005 | the number 1.005",
        "TEXT | x'41' | 1 bytes",
        "TEXT | CAST(x'ff' AS TEXT) | no UTF-8",
        "DATE | 20240229 | the number 20240229",
        "DATE | '2024-02-30' | text '2024-02-30'",
        "UUID | 'x' | text 'x'",
        "BLOB | 'abc' | text 'abc'",
        "JSON | 'not json' | text 'not json'",
        "JSON_TEXT | '{\"a\":}' | text '{\"a\":}'",
        "JSON_TEXT | 'NaN' | text 'NaN'",
        "JSON_TEXT | '{\"a\":1' | text '{\"a\":1'",
      })
  void aValueThatIsNoneOfItsColumnsTypeIsABadRecord(String type, String value, String said)
      throws SQLException {
    sqlite.run(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, c " + type + ")",
        "INSERT INTO t VALUES (7, " + value + "), (8, NULL)");
    assertThatThrownBy(reading(sqlite.table("t"))::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("\"c\"")
        .hasMessageContaining(said)
        .hasMessageContaining("rowid 7");
    reading(sqlite.table("t")).mode(Mode.REPLACE).rejects(ANY).run();
    assertThat(memory.rows("back")).containsExactly(Row.of(8, null));
  }

  @ParameterizedTest
  @CsvSource({
    "'NUMERIC', '12345678901234567.25', would lose digits",
    "'JSON', '1e3', would be stored as a number",
    "'STRING', '007', would be stored as a number",
  })
  void aValueThatSqliteWouldChangeIsABadRecord(String declared, String value, String said)
      throws SQLException {
    sqlite.run("CREATE TABLE t(c " + declared + ")");
    Type type =
        switch (declared) {
          case "NUMERIC" -> Type.Decimal.UNLIMITED;
          case "JSON" -> new Type.Json();
          default -> Type.Text.UNLIMITED;
        };
    Copying copying = writing(one(type), List.of(Row.of(value)), "t").mode(Mode.APPEND);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("\"c\"")
        .hasMessageContaining(said);
    assertThat(sqlite.texts("SELECT c FROM t")).isEmpty();
  }

  @Test
  void aStrictTableIsWrittenAndRead() throws SQLException {
    sqlite.run("CREATE TABLE t(i INT, r REAL, t TEXT, b BLOB, a ANY) STRICT");
    Schema schema =
        Schema.of(
            List.of(
                Column.of("i", new Type.Int(64)),
                Column.of("r", new Type.Float(64)),
                Column.of("t", Type.Text.UNLIMITED),
                Column.of("b", new Type.Bytes()),
                Column.of("a", Type.Text.UNLIMITED)));
    List<Row> rows =
        List.of(Row.of(1, 0.5, "1e3", "00ff", "007"), Row.of(2, null, null, null, null));
    writing(schema, rows, "t").mode(Mode.APPEND).run();
    reading(sqlite.table("t")).run();
    assertThat(memory.rows("back")).containsExactlyElementsOf(rows);
  }

  @Test
  void aRowWithoutItsParentIsSetAsideAlone() throws SQLException {
    sqlite.run(
        "CREATE TABLE p(c INTEGER PRIMARY KEY)",
        "INSERT INTO p VALUES (1), (2)",
        "CREATE TABLE t(c INTEGER REFERENCES p)");
    List<Row> rows = List.of(Row.of(1), Row.of(3), Row.of(2), Row.of((Object) null));
    Ran run = writing(one(new Type.Int(64)), rows, "t").mode(Mode.APPEND).rejects(ANY).run();
    assertThat(run.meter().rejects()).isEqualTo(1);
    assertThat(sqlite.texts("SELECT c FROM t ORDER BY 1")).containsExactly("null", "1", "2");
    assertThatThrownBy(writing(one(new Type.Int(64)), rows, "p").mode(Mode.TRUNCATE)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("foreign keys of t");
  }

  @Test
  void aReplacedTableKeepsItsIndexesAndTriggers() throws SQLException {
    sqlite.run(
        "CREATE TABLE t(c INTEGER)",
        "CREATE INDEX by_c ON t(c)",
        "CREATE TRIGGER no AFTER DELETE ON t BEGIN SELECT 1; END");
    writing(one(new Type.Int(64)), List.of(Row.of(1)), "t").mode(Mode.REPLACE).run();
    assertThat(sqlite.texts("SELECT name FROM sqlite_schema WHERE type <> 'table' ORDER BY 1"))
        .containsExactly("by_c", "no");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c INTEGER PRIMARY KEY ON CONFLICT REPLACE | 2 rows were replaced",
        "c INTEGER, UNIQUE (c) ON /* of key */ conflict -- c; replace | 2 rows were replaced",
        "c INTEGER | ",
        "c INTEGER UNIQUE ON CONFLICT IGNORE | 2 rows were ignored",
      })
  void theReportTellsWhatTheTableHasReplaced(String columns, String told) throws SQLException {
    sqlite.run(
        "CREATE TABLE t(" + columns.replace(';', '\n') + ")", "INSERT INTO t VALUES (1), (2)");
    List<Row> rows = List.of(Row.of(2), Row.of(3), Row.of(3), Row.of(4));
    Ran run = writing(one(new Type.Int(64)), rows, "t").mode(Mode.APPEND).run();
    if (told == null) {
      assertThat(run.notes()).isEmpty();
    } else {
      assertThat(run.notes()).singleElement().asString().startsWith(told);
    }
    boolean ignores = columns.contains("IGNORE");
    assertThat(run.meter().rows()).isEqualTo(ignores ? 2 : 4);
    List<String> expected = told == null ? List.of("6") : List.of("4");
    assertThat(sqlite.texts("SELECT count(*) FROM t")).isEqualTo(expected);
  }

  @Test
  void thePlanSaysThatTriggersRun() throws SQLException {
    sqlite.run(
        "CREATE TABLE t(c INTEGER PRIMARY KEY)",
        "CREATE TRIGGER \"on update\" AFTER INSERT ON t BEGIN DELETE FROM t WHERE c = 1; END",
        "CREATE TRIGGER gone /* insert */ AFTER DELETE ON t BEGIN SELECT 1; END",
        "CREATE TRIGGER changed AFTER UPDATE OF c ON t BEGIN SELECT 1; END");
    Copying copying = writing(one(new Type.Int(64)), List.of(Row.of(1), Row.of(2)), "t");
    assertThat(copying.mode(Mode.APPEND).run().plan().writePlan().notes())
        .containsExactly(
            "triggers of the table run for every row, and may change or drop it (on update)");
    assertThat(copying.mode(Mode.MERGE).run().plan().writePlan().notes())
        .containsExactly(
            "triggers of the table run for every row that is inserted or updated, and may change or"
                + " drop it (changed, on update)");
  }

  @Test
  void aTableWhoseTriggerKeepsRowsIsNotTruncated() throws SQLException {
    sqlite.run(
        "CREATE TABLE t(c INTEGER PRIMARY KEY)",
        "INSERT INTO t VALUES (7)",
        "CREATE TRIGGER keep BEFORE DELETE ON t BEGIN SELECT raise(ignore); END");
    Copying copying = writing(one(new Type.Int(64)), List.of(Row.of(1)), "t").mode(Mode.TRUNCATE);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("a trigger has kept");
    assertThat(sqlite.texts("SELECT c FROM t")).containsExactly("7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "WAL"})
  void aCopyWithinOneFileEnds(String journal) throws SQLException {
    sqlite.run(
        "PRAGMA journal_mode = " + journal,
        "CREATE TABLE t(i INTEGER PRIMARY KEY, a TEXT)",
        NUMBERS);
    Copying copying =
        Copying.of(connector, sqlite.table("t"), connector, sqlite.table("copy")).lanes(3, 4_000);
    copying.run();
    copying.mode(Mode.TRUNCATE).run();
    assertThat(sqlite.texts("SELECT count(*) FROM copy")).containsExactly("5000");
  }

  /// A log that somebody keeps for himself; a lock that comes between planning and opening.
  @ParameterizedTest
  @CsvSource({"WAL, false", "DELETE, false", "DELETE, true"})
  void aFileThatSomebodyKeepsForHimselfIsWaitedFor(String journal, boolean later)
      throws SQLException {
    sqlite.run(
        "PRAGMA journal_mode = " + journal,
        "CREATE TABLE t(i INTEGER PRIMARY KEY, a TEXT)",
        NUMBERS);
    String[] holds = {
      "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "INSERT INTO t VALUES (0, '')"
    };
    try (Connection holder = sqlite.connect();
        Statement statement = holder.createStatement()) {
      Runnable hold =
          () -> {
            try {
              for (String each : holds) {
                statement.execute(each);
              }
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          };
      if (!later) {
        hold.run();
      }
      Copying reading =
          reading(sqlite.table("t")).patience(Duration.ofHours(1), Duration.ofMillis(400));
      Copying held =
          later
              ? reading.between(source -> new HeldSource(source, hold), target -> target)
              : reading;
      assertThatThrownBy(held::run)
          .isInstanceOf(Fault.Transient.class)
          .hasMessageStartingWith("No row has moved for ")
          .hasMessageContaining("waits for a lock");
    }
    reading(sqlite.table("t")).run();
    assertThat(memory.rows("back")).hasSize(5_000);
  }

  /// What the report says of the file's own waits: it has no process that could be looked at.
  @Test
  void whatAThreadWaitsForInTheFileIsTold() throws SQLException {
    sqlite.run("CREATE TABLE t(i INTEGER PRIMARY KEY, a TEXT)", NUMBERS);
    String busy =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
    Endpoint query = sqlite.end("query", busy);
    try (Source source = connector.source(query, Selection.ALL, new OpenContext());
        Counters counters = counters(source)) {
      assertThat(counters.waits()).isEmpty();
      CompletableFuture<?> lane =
          CompletableFuture.supplyAsync(() -> source.describe(new ColumnRequest.Typed()));
      await(counters, ServerWait.NONE.what());
      Blockable.of(source).cancel();
      assertThatThrownBy(lane::join).hasCauseInstanceOf(Fault.Cancelled.class);
    }
    try (Connection holder = sqlite.connect();
        Statement statement = holder.createStatement();
        Source source = connector.source(sqlite.table("t"), Selection.ALL, new OpenContext());
        Counters counters = counters(source)) {
      statement.execute("BEGIN EXCLUSIVE");
      CompletableFuture<?> lane =
          CompletableFuture.supplyAsync(() -> source.describe(new ColumnRequest.Typed()));
      await(counters, ServerWait.LOCKS);
      statement.execute("ROLLBACK");
      lane.join();
      assertThat(counters.waits()).isEmpty();
    }
  }

  private static Counters counters(Source source) {
    return Objects.requireNonNull(source.capability(HasCounters.class)).counters();
  }

  private static void await(Counters counters, String what) {
    List<String> seen = new ArrayList<>();
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!seen.contains(what) && System.nanoTime() < end) {
      counters.waits().forEach(wait -> seen.add(wait.what()));
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(seen).contains(what);
  }

  /// A source that somebody locks just before it is opened.
  private static final class HeldSource extends ForwardingSource {
    private final Runnable hold;

    HeldSource(Source source, Runnable hold) {
      super(source);
      this.hold = hold;
    }

    @Override
    protected DescribedSource described(DescribedSource source) {
      return new ForwardingDescribedSource(source) {
        @Override
        public ReadSession open(ReadPlan plan) {
          hold.run();
          return super.open(plan);
        }
      };
    }
  }

  /// Others may commit at any moment while the lanes begin and read.
  @Test
  void allLanesSeeOneState() throws Exception {
    sqlite.run(
        "PRAGMA journal_mode = WAL",
        "CREATE TABLE t(i INTEGER PRIMARY KEY, a INT)",
        NUMBERS.replace("'row ' || i", "0"));
    Thread writer =
        Thread.ofPlatform()
            .start(() -> {
              try (Connection connection = sqlite.connect();
                  Statement statement = connection.createStatement()) {
                while (!Thread.interrupted()) {
                  statement.execute("UPDATE t SET a = a + 1");
                }
              } catch (SQLException e) {
                throw new AssertionError(e);
              }
            });
    try {
      for (int i = 0; i < 20; i++) {
        reading(sqlite.table("t")).mode(Mode.REPLACE).run();
        assertThat(memory.rows("back").stream().map(row -> row.value(1)).distinct()).hasSize(1);
      }
    } finally {
      writer.interrupt();
      writer.join();
    }
  }

  /// A process is killed when SQLite has written part of its rows to the file already.
  @ParameterizedTest
  @CsvSource({"DELETE, true", "WAL, true", "DELETE, false"})
  void aFileThatAKilledCopyHasLeftIsPutInOrder(String journal, boolean isThere)
      throws IOException, InterruptedException, SQLException {
    if (isThere) {
      sqlite.run(
          "PRAGMA journal_mode = " + journal,
          "CREATE TABLE t(i INTEGER PRIMARY KEY, a TEXT)",
          NUMBERS);
    }
    KilledCopy.run(sqlite.file());
    String end = journal.equals("WAL") ? "-wal" : "-journal";
    assertThat(Path.of(sqlite.file() + end)).exists();
    assertThat(Files.size(isThere ? Path.of(sqlite.file() + end) : sqlite.file()))
        .isGreaterThan(4_096);
    if (isThere) {
      reading(sqlite.table("t")).run();
      assertThat(memory.rows("back")).hasSize(5_000);
    } else {
      assertThatThrownBy(reading(sqlite.table("t"))::run)
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("has no table t");
    }
    Schema schema =
        Schema.of(List.of(Column.of("i", new Type.Int(64)), Column.of("a", Type.Text.UNLIMITED)));
    List<Row> rows = LongStream.range(10_000, 10_100).mapToObj(i -> Row.of(i, "new")).toList();
    writing(schema, rows, "t").mode(Mode.APPEND).run();
    assertThat(sqlite.texts("PRAGMA integrity_check")).containsExactly("ok");
    assertThat(sqlite.texts("SELECT count(*) FROM t")).containsExactly(isThere ? "5100" : "100");
  }

  @Test
  void aQueryTellsTheTypesOfItsColumns() throws SQLException {
    sqlite.run(
        "CREATE TABLE t(i INTEGER PRIMARY KEY, d DECIMAL(9,2))", "INSERT INTO t VALUES (1, 1.5)");
    try (Source source =
        connector.source(
            sqlite.end(
                "query", "SELECT d, i + 1 AS j, 'x' || i AS x, i / 2.0 AS h, null AS n FROM t;"),
            Selection.ALL,
            new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().schema().columns())
          .extracting(Column::type)
          .containsExactly(
              new Type.Decimal(9, 2),
              new Type.Int(64),
              Type.Text.UNLIMITED,
              new Type.Float(64),
              Type.Text.UNLIMITED);
    }
  }
}
