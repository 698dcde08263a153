package millrace.online.judge;

import java.util.ArrayList;
import java.util.List;
import millrace.online.report.OnlineReport;
import millrace.online.report.Series;

/// What is known of a run, or of a part of it, to judge it by.
///
/// @param seconds of the schedule, in order. Writes that had not begun when the run ended count
///   with the delay that they had by then.
/// @param windows the aggregates that have ended, in order of their begin, repeated ones included
/// @param machine what this machine has held up
/// @param levels the names of all levels that are aggregated, the lowest first
/// @param aggregates how many aggregates have ended, those that no clock began included
/// @param writeErrors how many writes failed
/// @param retries how often the target's client has tried again by itself
/// @param sums what was added up at each place; empty if that was not done (yet)
public record RunFacts(
    List<Series.Second> seconds,
    List<Series.WindowRun> windows,
    Machine machine,
    List<String> levels,
    long aggregates,
    long writeErrors,
    long retries,
    List<OnlineReport.Sum> sums) {

  /// What held a run up on this machine, and is no fault of the target.
  ///
  /// @param pauses in which this process stood still
  /// @param heldUp the share of the time of writes and aggregates in which clients, or the target
  ///   if it is on this machine, waited for a processor that others used, from 0 to 1
  public record Machine(List<Series.Pause> pauses, double heldUp) {

    /// It has held nothing up.
    public static final Machine NONE = new Machine(List.of(), 0);

    public Machine {
      pauses = List.copyOf(pauses);
    }
  }

  public RunFacts {
    seconds = List.copyOf(seconds);
    windows = List.copyOf(windows);
    levels = List.copyOf(levels);
    sums = List.copyOf(sums);
  }

  /// The same if this machine had held nothing up.
  RunFacts ofTarget() {
    return new RunFacts(
        secondsOfTarget(),
        windows.stream().map(this::ofTarget).toList(),
        Machine.NONE,
        levels,
        aggregates,
        writeErrors,
        retries,
        sums);
  }

  /// If the target was held up, writes would have taken so much less, and the next would have begun
  /// so much earlier: each second's longest write tells how late those of the next begin. Writes
  /// that were never begun would have taken as long as those before, unless any failed: then that
  /// is why they were late.
  private List<Series.Second> secondsOfTarget() {
    List<Series.Second> all = new ArrayList<>();
    double late = 0;
    double longest = 0;
    for (Series.Second each : seconds) {
      Series.StartDelay own = each.startDelay().ofTarget();
      all.add(
          ofTarget(
              each,
              machine.heldUp > 0 && writeErrors == 0 && late < own.max()
                  ? new Series.StartDelay(
                      late, Math.min(late, own.mean()), 0, Math.min(late, own.behind()))
                  : own));
      longest = each.writeMax() > 0 ? Math.max(0, each.writeMax() - pausedMillis(each)) : longest;
      late = Math.max(0, late + longest * (1 - machine.heldUp) - SECOND_MILLIS);
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
    double own =
        machine.pauses.stream().mapToDouble(each -> each.within(run.atSecond(), end)).sum();
    return new Series.WindowRun(
        run.level(),
        run.window(),
        run.atSecond(),
        Math.max(0, run.seconds() - own) * (1 - machine.heldUp),
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
