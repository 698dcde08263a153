package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
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
class DuckDbReplaceTest {

  @TempDir Path folder;
  private final MemoryConnector memory = new MemoryConnector();
  private Duck duck;

  @BeforeEach
  void file() {
    duck = Duck.in(folder);
  }

  /// From a source that only guesses its types, as a text file does.
  private Copying into(String table, WriteOptions.@Nullable Types types, Row... rows) {
    Schema schema =
        Schema.of(
            List.of(Column.of("id", new Type.Int(32)), Column.of("name", Type.Text.UNLIMITED)));
    memory.put("rows", schema, List.of(rows));
    WriteOptions options = new WriteOptions(Mode.REPLACE, false, List.of(), false, types);
    return Copying.of(
            memory,
            memory.endpoint("rows", Map.of(MemoryConnector.GUESSES, "true")),
            new DuckDbConnector(),
            duck.table(table))
        .landing(options);
  }

  private List<String> definition() throws SQLException {
    List<String> all = new ArrayList<>();
    String not = " WHERE table_name <> 'millrace_journal'";
    all.addAll(duck.rows("SELECT sql, comment FROM duckdb_tables()" + not + " ORDER BY 1"));
    all.addAll(duck.rows("SELECT sql, comment FROM duckdb_indexes() ORDER BY 1"));
    all.addAll(
        duck.rows(
            "SELECT table_name, column_name, comment FROM duckdb_columns()"
                + not
                + " ORDER BY 1, 2"));
    return all;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "t | id INTEGER PRIMARY KEY, name VARCHAR NOT NULL UNIQUE",
        "t | id INTEGER, name VARCHAR, PRIMARY KEY (name, id), CHECK (id > 0 OR name = 'it''s')",
        "t | id INTEGER UNIQUE, name VARCHAR COLLATE NOCASE DEFAULT 'x'",
        "t | id INTEGER DEFAULT nextval('counter') PRIMARY KEY, name ENUM('one', 'two')",
        "t | id INTEGER REFERENCES p (id), name VARCHAR, UNIQUE (id, name)",
        "t | id INTEGER CHECK (id < 3), name VARCHAR, g INTEGER GENERATED ALWAYS AS (id * 2)",
        "\"s x\".\"T; \"\"\" | id INTEGER PRIMARY KEY, name VARCHAR",
      })
  void aDefinitionStaysWordForWord(String table, String columns) throws SQLException {
    duck.run(
        "CREATE SCHEMA \"s x\"",
        "CREATE SEQUENCE counter START 50",
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "INSERT INTO p VALUES (1), (2)",
        "CREATE TABLE " + table + " (" + columns + ")",
        "CREATE INDEX by_name ON " + table + " (name)",
        "CREATE UNIQUE INDEX \"one; each\" ON " + table + " (id)",
        "COMMENT ON TABLE " + table + " IS 'it''s'",
        "COMMENT ON COLUMN " + table + ".name IS 'a name'",
        "COMMENT ON INDEX " + (table.equals("t") ? "" : "\"s x\".") + "by_name IS 'an index'",
        "INSERT INTO " + table + " (id, name) VALUES (1, 'one')");
    List<String> before = definition();
    for (int i = 0; i < 2; i++) {
      into(table, null, Row.of(1, "one"), Row.of(2, "two")).run();
      assertThat(definition()).isEqualTo(before);
      assertThat(duck.rows("SELECT id, name FROM " + table + " ORDER BY 1"))
          .containsExactly("1 | one", "2 | two");
    }
    assertThatThrownBy(() -> duck.run("INSERT INTO " + table + " (id, name) VALUES (2, 'two')"))
        .isInstanceOf(SQLException.class);
  }

  @Test
  void thePlanSaysThatTheDefinitionStaysAndShowsIt() throws SQLException {
    duck.run("CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR DEFAULT 'x')");
    Copying copying = into("t", null, Row.of(1, "one"));
    assertThat(copying.plan().writePlan().details())
        .containsExactly(
            "The table keeps its definition. The old one stays until the run is complete.");
    assertThat(copying.plan().writePlan().ddl())
        .isEqualTo("CREATE TABLE t(id INTEGER PRIMARY KEY, \"name\" VARCHAR DEFAULT('x'));");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id INTEGER PRIMARY KEY, name VARCHAR, more INT : primary key (id)",
        "id INTEGER, name VARCHAR, more INT NOT NULL : not null (more)",
        "id INTEGER, name VARCHAR, more INT, UNIQUE (name, more) : unique (name, more)",
        "id INTEGER, nom VARCHAR, CHECK (nom <> 'x') : check (nom != 'x')",
        "id INTEGER, name VARCHAR DEFAULT 'x', more INT : default of name",
        "id INTEGER, name VARCHAR COLLATE NOCASE, more INT : collate",
        "id INTEGER, name VARCHAR, more INT, g INT AS (id + 1) : generated column g",
        "id INTEGER UNIQUE, name BLOB : unique (id)",
      })
  void whatCantStayIsNamedAndGivenUpOnRequestAlone(String definition) throws SQLException {
    String columns = definition.substring(0, definition.indexOf(" : "));
    String lost = definition.substring(definition.indexOf(" : ") + 3);
    String more = columns.contains("NOT NULL") ? ", more) VALUES (5, 5)" : ") VALUES (5)";
    duck.run("CREATE TABLE t (" + columns + ")", "INSERT INTO t (id" + more);
    List<String> before = definition();
    Schema schema =
        Schema.of(
            List.of(Column.of("id", new Type.Int(32)), Column.of("name", Type.Text.UNLIMITED)));
    memory.put("typed", schema, List.of(Row.of(1, "one")));
    Copying copying =
        Copying.of(memory, memory.endpoint("typed"), new DuckDbConnector(), duck.table("t"))
            .mode(Mode.REPLACE);
    assertThatThrownBy(copying::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining(lost + " would be lost, because ");
              assertThat(fault.advice()).contains("--types source");
            });
    assertThat(definition()).isEqualTo(before);
    assertThat(duck.rows("SELECT id FROM t")).containsExactly("5");
    Copying accepted = into("t", WriteOptions.Types.SOURCE, Row.of(1, "one"), Row.of(1, "one"));
    assertThat(String.join("\n", accepted.plan().notes()))
        .contains("the new table will not have the old one's ")
        .contains(lost);
    accepted.run();
    assertThat(duck.rows("SELECT name FROM t")).containsExactly("one", "one");
  }
}
