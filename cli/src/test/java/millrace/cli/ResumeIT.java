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
import java.util.concurrent.CountDownLatch;
import millrace.testkit.PostgresServer;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that are stopped or fail half-way, and the commands that go on with them.
final class ResumeIT {

  private static final int ROWS = 100_000;

  @TempDir private Path home;
  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  private Launched millrace() {
    return new Launched(home);
  }

  private String orders(int port) {
    return "postgresql://%s@localhost:%d/%s?table=orders".formatted(server.user(), port, database);
  }

  private String rowsThere() {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT count(*), count(DISTINCT id) FROM orders")) {
      rows.next();
      return rows.getString(1) + "," + rows.getString(2);
    } catch (SQLException e) {
      throw new AssertionError("the test's own SQL fails", e);
    }
  }

  @Test
  void theCommandThatIsPrintedAfterAStopGoesOn() throws IOException, InterruptedException {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i).append(",name of an order\n");
    }
    Files.writeString(home.resolve("orders of may.csv"), text);
    try (FaultyProxy proxy =
        new FaultyProxy(server.host(), server.port(), _ -> new ConnectionFault.Delay(0, 20))) {
      CountDownLatch begun = new CountDownLatch(1);
      proxy.after(1_000_000, begun::countDown);
      Process process =
          millrace()
              .start(
                  "copy",
                  "orders of may.csv",
                  orders(proxy.port()),
                  "--mode",
                  "append",
                  "--commit-unit",
                  "5000",
                  "--lanes",
                  "1");
      begun.await();
      new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
      Cli.Result stopped = millrace().ended(process);
      assertThat(stopped.code()).isEqualTo(143);
      assertThat(stopped.err()).contains("millrace: Stopped.", "rows had been committed before");
      String goOn = "What is there is kept. Go on with: millrace ";
      List<String> said =
          stopped.err().lines().map(String::strip).filter(line -> line.startsWith(goOn)).toList();
      assertThat(said).as(stopped.err()).hasSize(1);
      Cli.Result rest = millrace().shell("$millrace " + said.getFirst().substring(goOn.length()));
      assertThat(rest.code()).as(rest.err()).isZero();
    }
    assertThat(rowsThere()).isEqualTo(ROWS + "," + ROWS);
  }

  /// Standard input can't be known by its name: what had been taken is checked as it comes again.
  @Test
  void whatIsPipedAgainHasToBeTheSame() throws IOException, InterruptedException {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i == ROWS - 10 ? "bad" : Integer.toString(i)).append(",name of an order\n");
    }
    String copy =
        " | $millrace copy - '"
            + orders(server.port())
            + "' --mode append --commit-unit 5000 --lanes 1 --columns id:int32,name:text";
    Files.writeString(home.resolve("bad.csv"), text);
    Cli.Result failed = millrace().shell("cat bad.csv" + copy);
    assertThat(failed.err()).contains("rows had been committed before");
    assertThat(failed.code()).isEqualTo(ExitCode.DATA.number());
    String mended = text.toString().replace("\nbad,", "\n" + (ROWS - 10) + ",");
    Files.writeString(home.resolve("other.csv"), mended.replace("\n7,name", "\n7,gnome"));
    Cli.Result other = millrace().shell("sed 's/gnome/n4me/' other.csv" + copy + " --resume");
    assertThat(other.code()).as(other.err()).isEqualTo(ExitCode.USER.number());
    assertThat(other.err()).contains("--fresh").doesNotContain("\tat ");
    Files.writeString(home.resolve("mended.csv"), mended);
    Cli.Result rest = millrace().shell("cat mended.csv" + copy + " --resume");
    assertThat(rest.code()).as(rest.err()).isZero();
    assertThat(rowsThere()).isEqualTo(ROWS + "," + ROWS);
  }

  /// A file that may not grow any more stands for a disk that is full: both refuse the same write.
  @Test
  void whatIsOnAFullDiskStaysForTheCommandThatIsPrinted() throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder("id,name\n");
    // Enough for some commits to be durable by then: they are written while rows go on.
    for (int i = 1; i <= 10 * ROWS; i++) {
      text.append(i).append(",name of an order\n");
    }
    Files.writeString(home.resolve("in.csv"), text);
    Cli.Result full =
        millrace()
            .shell(
                "ulimit -f 15000; exec $millrace copy in.csv out.csv --commit-unit 1000 --lanes 1");
    assertThat(full.code()).as(full.err()).isEqualTo(ExitCode.EXTERNAL.number());
    String goOn = "What is there is kept. Go on with: millrace ";
    assertThat(full.err())
        .contains("Can't write ", "No rows were committed.", goOn)
        .doesNotContain("could not be removed");
    String said = full.err().substring(full.err().indexOf(goOn) + goOn.length());
    Cli.Result rest = millrace().shell("$millrace " + said);
    assertThat(rest.code()).as(rest.err()).isZero();
    assertThat(rest.err()).contains("resumes the copy begun at");
    assertThat(home.resolve("out.csv")).hasContent(text.toString());
  }

  /// The rows that do not fit any more are written when the file is finished.
  @Test
  void ofAFileThatCanNotBeFinishedNothingIsLeft() throws IOException, InterruptedException {
    Files.createDirectory(home.resolve("out"));
    Cli.Result full =
        millrace()
            .shell("ulimit -f 100; exec $millrace copy generate:unload?rows=3000 out/rows.csv");
    assertThat(full.code()).as(full.err()).isEqualTo(ExitCode.EXTERNAL.number());
    assertThat(full.err())
        .contains("Can't write ", "No rows were committed.")
        .doesNotContain("could not be removed", "kept");
    assertThat(home.resolve("out")).isEmptyDirectory();
  }
}
