package millrace.spi.load;

import millrace.spi.journal.Entry;
import millrace.spi.journal.Looks;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;

/// What a load writes into a target's journal, and asks it, beside what {@link
/// millrace.spi.journal.Ledger} has for all commands. On the target's thread.
public interface LoadLedger extends Looks {

  /// Writes down that a run has begun. Where it is kept is made if it is not there.
  void begin(Entry.Begun begun);

  /// Adds to what is known of a run, in the transaction that {@link Place#inTransaction} has begun,
  /// if it has.
  ///
  /// @throws millrace.fault.Fault.External if the run is not known any more
  void append(RunRecord run, Entry entry);

  /// What other runs have put into a table that is emptied or replaced is not there any more.
  ///
  /// @return whether there were any; from now on they can't commit
  boolean forgetOthers(RunRecord run);

  /// Nobody needs to know any more that the run was there.
  void forget(RunRecord run);

  /// Takes a run up again whose connection was lost, so that nobody else does meanwhile.
  ///
  /// @throws millrace.fault.Fault.User if somebody else has
  void retake(RunRecord run);

  /// How far a run has come.
  Progress progress(RunRecord run);

  /// How far a run has come.
  enum Progress {
    /// It has begun.
    BEGUN,
    /// All rows are staged, and names may have been changed.
    SEALED,
    /// It has ended well.
    COMPLETE
  }

  /// Whether this process has found out that a run is not known any more: nobody can resume it.
  boolean hasForgotten();

  /// What of a split has been committed, once what its lost connection had sent is carried out or
  /// undone. From any thread.
  CommitStatus statusOf(RunRecord run, Split split);
}
