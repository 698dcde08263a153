package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import millrace.online.job.JobFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `millrace online`, from what a user types to what a user gets.
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class OnlineTest {

  private static final String JOB =
      """
      target: "%s"
      load: {rows: 50, clients: 2, duration: 3s, clock: 2019-04-01 23:59:56}
      windows:
        - {name: small, length: 2s, delay: 0}
        - {name: large, length: 4s, delay: 0}
      late: {share: 10 %%, delay: 1s, every: 1s}
      pass: {write_start: 1m, aggregate: 1m, bad_share: 100 %%}
      """;

  private static final String PLACES = "{target} {source} {start} {end}";

  @TempDir private Path home;

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private String job(String text) throws IOException {
    Path file = home.resolve("job.yaml");
    Files.writeString(file, text);
    return file.toString();
  }

  private String duckDb() {
    return "duckdb:" + home.resolve("meters.duckdb");
  }

  @Test
  void aRunThatPassesEndsWithZero() throws IOException {
    Path html = home.resolve("report.html");
    Path log = home.resolve("times.hlog");
    // In less it does not show whether the backlog grows.
    String file = job(JOB.formatted(duckDb()).replace("duration: 3s", "duration: 31s"));
    Cli.Result ran = run("online", file, "--html", html.toString(), "--histograms", log.toString());
    assertThat(ran.code()).as("%s%s", ran.out(), ran.err()).isZero();
    assertThat(ran.out()).contains("PASSED", "writes start on time", "the sums agree");
    assertThat(Files.readString(html)).contains("<html", "50 rows/s by 2 clients");
    assertThat(Files.readAllLines(log))
        .filteredOn(line -> !line.startsWith("#") && !line.startsWith("\""))
        .allMatch(line -> line.matches("Tag=(start_delay|service|response),[0-9.]+,.*"))
        .hasSizeGreaterThan(3);

    Cli.Result again = run("online", file, "--html", html.toString());
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("report.html exists");
  }

  @Test
  void theTableThatTheUrlNamesIsTheOneThatIsMadeAndNoOther() throws IOException {
    String file = job(JOB.formatted(duckDb()));
    for (String table : List.of("mine", "other")) {
      Cli.Result ran = run("online", file, "--target", duckDb() + "?table=" + table);
      assertThat(ran.out()).contains("NOT PASSED, since not tested: the backlog does not grow");
      assertThat(ran.code()).as("%s%s", ran.out(), ran.err()).isOne();
    }
    for (String table : List.of("mine", "mine_small", "other_large")) {
      assertThat(run("preview", duckDb() + "?table=" + table).code()).as(table).isZero();
    }
    assertThat(run("preview", duckDb() + "?table=load_per_sec").code()).isEqualTo(2);
    assertThat(run("online", file, "--target", duckDb() + "?table=\"odd name\"").err())
        .contains("An online run can't have a table named odd name.");
  }

  /// The limit is that of the job: a second. The process stands still for three, six of them in
  /// all.
  @Test
  void aProcessThatWasStoppedBlamesItselfAndNotTheTarget() throws Exception {
    String text =
        JOB.formatted(duckDb())
            .replace("duration: 3s", "duration: 32s")
            .replace("{write_start: 1m, aggregate: 1m, bad_share: 100 %}", "{write_start: 1s}");
    Path err = home.resolve("stderr");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Millrace.class.getName(),
                "online",
                job(text))
            .redirectError(err.toFile())
            .start();
    CompletableFuture<String> out =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> Thread.ofPlatform().start(task));
    while (!Files.readString(err).matches("(?s).*\\b0:1\\d .*")) {
      assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
      TimeUnit.MILLISECONDS.sleep(50);
    }
    signal("STOP", process);
    TimeUnit.SECONDS.sleep(3);
    signal("CONT", process);
    assertThat(out.get())
        .startsWith("NOT VALID: this machine held the run up, not the target")
        .contains("without what this machine held up", "This process itself stood still");
    assertThat(process.waitFor()).isOne();
  }

  private static void signal(String name, Process process) throws Exception {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  @Test
  void aRunThatFailsEndsWithOneAndJsonEndsWithTheReport() throws IOException {
    // An engine that has none of the tables.
    String file =
        job(
            JOB.formatted(duckDb())
                + "engine:\n  jdbc: 'jdbc:duckdb:'\n"
                + "  statement: INSERT INTO {target} SELECT '{start}', '{end}' FROM {source}\n");
    Cli.Result ran = run("online", file, "--json");
    assertThat(ran.code()).as("%s%s", ran.out(), ran.err()).isEqualTo(1);
    List<JsonNode> lines = lines(ran);
    assertThat(lines.getLast().path("event").asText()).isEqualTo("report");
    assertThat(lines.getLast().toString()).contains("\"failed\"", "no aggregate error");
    assertThat(steps(lines)).contains("Making the tables ...");
  }

  @Test
  void jsonTellsHowARunGoesWhileItGoes() throws Exception {
    String file = job(JOB.formatted(duckDb()).replace("duration: 3s", "duration: 12s"));
    Cli.Result ran = run("online", file, "--json");
    List<JsonNode> lines = lines(ran);
    List<JsonNode> all = of(lines, "progress");
    assertThat(all).as(ran.out()).hasSize(1);
    JsonNode progress = all.getFirst();
    assertThat(progress.path("rows").asLong()).isPositive();
    assertThat(progress.path("elapsed_s").asDouble()).isBetween(9.0, 13.0);
    assertThat(of(lines, "report")).containsExactly(lines.getLast());
    assertThat(lines.getLast().path("state").asText()).isEqualTo("untested");
    assertThat(steps(lines))
        .containsSubsequence(
            "Filling the windows that are open at the start ...",
            "Aggregating what is left, and adding all up ...");
  }

  private static List<JsonNode> lines(Cli.Result ran) throws IOException {
    ObjectMapper json = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    List<JsonNode> lines = new ArrayList<>();
    for (String line : ran.outLines()) {
      lines.add(json.readTree(line));
    }
    return lines;
  }

  private static List<JsonNode> of(List<JsonNode> lines, String event) {
    return lines.stream().filter(line -> line.path("event").asText().equals(event)).toList();
  }

  private static List<String> steps(List<JsonNode> lines) {
    return of(lines, "step").stream().map(line -> line.path("what").asText()).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rows: 50 | rowz: 50 | line 2: there is no key load.rowz",
        "rows: 50 | rows: 100_000_000 | line 2: load.rows 100,000,000 is more than the clients can",
        "clients: 2 | clients: 51 | line 2: load.clients are more than rows",
        "length: 4s | length: 5s | line 5: windows.length 5 s is no multiple",
        "23:59:56 | 23:59:57 | line 2: load.clock does not start with a window",
        "share: 10 % | share: 110 % | line 6: late.share",
        "load: | {load: | this is no YAML",
        "windows: | target: | is there twice",
      })
  void aBadJobIsRefusedBeforeTheFirstRow(String from, String to, String why) throws IOException {
    String file = job(JOB.formatted(duckDb()).replace(from, to));
    Cli.Result refused = run("online", file);
    assertThat(refused.code()).as(refused.err()).isEqualTo(2);
    assertThat(refused.err()).contains("job.yaml, line ", why);
    assertThat(refused.out()).isEmpty();
    assertThat(home.resolve("meters.duckdb")).doesNotExist();
  }

  @Test
  void whatIsMissingOrCannotBeIsRefused() throws IOException {
    assertThat(run("online").err()).contains("There is neither a job file nor a target");
    assertThat(run("online", "nowhere.yaml").code()).isEqualTo(2);
    assertThat(run("online", job(JOB.formatted("orders.csv"))).err())
        .contains("can't be written online", "Systems that can: ");
    assertThat(run("online", job(JOB.formatted("null:")), "--clients", "51").err())
        .contains("50 rows a second by 51 clients can't be");
    assertThat(run("online", job(JOB.formatted("null:")), "--rows=3000000000").code()).isEqualTo(2);
    assertThat(run("online", job(JOB.formatted("null:")), "--rows=0").code()).isEqualTo(2);
    assertThat(run("online", job(JOB.formatted("null:")), "--duration", "0").code()).isEqualTo(2);
    Cli.Result brief = run("online", job(JOB.formatted("null:")), "--find-max", "--confirm=2m");
    assertThat(brief.code()).isEqualTo(2);
    assertThat(brief.err()).contains("--confirm 2m is not longer than --trial 2m.");
    Cli.Result empty = run("online", job(JOB.formatted("null:")), "--find-max", "--trial=20s");
    assertThat(empty.code()).isEqualTo(2);
    assertThat(empty.err()).contains("--trial 20s is too short", "Take --trial 30s or more");
    String minutes = JOB.formatted("null:").replace("length: 2s", "length: 1m");
    Cli.Result minute =
        run(
            "online",
            job(minutes.replace("length: 4s", "length: 1h").replace("59:56", "59:00")),
            "--find-max",
            "--trial=50s");
    assertThat(minute.err()).contains("no window of small", "Take --trial 61s or more");
  }

  @Test
  void anEngineThatDoesNotAnswerIsRefusedBeforeTheFirstRow() throws IOException {
    for (String jdbc : List.of("jdbc:nobody:", "jdbc:postgresql://localhost:1/d?password=s3cret")) {
      Cli.Result refused =
          run(
              "online",
              job(
                  JOB.formatted(duckDb())
                      + "engine: {jdbc: '"
                      + jdbc
                      + "', statement: '"
                      + PLACES
                      + "'}"));
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.out() + refused.err())
          .contains("engine.jdbc: there is no connection (SQLSTATE 08001)")
          .doesNotContain("s3cret");
      assertThat(home.resolve("meters.duckdb")).doesNotExist();
    }
  }

  @Test
  void theExampleIsAJob() {
    Cli.Result printed = run("online", "--example");
    assertThat(printed.code()).isZero();
    assertThat(JobFile.parse("example", printed.out()))
        .isEqualTo(JobFile.parse("example", JobFile.example()));
  }

  @Test
  void aRunIntoNothingNeedsNoFile() {
    Cli.Result ran =
        run("online", "--target", "null:", "--rows=100", "--clients=2", "--duration=2s");
    assertThat(ran.out()).contains("100 rows/s by 2 clients into null:");
    assertThat(ran.err()).doesNotContain("Exception");
  }

  @Test
  void noPasswordIsShown() throws IOException {
    String target = "postgresql://me:s3cret@localhost:1/db?password=s3cret";
    String file = job(JOB.formatted(target));
    for (List<String> more : List.of(List.<String>of(), List.of("--json"), List.of("--debug"))) {
      List<String> args = new ArrayList<>(List.of("online", file));
      args.addAll(more);
      Cli.Result failed = run(args.toArray(String[]::new));
      assertThat(failed.code()).isNotZero();
      assertThat(failed.out() + failed.err()).doesNotContain("s3cret");
    }
    Cli.Result typed = run("online", file, "--target", target.replace("postgresql", "nothing"));
    assertThat(typed.code()).isEqualTo(2);
    assertThat(typed.out() + typed.err()).doesNotContain("s3cret");
  }

  @Test
  void ctrlCEndsARunWithTheReportSoFar() throws Exception {
    String file = job(JOB.formatted(duckDb()).replace("duration: 3s", "duration: 10m"));
    Stop stop = new Stop();
    CompletableFuture<Cli.Result> running =
        CompletableFuture.supplyAsync(
            () -> new Cli(home).run(stop, "online", file), task -> Thread.ofPlatform().start(task));
    while (Files.notExists(home.resolve("meters.duckdb"))) {
      assertThat(running).isNotDone();
      Thread.onSpinWait();
    }
    stop.stop(new Console(System.out, System.err, Map.of(), 0, false));
    Cli.Result ended = running.get(60, TimeUnit.SECONDS);
    assertThat(ended.code()).isNotZero();
    assertThat(ended.out()).contains("STOPPED", "It was stopped");
  }

  @Test
  void ctrlCEndsASearchAndJsonSaysSo() throws Exception {
    Stop stop = new Stop();
    CompletableFuture<Cli.Result> running =
        CompletableFuture.supplyAsync(
            () -> new Cli(home).run(stop, "online", "--target=" + duckDb(), "--find-max", "--json"),
            task -> Thread.ofPlatform().start(task));
    while (Files.notExists(home.resolve("meters.duckdb"))) {
      assertThat(running).isNotDone();
      Thread.onSpinWait();
    }
    stop.stop(new Console(System.out, System.err, Map.of(), 0, false));
    Cli.Result ended = running.get(60, TimeUnit.SECONDS);
    assertThat(ended.code()).isNotZero();
    List<JsonNode> lines = lines(ended);
    assertThat(lines).extracting(line -> line.path("event").asText()).doesNotContain("");
    assertThat(steps(lines).getFirst()).startsWith("Measuring what the clients alone offer: ");
    assertThat(of(lines, "offered")).hasSize(1);
    JsonNode search = of(lines, "search").getFirst().path("search");
    assertThat(search.path("finding").asText()).as(ended.out()).isEqualTo("stopped");
    assertThat(search.path("passes_rows_per_s").isNull()).isTrue();
  }
}
