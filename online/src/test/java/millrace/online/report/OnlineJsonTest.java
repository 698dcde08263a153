package millrace.online.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import millrace.online.report.OnlineReport.State;
import org.junit.jupiter.api.Test;

final class OnlineJsonTest {

  @Test
  void everythingIsThereUnderStableNames() throws IOException {
    JsonNode json = new ObjectMapper().readTree(OnlineJson.of(Made.failed()).toString());
    assertThat(names(json))
        .containsExactly(
            "title",
            "settings",
            "started_at",
            "elapsed_s",
            "state",
            "criteria",
            "limits",
            "latencies",
            "forecasts",
            "cautions",
            "totals",
            "last_10_s_rows_per_s",
            "levels",
            "level_order",
            "sums",
            "notes",
            "seconds_per_point",
            "seconds",
            "windows",
            "partition_switches",
            "own_pauses");
    assertThat(json.at("/started_at").asText()).isEqualTo("2019-04-01T21:55:00Z");
    assertThat(json.at("/state").asText()).isEqualTo("failed");
    assertThat(json.at("/criteria/3").toString())
        .isEqualTo(
            "{\"name\":\"no aggregate fails\",\"limit\":\"0 errors\",\"measured\":\"1"
                + " error\",\"result\":\"broken\",\"passed\":false}");
    assertThat(json.at("/limits").toString())
        .isEqualTo("{\"start_delay_ms\":1000.0,\"aggregate_s\":60.0}");
    Series mixed =
        new Series(
            List.of(),
            List.of(
                new Series.WindowRun("day", "a", 1, 1, 1, false, false, ""),
                new Series.WindowRun("minute", "b", 2, 1, 1, false, false, "")),
            List.of(),
            List.of(),
            List.of("minute", "hour", "day"));
    JsonNode ordered = OnlineJson.of(Made.report(State.RUNNING, mixed, 3));
    assertThat(ordered.at("/levels").findValuesAsText("level")).containsExactly("minute", "day");
    assertThat(ordered.at("/level_order").toString()).isEqualTo("[\"minute\",\"hour\",\"day\"]");
    assertThat(json.at("/totals/rows").asLong()).isEqualTo(12_000_000);
    assertThat(json.at("/totals/bad_seconds").asLong()).isEqualTo(4);
    assertThat(json.at("/levels/0/failed").asInt()).isEqualTo(1);
    assertThat(json.at("/sums/4").toString())
        .isEqualTo(
            "{\"place\":\"day\",\"rows\":10000,\"watts\":6003480811,\"filled_in_watts\":0,"
                + "\"differing\":0,\"agrees\":false}");
    assertThat(json.at("/seconds")).hasSize(1200);
    assertThat(names(json.at("/seconds/0")))
        .containsExactly(
            "second",
            "rows",
            "late_rows",
            "start_delay_max_ms",
            "start_delay_mean_ms",
            "start_delay_own_ms",
            "write_mean_ms",
            "write_max_ms",
            "backlog",
            "errors");
    assertThat(names(json.at("/windows/0")))
        .containsExactly("level", "window", "at_s", "took_s", "rows", "again", "running", "error");
    assertThat(json.at("/partition_switches/0/partition").asText()).isEqualTo("00:00");
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void whatIsNoNumberIsNull() {
    assertThat(OnlineJson.of(OnlineTextTest.empty()).at("/limits/aggregate_s").isNull()).isTrue();
  }

  /// Eight hours: no spike is lost, and nothing that is counted changes.
  @Test
  void fewerPointsKeepTheLargestOfEachBlock() {
    OnlineReport report = Made.report(State.PASSED, Made.series(28_800, 640), 28_800);
    JsonNode json = OnlineJson.of(report, 1500);
    assertThat(json.at("/seconds_per_point").asInt()).isEqualTo(20);
    assertThat(json.at("/seconds")).hasSize(1440);
    assertThat(json.at("/seconds/38/second").asInt()).isEqualTo(760);
    assertThat(json.at("/seconds/38/write_max_ms").asDouble()).isEqualTo(640);
    assertThat(json.at("/totals")).isEqualTo(OnlineJson.of(report).at("/totals"));
  }

  @Test
  void fewerAggregatesKeepTheFailedOnes() {
    List<Series.WindowRun> windows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String error = i == 42 ? "broken" : "";
      windows.add(new Series.WindowRun("minute", "w" + i, i, i % 7, 1, false, false, error));
    }
    windows.add(new Series.WindowRun("hour", "h", 100, 1, 1, false, false, ""));
    OnlineReport report = Made.report(State.FAILED, new Series(List.of(), windows, List.of()), 100);
    JsonNode json = OnlineJson.of(report, 10);
    assertThat(json.at("/windows")).hasSize(11);
    assertThat(json.at("/windows").findValuesAsText("error")).contains("broken");
    assertThat(json.at("/windows/0/took_s").asInt()).isEqualTo(6);
    assertThat(json.at("/levels/0/count").asInt()).isEqualTo(100);
  }
}
