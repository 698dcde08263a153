package millrace.connectors.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Merges into what only SQLite has: collations of single columns, tables without rowids, and
/// values that are kept as text in any spelling.
class SqliteMergeTest {

  private static final Schema TEXTS =
      Schema.of(List.of(Column.of("k", Type.Text.UNLIMITED), Column.of("v", Type.Text.UNLIMITED)));

  @TempDir Path folder;
  private final MemoryConnector memory = new MemoryConnector();
  private Sqlite sqlite;

  @BeforeEach
  void file() {
    sqlite = new Sqlite(folder.resolve("merge.db"));
  }

  private Copying merging(List<Row> rows, String... key) {
    return mergingInto("t", rows, key);
  }

  private Copying mergingInto(String table, List<Row> rows, String... key) {
    memory.put("rows", TEXTS, rows);
    return Copying.of(memory, memory.endpoint("rows"), new SqliteConnector(), sqlite.table(table))
        .landing(new WriteOptions(Mode.MERGE, false, List.of(key), false));
  }

  private List<String> rows() throws SQLException {
    return sqlite.texts("SELECT k || '=' || coalesce(v, 'null') FROM t ORDER BY 1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "k TEXT COLLATE NOCASE PRIMARY KEY, v TEXT)",
        "k TEXT COLLATE NOCASE PRIMARY KEY, v TEXT) WITHOUT ROWID",
        "k TEXT COLLATE NOCASE PRIMARY KEY, v TEXT) STRICT",
        "k TEXT PRIMARY KEY COLLATE NOCASE, v TEXT, rowid TEXT, \"_rowid_\" TEXT)",
        "\"k\" TEXT COLLATE \"NoCase\", v TEXT)",
        "k VARCHAR(9) COLLATE NOCASE, v, UNIQUE (k COLLATE BINARY))",
        "K TEXT COLLATE NOCASE, v TEXT, w INT AS (length(v)) STORED, CHECK (v <> ''))",
        "v TEXT, k ANY COLLATE NOCASE PRIMARY KEY, o TEXT REFERENCES t) STRICT, WITHOUT ROWID",
      })
  void keysAreComparedByTheColumnsCollation(String columns) throws SQLException {
    sqlite.run("CREATE TABLE t (" + columns, "INSERT INTO t (k, v) VALUES ('Ann', 'old')");
    List<Row> rows = List.of(Row.of("ANN", "first"), Row.of("b", "b"), Row.of("ann", "new"));
    assertThat(merging(rows, "k").run().merged()).isEqualTo(new MergeCounts(1, 1, 0, 1));
    assertThat(rows()).containsExactly("Ann=new", "b=b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "k TEXT COLLATE NOCASE, v TEXT, PRIMARY KEY (k COLLATE BINARY))",
        "v TEXT, k TEXT COLLATE NOCASE, PRIMARY KEY (k COLLATE BINARY)) WITHOUT ROWID",
      })
  void keysThatThePrimaryKeyTellsApartAreTwo(String columns) throws SQLException {
    sqlite.run(
        "CREATE TABLE t (" + columns, "INSERT INTO t (k, v) VALUES ('Ann', '1'), ('ANN', '2')");
    List<Row> rows = List.of(Row.of("ANN", "new"), Row.of("ann", "3"));
    assertThat(merging(rows).run().merged()).isEqualTo(new MergeCounts(1, 1, 0, 0));
    assertThat(rows()).containsExactly("ANN=new", "Ann=1", "ann=3");
  }

  @Test
  void keysThatThePrimaryKeyTakesForOneAreOne() throws SQLException {
    sqlite.run(
        "CREATE TABLE t (n INT, k TEXT, v TEXT, PRIMARY KEY (n, k COLLATE NOCASE))",
        "INSERT INTO t VALUES (1, 'Ann', '1'), (2, 'Ann', 'stays')");
    memory.put(
        "numbered",
        Schema.of(
            List.of(
                Column.of("k", Type.Text.UNLIMITED),
                Column.of("n", new Type.Int(64)),
                Column.of("v", Type.Text.UNLIMITED))),
        List.of(Row.of("ANN", 1, "first"), Row.of("ann", 1, "new")));
    Ran run =
        Copying.of(memory, memory.endpoint("numbered"), new SqliteConnector(), sqlite.table("t"))
            .mode(Mode.MERGE)
            .run();
    assertThat(run.merged()).isEqualTo(new MergeCounts(0, 1, 0, 1));
    assertThat(rows()).containsExactly("Ann=new", "Ann=stays");
  }

  @Test
  void rowsThatTheTableLeavesOutAreNoRowsOfTheMerge() throws SQLException {
    sqlite.run(
        "CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT UNIQUE ON CONFLICT IGNORE)",
        "CREATE TRIGGER keep BEFORE UPDATE ON t WHEN old.k = 'held' BEGIN SELECT raise(ignore);"
            + " END",
        "INSERT INTO t VALUES ('held', '1'), ('a', '2'), ('b', '3'), ('same', '4')");
    List<Row> rows =
        List.of(
            Row.of("held", "new"),
            Row.of("a", "5"),
            Row.of("b", "4"),
            Row.of("same", "4"),
            Row.of("c", "6"),
            Row.of("d", "4"));
    Ran run = merging(rows).run();
    assertThat(run.merged()).isEqualTo(new MergeCounts(1, 1, 1, 0));
    assertThat(run.notes())
        .containsExactly(
            "3 rows were ignored by the table's own rule (ON CONFLICT IGNORE or a trigger).");
    assertThat(rows()).containsExactly("a=5", "b=3", "c=6", "held=1", "same=4");
  }

  @Test
  void rowsThatTakeThePlaceOfOthersAreTold() throws SQLException {
    sqlite.run(
        "CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT UNIQUE ON CONFLICT REPLACE)",
        "INSERT INTO t VALUES ('a', '1'), ('b', '2')");
    Ran run = merging(List.of(Row.of("a", "3"), Row.of("c", "2"))).run();
    assertThat(run.merged()).isEqualTo(new MergeCounts(1, 1, 0, 0));
    assertThat(run.notes())
        .containsExactly("1 row was replaced by another of the same key (ON CONFLICT REPLACE).");
    assertThat(rows()).containsExactly("a=3", "c=2");
  }

  /// A unique index of another collation does not tell which keys are one: the column does.
  @Test
  void allRowsOfAKeyAreUpdated() throws SQLException {
    sqlite.run(
        "CREATE TABLE t (k TEXT COLLATE NOCASE, v TEXT)",
        "INSERT INTO t VALUES ('Ann', '1'), ('ANN', '2'), ('ann', 'new'), ('ann', '4'), (NULL,"
            + " '5')");
    assertThat(merging(List.of(Row.of("aNN", "new")), "k").run().merged())
        .isEqualTo(new MergeCounts(0, 1, 0, 0));
    assertThat(sqlite.texts("SELECT k || '=' || v FROM t ORDER BY rowid"))
        .containsExactly("Ann=new", "ANN=new", "ann=new", "ann=new", "null");
  }

  @ParameterizedTest
  @CsvSource({
    "UUID, C0DE1234-0000-4000-8000-00000000ABCD, c0de1234-0000-4000-8000-00000000abcd",
    "GUID, c0de123400004000800000000000abcd, c0de1234-0000-4000-8000-00000000abcd",
    "DATETIME, 2024-02-29 12:00:00.000000, 2024-02-29 12:00:00",
    "TIMESTAMP, 2024-02-29T12:00, 2024-02-29 12:00:00",
    "TIMESTAMPTZ, 2024-02-29 14:00:00+02:00, 2024-02-29 12:00:00Z",
    "TIMESTAMPTZ, 2024-02-29T12:00:00.000Z, 2024-02-29 11:00:00-01",
    "DATE, 2024-02-29 00:00:00, 2024-02-29",
    "TIME, 12:00, 12:00:00",
    "'DECIMAL_TEXT(20,2)', 1.5, 1.50",
    "'DECIMAL_TEXT(20,2)', 01.50, 1.5",
    "DECIMAL_TEXT, 15e-1, 1.500",
    "'DECIMAL(9,2)', 1.50, 1.5",
    "INTEGER, 042, 42",
    "REAL, 1.50, 1.5",
    "BOOLEAN, 1, true",
    "UUID, no UUID at all,",
  })
  void keysAreComparedByValue(String type, String stored, String comes) throws SQLException {
    for (String key :
        List.of("k " + type + " PRIMARY KEY, n INT DEFAULT 1", "n INT DEFAULT 1, k " + type)) {
      sqlite.run(
          "DROP TABLE IF EXISTS t",
          "CREATE TABLE t (" + key + ", v TEXT)",
          "INSERT INTO t (k, v) VALUES ('" + stored + "', 'old'), (NULL, 'none')");
      String before = sqlite.texts("SELECT k FROM t WHERE v = 'old'").getFirst();
      if (comes != null) {
        assertThat(merging(List.of(Row.of(comes, "new")), "k").run().merged())
            .isEqualTo(new MergeCounts(0, 1, 0, 0));
        assertThat(sqlite.texts("SELECT k FROM t WHERE v = 'new'")).containsExactly(before);
      } else {
        List<Row> other = List.of(Row.of("00000000-0000-0000-0000-000000000000", "new"));
        assertThat(merging(other, "k").run().merged()).isEqualTo(new MergeCounts(1, 0, 0, 0));
      }
    }
  }

  @Test
  void partOfAKeyMayBeComparedByValueAndPartByCollation() throws SQLException {
    sqlite.run(
        "CREATE TABLE t (v TEXT COLLATE NOCASE, k UUID, w TEXT, PRIMARY KEY (v, k))",
        "INSERT INTO t VALUES ('Ann', 'C0DE1234-0000-4000-8000-00000000ABCD', 'stays')");
    List<Row> rows =
        List.of(
            Row.of("c0de1234-0000-4000-8000-00000000abcd", "ANN"),
            Row.of("c0de1234-0000-4000-8000-00000000abce", "ANN"));
    assertThat(merging(rows).run().merged()).isEqualTo(new MergeCounts(1, 0, 1, 0));
    assertThat(sqlite.texts("SELECT v || coalesce(w, '-') FROM t ORDER BY k"))
        .containsExactly("Annstays", "ANN-");
  }

  @ParameterizedTest
  @CsvSource({"x, 1", "Bob, 3", "taken, 2"})
  void aRefusedRowIsNamedWithItsPlaceAndItsKey(String key, int row) throws SQLException {
    sqlite.run(
        "CREATE TABLE t (k TEXT COLLATE NOCASE PRIMARY KEY, v TEXT UNIQUE)",
        "INSERT INTO t VALUES ('bob', 'b'), ('taken', 't')");
    List<Row> rows =
        List.of(
            Row.of("x", key.equals("x") ? "t" : "x"),
            Row.of("taken", key.equals("taken") ? "b" : "t"),
            Row.of("Bob", key.equals("Bob") ? "t" : "b"),
            Row.of("y", "y"));
    assertThatThrownBy(merging(rows)::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("row " + row + ": UNIQUE constraint failed: t.v.")
        .hasMessageContaining("The row has (k, v)=(" + key + ", ");
    assertThat(rows()).containsExactly("bob=b", "taken=t");
  }

  @Test
  void rowsThatTriggersLeaveOutCountAsNothing() throws SQLException {
    sqlite.run(
        "CREATE TABLE t (k TEXT PRIMARY KEY, v TEXT)",
        "INSERT INTO t VALUES ('a', 'old'), ('b', 'old')",
        "CREATE TRIGGER i BEFORE INSERT ON t WHEN new.k = 'x' BEGIN SELECT raise(IGNORE); END",
        "CREATE TRIGGER u BEFORE UPDATE ON t WHEN new.k = 'a' BEGIN SELECT raise(IGNORE); END");
    List<Row> rows =
        List.of(Row.of("a", "new"), Row.of("b", "new"), Row.of("x", "new"), Row.of("y", "new"));
    assertThat(merging(rows).run().merged()).isEqualTo(new MergeCounts(1, 1, 0, 0));
    assertThat(rows()).containsExactly("a=old", "b=new", "y=new");
  }

  @ParameterizedTest
  @ValueSource(strings = {"old", "fresh", "millrace_merge", "millrace_match", "it's \"odd\" %s"})
  void aTableMayHaveAnyName(String name) throws SQLException {
    String quoted = '"' + name.replace("\"", "\"\"") + '"';
    sqlite.run(
        "CREATE TABLE " + quoted + " (k TEXT COLLATE NOCASE, v TEXT)",
        "INSERT INTO " + quoted + " VALUES ('a', 'old'), ('b', 'old')");
    List<Row> rows = List.of(Row.of("A", "new"), Row.of("c", "new"));
    assertThat(mergingInto(name, rows, "k").run().merged()).isEqualTo(new MergeCounts(1, 1, 0, 0));
    assertThat(sqlite.texts("SELECT k || v FROM " + quoted + " ORDER BY 1"))
        .containsExactly("anew", "bold", "cnew");
  }

  @Test
  void aNewTableIsMergedIntoAsWell() throws SQLException {
    List<Row> rows = List.of(Row.of("a", "1"), Row.of("a", "2"));
    assertThat(merging(rows, "K").run().merged()).isEqualTo(new MergeCounts(1, 0, 0, 1));
    assertThat(rows()).containsExactly("a=2");
    assertThat(sqlite.texts("SELECT name FROM sqlite_schema WHERE name LIKE 'millrace%'"))
        .isEmpty();
  }
}
