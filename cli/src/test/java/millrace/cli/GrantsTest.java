package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Owners and grants come along with a whole database of PostgreSQL, if they are asked for.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GrantsTest {

  private static final String RIGHTS =
      """
      SELECT concat_ws(' ', i.type, i.identity, owner, (
          SELECT string_agg(each::text, ',' ORDER BY each::text) FROM unnest(acl) each))
      FROM (
        SELECT 'pg_class'::regclass, oid, 0, relnamespace, relowner::regrole, relacl FROM pg_class
          WHERE relkind NOT IN ('i', 'I')
        UNION ALL SELECT 'pg_proc'::regclass, oid, 0, pronamespace, proowner::regrole, proacl
          FROM pg_proc
        UNION ALL SELECT 'pg_type'::regclass, oid, 0, typnamespace, typowner::regrole, typacl
          FROM pg_type
        UNION ALL SELECT 'pg_operator'::regclass, oid, 0, oprnamespace, oprowner::regrole, NULL
          FROM pg_operator
        UNION ALL SELECT 'pg_collation'::regclass, oid, 0, collnamespace, collowner::regrole, NULL
          FROM pg_collation
        UNION ALL SELECT 'pg_statistic_ext'::regclass, oid, 0, stxnamespace, stxowner::regrole, NULL
          FROM pg_statistic_ext
        UNION ALL SELECT 'pg_namespace'::regclass, oid, 0, oid, nspowner::regrole, nspacl
          FROM pg_namespace
        UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum, relnamespace, NULL, attacl
          FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE attacl IS NOT NULL
        UNION ALL SELECT 'pg_default_acl'::regclass, oid, 0, 'shop'::regnamespace, NULL, defaclacl
          FROM pg_default_acl
      ) AS each(class, oid, sub, nsp, owner, acl)
      CROSS JOIN LATERAL pg_identify_object(class, each.oid, sub) i
      WHERE nsp IN ('shop'::regnamespace, 'public'::regnamespace) ORDER BY 1
      """;

  private final PostgresServer server = PostgresServer.embedded();
  private String from;
  private String to;
  private String app;
  private String reader;

  @TempDir private Path home;

  @BeforeEach
  void makeShop() {
    from = server.newDatabase();
    to = server.newDatabase();
    app = "app_" + from;
    reader = "Reader " + from;
    String[] statements = {
      "CREATE ROLE $app LOGIN",
      "CREATE ROLE \"$reader\"",
      "CREATE SCHEMA shop AUTHORIZATION $app",
      "GRANT USAGE ON SCHEMA shop TO \"$reader\"",
      "GRANT CREATE ON SCHEMA public TO \"$reader\"",
      "CREATE COLLATION shop.posix (locale = 'C')",
      "ALTER COLLATION shop.posix OWNER TO $app",
      "CREATE TYPE shop.mood AS ENUM ('a')",
      "REVOKE USAGE ON TYPE shop.mood FROM PUBLIC",
      "CREATE DOMAIN shop.year AS int",
      "ALTER DOMAIN shop.year OWNER TO $app",
      "CREATE TYPE shop.address AS (no int)",
      "ALTER TYPE shop.address OWNER TO $app",
      "CREATE SEQUENCE shop.free",
      "GRANT USAGE, SELECT ON SEQUENCE shop.free TO PUBLIC",
      "ALTER SEQUENCE shop.free OWNER TO $app",
      "CREATE FUNCTION shop.f(int, VARIADIC text[]) RETURNS int LANGUAGE sql AS 'SELECT 1'",
      "REVOKE ALL ON FUNCTION shop.f FROM PUBLIC",
      "GRANT EXECUTE ON FUNCTION shop.f TO $app WITH GRANT OPTION",
      "CREATE PROCEDURE shop.p() LANGUAGE sql AS ''",
      "ALTER PROCEDURE shop.p OWNER TO $app",
      "CREATE AGGREGATE shop.total(int) (SFUNC = int4pl, STYPE = int)",
      "ALTER AGGREGATE shop.total(int) OWNER TO $app",
      "CREATE OPERATOR shop.=== (FUNCTION = int4eq, LEFTARG = int, RIGHTARG = int)",
      "ALTER OPERATOR shop.=== (int, int) OWNER TO $app",
      "CREATE TABLE shop.item (id int GENERATED ALWAYS AS IDENTITY, name text, no serial)",
      "CREATE STATISTICS shop.some ON id, name FROM shop.item",
      "ALTER STATISTICS shop.some OWNER TO $app",
      "ALTER TABLE shop.item OWNER TO $app",
      "REVOKE DELETE ON shop.item FROM $app",
      "GRANT SELECT (name), UPDATE (id, name) ON shop.item TO \"$reader\"",
      "GRANT SELECT ON shop.item_no_seq TO \"$reader\"",
      "CREATE TABLE shop.pay (at int) PARTITION BY RANGE (at)",
      "CREATE TABLE shop.pay_1 PARTITION OF shop.pay DEFAULT",
      "ALTER TABLE shop.pay_1 OWNER TO $app",
      "GRANT SELECT, INSERT ON shop.pay_1 TO \"$reader\" WITH GRANT OPTION",
      "CREATE VIEW shop.seen AS SELECT * FROM shop.item",
      "GRANT SELECT ON shop.seen TO PUBLIC",
      "CREATE MATERIALIZED VIEW shop.kept AS SELECT 1 AS x",
      "ALTER MATERIALIZED VIEW shop.kept OWNER TO $app",
      "ALTER DEFAULT PRIVILEGES FOR ROLE $app IN SCHEMA shop GRANT SELECT ON TABLES TO \"$reader\"",
      "ALTER DEFAULT PRIVILEGES FOR ROLE $app REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC",
      "INSERT INTO shop.item (name) VALUES ('a')",
    };
    for (String statement : statements) {
      server.execute(from, statement.replace("$app", app).replace("$reader", reader));
    }
  }

  private List<String> rights(String database) {
    List<String> rights = new ArrayList<>();
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(RIGHTS)) {
      while (rows.next()) {
        rights.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return rights;
  }

  private Cli.Result copy(String... more) {
    List<String> words = new ArrayList<>();
    words.add("copy");
    words.add(server.url(from) + "?table=*.*");
    words.add(server.url(to) + "?table=*.*");
    words.addAll(List.of(more));
    return new Cli(home).run(words.toArray(String[]::new));
  }

  @Test
  void comeAlong() {
    Cli.Result result = copy("--grants");
    assertThat(result.err()).doesNotContain("Not copied");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(rights(to)).isEqualTo(rights(from)).anyMatch(each -> each.contains(reader));
    Cli.Result again = copy("--grants", "--resume", "--dry-run");
    assertThat(again.out()).doesNotContain("GRANT", "OWNER");
  }

  @Test
  void areNamedIfNotAskedFor() {
    assertThat(copy().err())
        .contains(
            "grants: function shop.f", "1 owner: " + app + " of 14 objects", "2 default acls");
    assertThat(rights(to)).noneMatch(each -> each.contains(app));
  }

  /// The target's server has other roles: all else is done.
  @Test
  void ofRolesThatTheTargetLacksAreNamed() {
    PostgresServer other = PostgresServer.another();
    String there = other.newDatabase();
    other.execute(there, "CREATE ROLE \"" + reader + "\"");
    Cli.Result result =
        new Cli(home)
            .run(
                "copy",
                server.url(from) + "?table=*.*",
                other.url(there) + "?table=*.*",
                "--grants");
    assertThat(result.err())
        .contains("1 grant: to " + app + " (which is no role of the target)")
        .contains("1 owner: " + app + " of 12 objects (which is no role of the target)")
        .doesNotContain(reader);
    assertThat(result.code()).as(result.err()).isZero();
    other.execute(there, "SET ROLE \"" + reader + "\"", "SELECT name FROM shop.item");
  }

  @Test
  void ofOneTableAreRefused() {
    Cli.Result result =
        new Cli(home)
            .run(
                "copy",
                server.url(from) + "?table=shop.item",
                server.url(to) + "?table=public.item",
                "--grants");
    assertThat(result.err()).contains("--grants is for many tables");
    assertThat(result.code()).isEqualTo(ExitCode.USER.number());
  }
}
