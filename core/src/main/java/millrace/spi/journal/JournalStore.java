package millrace.spi.journal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The capability of a target that keeps what runs have done, so that another run can go on.
///
/// A run is begun in the journal by {@link millrace.spi.write.PlannedTarget#open}, its receipts are
/// recorded by its writers, and it is marked complete by {@link
/// millrace.spi.write.WriteSession#complete}: each in the transaction of the rows that it speaks
/// of, if there are transactions. The mark stays until somebody {@link #delete}s it. The methods
/// here are called on the target's thread.
public interface JournalStore {

  /// How far a journal is to be relied on.
  ///
  /// @param keepsParts whether a run that was cut off leaves parts that another can go on with;
  ///   else it leaves nothing, and only that a run is complete is kept
  /// @param tellsAll whether receipts tell of every row that a run has put into the target: they
  ///   are as durable as the rows, in one transaction. Else rows may stand there that no receipt
  ///   tells of yet
  record Guarantees(boolean keepsParts, boolean tellsAll) {

    /// All rows of a run are one transaction, with the mark that it is complete.
    public static final Guarantees MARK_ONLY = new Guarantees(false, true);

    /// Receipts are written in the transactions of their rows.
    public static final Guarantees EXACT = new Guarantees(true, true);
  }

  /// See {@link Guarantees}.
  Guarantees guarantees();

  /// The run of that job into this target that is still known, or null; nobody else can take it up
  /// while the target is open, if the system has locks. Waits a while for what a killed process has
  /// left under way. Changes nothing.
  ///
  /// What it gives may be planned for, opened and {@link #finish}ed by this very target alone.
  ///
  /// @throws millrace.fault.Fault.User if that very job is being run by somebody else
  @Nullable JournaledRun claim(String job);

  /// All runs into this target that are still known, in the order in which they began. Some may be
  /// under way.
  List<JournaledRun> list();

  /// A run of another job that has put rows into this target from one of those origins, that stay
  /// there, and was cut off; or null. A journal need not know of any. Waits a while for what a
  /// killed process has left under way.
  ///
  /// @param origins see {@link millrace.spi.read.SourceIdentity}
  default @Nullable JournaledRun findOther(List<String> origins) {
    return null;
  }

  /// Brings a run to its end that {@linkplain JournaledRun.State#LACKS_END lacks nothing else}, in
  /// place of another run.
  default void finish(JournaledRun run) {
    // Most are marked complete in the step that makes their rows appear.
  }

  /// Nobody needs to know any more that the run was there. A run that is under way is left alone.
  void delete(RunRecord run);
}
