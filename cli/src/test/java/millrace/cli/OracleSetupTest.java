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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `bench/oracle-setup` prints does what it says, against the stand-in for a server.
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
      String printed = setup(0, "" + ROWS, "4", end);
      String ddl = printed.replaceFirst("(?s)--[^\n]*\n(.*?);.*", "$1");
      try (Connection connection =
              DriverManager.getConnection(server.url(), server.user(), server.password());
          Statement statement = connection.createStatement()) {
        statement.execute(ddl);
      }
      Path folder = Files.createDirectory(home.resolve("out"));
      List<String> copies =
          printed.lines().filter(line -> line.startsWith("millrace copy")).toList();
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
  void whatFitsNoExampleIsRefused() throws IOException {
    assertThat(setup(2, "0")).contains("is no number from 1");
    assertThat(setup(2, "9", "1048576")).contains("more than 1048575");
    assertThat(setup(2, "9", "4", "oracle://me@h/S", "a b")).contains("no plain word");
    assertThat(setup(2, "9", "4", "kudu://m/t")).contains("is no Oracle server");
    assertThat(setup(2, "9", "4", "oracle://me:s3cret@h/S"))
        .contains("a password")
        .doesNotContain("s3cret");
    assertThat(setup(0)).contains("PARTITIONS 32", "rows=10000000'");
    assertThat(setup(0, "9", "4", "oracle://me@h/S?lob=text"))
        .contains("'oracle://me@h/S?lob=text&table=HASH_PART_0160'");
  }

  @Test
  void theVerbOfEarlierTellsWhereTheExampleIs() {
    Cli.Result result = new Cli(home).run("oracle-setup", "--example", "report-b");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("no verb 'oracle-setup'. Run bench/oracle-setup");
  }

  /// What the script prints, with its complaints.
  private static String setup(int code, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of("../bench/oracle-setup"));
    words.addAll(List.of(arguments));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as(said).isEqualTo(code);
    return said;
  }
}
