package millrace.online.report;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/// A run's figures as Prometheus reads them, in its base units: seconds, not milliseconds.
final class OnlineMetrics {

  private static final String PREFIX = "millrace.online.";
  private static final String SECONDS = "seconds";
  private static final double MILLIS = 1000;

  private OnlineMetrics() {}

  /// The figures in Prometheus's text format. The report is the only state, so that each call makes
  /// all meters anew.
  static String of(OnlineReport report) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try {
      writes(registry, report);
      Totals.levels(report.series()).forEach(level -> level(registry, level));
      return registry.scrape();
    } finally {
      registry.close();
    }
  }

  private static void writes(PrometheusMeterRegistry registry, OnlineReport report) {
    Totals totals = Totals.of(report);
    count(registry, "rows.acknowledged", "Rows that the target acknowledged", totals.rows());
    count(registry, "rows.late", "Acknowledged rows that were late", totals.lateRows());
    count(registry, "write.errors", "Writes that failed", totals.errors());
    count(registry, "schedule.seconds", "Seconds of the schedule so far", totals.seconds());
    count(
        registry,
        "bad.seconds",
        "Seconds in which a write began later than the limit",
        totals.badSeconds());
    boolean runs = report.outcome().state() == OnlineReport.State.RUNNING;
    gauge(registry, "running", "1 while the run goes on, then 0", runs ? 1 : 0);
    if (report.series().seconds().isEmpty()) {
      return;
    }
    Series.Second last = report.series().seconds().getLast();
    seconds(
        registry,
        "start.delay.max",
        "How late the latest write of the last second began",
        last.startDelayMax() / MILLIS);
    seconds(registry, "write.mean", "Mean of the last second's writes", last.writeMean() / MILLIS);
    seconds(registry, "write.max", "Longest of the last second's writes", last.writeMax() / MILLIS);
    gauge(
        registry,
        "backlog.writes",
        "Writes that were due and had not begun when the last second ended",
        last.backlog());
  }

  private static void level(PrometheusMeterRegistry registry, Totals.Level level) {
    String name = level.name();
    count(registry, "aggregates", "Aggregates that ended", level.count(), "level", name);
    count(
        registry,
        "aggregates.failed",
        "Aggregates that ended with an error",
        level.failed(),
        "level",
        name);
    count(
        registry,
        "aggregates.again",
        "Aggregates that were done again, since rows or windows below came afterwards",
        level.again(),
        "level",
        name);
    gauge(
        registry,
        "aggregates.running",
        "Aggregates that are running",
        level.running(),
        "level",
        name);
    seconds(
        registry,
        "aggregate.last",
        "How long the last aggregate took",
        level.lastSeconds(),
        "level",
        name);
  }

  private static void count(
      PrometheusMeterRegistry registry, String name, String help, long value, String... tags) {
    Counter.builder(PREFIX + name)
        .description(help)
        .tags(tags)
        .register(registry)
        .increment((double) value);
  }

  private static void gauge(
      PrometheusMeterRegistry registry, String name, String help, double value, String... tags) {
    Gauge.builder(PREFIX + name, () -> value).description(help).tags(tags).register(registry);
  }

  private static void seconds(
      PrometheusMeterRegistry registry, String name, String help, double value, String... tags) {
    Gauge.builder(PREFIX + name, () -> value)
        .description(help)
        .baseUnit(SECONDS)
        .tags(tags)
        .register(registry);
  }
}
