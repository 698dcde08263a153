package millrace.spi.write;

import millrace.spi.read.Split;

/// The capability of a session whose rows may be durable before it completes. Its complete may be
/// called once more after a fault that may pass and does not end the run: what it did is undone
/// then, or it finds out what is done already. Without it, a writer that leaves {@link
/// RecoverableWriter.Leftover#UNKNOWN} ends the run.
public interface Recoverable {

  /// What of a split would survive, asked on a fresh connection after a writer has failed. Waits
  /// until what the writer had sent has been carried out or undone; of splits that share a commit,
  /// the first is asked for first. From any thread.
  ///
  /// @throws millrace.fault.Fault.Transient if the target can't be asked now
  default CommitStatus statusOf(Split split) {
    return new CommitStatus.Unknown();
  }

  /// Whether rows that no receipt speaks of would stay if the run were aborted, so that it is to be
  /// gone on with if it can be. Asked once it has failed.
  default boolean leavesRows() {
    return false;
  }
}
