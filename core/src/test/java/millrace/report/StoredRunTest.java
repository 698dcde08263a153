package millrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import millrace.engine.tuning.LaneTuner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The JSON of a report stays as it is: users' scripts read it, and so do later versions.
///
/// `stored-run.json` was written when a report was one flat record; every field of it is filled.
final class StoredRunTest {

  private static final String ALL = "stored-run.json";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {ALL, "stored-run-refused.json"})
  void aStoredRunIsWrittenAgainAsItWas(String name) throws IOException {
    String stored = resource(name);
    Files.writeString(folder.resolve("run.json"), stored);
    RunStore store = new RunStore(folder);
    Report report = store.find("run");
    store.keep(report);
    assertThat(folder.resolve(report.header().id() + ".json"))
        .content(StandardCharsets.UTF_8)
        .isEqualToNormalizingNewlines(stored);
    assertThat(RunStore.json(report))
        .as("--json")
        .isEqualTo(ReportJson.MAPPER.readTree(stored).toString());
  }

  /// What the line above proves of the writer, this proves of the reader: nothing is lost that
  /// stands in the parts.
  @Test
  void everyPartOfAStoredRunIsRead() throws IOException {
    Report report = ReportJson.MAPPER.readValue(resource(ALL), Report.class);
    assertThat(report.header().verb()).isEqualTo("copy");
    assertThat(report.job().plan()).containsExactly("lanes    4", "form     COLUMNS");
    assertThat(report.totals().targetBytes()).isEqualTo(5_368_709_120L);
    assertThat(report.concurrency().tried())
        .extracting(LaneTuner.LaneRate::lanes)
        .containsExactly(3, 4);
    assertThat(report.time().bottleneck()).startsWith("Parsing here");
    assertThat(report.resources().host()).isNotNull();
    assertThat(report.statistics().missing()).hasSize(1);
    assertThat(report.baselines().goal()).extracting(Goal::text).isEqualTo("1h30m");
  }

  /// Its reports had the methods that took the time.
  @Test
  void aRunThatAnEarlierVersionSampledIsRead() throws IOException {
    String sampled =
        resource(ALL)
            .replaceFirst("\\{", "{ \"profile\" : { \"hot\" : [ { \"method\" : \"A.a\" } ] },");
    Files.writeString(folder.resolve("run.json"), sampled);
    assertThat(new RunStore(folder).find("run"))
        .isEqualTo(ReportJson.MAPPER.readValue(resource(ALL), Report.class));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(StoredRunTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
