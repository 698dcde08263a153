package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What comes along from one file of SQLite or DuckDB to another.
final class FileDefinitionsTest {

  private static final String SQLITE =
      "SELECT type || ' ' || name || ' ' || sql FROM sqlite_schema WHERE tbl_name NOT LIKE"
          + " 'millrace%' AND sql IS NOT NULL ORDER BY 1";

  @TempDir private Path home;

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private String url(String system, String file, String table) {
    return system + ":" + home.resolve(file) + "?table=" + table;
  }

  private List<String> sql(String system, String file, String... statements) {
    List<String> texts = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:" + system + ":" + home.resolve(file));
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        if (statement.execute(sql)) {
          ResultSet rows = statement.getResultSet();
          while (rows.next()) {
            texts.add(String.valueOf(rows.getString(1)));
          }
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(String.join("; ", statements), e);
    }
    return texts;
  }

  private void shopOfSqlite() {
    sql(
        "sqlite",
        "a.db",
        "CREATE TABLE item (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE COLLATE NOCASE"
            + " DEFAULT 'x', up INTEGER CONSTRAINT \"its parent\" REFERENCES item (id) ON DELETE"
            + " SET NULL ON UPDATE CASCADE NOT NULL, twice INTEGER AS (id * 2), CHECK (id <> 0))",
        "CREATE TABLE \"Odd, name\" (a TEXT, [order] INTEGER, item INTEGER -- REFERENCES nothing\n"
            + ", PRIMARY KEY (a, \"order\"), CONSTRAINT of FOREIGN KEY (item) REFERENCES item"
            + " DEFERRABLE INITIALLY DEFERRED, FOREIGN KEY (a) REFERENCES other (a), CHECK (item >"
            + " 0)) WITHOUT ROWID",
        "CREATE TABLE other (a TEXT PRIMARY KEY, item INTEGER REFERENCES item) STRICT",
        "CREATE INDEX item_name ON item (name, up DESC) WHERE id > 0",
        "CREATE VIEW above AS SELECT * FROM below",
        "CREATE VIEW below AS SELECT id, name FROM item",
        "CREATE TRIGGER seen AFTER INSERT ON item BEGIN INSERT INTO other VALUES (new.name,"
            + " new.id); END",
        "CREATE TRIGGER over INSTEAD OF INSERT ON above BEGIN SELECT 1; END",
        "PRAGMA user_version = 7",
        "INSERT INTO item (id, name, up) VALUES (9, 'n', 9), (1, 'one', 2), (2, 'two', 1)",
        "DELETE FROM item WHERE id = 9",
        "DELETE FROM other WHERE a = 'n'",
        "INSERT INTO \"Odd, name\" VALUES ('one', 1, 2), ('two', 1, NULL)");
  }

  @Test
  void aFileOfSqliteComesAlongWhole() {
    shopOfSqlite();
    Cli.Result result = run("copy", url("sqlite", "a.db", "*"), url("sqlite", "b.db", "{table}"));
    assertThat(result.err()).contains("3 tables: 3 ok").doesNotContain("Not copied");
    assertThat(result.code()).isZero();
    assertThat(sql("sqlite", "b.db", SQLITE)).hasSize(9).isEqualTo(sql("sqlite", "a.db", SQLITE));
    assertThat(sql("sqlite", "b.db", "SELECT a FROM other ORDER BY 1"))
        .containsExactly("one", "two");
    assertThat(sql("sqlite", "b.db", "PRAGMA user_version", "PRAGMA integrity_check"))
        .containsExactly("7", "ok");
    sql("sqlite", "b.db", "INSERT INTO item (name, up) VALUES ('next', 1)");
    assertThat(sql("sqlite", "b.db", "SELECT max(id) FROM item")).containsExactly("10");
  }

  @Test
  void tablesOfSqliteGetOtherNames() {
    shopOfSqlite();
    Cli.Result result =
        run("copy", url("sqlite", "a.db", "*"), url("sqlite", "a.db", "old_{table}"));
    assertThat(result.err())
        .contains("3 tables: 3 ok", "2 views: above, below", "1 trigger: seen of item");
    assertThat(sql("sqlite", "a.db", "SELECT sql FROM sqlite_schema WHERE tbl_name LIKE 'old%'"))
        .anyMatch(sql -> sql.contains("CREATE INDEX \"old_item_name\" ON \"old_item\" (name, up"))
        .anyMatch(sql -> sql.contains("REFERENCES \"old_item\" (id) ON DELETE SET NULL"))
        .anyMatch(sql -> sql.contains("REFERENCES \"old_item\" DEFERRABLE INITIALLY DEFERRED"));
  }

