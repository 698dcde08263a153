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
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import millrace.testkit.server.MariaDbServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A table that fails holds back its own triggers, owner and rights, and what was read from it. All
/// else of a whole database is made.
final class IncompleteTablesTest {

  /// Two tables with a trigger each, which marks rows that come later.
  private static final String[] TABLES = {
    "CREATE TABLE a (id INTEGER PRIMARY KEY, n INTEGER)",
    "CREATE TABLE b (id INTEGER PRIMARY KEY, n INTEGER)",
    "INSERT INTO a VALUES (1, 1), (2, 2)",
    "INSERT INTO b VALUES (3, 3), (4, 4)",
    "CREATE VIEW seen AS SELECT id FROM b",
  };

  private static final String IN_THE_WAY = "INSERT INTO b VALUES (7, 7)";

  @TempDir private Path home;

  private static List<String> rows(Connection opened, String... statements) {
    List<String> texts = new ArrayList<>();
    try (Connection connection = opened;
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

  private Connection file(String name) {
    try {
      return DriverManager.getConnection("jdbc:" + name.replace(":", ":" + home + "/"));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private Cli.Result run(List<String> words, String... more) {
    return new Cli(home).run(Stream.concat(words.stream(), Stream.of(more)).toArray(String[]::new));
  }

  /// One table has rows in the target already.
  ///
  /// @param to runs a statement in the target, and gives what it says
  /// @param waiting what the summary names
  private void assertTheOtherIsComplete(
      List<String> copy, UnaryOperator<String> to, String waiting) {
    Cli.Result result = run(copy);
    assertThat(result.code()).as(result.err()).isEqualTo(6);
    assertThat(result.err())
        .contains("2 tables: 1 ok, 1 failed", "Owed: The target lacks trigger " + waiting)
        .doesNotContain("Can't make");
    assertThat(to.apply("INSERT INTO a VALUES (5, 5)")).isEmpty();
    assertThat(to.apply("INSERT INTO b VALUES (8, 8)")).isEmpty();
    assertThat(to.apply("SELECT n FROM a WHERE id = 5")).isEqualTo("99");
    assertThat(to.apply("SELECT n FROM b WHERE id = 8")).isEqualTo("8");
    assertThat(to.apply("SELECT count(*) FROM seen")).isEqualTo("2");
    assertThat(to.apply("DELETE FROM b")).isEmpty();
    Cli.Result end = run(copy, "--resume");
    assertThat(end.code()).as(end.err()).isZero();
    assertThat(end.err()).doesNotContain("Owed");
    assertThat(to.apply("SELECT sum(n) FROM b")).isEqualTo("7");
    assertThat(to.apply("SELECT sum(n) FROM a")).isEqualTo("102");
    assertThat(to.apply("INSERT INTO b VALUES (5, 5)")).isEmpty();
    assertThat(to.apply("SELECT n FROM b WHERE id = 5")).isEqualTo("99");
  }

  private static String first(List<String> rows) {
    return rows.isEmpty() ? "" : rows.getFirst();
  }

  @Test
  void ofPostgresHoldBackTheirTriggersOwnersAndViews() {
    PostgresServer server = PostgresServer.embedded();
    String from = server.newDatabase();
    String to = server.newDatabase();
    String app = "app_" + from;
    server.execute(from, TABLES);
    server.execute(
        from,
        "CREATE FUNCTION mark() RETURNS trigger LANGUAGE plpgsql"
            + " AS 'BEGIN NEW.n := 99; RETURN NEW; END'",
        "CREATE TABLE parts (id int) PARTITION BY RANGE (id)",
        "CREATE TABLE part PARTITION OF parts DEFAULT",
        "CREATE ROLE " + app,
        "ALTER TABLE a OWNER TO " + app,
        "ALTER TABLE b OWNER TO " + app,
        "ALTER VIEW seen OWNER TO " + app,
        "GRANT SELECT ON a, b TO PUBLIC",
        "CREATE TRIGGER mark BEFORE INSERT ON a FOR EACH ROW EXECUTE FUNCTION mark()",
        "CREATE TRIGGER mark BEFORE INSERT ON b FOR EACH ROW EXECUTE FUNCTION mark()",
        "CREATE TRIGGER mark BEFORE INSERT ON part FOR EACH ROW EXECUTE FUNCTION mark()",
        "COMMENT ON TRIGGER mark ON b IS 'a mark'",
        "CREATE MATERIALIZED VIEW of_a AS SELECT count(*) AS n FROM a",
        "CREATE MATERIALIZED VIEW of_b AS SELECT count(*) AS n FROM seen");
    server.execute(to, TABLES[1], IN_THE_WAY);
    List<String> copy =
        List.of(
            "copy",
            server.url(from) + "?table=public.*",
            server.url(to) + "?table=public.*",
            "--grants",
            "--definitions",
            "all");
    Cli.Result result = run(copy);
    assertThat(result.code()).as(result.err()).isEqualTo(6);
    assertThat(result.err())
        .contains("3 tables: 2 ok, 1 failed")
        .contains(
            "Owed: The target lacks trigger mark on public.b, comment on trigger mark on public.b,"
                + " rows of materialized view public.of_b, owner table public.b, owner view"
                + " public.seen, grants table public.b, until all rows are in.")
        .doesNotContain("permission");
    UnaryOperator<String> ask = sql -> first(rows(server.connect(to), sql));
    String owners =
        "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relowner = '"
            + app
            + "'::regrole AND relkind IN ('r', 'v')";
    String triggers =
        "SELECT string_agg(tgrelid::regclass::text, ' ' ORDER BY tgrelid::regclass::text)"
            + " FROM pg_trigger WHERE NOT tgisinternal";
    assertThat(ask.apply(owners)).isEqualTo("a");
    assertThat(ask.apply(triggers)).isEqualTo("a part");
    assertThat(ask.apply("SELECT n FROM of_a")).isEqualTo("2");
    server.execute(to, "DELETE FROM b");
    Cli.Result end = run(copy, "--resume");
    assertThat(end.code()).as(end.err()).isZero();
    assertThat(end.err()).doesNotContain("Owed");
    assertThat(ask.apply(owners)).isEqualTo("a b seen");
    assertThat(ask.apply(triggers)).isEqualTo("a b part");
    assertThat(ask.apply("SELECT n FROM of_b")).isEqualTo("2");
    assertThat(ask.apply("SELECT sum(n) FROM b")).isEqualTo("7");
    assertThat(ask.apply("SELECT sum(n) FROM a")).isEqualTo("3");
  }

  /// A foreign key to a table of another's could not be made later.
  @Test
  void whoIsNoSuperuserGivesNothingAway() {
    PostgresServer server = PostgresServer.embedded();
    String from = server.newDatabase();
    String to = server.newDatabase();
    String app = "app_" + from;
    String loader = "loader_" + from;
    server.execute(from, TABLES);
    server.execute(
        from,
        "CREATE ROLE " + app,
        "CREATE ROLE " + loader + " LOGIN",
        "GRANT " + app + " TO " + loader + " WITH INHERIT FALSE",
        "GRANT pg_read_all_data TO " + loader,
        "ALTER TABLE b OWNER TO " + loader,
        "ALTER VIEW seen OWNER TO " + loader,
        "ALTER TABLE a OWNER TO " + app);
    server.execute(
        to,
        "GRANT CREATE ON SCHEMA public TO " + app + ", " + loader,
        TABLES[1],
        IN_THE_WAY,
        "ALTER TABLE b OWNER TO " + loader);
    String own = server.url(to).replace("postgres@", loader + "@");
    List<String> copy =
        List.of(
            "copy",
            server.url(from) + "?table=public.*",
            own + "?table=public.*",
            "--grants",
            "--definitions",
            "all");
    Cli.Result result = run(copy);
    assertThat(result.err()).contains("2 tables: 1 ok, 1 failed", "lacks owner table public.a");
    server.execute(to, "DELETE FROM b");
    Cli.Result end = run(copy, "--resume");
    assertThat(end.code()).as(end.err()).isZero();
    String owner = "SELECT relowner::regrole FROM pg_class WHERE relname = 'a'";
    assertThat(rows(server.connect(to), owner)).containsExactly(app);
  }

  /// Foreign keys to them wait likewise.
  @Test
  void ofMariaDbHoldBackTheirTriggers() {
    MariaDbServer server = MariaDbServer.shared();
    String from = server.newDatabase();
    String to = server.newDatabase();
    server.runIn(from, TABLES);
    server.runIn(
        from,
        "CREATE TRIGGER mark_a BEFORE INSERT ON a FOR EACH ROW SET new.n = 99",
        "CREATE TRIGGER mark_b BEFORE INSERT ON b FOR EACH ROW SET new.n = 99");
    server.runIn(to, TABLES[1], IN_THE_WAY);
    assertTheOtherIsComplete(
        List.of(
            "copy",
            server.url("root", "", from) + "?table=*",
            server.url("root", "", to) + "?table={table}",
            "--definitions",
            "all"),
        sql -> first(rows(server.connect(to), sql)),
        to + ".mark_b, until");
  }

  @Test
  void ofSqliteHoldBackTheirTriggers() {
    rows(file("sqlite:a.db"), TABLES);
    rows(
        file("sqlite:a.db"),
        "CREATE TRIGGER mark_a AFTER INSERT ON a BEGIN UPDATE a SET n = 99 WHERE id = new.id; END",
        "CREATE TRIGGER mark_b AFTER INSERT ON b BEGIN UPDATE b SET n = 99 WHERE id = new.id; END",
        "CREATE TRIGGER over INSTEAD OF INSERT ON seen BEGIN SELECT 1; END");
    rows(file("sqlite:b.db"), TABLES[1], IN_THE_WAY);
    assertTheOtherIsComplete(
        List.of(
            "copy",
            "sqlite:" + home.resolve("a.db") + "?table=*",
            "sqlite:" + home.resolve("b.db") + "?table={table}",
            "--definitions",
            "all"),
        sql -> first(rows(file("sqlite:b.db"), sql)),
        "mark_b, until");
  }

  /// A trigger of H2 that marks rows.
  public static final class Mark implements org.h2.api.Trigger {
    @Override
    public void fire(Connection connection, Object[] before, Object[] after) {
      after[1] = 99;
    }
  }

  @Test
  void ofH2HoldBackTheirTriggers() {
    rows(file("h2:a"), TABLES);
    String call = " FOR EACH ROW CALL '" + Mark.class.getName() + "'";
    rows(
        file("h2:a"),
        "CREATE TRIGGER mark_a BEFORE INSERT ON a" + call,
        "CREATE TRIGGER mark_b BEFORE INSERT ON b" + call,
        "COMMENT ON TRIGGER mark_b IS 'a mark'");
    rows(file("h2:b"), "CREATE TABLE b (id INTEGER, n INTEGER)", IN_THE_WAY);
    assertTheOtherIsComplete(
        List.of(
            "copy",
            "jdbc:h2:" + home.resolve("a") + "?table=*",
            "jdbc:h2:" + home.resolve("b") + "?table={table}",
            "--definitions",
            "all"),
        sql -> first(rows(file("h2:b"), sql)),
        "PUBLIC.MARK_B, comment PUBLIC.MARK_B, until");
  }
}
