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

/// What comes along from one database of H2 to another.
final class H2DefinitionsTest {

  private static final String[] SHOP = {
    "CREATE DOMAIN positive AS INT DEFAULT 1 CHECK (VALUE > 0)",
    "CREATE CONSTANT dozen VALUE 12",
    "CREATE SEQUENCE numbers START WITH 5 INCREMENT BY 2",
    "VALUES NEXT VALUE FOR numbers",
    "COMMENT ON SEQUENCE numbers IS 'it''s; one'",
    "CREATE ALIAS hypotenuse FOR 'java.lang.Math.hypot'",
    "CREATE TABLE parent (id INT GENERATED ALWAYS AS IDENTITY(START WITH 1 INCREMENT BY 5) PRIMARY"
        + " KEY, n positive, drawn BIGINT DEFAULT NEXT VALUE FOR numbers, name VARCHAR(20)"
        + " CONSTRAINT named UNIQUE, up VARCHAR(20) GENERATED ALWAYS AS (UPPER(name)), CHECK (n <"
        + " dozen))",
    "CREATE TABLE \"Odd \"\"kid\" (id INT PRIMARY KEY, parent INT REFERENCES parent (id) ON DELETE"
        + " CASCADE)",
    "CREATE INDEX kids ON \"Odd \"\"kid\" (parent DESC)",
    "COMMENT ON COLUMN \"Odd \"\"kid\".parent IS 'whose'",
    "CREATE VIEW below AS SELECT id FROM \"Odd \"\"kid\"",
    "CREATE VIEW above AS SELECT id, hypotenuse(3, 4) AS h FROM below",
    "CREATE SYNONYM kid FOR \"Odd \"\"kid\"",
    "CREATE TRIGGER touched BEFORE INSERT ON parent FOR EACH ROW CALL"
        + " 'millrace.cli.H2DefinitionsTest$Touch'",
    "INSERT INTO parent (name) VALUES ('a'), ('b')",
    "INSERT INTO kid VALUES (1, 1), (2, 6)",
  };

  @TempDir private Path home;

  /// A trigger that counts how often it ran.
  public static final class Touch implements org.h2.api.Trigger {
    @Override
    public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
      if ("refused".equals(after[3])) {
        throw new SQLException("refused by the trigger");
      }
    }
  }

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private String url(String file, String table) {
    return "jdbc:h2:" + home.resolve(file) + "?table=" + table;
  }

  private List<String> sql(String file, String... statements) {
    List<String> texts = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:h2:" + home.resolve(file));
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        if (statement.execute(sql)) {
          ResultSet rows = statement.getResultSet();
          while (rows.next()) {
            texts.add(rows.getString(1));
          }
        }
      }
    } catch (SQLException e) {
      throw new AssertionError(String.join("; ", statements), e);
    }
    return texts;
  }

  /// What H2 says of all but the journal.
  private List<String> script(String file) {
    return sql(file, "SCRIPT NODATA NOPASSWORDS NOSETTINGS").stream()
        .filter(line -> !line.contains("MILLRACE") && !line.startsWith("--"))
        .sorted()
        .toList();
  }

  @Test
  void aDatabaseComesAlongWhole() {
    sql("a", SHOP);
    Cli.Result result = run("copy", url("a", "*"), url("b", "{table}"));
    assertThat(result.err()).contains("2 tables: 2 ok").doesNotContain("Not copied");
    assertThat(result.code()).isZero();
    assertThat(script("b")).hasSizeGreaterThan(15).isEqualTo(script("a"));
    assertThat(sql("b", "SELECT id FROM above ORDER BY 1", "SELECT h FROM above LIMIT 1"))
        .containsExactly("1", "2", "5.0");
    sql("b", "INSERT INTO parent (name) VALUES ('next')");
    assertThat(sql("b", "SELECT max(id) FROM parent", "SELECT count(*) FROM kid"))
        .containsExactly("11", "2");
    assertThat(run("verify", url("a", "*"), url("a", "{table}")).code()).isZero();
  }

  @Test
  void whatCantComeIsNamedAndTheRestIsMade() {
    sql("a", SHOP);
    sql(
        "a",
        "CREATE ROLE reader",
        "GRANT SELECT ON parent TO reader",
        "CREATE TABLE gone (i INT)",
        "CREATE VIEW lacking AS SELECT i FROM gone",
        "CREATE TRIGGER of_gone BEFORE INSERT ON gone FOR EACH ROW CALL"
            + " 'millrace.cli.H2DefinitionsTest$Touch'");
    sql("b", "CREATE SEQUENCE numbers START WITH 1");
    String[] copy = {
      "copy", url("a", "*"), url("b", "{table}"), "--exclude", "gone", "--definitions", "all"
    };
    Cli.Result result = run(copy);
    assertThat(result.code()).as(result.err()).isEqualTo(6);
    assertThat(result.err())
        .contains("2 tables: 2 ok")
        .contains("PUBLIC.LACKING")
        .contains("CREATE VIEW \"PUBLIC\".\"LACKING\"")
        .contains("1 grant: PUBLIC.PARENT")
        .contains("OF_GONE")
        .contains("1 sequence: PUBLIC.NUMBERS (which is there already, and differs)");
    assertThat(sql("b", "SELECT id FROM above ORDER BY 1")).containsExactly("1", "2");
    sql("b", "CREATE TABLE gone (i INT)");
    List<String> again = new ArrayList<>(List.of(copy));
    again.add("--resume");
    Cli.Result resumed = run(again.toArray(String[]::new));
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(sql("b", "SELECT count(*) FROM lacking")).containsExactly("0");
  }

  /// H2 tells its script to administrators.
  @Test
  void whoMayNotSeeTheScriptGetsTables() {
    sql("a", SHOP);
    sql("a", "CREATE USER reader PASSWORD ''", "GRANT SELECT ON SCHEMA public TO reader");
    String from = url("a", "*") + "&user=reader";
    Cli.Result result = run("copy", from, url("b", "{table}"));
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err())
        .contains("2 tables: 2 ok")
        .contains("1 text: of all else (since")
        .contains("Admin rights are required");
    Cli.Result all = run("copy", from, url("c", "{table}"), "--definitions", "all");
    assertThat(all.code()).as(all.err()).isEqualTo(4);
    assertThat(all.err()).contains("Admin rights are required");
  }

  /// As between systems that are not alike.
  @Test
  void tablesThatGetOtherNamesAreMadeByWhatTheCatalogTells() {
    sql("a", SHOP);
    Cli.Result result =
        run("copy", url("a", "parent*"), url("b", "old_{table}"), "--definitions", "all");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).contains("2 views: ");
    assertThat(sql("b", "SELECT name FROM old_parent ORDER BY 1")).containsExactly("a", "b");
  }
}
