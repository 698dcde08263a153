package millrace.online.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/// All of a run's report as JSON, for programs and for its page. Names end in their units.
public final class OnlineJson {

  private OnlineJson() {}

  /// The report with every second and every aggregate.
  public static ObjectNode of(OnlineReport report) {
    return of(report, Integer.MAX_VALUE);
  }

  /// The report with fewer points over time. What is counted over the whole run stays exact;
  /// `seconds_per_point` says how many seconds became one, with the largest value of each.
  ///
  /// @param points how many seconds, and how many aggregates of one level, are left at most; at
  ///   least 1
  public static ObjectNode of(OnlineReport report, int points) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("title", report.title());
    report.settings().forEach(json.putObject("settings")::put);
    json.put("started_at", Instant.ofEpochMilli(report.startedMillis()).toString());
    json.put("elapsed_s", report.elapsedSeconds());
    outcome(json, report.outcome());
    totals(json.putObject("totals"), Totals.of(report));
    json.put("last_10_s_rows_per_s", Totals.last(report, OnlineText.RECENT).rowsPerSecond());
    levels(json.putArray("levels"), Totals.levels(report.series()));
    texts(json.putArray("level_order"), report.series().levels());
    sums(json.putArray("sums"), report.sums());
    texts(json.putArray("notes"), report.notes());
    Downsampled thinned = Downsampled.of(report.series(), points);
    json.put("seconds_per_point", thinned.secondsPerPoint());
    series(json, thinned.series());
    return json;
  }

  /// How a run goes, in a line: what it was over the last seconds, and what counts in all.
  public static ObjectNode progress(OnlineReport report) {
    Totals totals = Totals.of(report);
    Totals recent = Totals.last(report, OnlineText.RECENT);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("event", "progress");
    number(json, "elapsed_s", report.elapsedSeconds());
    number(json, "last_10_s_rows_per_s", recent.rowsPerSecond());
    number(json, "last_10_s_start_delay_max_ms", recent.startDelayMax());
    json.put("rows", totals.rows());
    json.put("write_errors", totals.errors());
    json.put("bad_seconds", totals.badSeconds());
    levels(json.putArray("levels"), Totals.levels(report.series()));
    return json;
  }

  private static void outcome(ObjectNode json, OnlineReport.Outcome outcome) {
    json.put("state", outcome.state().name().toLowerCase(Locale.ROOT));
    criteria(json.putArray("criteria"), outcome.criteria());
    ObjectNode limits = json.putObject("limits");
    number(limits, "start_delay_ms", outcome.limits().startDelay());
    number(limits, "aggregate_s", outcome.limits().aggregate());
    ArrayNode latencies = json.putArray("latencies");
    for (OnlineReport.Latency latency : outcome.latencies()) {
      ObjectNode node = latencies.addObject();
      node.put("name", latency.name());
      node.put("count", latency.count());
      number(node, "p50_ms", latency.p50());
      number(node, "p90_ms", latency.p90());
      number(node, "p99_ms", latency.p99());
      number(node, "p999_ms", latency.p999());
      number(node, "max_ms", latency.max());
    }
    texts(json.putArray("forecasts"), outcome.forecasts());
    texts(json.putArray("cautions"), outcome.cautions());
  }

  /// What a run is held against.
  public static void criteria(ArrayNode array, List<OnlineReport.Criterion> criteria) {
    for (OnlineReport.Criterion criterion : criteria) {
      ObjectNode node = array.addObject();
      node.put("name", criterion.name());
      node.put("limit", criterion.limit());
      node.put("measured", criterion.measured());
      node.put("result", criterion.result().name().toLowerCase(Locale.ROOT));
      node.put("passed", criterion.holds());
    }
  }

  private static void totals(ObjectNode node, Totals totals) {
    node.put("seconds", totals.seconds());
    node.put("bad_seconds", totals.badSeconds());
    node.put("bad_seconds_percent", totals.badPercent());
    node.put("rows", totals.rows());
    node.put("rows_per_s", totals.rowsPerSecond());
    node.put("late_rows", totals.lateRows());
    node.put("write_errors", totals.errors());
    number(node, "start_delay_max_ms", totals.startDelayMax());
    number(node, "write_max_ms", totals.writeMax());
  }

  private static void levels(ArrayNode array, List<Totals.Level> levels) {
    for (Totals.Level level : levels) {
      ObjectNode node = array.addObject();
      node.put("level", level.name());
      node.put("count", level.count());
      node.put("running", level.running());
      node.put("again", level.again());
      node.put("failed", level.failed());
      number(node, "mean_s", level.meanSeconds());
      number(node, "max_s", level.maxSeconds());
      number(node, "last_s", level.lastSeconds());
    }
  }

  private static void sums(ArrayNode array, List<OnlineReport.Sum> sums) {
    for (OnlineReport.Sum sum : sums) {
      ObjectNode node = array.addObject();
      node.put("place", sum.place());
      node.put("rows", sum.rows());
      node.put("watts", sum.sum());
      node.put("filled_in_watts", sum.given());
      node.put("differing", sum.differing());
      node.put("agrees", sum.agrees());
    }
  }

  private static void series(ObjectNode json, Series series) {
    ArrayNode seconds = json.putArray("seconds");
    for (Series.Second second : series.seconds()) {
      ObjectNode node = seconds.addObject();
      node.put("second", second.second());
      node.put("rows", second.rows());
      node.put("late_rows", second.lateRows());
      number(node, "start_delay_max_ms", second.startDelayMax());
      number(node, "start_delay_mean_ms", second.startDelay().mean());
      number(node, "start_delay_own_ms", second.startDelay().own());
      number(node, "write_mean_ms", second.writeMean());
      number(node, "write_max_ms", second.writeMax());
      node.put("backlog", second.backlog());
      node.put("errors", second.errors());
    }
    ArrayNode windows = json.putArray("windows");
    for (Series.WindowRun run : series.windows()) {
      ObjectNode node = windows.addObject();
      node.put("level", run.level());
      node.put("window", run.window());
      number(node, "at_s", run.atSecond());
      number(node, "took_s", run.seconds());
      node.put("rows", run.rows());
      node.put("again", run.again());
      node.put("running", run.running());
      node.put("error", run.error());
    }
    ArrayNode switches = json.putArray("partition_switches");
    for (Series.PartitionSwitch each : series.switches()) {
      ObjectNode node = switches.addObject();
      number(node, "at_s", each.atSecond());
      node.put("partition", each.partition());
    }
    ArrayNode pauses = json.putArray("own_pauses");
    for (Series.Pause each : series.pauses()) {
      ObjectNode node = pauses.addObject();
      number(node, "at_s", each.atSecond());
      number(node, "took_s", each.seconds());
      node.put("garbage_collection", each.collects());
    }
  }

  /// JSON has no NaN and no infinity.
  private static void number(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, Math.round(value * 1e6) / 1e6);
    } else {
      node.putNull(name);
    }
  }

  private static void texts(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }
}
