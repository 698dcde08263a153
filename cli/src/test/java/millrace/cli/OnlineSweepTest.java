package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `millrace online JOB.yaml --vary …`, from what a user types to what a user gets.
@Timeout(120)
final class OnlineSweepTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path home;
  private Path job;

  @BeforeEach
  void writeJob() throws IOException {
    // The last write is at its third second, and windows that end by then are not on the clock.
    job = Files.writeString(home.resolve("job.yaml"), job("4s"));
  }

  private String job(String duration) {
    return """
    target: duckdb:%s/meters.duckdb
    load:
      rows: 200
      clients: 2
      duration: %s
      prefill: no
    windows:
      - {name: two, length: 2s, delay: 0}
    """
        .formatted(home, duration);
  }

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  @Test
  void everyCombinationIsRunProbedAndHasALine() throws IOException {
    Path file = home.resolve("sweep.json");
    Cli.Result swept =
        run(
            "online",
            job.toString(),
            "--vary=key=device-first,time-first",
            "--vary=sorted=yes,no",
            "--sweep-json=" + file);
    assertThat(swept.code()).as(swept.err()).isZero();
    assertThat(swept.outLines().getFirst())
        .startsWith("key           sorted  result      write p50 ms");
    assertThat(swept.outLines().subList(2, 6))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("device-first  yes "),
            line -> assertThat(line).startsWith("device-first  no "),
            line -> assertThat(line).startsWith("time-first    yes "),
            line -> assertThat(line).startsWith("time-first    no "));
    assertThat(swept.err())
        .contains(
            "Run 1 of 4: key=device-first sorted=yes\n", "key=time-first sorted=no: not tested");

    JsonNode sweep = JSON.readTree(file.toFile()).path("sweep");
    assertThat(sweep.path("points")).hasSize(4);
    for (JsonNode point : sweep.path("points")) {
      assertThat(point.path("result").asText()).as(point.toString()).isEqualTo("untested");
      assertThat(point.path("rows").asLong()).isEqualTo(800);
      assertThat(point.path("device_day_ms").asDouble()).isPositive();
      assertThat(point.path("device_day_rows").asLong()).isEqualTo(4);
      assertThat(point.path("instant_ms").asDouble()).isPositive();
      assertThat(point.path("instant_rows").asLong()).isEqualTo(200);
      assertThat(point.path("aggregate_max_s").asDouble()).isPositive();
    }
  }

  @Test
  void whatCannotBeRunHasALineAndTheRestIsRun() throws IOException {
    Files.writeString(job, job("1s"));
    Path seen = home.resolve("seen.txt");
    Cli.Result swept =
        run(
            "online",
            job.toString(),
            "--json",
            "--vary=partition=1h,0",
            "--vary=memory=4g",
            "--before=echo $MILLRACE_VARY_PARTITION $MILLRACE_VARY_MEMORY >> " + seen);
    assertThat(swept.code()).as(swept.err()).isEqualTo(1);
    assertThat(seen).hasContent("1h 4g\n0 4g\n");
    List<JsonNode> runs = new ArrayList<>();
    for (String line : swept.outLines()) {
      JsonNode each = JSON.readTree(line);
      assertThat(each.path("event").asText()).isIn("step", "run", "sweep");
      if (each.path("event").asText().equals("run")) {
        runs.add(((ObjectNode) each).without("event"));
      }
    }
    assertThat(runs).hasSize(2);
    JsonNode first = runs.getFirst();
    assertThat(first.path("result").asText()).isEqualTo("error");
    assertThat(first.path("notes").toString()).contains("DuckDB has no range partitions.");
    JsonNode second = runs.getLast();
    assertThat(second.path("result").asText()).isEqualTo("untested");
    JsonNode all = JSON.readTree(swept.outLines().getLast()).path("sweep");
    assertThat(all.path("points").get(0)).isEqualTo(first);
    assertThat(all.path("points").get(1)).isEqualTo(second);
  }

  @Test
  void aCommandThatFailsIsTheErrorOfItsCombination() throws IOException {
    Files.writeString(job, job("1s"));
    Cli.Result swept =
        run(
            "online",
            job.toString(),
            "--vary=memory=1g,4g",
            "--before=test $MILLRACE_VARY_MEMORY = 4g || { echo no such memory; exit 3; }");
    assertThat(swept.code()).isEqualTo(1);
    assertThat(swept.outLines().get(2))
        .startsWith("1g ")
        .contains("ERROR", "ended with exit code 3. no such memory");
    assertThat(swept.outLines().get(3)).startsWith("4g ").contains("not tested");
  }

  @Test
  void aStopEndsItWithTheTableSoFar() throws IOException {
    Files.writeString(job, job("10m"));
    Stop stop = new Stop();
    Cli cli = new Cli(home);
    CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS)
        .execute(() -> stop.stop(new Console(System.out, System.err, Map.of(), 0, false)));
    Cli.Result swept =
        cli.run(stop, "online", job.toString(), "--vary=key=time-first,device-first");
    assertThat(swept.code()).as(swept.err()).isEqualTo(130);
    assertThat(swept.outLines().get(2)).startsWith("time-first ").contains("stopped");
    assertThat(swept.outLines().getLast()).isEqualTo("stopped      1 of 2 were begun");
  }

  @ParameterizedTest
  @CsvSource({
    "--vary=key=time-first --find-max,      --vary and --find-max don't go together.",
    "--vary=key=time-first --live=0,        '--html, --live and --histograms show one run'",
    "--before=true,                         --before is for --vary alone.",
    "--sweep-json=x.json,                   --sweep-json is for --vary alone.",
    "--vary=memory=4g,                      --vary memory is no setting of an online run.",
    "--vary=key=time-first --target=no:x,   neither a system that Millrace knows",
    "--vary=key=,                           --vary key= does not say what to vary",
  })
  void whatDoesNotGoTogetherIsRefused(String options, String message) {
    String[] more = options.split(" ", -1);
    String[] args = new String[more.length + 2];
    args[0] = "online";
    args[1] = job.toString();
    System.arraycopy(more, 0, args, 2, more.length);
    Cli.Result refused = run(args);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).contains(message);
  }
}