  @Test
  void aTableOfSqliteComesAlongWithoutWhatItLacks() {
    shopOfSqlite();
    Cli.Result result =
        run(
            "copy",
            url("sqlite", "a.db", "*"),
            url("sqlite", "b.db", "{table}"),
            "--definitions=all",
            "--exclude",
            "item");
    assertThat(result.err())
        .contains(
            "2 foreign keys: to item (which is not copied) of 2 tables",
            "1 trigger: seen (which is not copied) of item",
            "no such table: main.item");
    assertThat(result.code()).isEqualTo(ExitCode.PARTLY.number());
    assertThat(sql("sqlite", "b.db", "SELECT name FROM sqlite_schema WHERE type = 'view'"))
        .isEmpty();
    assertThat(sql("sqlite", "b.db", "SELECT \"table\" FROM pragma_foreign_key_list('Odd, name')"))
        .containsExactly("other");
  }

  @Test
  void rowsThatBreakAForeignKeyOfSqliteAreNamed() {
    sql(
        "sqlite",
        "a.db",
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "CREATE TABLE c (p INTEGER REFERENCES p)",
        "INSERT INTO c VALUES (1)");
    String[] copy = {"copy", url("sqlite", "a.db", "*"), url("sqlite", "b.db", "{table}")};
    Cli.Result result = run(copy);
    assertThat(result.err()).contains("c has rows that are not in p", "1 failed");
    assertThat(sql("sqlite", "b.db", "SELECT sql FROM sqlite_schema WHERE name = 'c'"))
        .containsExactly("CREATE TABLE c (p INTEGER /*REFERENCES p*/)");
    sql("sqlite", "b.db", "INSERT INTO p VALUES (1)");
    assertThat(run(copy[0], copy[1], copy[2], "--resume").code()).isZero();
    assertThat(sql("sqlite", "b.db", "SELECT \"table\" FROM pragma_foreign_key_list('c')"))
        .containsExactly("p");
  }

  /// Those to other tables are made all the same.
  @Test
  void aForeignKeyOfSqliteToATableThatFailedIsOwed() {
    sql(
        "sqlite",
        "a.db",
        "CREATE TABLE p (id INTEGER PRIMARY KEY)",
        "CREATE TABLE q (id INTEGER PRIMARY KEY)",
        "CREATE TABLE c (p INTEGER REFERENCES p, q INTEGER, FOREIGN KEY (q) REFERENCES q /* so */"
            + " (id), CHECK (p > 0))",
        "INSERT INTO p VALUES (1)",
        "INSERT INTO q VALUES (1)",
        "INSERT INTO c VALUES (1, 1)");
    sql("sqlite", "b.db", "CREATE TABLE p (id INTEGER PRIMARY KEY)", "INSERT INTO p VALUES (7)");
    String[] copy = {"copy", url("sqlite", "a.db", "*"), url("sqlite", "b.db", "{table}")};
    Cli.Result result = run(copy);
    assertThat(result.err())
        .contains("3 tables: 2 ok, 1 failed", "Owed: c lacks its foreign keys to p.", "--resume");
    String keys = "SELECT \"table\" FROM pragma_foreign_key_list('c') ORDER BY 1";
    assertThat(sql("sqlite", "b.db", keys)).containsExactly("q");
    sql("sqlite", "b.db", "DELETE FROM p");
    Cli.Result end = run(copy[0], copy[1], copy[2], "--resume");
    assertThat(end.code()).as(end.err()).isZero();
    assertThat(sql("sqlite", "b.db", keys)).containsExactly("p", "q");
    assertThat(sql("sqlite", "b.db", SQLITE)).isEqualTo(sql("sqlite", "a.db", SQLITE));
  }

  private static final String DUCKDB =
      """
      SELECT sql FROM duckdb_tables() WHERE table_name NOT LIKE 'millrace%'
      UNION ALL SELECT sql FROM duckdb_indexes() WHERE table_name NOT LIKE 'millrace%'
      UNION ALL SELECT sql FROM duckdb_views() WHERE NOT internal
      UNION ALL SELECT sql FROM duckdb_sequences()
      UNION ALL SELECT type_name || coalesce(labels::text, logical_type) FROM duckdb_types()
          WHERE NOT internal
      UNION ALL SELECT function_name || parameters::text || macro_definition
          FROM duckdb_functions() WHERE NOT internal
      UNION ALL SELECT comment FROM duckdb_tables() WHERE comment IS NOT NULL
      UNION ALL SELECT comment FROM duckdb_columns() WHERE comment IS NOT NULL
      UNION ALL SELECT comment FROM duckdb_views() WHERE comment IS NOT NULL
      UNION ALL SELECT comment FROM duckdb_indexes() WHERE comment IS NOT NULL
      ORDER BY 1\
      """;

