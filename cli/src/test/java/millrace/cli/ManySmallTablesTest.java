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
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies of many tables that are small: what they share, and what is left of them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ManySmallTablesTest {

  private static final int TABLES = 40;

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
    server.execute(
        from,
        "DO $$ BEGIN FOR i IN 1.."
            + TABLES
            + " LOOP EXECUTE format('CREATE TABLE small_%s (id serial PRIMARY KEY, x int)', i);"
            + " EXECUTE format('INSERT INTO small_%s (x) VALUES (%s), (2)', i, i);"
            + " END LOOP; END $$");
  }

  private Cli.Result copy(String... more) {
    List<String> copy =
        List.of("copy", server.url(from) + "?table=public.*", server.url(to) + "?table=public.*");
    return new Cli(home).run(Stream.concat(copy.stream(), Stream.of(more)).toArray(String[]::new));
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

  private void checkComplete() {
    String count = "SELECT string_agg(format('SELECT * FROM small_%s', i), ' UNION ALL ')";
    String all = text(to, count + " FROM generate_series(1, " + TABLES + ") i");
    assertThat(text(to, "SELECT count(*) || ' ' || sum(x) FROM (" + all + ") each"))
        .isEqualTo(2 * TABLES + " " + (TABLES * (TABLES + 1) / 2 + 2 * TABLES));
    String keys =
        "SELECT count(*) FROM pg_constraint WHERE contype = 'p' AND conrelid::regclass::text ~"
            + " 'small'";
    assertThat(text(to, keys)).isEqualTo(String.valueOf(TABLES));
    assertThat(text(to, "INSERT INTO small_7 (x) VALUES (1) RETURNING id")).isEqualTo("3");
  }

  @Test
  void connectionsAreLeftToTheNextAndNothingIsLeftOfTheJournal() {
    String sessions = "SELECT sessions FROM pg_stat_database WHERE datname = '" + to + "'";
    long before = Long.parseLong(text(from, sessions));
    assertThat(copy("--lanes", "2").err()).contains("40 tables: 40 ok; 80 rows");
    assertThat(Long.parseLong(text(from, sessions)) - before).isLessThan(TABLES / 2);
    assertThat(text(to, "SELECT to_regclass('millrace_journal') IS NULL")).isEqualTo("t");
    checkComplete();
  }

  /// Takes what is done out of the ledgers of jobs, and gives how many lines are left.
  private int forgetDone() throws IOException {
    int left = 0;
    try (Stream<Path> ledgers = Files.walk(home.resolve(".local/state/millrace/jobs"))) {
      for (Path ledger : ledgers.filter(Files::isRegularFile).toList()) {
        List<String> owed =
            Files.readAllLines(ledger).stream().filter(line -> line.contains("after_all")).toList();
        left += owed.size();
        Files.write(ledger, owed);
      }
    }
    return left;
  }

  @ParameterizedTest
  @ValueSource(strings = {"duckdb:all.db?table={table}", "sqlite:all.sqlite?table={table}"})
  void aTableThatIsFoundCompleteCountsItsRows(String target) throws IOException {
    Files.writeString(home.resolve("a.csv"), "id,x\n1,2\n3,4\n");
    Files.writeString(home.resolve("b.csv"), "id,x\n1,2\n");
    String all = home + "/*.csv";
    String into = target.replace(":", ":" + home + "/");
    String whole = "2 tables: 2 ok; 3 rows";
    assertThat(new Cli(home).run("copy", all, into, "--resume").err()).contains(whole);
    forgetDone();
    assertThat(new Cli(home).run("copy", all, into, "--resume").err()).contains(whole);
  }

  /// They are written one after the other by one connection. A table that fails leaves the others
  /// whole, and nothing but tables stays in the file.
  @ParameterizedTest
  @ValueSource(strings = {"duckdb:%s/all.db?table={table}", "sqlite:%s/all.sqlite?table={table}"})
  void aFileThatAllGoIntoHoldsThemAndNothingElse(String target) throws IOException {
    String into = target.formatted(home);
    String all = server.url(from) + "?table=public.*";
    String old = Files.writeString(home.resolve("small_7.csv"), "id,x\n9,9\n").toString();
    assertThat(new Cli(home).run("copy", old, into.replace("{table}", "small_7")).code()).isZero();
    assertThat(new Cli(home).run("copy", all, into).err())
        .contains("40 tables: 39 ok, 1 failed; 78 rows", "small_7 holds rows already");
    assertThat(new Cli(home).run("copy", all, into, "--resume", "--mode", "truncate").err())
        .contains("40 tables: 40 ok; 80 rows");
    assertThat(new Cli(home).run("verify", all, into.replace("{table}", "*")).out())
        .contains("40 of 40 tables are the same.")
        .doesNotContain("millrace_journal");
    assertThat(home.toFile().list()).doesNotContain("all.db.wal", "all.sqlite-journal");
  }

  @Test
  void theReportsOfAJobPushNoOtherOut() throws IOException {
    String file = Files.writeString(home.resolve("one.csv"), "id\n1\n").toString();
    assertThat(new Cli(home).run("copy", file, home + "/other.csv").code()).isZero();
    assertThat(copy("--lanes", "2").code()).isZero();
    Path runs = home.resolve(".local/state/millrace/runs");
    assertThat(runs.toFile().list((_, name) -> name.endsWith(".json"))).hasSize(1);
    assertThat(new Cli(home).run("runs", "--last", "100").out().lines()).hasSizeGreaterThan(TABLES);
  }

  /// A process that is killed between the commit of a table's rows and the line in its own ledger
  /// leaves a table that is complete, and not known as such but by its own mark.
  @Test
  void aTableWhoseRowsAreInIsNotFilledAgain() throws IOException {
    assertThat(copy("--resume").err()).contains("40 tables: 40 ok; 80 rows");
    assertThat(forgetDone()).isGreaterThanOrEqualTo(TABLES);
    Cli.Result again = copy("--resume");
    assertThat(again.err()).contains("40 tables: 40 ok; 80 rows").doesNotContain("failed");
    assertThat(again.code()).isZero();
    checkComplete();
  }
}
