package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.connectors.sql.Names;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of a table that rows are copied into.
class DuckDbTargetTest {

  private static final DuckDbConnector DUCKDB = new DuckDbConnector();

  private static final Schema PAIRS =
      Schema.of(List.of(Column.of("id", new Type.Int(64)), Column.of("name", Type.Text.UNLIMITED)));

  @TempDir Path folder;

  private final MemoryConnector memory = new MemoryConnector();

  private Copying into(Duck duck, String table, Row... rows) {
    memory.put("rows", PAIRS, List.of(rows));
    return Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table(table));
  }

  @Test
  void replaceMakesTheSecondaryIndexesAgain() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t (id BIGINT, name VARCHAR)",
        "INSERT INTO t VALUES (1, 'old')",
        "CREATE INDEX by_name ON t (name)");
    into(duck, "t", Row.of(2, "new")).mode(Mode.REPLACE).run();
    assertThat(duck.rows("SELECT * FROM t")).containsExactly("2 | new");
    assertThat(duck.rows("SELECT index_name FROM duckdb_indexes()")).containsExactly("by_name");
  }

  /// DuckDB opens such a file as a database in memory: the rows were told as copied, and gone.
  @ParameterizedTest
  @ValueSource(strings = {"there.csv", "there.json", "there.parquet"})
  void aFileOfAnotherFormatThatDuckDbOpensIsRefused(String name) throws Exception {
    Path file = folder.resolve(name);
    Duck.in(folder).run("COPY (SELECT 1 AS id, 'x' AS name) TO " + Names.text(file.toString()));
    byte[] before = Files.readAllBytes(file);
    Duck duck = new Duck(file);
    Copying copying = into(duck, "t", Row.of(1, "a"));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(name + " is not a DuckDB database");
    assertThatThrownBy(() -> describe(duck.table("t")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(name + " is not a DuckDB database");
    assertThat(file).hasBinaryContent(before);
  }

  private static void describe(Endpoint from) {
    try (Source source = DUCKDB.source(from, Selection.ALL, new OpenContext())) {
      source.describe(new ColumnRequest.Typed());
    }
  }

  @Test
  void replaceSpeaksOfAnOldTableOnlyWhereThereIsOne() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id BIGINT)");
    assertThat(told(duck, "t", Mode.REPLACE))
        .contains("The old table stays until the run is complete.");
    assertThat(told(duck, "absent", Mode.REPLACE))
        .contains("The table and all its rows appear at once, when the run is complete.")
        .noneMatch(note -> note.contains("old"));
  }

  private List<String> told(Duck duck, String table, Mode mode) {
    WritePlan writePlan = into(duck, table, Row.of(1, "a")).mode(mode).plan().writePlan();
    return Stream.concat(writePlan.notes().stream(), writePlan.details().stream()).toList();
  }

  @Test
  void replaceKeepsTheOldTableWhereAnIndexedColumnIsGone() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t (gone INTEGER)",
        "INSERT INTO t VALUES (1)",
        "CREATE INDEX by_gone ON t (gone)");
    assertThatThrownBy(() -> into(duck, "t", Row.of(2, "new")).mode(Mode.REPLACE).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("gone");
    assertThat(duck.rows("SELECT * FROM t")).containsExactly("1");
  }

  @Test
  void replaceRefusesATableThatForeignKeysPointTo() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t (id BIGINT PRIMARY KEY, name VARCHAR)",
        "CREATE TABLE orders (t BIGINT REFERENCES t (id))");
    assertThatThrownBy(() -> into(duck, "t", Row.of(2, "new")).mode(Mode.REPLACE).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("orders");
  }

  @Test
  void aTableCanBeReplacedByAQueryOverItself() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT i AS id, 'x' || i AS name FROM range(300000) r(i)");
    Copying.of(DUCKDB, duck.query("SELECT id + 1 AS id, name FROM t"), DUCKDB, duck.table("t"))
        .mode(Mode.REPLACE)
        .run();
    assertThat(
            duck.rows("SELECT count(*), min(id), max(id), sum(id - substr(name, 2)::INT) FROM t"))
        .containsExactly("300000 | 1 | 300000 | 300000");
  }

  @Test
  void aTableCanBeReadByLanesWhileItIsAppendedTo() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t AS SELECT i AS id, 'x' || i AS name FROM range(300000) r(i)");
    Copying.of(DUCKDB, duck.table("t"), DUCKDB, duck.table("t"))
        .mode(Mode.APPEND)
        .lanes(2, 1 << 20)
        .run();
    assertThat(duck.rows("SELECT count(*), count(DISTINCT id) FROM t"))
        .containsExactly("600000 | 300000");
  }

  @Test
  void defaultsAndGeneratedColumnsAreLeftToDuckDb() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t (twice BIGINT GENERATED ALWAYS AS (id * 2), id BIGINT,"
            + " made VARCHAR NOT NULL DEFAULT 'here', name VARCHAR)");
    assertThat(told(duck, "t", Mode.APPEND))
        .contains(
            "the source has nothing for column made: new rows get the default there, a trigger's"
                + " value, or null");
    into(duck, "t", Row.of(4, "n")).run();
    assertThat(duck.rows("SELECT id, twice, made, name FROM t"))
        .containsExactly("4 | 8 | here | n");
  }

  @Test
  void byPositionGeneratedColumnsAreLeftOut() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (twice BIGINT GENERATED ALWAYS AS (a * 2), a BIGINT, b VARCHAR)");
    into(duck, "t", Row.of(4, "n")).landing(new WriteOptions(null, false, List.of(), true)).run();
    assertThat(duck.rows("SELECT a, twice, b FROM t")).containsExactly("4 | 8 | n");
  }

  @Test
  void aColumnThatMustHaveAValueAndGetsNoneIsNamedBeforeTheFirstRow() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id BIGINT, name VARCHAR, must INTEGER NOT NULL)");
    assertThatThrownBy(() -> into(duck, "t", Row.of(1, "a")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("nothing for column must of");
  }

  @Test
  void aViewIsRefused() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE VIEW v AS SELECT 1 AS id, 'x' AS name");
    assertThatThrownBy(() -> into(duck, "v", Row.of(1, "a")).mode(Mode.REPLACE).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is a view");
  }

  @Test
  void aMissingValueIsReportedWithItsRow() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id BIGINT, name VARCHAR NOT NULL)");
    assertThatThrownBy(() -> into(duck, "t", Row.of(1, "a"), Row.of(2, null)).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("row 2")
        .hasMessageContaining("\"name\"");
    assertThat(duck.rows("SELECT * FROM t")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"APPEND", "TRUNCATE", "REPLACE"})
  void aKeyThatComesTwiceLeavesTheTableAsItWas(Mode mode) throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t (id BIGINT PRIMARY KEY, name VARCHAR)", "INSERT INTO t VALUES (1, 'old')");
    Schema keyed =
        new Schema(
            List.of(
                new Column("id", new Type.Int(64), false, null),
                Column.of("name", Type.Text.UNLIMITED)),
            List.of("id"));
    memory.put("rows", keyed, List.of(Row.of(7, "a"), Row.of(7, "b")));
    Copying copying =
        Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table("t")).mode(mode);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("7")
        .extracting(Throwable::getMessage)
        .asString()
        .doesNotContain("\n");
    assertThat(duck.rows("SELECT * FROM t")).containsExactly("1 | old");
  }

  @Test
  void truncateTakesTheSameKeysAgain() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t (id BIGINT PRIMARY KEY, name VARCHAR)",
        "INSERT INTO t SELECT i, 'old' FROM range(5000) r(i)");
    into(duck, "t", Row.of(1, "new"), Row.of(2, "new")).mode(Mode.TRUNCATE).run();
    assertThat(duck.rows("SELECT * FROM t ORDER BY id")).containsExactly("1 | new", "2 | new");
  }

  @Test
  void mergeLeavesColumnsThatDoNotCome() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE t (id BIGINT PRIMARY KEY, name VARCHAR, stays INTEGER DEFAULT 5)",
        "INSERT INTO t VALUES (1, 'old', 1)");
    into(duck, "t", Row.of(1, "new"), Row.of(2, "two")).mode(Mode.MERGE).run();
    assertThat(duck.rows("SELECT * FROM t ORDER BY id"))
        .containsExactly("1 | new | 1", "2 | two | 5");
  }

  @Test
  void mergeRefusesARowWithoutAKey() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id BIGINT, name VARCHAR)");
    Copying copying =
        into(duck, "t", Row.of(1, "a"), Row.of(null, "b"))
            .landing(new WriteOptions(Mode.MERGE, false, List.of("ID"), false));
    assertThatThrownBy(copying::run).isInstanceOf(Fault.Data.class).hasMessageContaining("\"id\"");
  }

  @Test
  void badRecordsAreSetAsideAndTheOthersLoaded() throws SQLException, IOException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id TINYINT, name VARCHAR NOT NULL)");
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      rows.add(Row.of(i % 100, i == 3_000 ? null : "n" + i));
    }
    rows.set(17, Row.of(128, "too large"));
    memory.put(
        "rows",
        Schema.of(
            List.of(Column.of("id", new Type.Int(16)), Column.of("name", Type.Text.UNLIMITED))),
        rows);
    Path rejects = folder.resolve("bad");
    Ran run =
        Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table("t"))
            .rejects(new Job.RejectPolicy(10, rejects))
            .run();
    assertThat(run.meter().rows()).isEqualTo(4998);
    assertThat(duck.rows("SELECT count(*) FROM t")).containsExactly("4998");
    assertThat(Files.readString(folder.resolve("bad.reasons.jsonl")))
        .contains("128 does not fit TINYINT", "\"name\"");
  }

  @Test
  void aNewFileOfARunThatFailsIsRemoved() {
    Duck duck = Duck.in(folder);
    Schema keyed = new Schema(PAIRS.columns(), List.of("id"));
    memory.put("rows", keyed, List.of(Row.of(7, "a"), Row.of(7, "b")));
    Copying copying = Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table("t"));
    assertThatThrownBy(copying::run).isInstanceOf(Fault.Data.class);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aLinkToAPathThatTheDriverWouldCutShortIsRefused() throws IOException {
    Path odd = Files.createDirectory(folder.resolve("a;threads=1"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), odd);
    Duck duck = new Duck(link.resolve("b.db"));
    assertThatThrownBy(() -> into(duck, "t", Row.of(1, "a")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("semicolon");
    assertThat(odd).isEmptyDirectory();
    assertThat(folder.resolve("a")).doesNotExist();
  }

  @Test
  void namesMayContainAnything() throws SQLException {
    Duck duck = new Duck(folder.resolve("it's a \"file\"? 水.db"));
    String table = "\"odd.sch\"\"ema\".\"ta'ble; --\"";
    memory.put(
        "rows",
        new Schema(
            List.of(
                new Column("a\"b", new Type.Int(64), false, null),
                Column.of("%s'); DROP", Type.Text.UNLIMITED)),
            List.of("a\"b")),
        List.of(Row.of(1, "x")));
    Copying copying = Copying.of(memory, memory.endpoint("rows"), DUCKDB, duck.table(table));
    copying.run();
    copying.mode(Mode.MERGE).run();
    copying.mode(Mode.REPLACE).run();
    assertThat(duck.rows("SELECT * FROM \"odd.sch\"\"ema\".\"ta'ble; --\""))
        .containsExactly("1 | x");
    memory.put("back", Schema.of(PAIRS.columns()), List.of());
    Copying.of(DUCKDB, duck.table(table), memory, memory.endpoint("back"))
        .landing(new WriteOptions(Mode.APPEND, false, List.of(), true))
        .run();
    assertThat(memory.rows("back")).containsExactly(Row.of(1, "x"));
  }

  /// DuckDB took it for the end of a folder's name, and made the file there.
  @Test
  void aPathWithABackslashIsRefused() throws IOException {
    Path other = Files.createDirectory(folder.resolve("a"));
    Duck duck = new Duck(folder.resolve("a\\b.db"));
    assertThatThrownBy(() -> into(duck, "t", Row.of(1, "a")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("backslash");
    assertThat(other).isEmptyDirectory();
    assertThat(folder).isDirectoryNotContaining(file -> !file.equals(other));
  }

  @Test
  void aPathThatTheDriverWouldCutShortIsRefused() {
    Duck duck = new Duck(folder.resolve("a;b.db"));
    assertThatThrownBy(() -> into(duck, "t", Row.of(1, "a")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("semicolon");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aTableNameOfThreePartsIsRefused() {
    assertThatThrownBy(() ->
            DUCKDB.target(Duck.in(folder).table("a.b.c"), WriteOptions.DEFAULT, new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("a.b.c");
  }

  @Test
  void aTargetWithoutATableIsRefused() {
    assertThatThrownBy(
            () -> DUCKDB.target(Duck.in(folder).with(), WriteOptions.DEFAULT, new OpenContext()))
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("?table="));
  }

  @Test
  void severalRunsLoadIntoOneFileAtOnce() throws Exception {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE source AS SELECT i AS id, 'x' || i AS name FROM range(300000) r(i)");
    List<Thread> threads = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 3; i++) {
      String table = "t" + i;
      threads.add(
          Thread.ofPlatform()
              .uncaughtExceptionHandler((_, e) -> failures.add(e))
              .start(() ->
                  Copying.of(DUCKDB, duck.table("source"), DUCKDB, duck.table(table))
                      .lanes(2, 1 << 20)
                      .run()));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
    for (int i = 0; i < 3; i++) {
      assertThat(duck.rows("SELECT count(*), count(DISTINCT id) FROM t" + i))
          .containsExactly("300000 | 300000");
    }
  }
}
