package millrace.online.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import millrace.online.run.Probes;
import org.junit.jupiter.api.Test;

/// A sweep as a table and as JSON.
final class OnlineSweepTextTest {

  private static final SweepPoint PASSED =
      new SweepPoint(
          settings("4g", "device-first"),
          SweepPoint.Result.PASSED,
          List.of(),
          new SweepFigures(
              48.31, 251.7, 12.04, OptionalDouble.of(1.25), OptionalDouble.of(22), 900_000, 12_345),
          new Probes(new Probes.Read(8.125, 3600), new Probes.Read(1234.5, 10_000)),
          List.of());

  private static final SweepPoint FAILED =
      new SweepPoint(
          settings("4g", "time-first"),
          SweepPoint.Result.FAILED,
          List.of("writes start on time", "no write error"),
          new SweepFigures(
              900, 8300, 7311, OptionalDouble.empty(), OptionalDouble.empty(), 400_000, 0),
          null,
          List.of("Failed: out\nof memory."));

  private static final SweepPoint ERROR =
      SweepPoint.without(
          settings("16g", "device-first"), SweepPoint.Result.ERROR, "m1 can't be reached.");

  private static Map<String, String> settings(String memory, String key) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("memory", memory);
    settings.put("key", key);
    return settings;
  }

  private static SweepResult result(boolean stopped, SweepPoint... points) {
    return new SweepResult(List.of("memory", "key"), "minute", List.of(points), 3, stopped);
  }

  @Test
  void theTableHasALineForEachCombination() {
    List<String> lines = OnlineSweepText.lines(result(false, PASSED, FAILED, ERROR));
    assertThat(lines.get(1)).matches("[- ]+");
    assertThat(List.of(lines.get(0), lines.get(2), lines.get(3), lines.get(4)))
        .containsExactly(
            "memory  key           result  write p50 ms  p99 ms  start delay "
                + "ms  minute mean s  max s  device day ms  instant ms  late rows  "
                + "note",
            "4g      device-first  passed          48.3     252            12"
                + ".0           1.25  22.00           8.13       1,235     12,345",
            "4g      time-first    FAILED           900   8,300           7,3"
                + "11              -      -              -           -          0  "
                + "failed by: writes start on time; no write error. Failed: out of memory.",
            "16g     device-first  ERROR              -       -              "
                + " -              -      -              -           -          -  "
                + "m1 can't be reached.");
    assertThat(lines).contains("start delay  of the write that began latest");
  }

  @Test
  void aTableThatWasStoppedSaysHowFarItCame() {
    assertThat(OnlineSweepText.lines(result(true, PASSED)).getLast())
        .isEqualTo("stopped      1 of 3 were begun");
  }

  @Test
  void aLineTellsOfOneWhileTheNextBegins() {
    assertThat(OnlineSweepText.line(PASSED))
        .isEqualTo("memory=4g key=device-first: passed, write p99 252 ms, start delay 12.0 ms");
    assertThat(OnlineSweepText.line(FAILED))
        .startsWith("memory=4g key=time-first: FAILED, write p99 8,300 ms, start delay 7,311 ms")
        .endsWith(": failed by: writes start on time; no write error. Failed: out of memory.");
    assertThat(OnlineSweepText.line(ERROR))
        .isEqualTo("memory=16g key=device-first: ERROR: m1 can't be reached.");
  }

  @Test
  void jsonHasTheSameAndNullForWhatWasNotMeasured() {
    JsonNode sweep = OnlineSweepJson.of(result(false, PASSED, FAILED, ERROR)).path("sweep");
    assertThat(sweep.path("varied").toString()).isEqualTo("[\"memory\",\"key\"]");
    assertThat(sweep.path("aggregate").asText()).isEqualTo("minute");
    assertThat(sweep.path("planned").asInt()).isEqualTo(3);
    assertThat(sweep.path("stopped").asBoolean()).isFalse();
    assertThat(sweep.path("points").get(0).toString())
        .isEqualTo(
            "{\"settings\":{\"memory\":\"4g\",\"key\":\"device-first\"},\"result\":\"passed\","
                + "\"failed_by\":[],\"write_p50_ms\":48.31,\"write_p99_ms\":251.7,"
                + "\"start_delay_max_ms\":12.04,\"aggregate_mean_s\":1.25,"
                + "\"aggregate_max_s\":22.0,\"rows\":900000,\"late_rows\":12345,"
                + "\"device_day_ms\":8.125,\"device_day_rows\":3600,\"instant_ms\":1234.5,"
                + "\"instant_rows\":10000,\"notes\":[]}");
    JsonNode error = sweep.path("points").get(2);
    assertThat(error.path("result").asText()).isEqualTo("error");
    assertThat(error.path("write_p99_ms").isNull()).isTrue();
    assertThat(error.path("late_rows").isNull()).isTrue();
    assertThat(error.path("instant_rows").isNull()).isTrue();
    assertThat(error.path("notes").get(0).asText()).isEqualTo("m1 can't be reached.");
  }

  @Test
  void onlyAWholeSweepWithoutErrorsIsOneThatRan() {
    assertThat(result(false, PASSED, FAILED, FAILED).allRan()).isTrue();
    assertThat(result(false, PASSED, FAILED, ERROR).allRan()).isFalse();
    assertThat(result(true, PASSED, FAILED).allRan()).isFalse();
  }
}
