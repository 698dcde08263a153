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
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.engine.Account;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What comes along from one schema of Oracle to another, beside tables. Against a stand-in that
/// keeps PL/SQL and does not run it.
final class OracleObjectsTest {

  private static final String[] SHOP = {
    "CREATE SEQUENCE numbers START WITH 7 INCREMENT BY 2 NOCACHE",
    "CREATE TYPE pair AS OBJECT (a NUMBER, b NUMBER, MEMBER FUNCTION total RETURN NUMBER)",
    "CREATE TYPE BODY pair AS\n  MEMBER FUNCTION total RETURN NUMBER IS BEGIN RETURN a + b; END;\n"
        + "END;",
    "CREATE TABLE item (id NUMBER(9) DEFAULT numbers.NEXTVAL PRIMARY KEY, name VARCHAR2(20))",
    "CREATE TABLE bare (id NUMBER(9))",
    "CREATE VIEW below (no, called) AS SELECT id, name FROM item -- all of them",
    "CREATE VIEW above AS SELECT no FROM below",
    "COMMENT ON TABLE above IS 'it''s above'",
    "CREATE SYNONYM thing FOR item",
    "CREATE PACKAGE shop AS\n  PROCEDURE sell(n NUMBER);\nEND shop;",
    "CREATE PACKAGE BODY shop AS\n  PROCEDURE sell(n NUMBER) IS\n    c NUMBER;\n  BEGIN\n    SELECT"
        + " COUNT(*) INTO c FROM above WHERE no = n; -- 'of it\n  END;\nEND shop;",
    "CREATE OR REPLACE FUNCTION \"Odd one\" RETURN NUMBER IS BEGIN RETURN 1; END;",
    "CREATE FUNCTION broken RETURN NUMBER IS n NUMBER; BEGIN SELECT 1 INTO n FROM nowhere; RETURN"
        + " n; END;",
    "CREATE TRIGGER touched BEFORE INSERT OR UPDATE ON item FOR EACH ROW\nBEGIN\n  :NEW.name :="
        + " UPPER(:NEW.name);\nEND;",
    "CREATE TRIGGER resting AFTER INSERT ON bare BEGIN NULL; END;",
    "ALTER TRIGGER resting DISABLE",
    "INSERT INTO item VALUES (1, 'a')",
    "INSERT INTO item (name) VALUES ('b')",
  };

  @TempDir private Path home;
  private final OracleServer server = OracleServer.start();
  private final String other = "OTHER";

  @AfterEach
  void stop() {
    server.close();
  }

  private List<String> sql(String user, String... statements) {
    List<String> texts = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(server.url(), user, server.password());
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

  private String end(String user, String table) {
    return "oracle://%s:%s@%s:%d/%s?table=%s"
        .formatted(user, server.password(), server.host(), server.port(), server.service(), table);
  }

  private Cli.Result copy(String... more) {
    List<String> words =
        new ArrayList<>(List.of("copy", end(server.user(), "*"), end(other, "{table}")));
    words.addAll(List.of(more));
    return new Cli(home).run(words.toArray(String[]::new));
  }

  /// What the dictionary says of all that is no table.
  private List<String> shown(String user) {
    List<String> all = new ArrayList<>();
    for (String query :
        List.of(
            "SELECT object_type || ' ' || object_name || ' ' || status FROM user_objects"
                + " WHERE object_type <> 'INDEX' AND object_name NOT LIKE 'MILLRACE%'",
            "SELECT name || ' ' || type || ' ' || line || ' ' || text FROM user_source"
                + " WHERE line > 1",
            "SELECT view_name || ' ' || text FROM user_views",
            "SELECT sequence_name || ' ' || last_number || ' ' || increment_by || ' ' || cache_size"
                + " FROM user_sequences",
            "SELECT trigger_name || ' ' || status || ' ' || table_name FROM user_triggers",
            "SELECT table_name || ' ' || comments FROM user_tab_comments WHERE comments IS NOT"
                + " NULL",
            "SELECT synonym_name || ' ' || table_name FROM user_synonyms")) {
      all.addAll(sql(user, query).stream().sorted().toList());
    }
    return all;
  }

  @Test
  void aSchemaComesAlongWhole() {
    server.put(new Account(other, server.password(), Account.State.OPEN));
    sql(server.user(), SHOP);
    Cli.Result result = copy();
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).contains("2 tables: 2 ok").contains("1 invalid function: ");
    assertThat(shown(other)).hasSizeGreaterThan(20).isEqualTo(shown(server.user()));
    assertThat(sql(other, "SELECT table_owner FROM user_synonyms")).containsExactly(other);
    sql(other, "INSERT INTO item (name) VALUES ('next')");
    assertThat(sql(other, "SELECT max(id) FROM item")).containsExactly("9");
  }

  @Test
  void whatCantBeMadeIsNamedAndTheRestIsMade() {
    server.put(new Account(other, server.password(), Account.State.OPEN));
    sql(server.user(), SHOP);
    sql(
        server.user(),
        "CREATE TABLE gone (i NUMBER(9))",
        "CREATE VIEW lacking AS SELECT i FROM gone",
        "CREATE PROCEDURE needing IS n NUMBER; BEGIN SELECT i INTO n FROM gone; END;",
        "CREATE PROCEDURE taken IS BEGIN NULL; END;",
        "GRANT SELECT ON item TO other");
    sql(other, "CREATE SEQUENCE taken");
    Cli.Result result = copy("--exclude", "gone", "--definitions", "all");
    assertThat(result.code()).as(result.err()).isEqualTo(6);
    assertThat(result.err())
        .contains("2 tables: 2 ok")
        .contains("OTHER.LACKING")
        .contains("CREATE VIEW \"OTHER\".\"LACKING\"")
        .contains("OTHER.NEEDING")
        .contains("does not compile: Line 1: PL/SQL: ORA-00942")
        .contains("TAKEN (whose name the target has already)")
        .contains("1 grant: to OTHER");
    assertThat(sql(other, "SELECT COUNT(*) FROM above")).containsExactly("2");
    assertThat(sql(other, "SELECT status FROM user_objects WHERE object_name = 'NEEDING'"))
        .containsExactly("INVALID");
    sql(other, "CREATE TABLE gone (i NUMBER(9))");
    Cli.Result resumed = copy("--exclude", "gone", "--definitions", "all", "--resume");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(sql(other, "SELECT COUNT(*) FROM lacking")).containsExactly("0");
  }
}
