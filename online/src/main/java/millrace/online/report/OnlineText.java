package millrace.online.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.OnlineReport.Latency;
import millrace.online.report.OnlineReport.Sum;
import millrace.report.ReportText;
import millrace.report.TextTable;

/// Tells a run as text for a terminal: the verdict, the criteria, how long writes and aggregates
/// took, the sums.
public final class OnlineText {

  /// How many seconds count as recent.
  static final int RECENT = 10;

  /// How many failed aggregates are told one by one.
  private static final int ERRORS_SHOWN = 3;

  private OnlineText() {}

  /// The report, one line each; the verdict is the first.
  public static List<String> lines(OnlineReport report) {
    List<String> lines = new ArrayList<>();
    Totals totals = Totals.of(report);
    lines.add(verdict(report));
    lines.add("  " + plain(report.title()));
    lines.add(
        String.format(
            Locale.ROOT,
            "  %,d rows acknowledged in %s, %,.0f rows/s",
            totals.rows(),
            // What the rate is over: aggregating what was left took more.
            ReportText.clock(totals.seconds()),
            totals.rowsPerSecond()));
    lines.add("  late rows   " + late(totals));
    report.outcome().forecasts().forEach(text -> lines.add("  forecast    " + plain(text)));
    report.notes().forEach(text -> lines.add("  note        " + plain(text)));
    add(lines, criteria(report.outcome().criteria()));
    add(lines, latencies(report.outcome().latencies()));
    add(lines, levels(report.series()));
    add(lines, sums(report.sums()));
    return lines;
  }

  /// How a run goes, in one line.
  public static String progress(OnlineReport report) {
    Totals totals = Totals.of(report);
    Totals recent = Totals.last(report, RECENT);
    List<Series.Second> seconds = report.series().seconds();
    List<Totals.Level> levels = Totals.levels(report.series());
    int failed = levels.stream().mapToInt(Totals.Level::failed).sum();
    return String.format(
        Locale.ROOT,
        "%s  %,.0f rows/s, start delay %s ms, backlog %,d, windows %,d done, %,d running%s, bad"
            + " seconds %.2f %%",
        elapsed(report),
        recent.rowsPerSecond(),
        millis(recent.startDelayMax()),
        seconds.isEmpty() ? 0 : seconds.getLast().backlog(),
        levels.stream().mapToInt(Totals.Level::count).sum() - failed,
        levels.stream().mapToInt(Totals.Level::running).sum(),
        failed == 0 ? "" : String.format(Locale.ROOT, ", %,d failed", failed),
        totals.badPercent());
  }

  /// How a run stands or ended, in one sentence without its full stop.
  static String verdict(OnlineReport report) {
    String broken = names(report, Criterion::isBroken);
    int count = report.outcome().criteria().size();
    return switch (report.outcome().state()) {
      case PASSED ->
          report.outcome().cautions().isEmpty()
              ? "PASSED: all of " + count + " criteria hold"
              : "PASSED, but " + plain(String.join("; ", report.outcome().cautions()));
      case FAILED -> broken.isEmpty() ? "FAILED" : "FAILED by: " + broken;
      case INVALID -> "NOT VALID: this machine held the run up, not the target";
      case UNTESTED -> "NOT PASSED, since " + open(report);
      case RUNNING -> "RUNNING" + (broken.isEmpty() ? "" : ", failed so far by: " + broken);
      case STOPPED ->
          "STOPPED before its end" + (broken.isEmpty() ? "" : ", failed until then by: " + broken);
    };
  }

  /// What was not tested, and what is undecided.
  private static String open(OnlineReport report) {
    String untested = names(report, Criterion::isUntested);
    String undecided = names(report, Criterion::isUndecided);
    return Stream.of(
            untested.isEmpty() ? "" : "not tested: " + untested,
            undecided.isEmpty() ? "" : "undecided: " + undecided)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private static String names(OnlineReport report, Predicate<Criterion> which) {
    return report.outcome().criteria().stream()
        .filter(which)
        .map(criterion -> plain(criterion.name()))
        .collect(Collectors.joining("; "));
  }

  private static void add(List<String> lines, List<String> block) {
    if (!block.isEmpty()) {
      lines.add("");
      block.forEach(line -> lines.add("  " + line));
    }
  }

  private static String elapsed(OnlineReport report) {
    return ReportText.clock((long) report.elapsedSeconds());
  }

  private static String late(Totals totals) {
    return totals.lateRows() == 0
        ? "none"
        : String.format(
            Locale.ROOT,
            "%,d of %,d (%.3f %%)",
            totals.lateRows(),
            totals.rows(),
            totals.latePercent());
  }

  private static List<String> criteria(List<Criterion> criteria) {
    if (criteria.isEmpty()) {
      return List.of();
    }
    TextTable table = new TextTable(List.of("criterion", "limit", "measured", "holds"));
    for (Criterion criterion : criteria) {
      table.row(
          List.of(
              plain(criterion.name()),
              plain(criterion.limit()),
              plain(criterion.measured()),
              switch (criterion.result()) {
                case HOLDS -> "yes";
                case BROKEN -> "NO";
                case NOT_VALID -> "not valid";
                case NOT_TESTED -> "not tested";
                case UNDECIDED -> "undecided";
              }));
    }
    return table.lines();
  }

  private static List<String> latencies(List<Latency> latencies) {
    if (latencies.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable(List.of("time (ms)", ">writes", ">p50", ">p90", ">p99", ">p99.9", ">max"));
    for (Latency latency : latencies) {
      table.row(
          List.of(
              plain(latency.name()),
              grouped(latency.count()),
              millis(latency.p50()),
              millis(latency.p90()),
              millis(latency.p99()),
              millis(latency.p999()),
              millis(latency.max())));
    }
    return table.lines();
  }

  private static List<String> levels(Series series) {
    List<Totals.Level> levels = Totals.levels(series);
    if (levels.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable(
            List.of("aggregates", ">count", ">again", ">failed", ">running", ">mean s", ">max s"));
    for (Totals.Level level : levels) {
      table.row(
          List.of(
              plain(level.name()),
              grouped(level.count()),
              grouped(level.again()),
              grouped(level.failed()),
              grouped(level.running()),
              String.format(Locale.ROOT, "%,.2f", level.meanSeconds()),
              String.format(Locale.ROOT, "%,.2f", level.maxSeconds())));
    }
    List<String> lines = new ArrayList<>(table.lines());
    List<Series.WindowRun> failed =
        series.windows().stream().filter(Series.WindowRun::failed).toList();
    failed.stream()
        .limit(ERRORS_SHOWN)
        .map(run -> run.level() + " " + run.window() + " failed: " + run.error())
        .forEach(line -> lines.add(plain(line)));
    if (failed.size() > ERRORS_SHOWN) {
      lines.add("and " + grouped(failed.size() - ERRORS_SHOWN) + " more; --json has all");
    }
    return lines;
  }

  private static List<String> sums(List<Sum> sums) {
    if (sums.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable(
            List.of(
                "sum", ">rows", ">watts", ">of them filled in before", ">rows differ", "agrees"));
    for (Sum sum : sums) {
      table.row(
          List.of(
              plain(sum.place()),
              grouped(sum.rows()),
              grouped(sum.sum()),
              grouped(sum.given()),
              grouped(sum.differing()),
              sum.agrees() ? "yes" : "NO"));
    }
    return table.lines();
  }

  private static String grouped(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /// Three digits that count.
  private static String millis(double value) {
    int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /// What comes from servers may hold what moves a terminal's cursor.
  private static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ");
  }
}
