package millrace.engine;

import java.util.List;
import millrace.engine.lane.Workers;
import millrace.engine.tuning.LaneTuner;
import millrace.fault.Fault;
import millrace.resume.Start;
import millrace.spi.TuningHint;
import millrace.spi.write.MergeCounts;
import org.jspecify.annotations.Nullable;

/// How a run ended.
///
/// @param fault what went wrong first; null if it has ended well
/// @param start how it had started; null if it failed before that was settled, so that the target
///   was not touched
/// @param atWork whether lanes were begun, so that the same can't simply be done from the start
/// @param left what stays after a failure
/// @param merged what a merge made of the rows; null of other modes
/// @param notes what became of the data besides what the plan says, one sentence each, bad records
///   first
/// @param lanes how many lanes worked
public record RunOutcome(
    @Nullable Fault fault,
    @Nullable Start start,
    boolean atWork,
    Left left,
    @Nullable MergeCounts merged,
    List<String> notes,
    LanesUsed lanes) {

  /// What stays after a failure.
  ///
  /// @param resumable whether another run can go on with it
  /// @param words what stays of rows that no receipt speaks of, as a sentence; empty if nothing
  ///   does
  /// @param undoFailure why what was staged could not be removed; null if it was
  public record Left(boolean resumable, String words, @Nullable RuntimeException undoFailure) {

    /// Nothing.
    static final Left NOTHING = new Left(false, "", null);
  }

  /// How many lanes worked.
  ///
  /// @param number how many were best, or were planned if nothing was to be found out, but for
  ///   those that could not open
  /// @param tried what each number of lanes that was tried moved in a second
  /// @param limitWhy why no more worked or could be tried; empty if nothing stood against it
  /// @param found what was found best
  /// @param elsewhere which part of the time other processes were at work that they had for it;
  ///   negative if the lanes were this one's
  public record LanesUsed(
      int number,
      List<LaneTuner.LaneRate> tried,
      String limitWhy,
      TuningHint found,
      double elsewhere) {

    public LanesUsed {
      tried = List.copyOf(tried);
    }

    /// @param meant how many were best, or planned
    /// @param tuner what found it out; null if nothing did
    /// @param workers the lanes; null if none were begun
    static LanesUsed of(int meant, @Nullable LaneTuner tuner, @Nullable Workers workers) {
      List<LaneTuner.LaneRate> tried = tuner == null ? List.of() : tuner.tried();
      if (workers == null) {
        return new LanesUsed(meant, tried, "", TuningHint.NOTHING, -1);
      }
      Workers.Found found = workers.found();
      int number = number(meant, found);
      return new LanesUsed(
          number,
          tried,
          found.unopened() > 0
              ? "only " + number + " of " + meant + " could open: " + found.unopenedWhy()
              : found.limitWhy(),
          new TuningHint(tried.size() < 2 ? 0 : number, found.readUnit(), found.writeUnit()),
          found.elsewhere());
    }

    /// How many of those that were meant could open.
    static int number(int meant, Workers.Found found) {
      return Math.max(1, meant - found.unopened());
    }
  }

  public RunOutcome {
    notes = List.copyOf(notes);
  }

  /// The same, if the run has ended well.
  ///
  /// @throws Fault what went wrong first
  public RunOutcome orThrow() {
    if (fault != null) {
      throw fault;
    }
    return this;
  }

  /// Whether it came to touching the target at all; before that, an earlier run may have stood in
  /// its way, whose rows stay.
  public boolean isSettled() {
    return start != null;
  }

  /// Since when the copy is complete, in UTC as {@link java.time.Instant} spells it, so that there
  /// was nothing to do; empty if there was.
  public String completeSince() {
    return start instanceof Start.Complete complete ? complete.since() : "";
  }

  /// Whether the same copy, begun once more, finds and undoes what this one could not.
  public boolean isUndoneByNext() {
    return left.undoFailure instanceof Fault && start != null && start.recorded() != null;
  }

  /// The run has ended well and its report has been kept: the journal may forget it.
  public void acknowledge() {
    if (start != null && start.recorded() != null) {
      start.recorded().forget();
    }
  }
}
