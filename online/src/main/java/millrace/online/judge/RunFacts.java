package millrace.online.judge;

import java.util.List;
import millrace.online.report.OnlineReport;
import millrace.online.report.Series;

/// What is known of a run, or of a part of it, to judge it by.
///
/// @param seconds of the schedule, in order. Writes that had not begun when the run ended count
///   with the delay that they had by then.
/// @param windows the aggregates that have ended, in order of their begin, repeated ones included
/// @param pauses in which this process stood still
/// @param levels the names of all levels that are aggregated, the lowest first
/// @param aggregates how many aggregates have ended, those that no clock began included
/// @param writeErrors how many writes failed
/// @param retries how often the target's client has tried again by itself
/// @param sums what was added up at each place; empty if that was not done (yet)
public record RunFacts(
    List<Series.Second> seconds,
    List<Series.WindowRun> windows,
    List<Series.Pause> pauses,
    List<String> levels,
    long aggregates,
    long writeErrors,
    long retries,
    List<OnlineReport.Sum> sums) {

  public RunFacts {
    seconds = List.copyOf(seconds);
    windows = List.copyOf(windows);
    pauses = List.copyOf(pauses);
    levels = List.copyOf(levels);
    sums = List.copyOf(sums);
  }

  /// The same if this process had not been late by itself.
  RunFacts ofTarget() {
    return new RunFacts(
        seconds.stream().map(RunFacts::ofTarget).toList(),
        windows.stream().map(this::ofTarget).toList(),
        List.of(),
        levels,
        aggregates,
        writeErrors,
        retries,
        sums);
  }

  private static Series.Second ofTarget(Series.Second second) {
    return new Series.Second(
        second.second(),
        second.rows(),
        second.lateRows(),
        second.startDelay().ofTarget(),
        second.writeMean(),
        second.writeMax(),
        second.backlog(),
        second.errors());
  }

  private Series.WindowRun ofTarget(Series.WindowRun run) {
    double end = run.atSecond() + run.seconds();
    double own = pauses.stream().mapToDouble(each -> each.within(run.atSecond(), end)).sum();
    return new Series.WindowRun(
        run.level(),
        run.window(),
        run.atSecond(),
        Math.max(0, run.seconds() - own),
        run.rows(),
        run.again(),
        run.running(),
        run.error());
  }

  /// Whether any write has ended.
  boolean hasWrites() {
    return seconds.stream().anyMatch(each -> each.rows() > 0 || each.errors() > 0);
  }

  /// How many aggregates failed.
  public long aggregateErrors() {
    return windows.stream().filter(window -> !window.error().isEmpty()).count();
  }
}
