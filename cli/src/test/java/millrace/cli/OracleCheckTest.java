package millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.engine.Account;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The check of a user's Oracle server, run against the stand-in for one.
class OracleCheckTest {

  @TempDir private Path home;

  private static String url(OracleServer server) {
    return "oracle://"
        + server.user()
        + "@"
        + server.host()
        + ":"
        + server.port()
        + "/"
        + server.service();
  }

  private Cli.Result check(OracleServer server, String... more) {
    List<String> words = new ArrayList<>(List.of("oracle-check", url(server), "--rows", "400"));
    words.addAll(List.of(more));
    // The password of the stand-in's user, which no line may show.
    String withPassword =
        words.get(1).replace(server.user() + "@", server.user() + ":" + server.password() + "@");
    words.set(1, withPassword);
    return new Cli(home).run(words.toArray(String[]::new));
  }

  private static List<String> tables(OracleServer server) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection(server.url(), server.user(), server.password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT table_name FROM user_tables")) {
      while (row.next()) {
        names.add(row.getString(1));
      }
    }
    return names;
  }

  private static void execute(OracleServer server, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(server.url(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void everythingIsTriedAndNothingIsLeft() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      Cli.Result result = check(server, "--hide-host");
      assertThat(result.err()).doesNotContain("Exception");
      assertThat(result.out())
          .containsPattern("server +Oracle .*Database")
          .contains("driver    Oracle JDBC ")
          .containsPattern("charset +AL32UTF8")
          .containsPattern("cluster +FALSE")
          .containsPattern("compatible +23")
          .containsPattern("force logging +NO")
          .contains(" 0 failed")
          .containsPattern("a new table, normal +ok")
          .containsPattern("type NUMBER\\(9,2\\), normal +ok")
          .containsPattern("type CLOB, normal +ok")
          .containsPattern("type VECTOR\\(3, FLOAT32\\), normal +ok")
          .containsPattern("mode merge +ok")
          .containsPattern("unload to CSV +ok")
          .containsPattern("resume +ok")
          .containsPattern("two lanes, native +ok +800 rows")
          .containsPattern("a key twice, native, indexes keep +ok .*ORA-01452")
          .containsPattern("a key twice, native, indexes rebuild +ok .*ORA-01452")
          .containsPattern("a table that the user may not read +ok .*ORA-00942: .*\"USER\\$\"")
          .containsPattern("execute count +\\d")
          .containsPattern("cache buffers chains \\(whole server\\) +\\d")
          .doesNotContain(server.password())
          .doesNotContain(server.host());
      assertThat(result.code()).isZero();
      assertThat(tables(server)).isEmpty();
    }
  }

  @Test
  void whatTheServerRefusesIsToldAndTheRestIsTried() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      server.revoke("V$SESSTAT");
      server.put(new Account("SYS", server.password(), Account.State.OPEN));
      execute(server, "CREATE TABLE sys.user$ (name VARCHAR2(9))");
      server
          .faults()
          .add(
              new PlannedFault(
                  ServerCall.EXECUTE,
                  "TRUNCATE TABLE",
                  0,
                  new PlannedFault.Effect.Fail(1031, "insufficient privileges")));
      Cli.Result result = check(server);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out())
          .containsPattern("mode truncate +failed .*ORA-01031")
          .containsPattern("mode replace +ok")
          .contains("GRANT SELECT ON SYS.V_$SESSTAT TO " + server.user() + ";")
          .containsPattern("may not read +not possible +not tried: the user may read everything")
          .contains(" 1 failed");
      assertThat(tables(server)).isEmpty();
    }
  }

  /// Copies refuse streams there until such a report is known.
  @Test
  void anUnconfirmedReleaseIsTriedByStreamsTooAndGoesOnAfterTheKillByHand()
      throws IOException, InterruptedException {
    try (OracleServer server = OracleServer.start(OracleRelease.R19)) {
      server.setScnGrain(Duration.ZERO);
      Cli.Result result = check(server);
      assertThat(result.out())
          .containsPattern("server +Oracle Database 19c")
          .containsPattern("a new table, native +ok")
          .containsPattern("type NUMBER\\(9,2\\), native +ok")
          .containsPattern("may not read +ok .*ORA-00942: table or view does not exist")
          .contains(" 0 failed");
      Cli.Result copied =
          new Cli(home)
              .run(
                  "copy",
                  "generate:tokens?rows=10",
                  url(server).replace("@", ":" + server.password() + "@") + "?table=t",
                  "--method",
                  "native");
      assertThat(copied.err())
          .contains("of release 19.22", "millrace oracle-check oracle://…")
          .doesNotContain(server.password());
      assertThat(copied.code()).isEqualTo(2);
      assertGoesOnAfterTheKill(server, result.out());
    }
  }

  /// The commands for a kill by hand do as it is printed, of fewer rows: the server is in the midst
  /// of the call when the process dies.
  private void assertGoesOnAfterTheKill(OracleServer server, String printed)
      throws IOException, InterruptedException {
    List<String> commands =
        printed
            .lines()
            .filter(line -> line.startsWith("    millrace "))
            .map(line -> line.replace("rows=5000000", "rows=2000").strip())
            .toList();
    assertThat(commands).hasSize(4);
    assertThat(ended(server, commands.get(0))).contains("copy done: 0 rows");
    server
        .faults()
        .add(
            new PlannedFault(
                ServerCall.EXECUTE,
                "\"MILLRACE_KILL\" (\"TOKEN\") SELECT",
                0,
                new PlannedFault.Effect.Delay(Duration.ofSeconds(2))));
    Process killed = start(server, commands.get(1));
    while (!server.faults().haveHappened()) {
      assertThat(killed.isAlive()).as("it was not at its finish").isTrue();
      LockSupport.parkNanos(1_000_000);
    }
    killed.destroyForcibly().waitFor();
    assertThat(ended(server, commands.get(2)))
        .contains("resumes the copy begun at ")
        .doesNotContain("nothing to do");
    assertThat(ended(server, commands.get(3))).contains("same: 2,000 rows on both sides.");
  }

  /// What a command says that ends well.
  private String ended(OracleServer server, String command)
      throws IOException, InterruptedException {
    Process process = start(server, command);
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /// A process of its own for a line of shell, in which `millrace` is this build.
  private Process start(OracleServer server, String command) throws IOException {
    String line = command.replaceFirst("^millrace ", "exec \"\\$java\" -cp \"\\$path\" \\$main ");
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true);
    builder.environment().put("java", ProcessHandle.current().info().command().orElseThrow());
    builder.environment().put("path", System.getProperty("java.class.path"));
    builder.environment().put("main", Millrace.class.getName());
    builder.environment().put("HOME", home.toString());
    builder.environment().put("XDG_STATE_HOME", home.resolve("state").toString());
    builder.environment().put("XDG_CONFIG_HOME", home.resolve("config").toString());
    builder.environment().put("ORACLE_PASSWORD", server.password());
    return builder.start();
  }

  @Test
  void aServerThatIsNotThereIsSaidOnceAndSoIsAnotherSystem() {
    Cli cli = new Cli(home);
    Cli.Result nobody = cli.run("oracle-check", "oracle://me:secret@127.0.0.1:1/x");
    assertThat(nobody.code()).isEqualTo(5);
    assertThat(nobody.out()).isEmpty();
    assertThat(nobody.err()).contains("No Oracle listener").doesNotContain("secret");
    assertThat(cli.run("oracle-check", "sqlite:x.db").err()).contains("is no Oracle server");
  }

  @Test
  void allStatementsArePrintedForAWorksheetWithoutAServer() {
    Cli.Result script = new Cli(home).run("oracle-check", "--print-sql");
    assertThat(script.code()).isZero();
    assertThat(script.out())
        .contains("CREATE TABLE ", "MERGE INTO ", "AS OF SCN ", "APPEND_VALUES", "END;\n/\n")
        .doesNotContain("SCOTT")
        .doesNotContainPattern("(?m)^[^']*:\\d");
    Set<String> tables = new TreeSet<>();
    Matcher made = Pattern.compile("CREATE TABLE \"?(\\w+)").matcher(script.out());
    while (made.find()) {
      tables.add(made.group(1).toLowerCase(Locale.ROOT));
    }
    assertThat(tables).isNotEmpty().allMatch(name -> name.startsWith("millrace_"));
    assertThat(new Cli(home).run("oracle-check").err()).contains("No server is given.");
  }
}
