package millrace.online.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport;
import millrace.online.report.Series;

/// What is known of a run, or of a part of it, to judge it by.
///
/// @param seconds of the schedule, in order. Writes that had not begun when the run ended count
///   with the delay that they had by then.
/// @param windows the aggregates that have ended, in order of their begin, repeated ones included
/// @param machine what this machine has held up
/// @param requested what it was to do
/// @param aggregates how many aggregates have ended, those that no clock began included
/// @param writeErrors how many writes failed
/// @param retries how often the target's client has tried again by itself
/// @param sums what was added up at each place; empty if that was not done (yet)
public record RunFacts(
    List<Series.Second> seconds,
    List<Series.WindowRun> windows,
    Machine machine,
    Requested requested,
    long aggregates,
    long writeErrors,
    long retries,
    List<OnlineReport.Sum> sums) {

  /// What a run was to do.
  ///
  /// @param rows a second
  /// @param levels that are aggregated, the lowest first
  public record Requested(long rows, List<OnlineJob.WindowSpec> levels) {

    public Requested {
      levels = List.copyOf(levels);
    }
  }

  /// What held a run up on this machine, and is no fault of the target. Only what was measured
  /// during an operation is taken off it: the rest of the run says nothing of it.
  ///
  /// @param pauses in which this process stood still
  /// @param writes by the second of the schedule, for how many milliseconds its longest write
  ///   waited for a processor that others used
  /// @param aggregates the same of each aggregate, in seconds
  public record Machine(
      List<Series.Pause> pauses,
      Map<Long, Double> writes,
      Map<Series.WindowRun, Double> aggregates) {

    /// It has held nothing up.
    public static final Machine NONE = new Machine(List.of(), Map.of(), Map.of());

    public Machine {
      pauses = List.copyOf(pauses);
      writes = Map.copyOf(writes);
      aggregates = Map.copyOf(aggregates);
    }
  }

  public RunFacts {
    seconds = List.copyOf(seconds);
    windows = List.copyOf(windows);
    sums = List.copyOf(sums);
  }

  /// The same if this machine had held nothing up.
  RunFacts ofTarget() {
    return new RunFacts(
        secondsOfTarget(),
        windows.stream().map(this::ofTarget).toList(),
        Machine.NONE,
        requested,
        aggregates,
        writeErrors,
        retries,
        sums);
  }

  /// If a write was held up, it would have taken so much less, and the next would have begun so
  /// much earlier: each second's longest write tells how late those of the next begin. Writes that
  /// were never begun would have taken as long as those before, unless any failed: then that is why
  /// they were late.
  private List<Series.Second> secondsOfTarget() {
    List<Series.Second> all = new ArrayList<>();
    boolean mayBeSooner = !machine.writes.isEmpty() && writeErrors == 0;
    double late = 0;
    double longest = 0;
    for (Series.Second each : seconds) {
      Series.StartDelay delay = each.startDelay().ofTarget();
      all.add(
          ofTarget(
              each,
              mayBeSooner && late < delay.max()
                  ? new Series.StartDelay(
                      late, Math.min(late, delay.mean()), 0, Math.min(late, delay.behind()))
                  : delay));
      if (each.writeMax() > 0) {
        double held = machine.writes.getOrDefault(each.second(), 0.0);
        longest = Math.max(0, each.writeMax() - pausedMillis(each) - held);
      }
      late = Math.max(0, late + longest - SECOND_MILLIS);
    }
    return all;
  }

  /// How long this process stood still during the writes of a second.
  private double pausedMillis(Series.Second second) {
    double begun = second.second() + second.startDelay().mean() / 1e3;
    double ended = begun + second.writeMax() / 1e3;
    return 1e3 * machine.pauses.stream().mapToDouble(each -> each.within(begun, ended)).sum();
  }

  private static Series.Second ofTarget(Series.Second second, Series.StartDelay delay) {
    return new Series.Second(
        second.second(),
        second.rows(),
        second.lateRows(),
        delay,
        second.writeMean(),
        second.writeMax(),
        second.backlog(),
        second.errors());
  }

  private Series.WindowRun ofTarget(Series.WindowRun run) {
    double end = run.atSecond() + run.seconds();
    double paused =
        machine.pauses.stream().mapToDouble(each -> each.within(run.atSecond(), end)).sum();
    return new Series.WindowRun(
        run.level(),
        run.window(),
        run.atSecond(),
        Math.max(0, run.seconds() - paused - machine.aggregates.getOrDefault(run, 0.0)),
        run.rows(),
        run.again(),
        run.running(),
        run.error());
  }

  private static final double SECOND_MILLIS = 1_000;

  /// Whether any write has ended.
  boolean hasWrites() {
    return seconds.stream().anyMatch(each -> each.rows() > 0 || each.errors() > 0);
  }

  /// How many aggregates failed.
  public long aggregateErrors() {
    return windows.stream().filter(window -> !window.error().isEmpty()).count();
  }
}
