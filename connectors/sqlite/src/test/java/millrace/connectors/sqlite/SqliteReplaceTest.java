package millrace.connectors.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What of a table is still there after it has been replaced.
class SqliteReplaceTest {

  private static final String SCHEMA =
      "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema"
          + " WHERE tbl_name <> 'millrace_journal' ORDER BY 1";

  @TempDir Path folder;
  private final MemoryConnector memory = new MemoryConnector();
  private Sqlite sqlite;

  @BeforeEach
  void file() {
    sqlite = new Sqlite(folder.resolve("a.db"));
  }

  /// From a source that only guesses its types, as a text file does.
  private Copying into(String table, WriteOptions.@Nullable Types types, Row... rows) {
    Schema schema =
        Schema.of(
            List.of(Column.of("id", new Type.Int(64)), Column.of("name", Type.Text.UNLIMITED)));
    memory.put("rows", schema, List.of(rows));
    WriteOptions options = new WriteOptions(Mode.REPLACE, false, List.of(), false, types);
    return Copying.of(
            memory,
            memory.endpoint("rows", Map.of(MemoryConnector.GUESSES, "true")),
            new SqliteConnector(),
            sqlite.table(table))
        .landing(options);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE COLLATE NOCASE)",
        "CREATE TABLE t (id INT PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x') WITHOUT ROWID, STRICT",
        "CREATE TABLE t (id, name, CHECK (name <> 'x' /* (never ')' */))",
        "CREATE TABLE IF NOT EXISTS [t] (\"id\" INTEGER -- the \"key\"\n"
            + ", `name` TEXT, PRIMARY KEY (name, id DESC) ON CONFLICT ABORT)",
        "CREATE TABLE t (id INTEGER CONSTRAINT \"CHECK (\" NOT NULL, name TEXT, twice INTEGER AS"
            + " (id * 2) UNIQUE)",
        "CREATE TABLE t (id INTEGER, name TEXT GENERATED ALWAYS AS ('n' || id) STORED, UNIQUE"
            + " (id))",
        "CREATE TABLE t (id INTEGER REFERENCES p (id) ON DELETE CASCADE, name TEXT)",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, UNIQUE (name), FOREIGN KEY (id)"
            + " REFERENCES t (id))",
      })
  void aDefinitionStaysWordForWord(String create) throws SQLException {
    sqlite.run(
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "INSERT INTO p VALUES (1), (2)",
        create,
        "CREATE INDEX by_name ON t (name, id) WHERE id > 0",
        "CREATE UNIQUE INDEX \"one; each\" ON t (id)",
        "CREATE TABLE seen (id)",
        "CREATE TRIGGER ins AFTER INSERT ON t BEGIN INSERT INTO seen VALUES (new.id); END",
        "CREATE TRIGGER \"del\"\"s\" BEFORE DELETE ON t BEGIN INSERT INTO seen VALUES (old.id);"
            + " END",
        "CREATE VIEW v AS SELECT id FROM t",
        "INSERT INTO t (id) VALUES (1)",
        "DELETE FROM seen");
    List<String> before = sqlite.texts(SCHEMA);
    boolean names = !create.contains("name TEXT GENERATED");
    for (int i = 0; i < 2; i++) {
      Copying copying = into("t", null, Row.of(1, "one"), Row.of(2, "two"));
      (names ? copying : copying.select(List.of("id"))).run();
      assertThat(sqlite.texts(SCHEMA)).isEqualTo(before);
      assertThat(sqlite.texts("SELECT id FROM v ORDER BY 1")).containsExactly("1", "2");
      assertThat(sqlite.texts("SELECT * FROM seen")).isEmpty();
    }
    assertThatThrownBy(() -> sqlite.run("INSERT INTO t (id) VALUES (2)"))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void aTableGoesOnToCountWhereItStood() throws SQLException {
    sqlite.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)",
        "INSERT INTO t VALUES (77, 'old')");
    into("t", null, Row.of(1, "one")).run();
    sqlite.run("INSERT INTO t (name) VALUES ('new')");
    assertThat(sqlite.texts("SELECT id FROM t")).containsExactly("1", "78");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "id INTEGER, name TEXT, more INT, CHECK (more <> ')\"') | check (more <> ')\"')",
        "id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, more INT | primary key (id),"
            + " autoincrement",
        "id INTEGER, name TEXT COLLATE NOCASE, more INT | collate NOCASE",
        "id INTEGER, name TEXT DEFAULT 'x', more INT | default of name",
        "id INTEGER, name TEXT, more INT NOT NULL DEFAULT 0 | not null (more), default of more",
        "id INTEGER, name TEXT, more INT, UNIQUE (name, more) | unique (name, more)",
        "id INTEGER, name TEXT, more INT REFERENCES t (id) | foreign key (more) to t",
        "id INTEGER, name TEXT, more INT, g AS (id + 1) | generated column g",
        "id INTEGER, nom TEXT, CHECK (nom <> 'CHECK') | check (nom <> 'CHECK')",
        "id INTEGER UNIQUE, name BLOB | unique (id)",
      })
  void whatCantStayIsNamedAndGivenUpOnRequestAlone(String columns, String lost)
      throws SQLException {
    sqlite.run("CREATE TABLE t (" + columns + ")", "INSERT INTO t (id) VALUES (5)");
    List<String> before = sqlite.texts(SCHEMA);
    Schema schema =
        Schema.of(
            List.of(Column.of("id", new Type.Int(64)), Column.of("name", Type.Text.UNLIMITED)));
    memory.put("typed", schema, List.of(Row.of(1, "one")));
    Copying copying =
        Copying.of(memory, memory.endpoint("typed"), new SqliteConnector(), sqlite.table("t"))
            .mode(Mode.REPLACE);
    assertThatThrownBy(copying::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining(": " + lost + " would be lost, because ");
              assertThat(fault.advice()).contains("--types source");
            });
    assertThat(sqlite.texts(SCHEMA)).isEqualTo(before);
    assertThat(sqlite.texts("SELECT id FROM t")).containsExactly("5");
    Copying accepted = into("t", WriteOptions.Types.SOURCE, Row.of(1, "one"), Row.of(1, "one"));
    assertThat(accepted.plan().notes())
        .contains("the new table will not have the old one's " + lost);
    accepted.run();
    assertThat(sqlite.texts("SELECT name FROM t")).containsExactly("one", "one");
  }

  /// What of SQL can stand in the statement that made a table.
  @Test
  void namesTextsAndCommentsAreNoRules() {
    assertThat(
            SqliteDefinition.written(
                "CREATE TABLE \"CHECK (a)\" ([COLLATE] TEXT DEFAULT 'CHECK (1)', -- CHECK (2)\n"
                    + "`AUTOINCREMENT` TEXT /* COLLATE x */, checked INT, \"a\"\"CHECK\" INT)"))
        .isEmpty();
    assertThat(
            SqliteDefinition.written(
                "CREATE TABLE t(a TEXT Collate\n nocase check(a<>')')--)\n,b check (b > (1)))"))
        .containsExactly("collate nocase", "check (a<>')')", "check (b > (1))");
  }
}
