package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// All that schemas hold comes along from PostgreSQL to PostgreSQL, if the target holds nothing.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class WholeDatabaseTest {

  private PostgresServer server;
  private String from;
  private String to;

  @TempDir private Path home;

  @BeforeAll
  void startServer() {
    server = PostgresServer.embedded();
  }

  @BeforeEach
  void makeDatabases() {
    from = server.newDatabase();
    to = server.newDatabase();
  }

  private void makeShop() {
    server.execute(from, WholeSchema.TYPES_AND_FUNCTIONS);
    server.execute(from, WholeSchema.TABLES);
    server.execute(from, WholeSchema.ALL_ELSE);
  }

  private String url(String database, String table) {
    return server.url(database) + "?table=" + table;
  }

  private Cli.Result copy(String tables, String... more) {
    String[] words = new String[more.length + 3];
    words[0] = "copy";
    words[1] = url(from, tables);
    words[2] = url(to, tables);
    System.arraycopy(more, 0, words, 3, more.length);
    return new Cli(home).run(words);
  }

  private String text(String database, String query) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /// Partitions, tables that inherit, and tables without columns too; each row in its own table.
  @Test
  void aDatabaseIsCopiedWithAllThatItHolds() {
    makeShop();
    Cli.Result result = copy("*.*");
    assertThat(result.err()).contains("14 tables: 14 ok; 575 rows").doesNotContain("Not copied");
    assertThat(result.code()).isZero();
    assertThat(text(to, WholeSchema.CATALOG))
        .isEqualTo(text(from, WholeSchema.CATALOG))
        .contains("shop.pay_old_rest", "touching", "it's ok", "sequence shop.film_id_seq", "9000");
    for (String table : new String[] {"ONLY shop.base", "shop.pay_new", "shop.a_more"}) {
      String rows = "SELECT string_agg(t::text, ' ' ORDER BY t::text) FROM " + table + " t";
      assertThat(text(to, rows)).as(table).isEqualTo(text(from, rows));
    }
    assertThat(text(to, "SELECT nextval('shop.ticket')"))
        .isEqualTo(text(from, "SELECT nextval('shop.ticket')"));
    assertThat(new Cli(home).run("verify", url(from, "shop.*"), url(to, "shop.*")).out())
        .contains("12 of 12 tables are the same.");
  }

  @Test
  void aDryRunShowsAllStatementsInTheirOrder() {
    makeShop();
    Cli.Result result = copy("*.*", "--dry-run");
    assertThat(result.out())
        .containsSubsequence(
            "-- before all rows:\n",
            "CREATE SCHEMA shop;\n",
            "CREATE TYPE shop.mood AS ENUM",
            "-- the table shop.film;\n",
            "CREATE FUNCTION shop.number",
            "ALTER TABLE ONLY shop.a_rental ALTER COLUMN n SET DEFAULT",
            "shop.film:\n",
            "CREATE TABLE \"shop\".\"film\"",
            "-- after all rows and keys:\n",
            "CREATE VIEW shop.by_key",
            "CREATE TRIGGER off",
            "ALTER TABLE shop.film DISABLE TRIGGER off;\n",
            "REFRESH MATERIALIZED VIEW shop.z_count;\n",
            "REFRESH MATERIALIZED VIEW shop.a_more");
    assertThat(result.code()).isZero();
    assertThat(text(to, "SELECT count(*) FROM pg_namespace WHERE nspname = 'shop'")).isEqualTo("0");
  }

  /// So it is if a kill has left nothing but the tables.
  @Test
  void whatIsMissingIsMadeByTheSameCommandWithResume() {
    makeShop();
    assertThat(copy("*.*").code()).isZero();
    server.execute(
        to,
        "DROP VIEW shop.by_key, shop.a_first CASCADE",
        "DROP TRIGGER touching ON shop.film",
        "DROP FUNCTION shop.of_view()",
        "DROP AGGREGATE lib.list(text)",
        "COMMENT ON INDEX shop.film_title IS NULL");
    Cli.Result result = copy("*.*", "--resume");
    assertThat(result.err()).contains("14 done before").doesNotContain("Not copied");
    assertThat(result.code()).isZero();
    assertThat(text(to, WholeSchema.CATALOG)).isEqualTo(text(from, WholeSchema.CATALOG));
  }

  /// A schema needs what another holds: that comes along, and nothing else of it.
  @Test
  void whatASchemaNeedsOfOthersComesAlong() {
    server.execute(from, WholeSchema.TYPES_AND_FUNCTIONS);
    server.execute(from, "CREATE TABLE shop.t (y lib.year)");
    assertThat(copy("shop.*").err()).contains("1 table: 1 ok").doesNotContain("Not copied");
    assertThat(
            text(
                to,
                "SELECT string_agg(identity, ' ' ORDER BY 1) FROM (SELECT 'lib.' || typname FROM"
                    + " pg_type WHERE typnamespace = 'lib'::regnamespace AND typtype = 'd' UNION"
                    + " SELECT 'lib.' || proname FROM pg_proc WHERE pronamespace ="
                    + " 'lib'::regnamespace) AS each(identity)"))
        .isEqualTo("lib.year");
  }

  /// All else is done.
  @Test
  void whatCanNotBeMadeIsNamedWithItsStatement() {
    server.execute(
        from,
        "CREATE TABLE t (x int)",
        "INSERT INTO t VALUES (1)",
        "CREATE MATERIALIZED VIEW parts AS SELECT 1 / x AS y FROM t",
        "CREATE VIEW seen AS SELECT * FROM parts",
        "UPDATE t SET x = 0");
    Cli.Result result = copy("public.*");
    assertThat(result.err())
        .contains("rows of materialized view public.parts:\nmillrace: division by zero")
        .contains("REFRESH MATERIALIZED VIEW public.parts", "--resume");
    assertThat(result.code()).isEqualTo(ExitCode.PARTLY.number());
    assertThat(text(to, "SELECT count(*) FROM pg_views WHERE viewname = 'seen'")).isEqualTo("1");
    server.execute(from, "UPDATE t SET x = 1");
    server.execute(to, "UPDATE t SET x = 1");
    Cli.Result gone = copy("public.*", "--resume");
    assertThat(gone.code()).as(gone.err()).isZero();
    assertThat(text(to, "SELECT y FROM seen")).isEqualTo("1");
  }

  @Test
  void whatTheTargetHasUnderTheSameNameStays() {
    String function = "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT %d'";
    server.execute(
        from,
        "CREATE TABLE t (x int)",
        function.formatted(1),
        "CREATE TYPE mood AS ENUM ('a')",
        "CREATE VIEW v AS SELECT * FROM t",
        "CREATE VIEW w AS SELECT * FROM v");
    server.execute(
        to, function.formatted(2), "CREATE TYPE mood AS ENUM ('a')", "CREATE TABLE v (x int)");
    assertThat(copy("public.*", "--definitions", "all").err())
        .contains("1 table: 1 ok")
        .contains("1 function: public.f() (since the target has another one)")
        .contains("public.v (since the target has a table of that name)")
        .contains("public.w (which needs view public.v, which is not copied)")
        .doesNotContain("mood");
    assertThat(text(to, "SELECT f()")).isEqualTo("2");
  }

  @Test
  void grantsAndWhatElseDoesNotComeAlongIsNamed() {
    server.execute(
        from,
        "SET allow_in_place_tablespaces = on",
        "CREATE TABLESPACE elsewhere LOCATION ''",
        "CREATE TABLE t (x int) TABLESPACE elsewhere",
        "CREATE INDEX by_x ON t (x) TABLESPACE elsewhere",
        "GRANT SELECT ON t TO PUBLIC",
        "CREATE TEXT SEARCH CONFIGURATION plain (COPY = simple)",
        "CREATE PUBLICATION news FOR TABLE t");
    assertThat(copy("public.*").err())
        .contains("1 grant: table public.t")
        .contains("1 publication: news")
        .contains("1 tablespace: elsewhere of 2 objects")
        .contains("1 text search configuration: public.plain")
        .contains("pg_dump --schema-only " + from);
  }

  @Test
  void allComesAlongOnlyUnderTheSameNames() {
    server.execute(from, "CREATE TABLE t (x int)", "CREATE VIEW v AS SELECT * FROM t");
    Cli cli = new Cli(home);
    String renamed = url(to, "public.old_{table}");
    Cli.Result refused = cli.run("copy", url(from, "public.*"), renamed, "--definitions", "all");
    assertThat(refused.err()).contains("public.t goes to public.old_t");
    assertThat(refused.code()).isEqualTo(ExitCode.USER.number());
    assertThat(cli.run("copy", url(from, "public.*"), renamed).err())
        .contains("1 table: 1 ok", "1 view: public.v");
  }

  @Test
  void aSchemaThatMayNotBeMadeIsToldOnceBeforeTheFirstRow() {
    server.execute(from, "CREATE SCHEMA s", "CREATE TABLE s.a (x int)", "CREATE TABLE s.b (x int)");
    server.execute(to, "CREATE ROLE small_" + to + " LOGIN");
    String small = url(to, "s.*").replace("postgres@", "small_" + to + "@");
    Cli.Result result = new Cli(home).run("copy", url(from, "s.*"), small);
    assertThat(result.err())
        .startsWith("millrace: The target has no schema s, and small_" + to + " may not make one.")
        .doesNotContain("tables:");
    assertThat(result.code()).isEqualTo(ExitCode.USER.number());
  }

  /// One that the target refuses stops no other.
  @Test
  void foreignKeysAreRefusedOneByOne() {
    server.execute(
        from,
        "CREATE TABLE a (id int PRIMARY KEY)",
        "CREATE TABLE z (id int PRIMARY KEY)",
        "CREATE TABLE b (a int REFERENCES a, z int REFERENCES z, y int REFERENCES a)",
        "INSERT INTO a VALUES (1)",
        "INSERT INTO z VALUES (1)",
        "INSERT INTO b VALUES (1, 1, 1)");
    server.execute(
        to,
        "CREATE TABLE a (id int PRIMARY KEY)",
        "CREATE TABLE z (id int PRIMARY KEY)",
        "INSERT INTO z VALUES (1)");
    String[] copy = {"copy", url(from, "public.b*"), url(to, "public.*")};
    Cli.Result result = new Cli(home).run(copy);
    assertThat(result.err())
        .contains("1 table: 1 failed", "ADD CONSTRAINT \"b_a_fkey\"", "foreign key of public.b:")
        .contains("ADD CONSTRAINT \"b_y_fkey\"", "--resume");
    String keys = "SELECT string_agg(conname, ' ') FROM pg_constraint WHERE contype = 'f'";
    assertThat(text(to, keys)).isEqualTo("b_z_fkey");
    server.execute(to, "INSERT INTO a VALUES (1)");
    Cli.Result end = new Cli(home).run(copy[0], copy[1], copy[2], "--resume");
    assertThat(end.code()).as(end.err()).isZero();
    assertThat(text(to, keys)).contains("b_a_fkey", "b_y_fkey", "b_z_fkey");
  }

  /// The server says what it lacks, first of all.
  @Test
  void anExtensionThatIsNotInstalledIsNamedFirst() {
    server.execute(
        from,
        "CREATE EXTENSION citext",
        "CREATE TABLE t (c citext)",
        "CREATE TABLE u (x int)",
        "CREATE VIEW v AS SELECT * FROM u",
        "CREATE FUNCTION f(citext) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "SET allow_system_table_mods = on",
        "UPDATE pg_extension SET extname = 'lost' WHERE extname = 'citext'");
    Cli.Result result = copy("public.*");
    assertThat(result.err())
        .contains("2 tables: 1 ok, 1 failed")
        .containsSubsequence(
            "extension lost:\nmillrace: ",
            "CREATE EXTENSION IF NOT EXISTS lost",
            "Have it installed")
        .containsSubsequence("extension lost:\n", "public.t:\n")
        .contains("1 extension: lost (which the target's server does not have)")
        .contains("f(public.citext) (which needs extension lost, which is not copied)");
    assertThat(result.code()).isEqualTo(ExitCode.PARTLY.number());
    assertThat(text(to, "SELECT count(*) FROM pg_views WHERE viewname = 'v'")).isEqualTo("1");
  }

  /// Reserved words and letters beyond ASCII; names of other schemas that look like them too.
  @Test
  void namesThatTheServerQuotesAreNamesLikeAnyOther() {
    String[] names = {
      "order", "user", "select", "bücher", "straße", "a$b", "Mixed", "with \"\" quote", "a.b", "表",
    };
    server.execute(from, "CREATE SCHEMA \"My.Schema\"", "CREATE TABLE plain (id int)");
    for (String name : names) {
      for (String table : new String[] {"\"" + name + "\"", "\"My.Schema\".\"" + name + "\""}) {
        server.execute(
            from,
            "CREATE TABLE " + table + " (id int)",
            "CREATE VIEW " + table.replaceFirst("\"$", "v\"") + " AS SELECT id FROM " + table,
            "CREATE TRIGGER t AFTER INSERT ON "
                + table
                + " EXECUTE FUNCTION tsvector_update_trigger()",
            "COMMENT ON TRIGGER t ON " + table + " IS 'of it'");
      }
    }
    Cli.Result result = copy("*.*");
    assertThat(result.err()).contains("21 tables: 21 ok").doesNotContain("Not copied");
    assertThat(result.code()).isZero();
    String all =
        "SELECT string_agg(c.oid::regclass || tgname || obj_description(t.oid, 'pg_trigger') ||"
            + " (SELECT count(*) FROM pg_views), ' ' ORDER BY c.oid::regclass::text)"
            + " FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid";
    assertThat(text(to, all)).isEqualTo(text(from, all)).contains("bücher", "\"order\"");
  }

  @Test
  void tablesWithoutColumnsAreComparedByTheirNumbersOfRows() {
    server.execute(
        from, "CREATE TABLE bare ()", "INSERT INTO bare SELECT FROM generate_series(1, 3)");
    assertThat(copy("public.*").code()).isZero();
    String[] verify = {"verify", url(from, "public.*"), url(to, "public.*")};
    Cli.Result same = new Cli(home).run(verify);
    assertThat(same.out())
        .contains("public.bare     3      3  same", "1 of 1 tables are the same.");
    assertThat(same.code()).isZero();
    server.execute(to, "INSERT INTO bare SELECT");
    Cli.Result other = new Cli(home).run(verify);
    assertThat(other.out()).contains("public.bare     3      4  different");
    assertThat(other.code()).isEqualTo(ExitCode.DIFFERENT.number());
    String[] one = {"verify", url(from, "bare"), url(to, "public.bare")};
    Cli.Result single = new Cli(home).run(one);
    assertThat(single.out())
        .contains("only their numbers of rows are compared")
        .contains("different: 3 rows in", ", 4 in")
        .doesNotContain("the rows:");
    assertThat(single.code()).isEqualTo(ExitCode.DIFFERENT.number());
    one[2] = url(from, "bare");
    assertThat(new Cli(home).run(one).code()).isZero();
    server.execute(to, "DROP TABLE bare", "CREATE TABLE bare (id int)");
    assertThat(new Cli(home).run(verify).err()).contains("is no table without columns");
    one[2] = url(to, "bare");
    assertThat(new Cli(home).run(one).err()).contains("has no columns");
  }

  @Test
  void aForeignKeyToATableThatIsThereIsMade() {
    server.execute(
        from,
        "CREATE TABLE a (id int PRIMARY KEY)",
        "CREATE TABLE b (a int REFERENCES a)",
        "INSERT INTO a VALUES (1)",
        "INSERT INTO b VALUES (1)");
    Cli cli = new Cli(home);
    assertThat(cli.run("copy", url(from, "public.a*"), url(to, "public.*")).code()).isZero();
    assertThat(cli.run("copy", url(from, "public.b*"), url(to, "public.*")).err())
        .contains("1 table: 1 ok")
        .doesNotContain("Not copied");
    assertThat(text(to, "SELECT count(*) FROM pg_constraint WHERE contype = 'f'")).isEqualTo("1");
  }
}