  private void shopOfDuckDb() {
    sql(
        "duckdb",
        "a.db",
        "CREATE TYPE mood AS ENUM ('sad', 'o''k')",
        "CREATE TYPE pair AS STRUCT(\"a b\" INTEGER, m mood)",
        "CREATE SEQUENCE \"my numbers\" START 10 INCREMENT BY 5",
        "CREATE SEQUENCE others",
        "CREATE TABLE zoo (id INTEGER PRIMARY KEY DEFAULT nextval('\"my numbers\"'), m mood, name"
            + " VARCHAR UNIQUE, twice INTEGER AS (id * 2), CHECK (id > 0))",
        "CREATE TABLE \"An, imal\" (a DECIMAL(10,2) DEFAULT 1.5, zoo INTEGER REFERENCES zoo (id), p"
            + " pair, UNIQUE (a, zoo))",
        "CREATE TABLE tree (id INTEGER PRIMARY KEY, up INTEGER REFERENCES tree (id))",
        "INSERT INTO tree VALUES (1, NULL)",
        "CREATE INDEX animal_zoo ON \"An, imal\" (zoo)",
        "CREATE UNIQUE INDEX \"lower; name\" ON zoo (lower(name))",
        "CREATE MACRO more(x, y := 'it''s; (5') AS x || y",
        "CREATE MACRO zoos(i) AS TABLE SELECT * FROM zoo WHERE id = i",
        "CREATE VIEW below AS SELECT id, more(name) AS m FROM zoo",
        "CREATE VIEW above(m) AS SELECT m FROM below",
        "COMMENT ON TABLE zoo IS 'who''s'",
        "COMMENT ON COLUMN zoo.m IS 'mood'",
        "COMMENT ON VIEW above IS 'seen'",
        "COMMENT ON INDEX animal_zoo IS 'found'",
        "INSERT INTO zoo (m, name) VALUES ('sad', 'one'), ('o''k', 'two')",
        "INSERT INTO \"An, imal\" VALUES (1, 10, {'a b': 1, 'm': 'sad'}), (2, 15, NULL)");
  }

  @Test
  void aFileOfDuckDbComesAlongWhole() {
    shopOfDuckDb();
    Cli.Result result = run("copy", url("duckdb", "a.db", "*"), url("duckdb", "b.db", "{table}"));
    assertThat(result.err())
        .contains("3 tables: 3 ok", "1 foreign key: to tree (itself, by which DuckDB");
    assertThat(result.code()).isZero();
    assertThat(sql("duckdb", "b.db", DUCKDB))
        .hasSize(17)
        .isEqualTo(
            sql("duckdb", "a.db", DUCKDB).stream()
                .map(text -> text.replace(", FOREIGN KEY (up) REFERENCES tree(id)", ""))
                .toList());
    sql("duckdb", "b.db", "INSERT INTO zoo (name) VALUES ('next')");
    assertThat(sql("duckdb", "b.db", "SELECT max(id) FROM zoo")).containsExactly("20");
    assertThat(sql("duckdb", "b.db", "SELECT m FROM above ORDER BY 1"))
        .startsWith("nextit's; (5", "oneit's; (5");
  }

  @Test
  void tablesOfDuckDbGetOtherNames() {
    shopOfDuckDb();
    Cli.Result result =
        run(
            "copy",
            url("duckdb", "a.db", "*"),
            url("duckdb", "b.db", "old_{table}"),
            "--exclude",
            "tree");
    assertThat(result.err())
        .contains(
            "2 tables: 2 ok",
            "2 views: above, below",
            "2 macros: more, zoos",
            "1 sequence: others");
    assertThat(
            sql(
                "duckdb",
                "b.db",
                "SELECT sql FROM duckdb_tables() UNION ALL SELECT sql FROM" + " duckdb_indexes()"))
        .anyMatch(sql -> sql.contains("\"old_An, imal\"(a DECIMAL(10,2) DEFAULT(1.5)"))
        .anyMatch(sql -> sql.contains("REFERENCES old_zoo(id)"))
        .anyMatch(sql -> sql.contains("INDEX animal_zoo ON \"old_An, imal\"(zoo)"));
  }

  @Test
  void aViewOfDuckDbThatLacksItsTableIsNamed() {
    shopOfDuckDb();
    Cli.Result result =
        run(
            "copy",
            url("duckdb", "a.db", "*"),
            url("duckdb", "b.db", "{table}"),
            "--definitions=all",
            "--exclude",
            "zoo");
    assertThat(result.code()).isEqualTo(ExitCode.PARTLY.number());
    assertThat(result.err())
        .contains(
            "The statement was: CREATE VIEW below",
            "to zoo (which is not copied) of An, imal",
            "2 tables: 2 ok");
  }
}
