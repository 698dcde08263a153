package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many files in one command, each into a partition of one table.
class OraclePartitionsTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final List<String> BOTH = List.of("P1 500", "P2 500");

  @TempDir private Path home;

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @BeforeEach
  void begin() throws IOException, SQLException {
    SERVER.log().clear();
    execute(
        "DROP TABLE IF EXISTS sales",
        "CREATE TABLE sales (id NUMBER(9) NOT NULL) PARTITION BY RANGE (id) (PARTITION p1 VALUES"
            + " LESS THAN (1000), PARTITION p2 VALUES LESS THAN (MAXVALUE))",
        "CREATE INDEX by_id ON sales (id) LOCAL");
    Files.createDirectories(home.resolve("in"));
    file("p1", 0);
    file("p2", 1000);
  }

  private void file(String name, int from) throws IOException {
    String rows =
        IntStream.range(from, from + 500)
            .mapToObj(String::valueOf)
            .collect(Collectors.joining("\n"));
    Files.writeString(home.resolve("in/" + name + ".csv"), "id\n" + rows + "\n");
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /// Each partition that has rows, with their number.
  private static List<String> counts() throws SQLException {
    List<String> counts = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String part : List.of("P1", "P2")) {
        try (ResultSet rows =
            statement.executeQuery("SELECT count(*) FROM sales PARTITION (" + part + ")")) {
          rows.next();
          counts.add(part + " " + rows.getInt(1));
        }
      }
    }
    return counts;
  }

  private String end(String more) {
    return "oracle://"
        + SERVER.user()
        + ":"
        + SERVER.password()
        + "@"
        + SERVER.host()
        + ":"
        + SERVER.port()
        + "/"
        + SERVER.service()
        + more;
  }

  private Cli.Result run(String... words) {
    return new Cli(home).run(words);
  }

  private Cli.Result copy(String to, String... more) {
    List<String> words = new ArrayList<>(List.of("copy", home + "/in/*.csv", to));
    words.addAll(List.of("--mode", "append"));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "native"})
  void eachFileGoesIntoThePartitionOfItsName(String method) throws SQLException {
    Cli.Result result = copy(end("?table=sales&partition={stem}"), "--method", method);
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).contains("2 tables: 2 ok; 1,000 rows");
    assertThat(counts()).isEqualTo(BOTH);
  }

  @Test
  void anOptionNamesThePartitionAsTheUrlDoes() throws SQLException {
    Cli.Result result = copy(end("?table=sales"), "--method", "native", "--partition", "{stem}");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(counts()).isEqualTo(BOTH);
    assertThat(SERVER.log().events(LogEvent.DirectPathPrepared.class))
        .extracting(LogEvent.DirectPathPrepared::partition)
        .contains("P1", "P2");
  }

  /// While one waits for its partition, the other gets its rows in.
  @Test
  void noCopyWaitsForAnother() throws Exception {
    CompletableFuture<Cli.Result> result;
    try (Connection other = connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("INSERT /*+ APPEND */ INTO sales PARTITION (p1) SELECT 999 FROM DUAL");
      result =
          CompletableFuture.supplyAsync(() ->
              copy(end("?table=sales&partition={stem}"), "--method", "direct", "--lanes", "2"));
      while (!counts().contains("P2 500") && !result.isDone()) {
        Thread.onSpinWait();
      }
      assertThat(counts()).containsExactly("P1 0", "P2 500");
      other.commit();
    }
    assertThat(result.get().code()).as(result.get().err()).isZero();
    assertThat(counts()).containsExactly("P1 501", "P2 500");
  }

  @Test
  void aFileWithoutAPartitionIsToldBesideTheOthers() throws Exception {
    file("p3", 2000);
    Cli.Result result = copy(end("?table=sales&partition={stem}"), "--method", "native");
    assertThat(result.code()).isNotZero();
    assertThat(result.err()).contains("2 ok, 1 failed").contains("ORA-02149");
    assertThat(counts()).isEqualTo(BOTH);
  }

  @Test
  void aJobFileNamesPartitionsToo() throws Exception {
    Path job = home.resolve("job.yaml");
    String text =
        """
        target: '%s'
        defaults:
          mode: append
          method: native
          object: sales
        streams:
          'file://%s/in/p1.csv':
            partition: p1
          'file://%2$s/in/p2.csv':
            partition: %3$s
        """;
    Files.writeString(job, text.formatted(end(""), home, "p1"));
    Cli.Result refused = run("run", job.toString());
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains("sales, partition p1, and so does").contains("line 7");
    Files.writeString(job, text.formatted(end(""), home, "p2"));
    Cli.Result done = run("run", job.toString());
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(counts()).isEqualTo(BOTH);
    Files.writeString(
        job, text.replace("  partition: %3$s", "  lanes: 1").formatted(end(""), home));
    assertThat(run("run", job.toString()).err()).contains("goes to").contains("sales, and so does");
  }
}
