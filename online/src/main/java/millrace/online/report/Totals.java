package millrace.online.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the seconds of a run add up to. Times are in milliseconds.
///
/// @param seconds how many there were
/// @param badSeconds those in which a write began later than the limit
/// @param rows that were acknowledged
/// @param errors writes that failed
record Totals(
    long seconds,
    long badSeconds,
    long rows,
    long lateRows,
    long errors,
    double startDelayMax,
    double writeMax) {

  static Totals of(OnlineReport report) {
    return of(report.series().seconds(), report.outcome().limits());
  }

  private static Totals of(List<Series.Second> seconds, OnlineReport.Limits limits) {
    long bad = 0;
    long rows = 0;
    long lateRows = 0;
    long errors = 0;
    double startDelayMax = 0;
    double writeMax = 0;
    for (Series.Second second : seconds) {
      bad += second.startDelayMax() > limits.startDelay() ? 1 : 0;
      rows += second.rows();
      lateRows += second.lateRows();
      errors += second.errors();
      startDelayMax = Math.max(startDelayMax, second.startDelayMax());
      writeMax = Math.max(writeMax, second.writeMax());
    }
    return new Totals(seconds.size(), bad, rows, lateRows, errors, startDelayMax, writeMax);
  }

  /// Those of the last seconds only.
  ///
  /// @param count how many, at most
  static Totals last(OnlineReport report, int count) {
    List<Series.Second> seconds = report.series().seconds();
    int from = Math.max(0, seconds.size() - count);
    return of(seconds.subList(from, seconds.size()), report.outcome().limits());
  }

  /// 0 if there was no second.
  double rowsPerSecond() {
    return seconds == 0 ? 0 : (double) rows / seconds;
  }

  /// 0 if there was no second.
  double badPercent() {
    return seconds == 0 ? 0 : 100.0 * badSeconds / seconds;
  }

  /// 0 if there was no row.
  double latePercent() {
    return rows == 0 ? 0 : 100.0 * lateRows / rows;
  }

  /// The aggregates of one level. Those that still run count in `running` alone.
  ///
  /// @param count how many ended, with or without an error
  /// @param again how many of them were done again, since rows or windows below came afterwards
  /// @param failed how many of them ended with an error
  /// @param meanSeconds of those that ended, as are the other times
  record Level(
      String name,
      int count,
      int running,
      int again,
      int failed,
      double meanSeconds,
      double maxSeconds,
      double lastSeconds) {

    private static Level of(String name, List<Series.WindowRun> runs) {
      List<Series.WindowRun> ended = runs.stream().filter(run -> !run.running()).toList();
      return new Level(
          name,
          ended.size(),
          runs.size() - ended.size(),
          (int) ended.stream().filter(Series.WindowRun::again).count(),
          (int) ended.stream().filter(Series.WindowRun::failed).count(),
          ended.stream().mapToDouble(Series.WindowRun::seconds).average().orElse(0),
          ended.stream().mapToDouble(Series.WindowRun::seconds).max().orElse(0),
          ended.isEmpty() ? 0 : ended.getLast().seconds());
    }
  }

  /// The levels of which any window was begun: the lowest first, whichever was begun first.
  static List<Level> levels(Series series) {
    Map<String, List<Series.WindowRun>> runs = new LinkedHashMap<>();
    series.levels().forEach(name -> runs.put(name, new ArrayList<>()));
    for (Series.WindowRun run : series.windows()) {
      runs.computeIfAbsent(run.level(), _ -> new ArrayList<>()).add(run);
    }
    return runs.entrySet().stream()
        .filter(entry -> !entry.getValue().isEmpty())
        .map(entry -> Level.of(entry.getKey(), entry.getValue()))
        .toList();
  }
}
