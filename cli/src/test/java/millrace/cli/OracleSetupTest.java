package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the example prints does what it says, against the stand-in for a server.
class OracleSetupTest {

  private static final int ROWS = 500;

  @TempDir private Path home;

  @Test
  void theStatementsAndCommandsOfReportBCanBeCarriedOut() throws SQLException, IOException {
    try (OracleServer server = OracleServer.start()) {
      String end =
          "oracle://%s@%s:%d/%s"
              .formatted(server.user(), server.host(), server.port(), server.service());
      Cli cli = new Cli(home);
      Cli.Result printed =
          cli.run(
              "oracle-setup",
              "--example",
              "report-b",
              "--rows",
              "" + ROWS,
              "--partitions",
              "4",
              end);
      assertThat(printed.code()).isZero();
      String ddl = printed.out().replaceFirst("(?s)--[^\n]*\n(.*?);.*", "$1");
      try (Connection connection =
              DriverManager.getConnection(server.url(), server.user(), server.password());
          Statement statement = connection.createStatement()) {
        statement.execute(ddl);
      }
      Path folder = Files.createDirectory(home.resolve("out"));
      List<String> copies =
          printed.outLines().stream().filter(line -> line.startsWith("millrace copy")).toList();
      assertThat(copies).hasSize(2);
      for (String copy : copies) {
        String[] words =
            Arrays.stream(copy.replaceFirst("millrace ", "").split(" ", -1))
                .map(word -> word.replace("'", ""))
                .map(word ->
                    word.replace(
                        server.user() + "@", server.user() + ":" + server.password() + "@"))
                .map(word -> word.equals("hash_part.csv") ? folder.resolve(word).toString() : word)
                .toArray(String[]::new);
        Cli.Result ran = cli.run(words);
        assertThat(ran.err()).contains("copy done: 500 rows");
      }
      try (Stream<Path> files = Files.list(folder)) {
        long records = 0;
        List<Path> all = files.toList();
        assertThat(all).as("a file for each partition").hasSize(4);
        for (Path file : all) {
          String text = Files.readString(file, StandardCharsets.UTF_8);
          assertThat(text.lines()).allMatch(line -> line.matches("\\d{10}~~.*~~,"));
          records += text.lines().count();
        }
        assertThat(records).isEqualTo(ROWS);
      }
    }
  }

  @Test
  void whatIsNoExampleIsRefused() {
    Cli cli = new Cli(home);
    assertThat(cli.run("oracle-setup", "--example", "report-z").err()).contains("report-b");
    assertThat(cli.run("oracle-setup", "--example", "report-b", "--table", "a b").code())
        .isEqualTo(2);
    assertThat(cli.run("oracle-setup", "--example", "report-b", "kudu://m/t").err())
        .contains("is no Oracle server");
  }
}
