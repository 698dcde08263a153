package millrace.spi.load;

import java.util.List;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Looks;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;
import org.jspecify.annotations.Nullable;

/// What a load writes into a target's journal, and asks it, beside what {@link
/// millrace.spi.journal.Ledger} has for all commands. On the target's thread.
public interface LoadLedger extends Looks {

  /// Writes down that a run has begun. The journal is made if there is none.
  void begin(Entry.Begun begun);

  /// Adds to what is known of a run, in the {@link Place.Transaction} that has begun, if one has.
  ///
  /// @throws millrace.fault.Fault.External if the run is not known any more
  void append(RunRecord run, Entry entry);

  /// What other runs have put into a table that is emptied or replaced is not there any more.
  ///
  /// @param run which is not forgotten; null if none is kept of this load
  /// @return whether there were any; from now on they can't commit, or not come to their end
  default boolean forgetOthers(@Nullable RunRecord run) {
    // If a journal goes with what is emptied.
    return false;
  }

  /// Nobody needs to know any more that the run was there.
  void forget(RunRecord run);

  /// Takes a run up again whose connection was lost, so that nobody else does meanwhile.
  ///
  /// @throws millrace.fault.Fault.User if somebody else has
  default void retake(RunRecord run) {
    // If of two runs at once each writes what the other does, nobody locks.
  }

  /// How far a run has come.
  default Progress progress(RunRecord run) {
    // If an end that was cut off leaves nothing, or can't be asked for again.
    return Progress.BEGUN;
  }

  /// How far a run has come.
  enum Progress {
    /// It has begun.
    BEGUN,
    /// All rows are staged, and names may have been changed.
    SEALED,
    /// It has ended well.
    COMPLETE;

    /// By what a journal says of a run.
    public static Progress of(List<Entry> entries) {
      return entries.stream().anyMatch(Entry.Complete.class::isInstance)
          ? COMPLETE
          : entries.stream().anyMatch(Entry.Sealing.class::isInstance) ? SEALED : BEGUN;
    }
  }

  /// Where it keeps who may commit rows of a split; null if only the process may that has begun the
  /// run.
  default SplitOwners.@Nullable Table owners() {
    // If nothing that a commit checks can be written beside its rows, and rows are not the same.
    return null;
  }

  /// Whether this process has found out that a run is not known any more: nobody can resume it.
  default boolean hasForgotten() {
    // If nobody can remove it meanwhile.
    return false;
  }

  /// What of a split has been committed, once what its lost connection had sent is carried out or
  /// undone. From any thread.
  default CommitStatus statusOf(RunRecord run, Split split) {
    // If rows may be written again, over those that are there.
    return new CommitStatus.Unknown();
  }
}
