package millrace.report.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import millrace.engine.meter.CounterWatch;
import millrace.report.Report;
import millrace.report.ReportJson;

/// Measurements that were made up.
final class Made {

  static final long ROWS = 1000;

  private Made() {}

  /// A report of a copy of {@link #ROWS} rows.
  static Report report(double millis) {
    return report(millis, ROWS * 100);
  }

  static Report report(double millis, long targetBytes) {
    return report(millis, targetBytes, 16);
  }

  static Report report(double millis, long targetBytes, int lanes) {
    return report(millis, 0, targetBytes, lanes, Map.of());
  }

  /// A report of a copy whose source has a tenth of the target's bytes.
  static Report compressed(double millis) {
    return report(millis, ROWS * 10, ROWS * 100, 16, Map.of());
  }

  /// A report of a copy that counted something on the target's server.
  static Report counted(Map<String, Long> counters) {
    return report(1000, 0, ROWS * 100, 16, counters);
  }

  private static Report report(
      double millis, long sourceBytes, long targetBytes, int lanes, Map<String, Long> counters) {
    List<CounterWatch.Counter> counted = new ArrayList<>();
    counters.forEach((name, change) ->
        counted.add(new CounterWatch.Counter("target", "server", name, "this run", change)));
    Map<String, Object> fields =
        Map.ofEntries(
            Map.entry("id", "20260314-150926-abcd"),
            Map.entry("verb", "copy"),
            Map.entry("started_at", "2026-03-14T15:09:26Z"),
            Map.entry("outcome", "ok"),
            Map.entry("from", "x.csv"),
            Map.entry("to", "t"),
            Map.entry("lanes_why", ""),
            Map.entry("bottleneck", ""),
            Map.entry("plan", List.of()),
            Map.entry("steps", List.of()),
            Map.entry("stages", List.of()),
            Map.entry("elapsed_nanos", Math.round(millis * 1e6)),
            Map.entry("rows", ROWS),
            Map.entry("source_bytes", sourceBytes),
            Map.entry("target_bytes", targetBytes),
            Map.entry("lanes", lanes),
            Map.entry("counters", counted),
            Map.entry("cpu_nanos", -1));
    try {
      String json = ReportJson.MAPPER.writeValueAsString(fields);
      return ReportJson.MAPPER.readValue(json, Report.class);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  static Sweep.Point point(String values, double... millis) {
    List<Report> copies = Arrays.stream(millis).mapToObj(Made::report).toList();
    return new Sweep.Point(List.of(values.split(" ", -1)), copies, null);
  }

  /// A point whose copies ran with so many lanes, whatever it asks for.
  static Sweep.Point pointWithLanes(int lanes, String values, double... millis) {
    List<Report> copies =
        Arrays.stream(millis).mapToObj(time -> report(time, ROWS * 100, lanes)).toList();
    return new Sweep.Point(List.of(values.split(" ", -1)), copies, null);
  }

  static Sweep sweep(List<Axis> axes, Sweep.Point... points) {
    return new Sweep(
        "20260314-150926-abcd",
        Instant.parse("2026-03-14T15:09:26Z"),
        "a.csv",
        "postgresql://db t",
        axes,
        new ArrayList<>(List.of(points)),
        List.of());
  }
}
