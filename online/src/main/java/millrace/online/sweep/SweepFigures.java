package millrace.online.sweep;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import millrace.online.report.OnlineReport;
import millrace.online.report.Series;

/// What a table shows of one run.
///
/// @param writeP50 the response time of writes in milliseconds: from their schedule to their
///   acknowledgement
/// @param writeP99 likewise
/// @param startDelayMax by how much the latest write began after its schedule, in milliseconds
/// @param aggregateMean how long aggregates of the shortest windows took, in seconds; empty if none
///   has ended
/// @param aggregateMax the longest of them
/// @param rows that were acknowledged
/// @param lateRows how many of them were late
public record SweepFigures(
    double writeP50,
    double writeP99,
    double startDelayMax,
    OptionalDouble aggregateMean,
    OptionalDouble aggregateMax,
    long rows,
    long lateRows) {

  private static final String RESPONSE = "response time";

  /// Those of a run.
  ///
  /// @param level the shortest windows
  static SweepFigures of(OnlineReport report, String level) {
    List<Series.Second> seconds = report.series().seconds();
    List<Series.WindowRun> runs =
        report.series().windows().stream()
            .filter(run -> run.level().equals(level) && !run.running())
            .toList();
    return new SweepFigures(
        response(report).map(OnlineReport.Latency::p50).orElse(0.0),
        response(report).map(OnlineReport.Latency::p99).orElse(0.0),
        seconds.stream().mapToDouble(Series.Second::startDelayMax).max().orElse(0),
        runs.stream().mapToDouble(Series.WindowRun::seconds).average(),
        runs.stream().mapToDouble(Series.WindowRun::seconds).max(),
        seconds.stream().mapToLong(Series.Second::rows).sum(),
        seconds.stream().mapToLong(Series.Second::lateRows).sum());
  }

  private static Optional<OnlineReport.Latency> response(OnlineReport report) {
    return report.outcome().latencies().stream()
        .filter(latency -> latency.name().equals(RESPONSE))
        .findFirst();
  }
}
