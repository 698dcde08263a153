package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import millrace.testkit.server.MariaDbServer;
import millrace.testkit.server.MySqlFamilyServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long will it take?
final class EstimateTest {

  @TempDir private Path home;

  private List<String> files() throws IOException {
    try (Stream<Path> listed = Files.list(home)) {
      return listed
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void anEstimateSaysHowLongAndWhatIsSlowestAndLeavesNothing() throws IOException {
    StringBuilder rows = new StringBuilder("id,name\n");
    for (int i = 0; i < 20_000; i++) {
      rows.append(i).append(",name ").append(i).append('\n');
    }
    Path csv = Files.writeString(home.resolve("in.csv"), rows);
    Cli.Result result =
        new Cli(home)
            .run("copy", csv.toString(), home.resolve("out.parquet").toString(), "--estimate");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .containsPattern("between [0-9.]+ s and [0-9.]+ s: about [0-9,]+ rows at")
        .contains("will be the bottleneck", "source alone", "target alone");
    assertThat(files()).containsExactly("in.csv");
  }

  @Test
  void aStreamOrManyTablesAreNotEstimated() throws IOException {
    Files.writeString(home.resolve("in.csv"), "id\n1\n");
    String in = home.resolve("in.csv").toString();
    assertThat(new Cli(home).run("copy", in, "-", "--estimate").err())
        .contains("can't be taken back");
    assertThat(
            new Cli(home)
                .run("copy", in, home.resolve("{stem}.jsonl").toString(), "--estimate")
                .err())
        .contains("a copy of one table");
  }

  /// MariaDB tells in words of its own that it was stopped.
  @Test
  void aProbeThatHasSeenEnoughOfAServerIsNotTakenForOneThatTheUserStopped()
      throws SQLException, IOException {
    MySqlFamilyServer server = MariaDbServer.shared();
    String database = server.newDatabase();
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE slow (id int PRIMARY KEY, pad text)");
      statement.execute("INSERT INTO slow SELECT seq, repeat('x', 2000) FROM seq_1_to_6000");
      statement.execute("CREATE VIEW slower AS SELECT id, pad, sleep(0.002) AS s FROM slow");
    }
    Cli.Result result =
        new Cli(home)
            .run(
                "copy",
                server.url("root", "", database) + "?table=slower",
                home.resolve("out.csv").toString(),
                "--estimate",
                "--read-unit",
                "50");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).contains("rows/s", "will be the bottleneck");
    assertThat(files()).isEmpty();
  }
}
