package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
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

/// Hooks of job files that are SQL.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QueryHookTest {

  private PostgresServer server;
  private String database;

  @TempDir private Path home;

  @BeforeAll
  void startServer() {
    server = PostgresServer.embedded();
  }

  @BeforeEach
  void makeTables() throws IOException {
    database = server.newDatabase();
    server.execute(
        database,
        "CREATE TABLE orders (id int, day date)",
        "INSERT INTO orders VALUES (1, '2026-01-01'), (2, '2026-01-02')",
        "CREATE TABLE told (what text)");
    Files.writeString(home.resolve("orders.csv"), "id,day\n3,2026-01-02\n");
  }

  private Cli.Result run(String hooks) throws IOException {
    Path job =
        Files.writeString(
            home.resolve("job.yaml"),
            """
            target: %s
            env:
              DAY: 2026-01-02
            hooks:
            %sstreams:
              file://%s:
                object: orders
                mode: append
            """
                .formatted(server.url(database), hooks.indent(2), home.resolve("orders.csv")));
    return new Cli(home).run("run", job.toString());
  }

  private String text(String query) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void sqlRunsBeforeAndAfterTheRows() throws IOException {
    Cli.Result result =
        run(
            """
            start:
              - query: DELETE FROM orders WHERE day = '{DAY}'
            end:
              - type: query
                connection: target
                query:
                  - INSERT INTO told SELECT count(*) FROM orders
                  - INSERT INTO told VALUES ('end')
            """);
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(text("SELECT string_agg(id::text, ',' ORDER BY id) FROM orders")).isEqualTo("1,3");
    assertThat(text("SELECT string_agg(what, ',' ORDER BY what) FROM told")).isEqualTo("2,end");
  }

  @Test
  void sqlThatFailsStopsTheJobBeforeTheFirstRow() throws IOException {
    Cli.Result result = run("start:\n  - query: DELETE FROM nowhere");
    assertThat(result.code()).isEqualTo(ExitCode.EXTERNAL.number());
    assertThat(result.err())
        .contains("job.yaml, line 6", "'DELETE FROM nowhere', failed", "nowhere");
    assertThat(text("SELECT count(*) FROM orders")).isEqualTo("2");
  }

  @Test
  void sqlThatTakesTooLongIsStopped() throws IOException {
    Cli.Result result = run("start:\n  - query: SELECT pg_sleep(60)\n    timeout: 1");
    assertThat(result.code()).isEqualTo(ExitCode.EXTERNAL.number());
    assertThat(result.err()).contains("did not end within 1 s");
  }
}
