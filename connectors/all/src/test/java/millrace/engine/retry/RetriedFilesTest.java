package millrace.engine.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import millrace.connectors.file.FileConnector;
import millrace.connectors.generate.GenerateConnector;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultPlan.Kind;
import millrace.testkit.faulty.FaultPlan.Site;
import millrace.testkit.faulty.FaultyConnector;
import millrace.text.Amount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Lanes that write files, fail and are tried again: every row arrives once, in its place.
///
/// What other systems promise is in their suites.
class RetriedFilesTest {

  private static final int ROWS = 60_000;
  private static final long SPLIT_BYTES = 1 << 20;

  private static final Endpoint MADE =
      new Endpoint("generate", "unload", Map.of("rows", Integer.toString(ROWS)), Secret.NONE);

  private static final RetryPolicy SOON =
      new RetryPolicy(
          Duration.ofHours(1), Duration.ZERO, Duration.ofNanos(1000), Duration.ofMillis(2));

  private static final Connector MAKES = new GenerateConnector();
  private static final Connector FILES = new FileConnector();

  @TempDir private Path folder;

  private static Ran copy(Connector making, Endpoint to, Connector writing, int lanes) {
    Ran run =
        Copying.of(making, MADE, writing, to)
            .units(new Amount(500, false), new Amount(4096, true), null)
            .lanes(lanes, SPLIT_BYTES)
            .patience(SOON)
            .run();
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    return run;
  }

  private static FaultyConnector readsThatFail(long seed) {
    FaultPlan random = FaultPlan.random(seed, 0.04, List.of(Kind.TRANSIENT));
    return new FaultyConnector(
        MAKES, (site, split, call) -> site == Site.READ ? random.decide(site, split, call) : null);
  }

  private Endpoint file(String name, Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve(name).toString(), parameters, Secret.NONE);
  }

  private Map<String, byte[]> files(String under) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(folder.resolve(under))) {
      for (Path path : paths.toList()) {
        files.put(path.getFileName().toString(), Files.readAllBytes(path));
      }
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource({"rows.csv, one", "rows.csv.gz, one", "rows.csv.zst, 300kB", "rows.csv, per-split"})
  void filesHoldEveryRowOnceAndInOrder(String name, String files) throws IOException {
    for (String under : List.of("whole", "retried")) {
      Files.createDirectory(folder.resolve(under));
    }
    Map<String, String> parameters = Map.of("files", files);
    copy(MAKES, file("whole/" + name, parameters), FILES, 1);
    FaultyConnector failing = readsThatFail(name.length());
    Ran run = copy(failing, file("retried/" + name, parameters), FILES, 3);
    assertThat(run.meter().retries()).isNotEmpty();
    assertThat(files("retried")).containsExactlyEntriesOf(files("whole"));
  }

  @Test
  void whatAStreamHasGivenAwayIsNotGivenTwice() {
    Endpoint stream = new Endpoint("file", "/dev/null", Map.of(), Secret.NONE);
    FaultyConnector failing =
        new FaultyConnector(FILES, FaultPlan.at(Site.WRITE, 0, 1, Kind.TRANSIENT));
    assertThatThrownBy(() -> copy(MAKES, stream, failing, 2))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault -> assertThat(fault.advice()).contains("can't be taken back"));
  }
}
