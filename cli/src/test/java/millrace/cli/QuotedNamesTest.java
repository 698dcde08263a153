package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.spi.catalog.TablePattern;
import millrace.testkit.PostgresServer;
import millrace.testkit.server.MariaDbServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables whose names hold the quotes of some system or other: each goes by all of its letters,
/// into other systems and back.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QuotedNamesTest {

  private static final List<String> NAMES =
      List.of("a\"b", "a`b", "a[b", "a]b", "[ab]", "\"ab\"", "`ab`", "''", "a\"\"b", "plain");

  private PostgresServer server;
  private String from;

  @TempDir private Path home;

  @BeforeAll
  void startServer() {
    server = PostgresServer.embedded();
  }

  /// Each table has its name in its row.
  @BeforeEach
  void makeTables() {
    from = server.newDatabase();
    for (String name : NAMES) {
      String table = TablePattern.quoted(name);
      String text = name.replace("'", "''");
      server.execute(
          from,
          "CREATE TABLE " + table + " (v text)",
          "INSERT INTO " + table + " VALUES ('" + text + "')");
    }
  }

  private String end(String system) {
    return switch (system) {
      case "sqlite" -> "sqlite:" + home.resolve("t.db");
      case "duckdb" -> "duckdb:" + home.resolve("t.duckdb");
      case "mariadb" -> {
        MariaDbServer mariaDb = MariaDbServer.shared();
        yield mariaDb.url("root", "", mariaDb.newDatabase());
      }
      default -> server.url(server.newDatabase());
    };
  }

  private void copies(String... words) {
    Cli.Result result = new Cli(home).run(words);
    assertThat(result.err()).contains(NAMES.size() + " ok");
    assertThat(result.code()).isZero();
  }

  /// What each table of a database holds.
  private Map<String, String> tables(String database) throws SQLException {
    Map<String, String> tables = new TreeMap<>();
    try (Connection connection = server.connect(database);
        Statement names = connection.createStatement();
        Statement values = connection.createStatement();
        ResultSet name =
            names.executeQuery(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace ="
                    + " 'public'::regnamespace AND relname NOT LIKE 'millrace%'")) {
      while (name.next()) {
        String table = name.getString(1);
        try (ResultSet value =
            values.executeQuery("SELECT v FROM public." + TablePattern.quoted(table))) {
          tables.put(table, value.next() ? value.getString(1) : "no row");
        }
      }
    }
    return tables;
  }

  private static Map<String, String> named(Function<String, String> name) {
    return new TreeMap<>(NAMES.stream().collect(Collectors.toMap(name, Function.identity())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "duckdb", "mariadb", "postgresql"})
  void aTemplateTakesEachNameToTheLetter(String system) throws SQLException {
    String there = end(system);
    copies("copy", server.url(from) + "?table=public.*", there + "?table=to_{stream_table}");
    String back = server.newDatabase();
    copies("copy", there + "?table=to_*", server.url(back) + "?table=public.{stream_table}");
    assertThat(tables(back)).isEqualTo(named("to_"::concat));
  }

  /// Of a job file too, whose streams name the tables as their system has them.
  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "duckdb", "mariadb", "postgresql"})
  void soDoesThatOfAJob(String system) throws IOException, SQLException {
    String there = end(system);
    Path job =
        Files.writeString(
            home.resolve("job.yaml"),
            """
            source: %s
            target: %s
            defaults:
              mode: full-refresh
              object: '{stream_table}'
            streams:
            """
                    .formatted(server.url(from), there)
                + NAMES.stream()
                    .map(TablePattern::quoted)
                    .map(name -> "  'public." + name.replace("'", "''") + "':\n")
                    .collect(Collectors.joining()));
    copies("run", job.toString());
    String back = server.newDatabase();
    copies("copy", there + "?table=*", server.url(back) + "?table=public.{stream_table}");
    assertThat(tables(back)).isEqualTo(named(Function.identity()));
  }
}
