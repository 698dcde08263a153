package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.PostgresServer;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.server.MariaDbServer;
import millrace.testkit.server.MySqlFamilyServer;
import millrace.testkit.server.MySqlServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A schema that tables are to go to and that is not there is told of once, before the first row.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MissingSchemaTest {

  private final PostgresServer server = PostgresServer.embedded();
  private String from;

  @TempDir private Path home;

  @BeforeEach
  void makeTables() {
    from = server.newDatabase();
    server.execute(
        from,
        "CREATE SCHEMA \"Gone Away\"",
        "CREATE SCHEMA s",
        "CREATE TABLE s.a (x int)",
        "CREATE TABLE s.b (x int)",
        "CREATE TABLE \"Gone Away\".c (x int)");
  }

  private String url(String database, String tables) {
    return server.url(database) + "?table=" + tables;
  }

  private void isToldOnce(String message, String statement, String... words) {
    List<String> all = new ArrayList<>(List.of("copy"));
    all.addAll(List.of(words));
    Cli.Result result = new Cli(home).run(all.toArray(String[]::new));
    assertThat(result.err())
        .startsWith("millrace: " + message)
        .containsOnlyOnce("millrace:")
        .contains(statement)
        .doesNotContain("tables:");
    assertThat(result.code()).isEqualTo(ExitCode.USER.number());
  }

  @ParameterizedTest
  @ValueSource(strings = {"tables", "none"})
  void ofPostgresIfOnlyTablesComeAlong(String definitions) {
    String to = url(server.newDatabase(), "*.*");
    String make = "Make them first:\n    CREATE SCHEMA \"Gone Away\";\n    CREATE SCHEMA s;\n";
    isToldOnce(
        "There are no schemas Gone Away, s in postgresql:",
        make,
        url(from, "*.*"),
        to,
        "--definitions",
        definitions);
  }

  @Test
  void ofPostgresForADryRunToo() {
    String to = url(server.newDatabase(), "t.*");
    isToldOnce("There is no schema t in", "CREATE SCHEMA t;", url(from, "s.*"), to, "--dry-run");
  }

  @Test
  void ofPostgresForFilesToo() throws IOException {
    Files.writeString(home.resolve("a.csv"), "x\n1\n");
    Files.writeString(home.resolve("b.csv"), "x\n1\n");
    String to = url(server.newDatabase(), "t.{stem}");
    isToldOnce("There is no schema t in", "CREATE SCHEMA t;", home.resolve("*.csv") + "", to);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void ofMariaDbAndMySql(String scheme) {
    MySqlFamilyServer to = scheme.equals("mariadb") ? MariaDbServer.shared() : MySqlServer.shared();
    isToldOnce(
        "There is no database gone in",
        "CREATE DATABASE `gone`;",
        url(from, "s.*"),
        to.url("root", "", to.newDatabase()) + "?table=gone.*");
  }

  @Test
  void ofOracle() {
    try (OracleServer to = OracleServer.start()) {
      String end =
          "oracle://%s:%s@%s:%d/%s?table=gone.*"
              .formatted(to.user(), to.password(), to.host(), to.port(), to.service());
      isToldOnce("There is no schema GONE in", "Make it first.", url(from, "s.*"), end);
    }
  }
}
