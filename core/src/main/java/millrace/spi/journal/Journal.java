package millrace.spi.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a target keeps the receipts of a run, so that they are as durable as the rows that they
/// speak of.
///
/// The engine calls {@link #find} and perhaps {@link #resume} before {@link Target#fit}, and {@link
/// #open} before {@link Target#begin} where a run does not go on with another. Neither changes
/// anything. Writers record their receipts by themselves, in the same transaction as the rows where
/// there are transactions. {@link Target#complete} marks the run complete in the step that makes
/// its rows appear. The mark stays until somebody {@link #forget}s it. All on the target's thread.
public interface Journal {

  /// How a run has ended well.
  ///
  /// @param at when, in UTC as {@link java.time.Instant} spells it
  /// @param change how what it left has changed since, as a sentence without its end; empty if it
  ///   has not, as far as the target can tell without reading it all
  record Completion(String at, String change) {}

  /// A run that was begun and is still known.
  ///
  /// @param run what was kept of it
  /// @param completion how it has ended well; null if it has not ended, or was cut off
  /// @param stays whether rows that it has committed stand in the target itself, so that a run from
  ///   the start would add them once more
  /// @param receipts what it has taken, in no order
  record JournaledRun(
      RunRecord run, @Nullable Completion completion, boolean stays, List<Receipt> receipts) {

    public JournaledRun {
      receipts = List.copyOf(receipts);
    }

    /// Whether it has ended well.
    public boolean complete() {
      return completion != null;
    }

    /// Rows that it has committed.
    public long rows() {
      return receipts.stream().mapToLong(Receipt::rows).sum();
    }
  }

  /// Whether a run that was cut off leaves parts that another can go on with; else it leaves
  /// nothing, and only that a run is complete is kept.
  default boolean keepsParts() {
    return true;
  }

  /// Whether receipts tell of every row that a run has put into the target: they are as durable as
  /// the rows, in one transaction. Else rows may stand there that no receipt tells of yet.
  default boolean tellsAll() {
    return true;
  }

  /// The run of that job into this target that is still known, or null. Waits a while for what a
  /// killed process has left under way.
  ///
  /// @throws millrace.fault.Fault.User where that very job is being run by somebody else
  @Nullable JournaledRun find(String job);

  /// A run of another job that has put rows into this target from one of those origins, where they
  /// stay, and was cut off; or null. A journal need not know of any. Waits a while for what a
  /// killed process has left under way.
  ///
  /// @param origins see {@link Source#origins}
  default @Nullable JournaledRun findOther(List<String> origins) {
    return null;
  }

  /// All runs into this target that are still known, in the order in which they began. Some may be
  /// under way.
  List<JournaledRun> list();

  /// The run that is planned now goes on with that one: the target is fitted, and begun, as it was
  /// then. Changes nothing.
  ///
  /// @return the run as it is now: complete where only its end was missing; null where all that it
  ///   had committed was staged and is lost, so that nothing of it is anywhere
  /// @throws millrace.fault.Fault.User where nothing can go on with it
  @Nullable JournaledRun resume(JournaledRun journaledRun);

  /// A run begins from the start; {@link Target#begin} writes it down.
  ///
  /// @param before the run of the same job that it takes the place of, with all that is staged of
  ///   it; or null
  void open(RunRecord run, @Nullable JournaledRun before);

  /// The run that was resumed is complete, and nothing but its end is missing: brings it there. In
  /// place of a run.
  default void complete() {
    // Most mark it in the step that makes its rows appear.
  }

  /// Nobody needs to know any more that the run was there. A run that is under way is left alone.
  void forget(RunRecord run);
}
