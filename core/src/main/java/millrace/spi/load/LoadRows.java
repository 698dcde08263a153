package millrace.spi.load;

import java.util.List;
import millrace.data.Form;
import millrace.spi.Capable;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.write.Encoder;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// How the rows of a load get into its {@link Place}, and what became of them.
public interface LoadRows extends Capable, AutoCloseable {

  /// What became of rows so far.
  ///
  /// @param notes what was special of them, one sentence each
  /// @param rows how many are in the target, if the journal is to know since no receipts tell of
  ///   them; else 0
  /// @param leavesRows whether some that no receipt speaks of would stay in the target if the load
  ///   were undone
  /// @param leaves what stays of those, as a sentence; empty if nothing does
  /// @param leftOut how many the target has left out at the end by its own rules; a note says so
  /// @param gone whether rows that were committed are gone, so that none can be said to be durable
  record Outcome(
      List<String> notes,
      long rows,
      boolean leavesRows,
      String leaves,
      long leftOut,
      boolean gone) {

    /// One of which none is gone, or was left out at the end.
    public Outcome(List<String> notes, long rows, boolean leavesRows, String leaves) {
      this(notes, rows, leavesRows, leaves, 0, false);
    }
  }

  /// See {@link millrace.spi.write.WriteSession#encoder}. From a lane's thread.
  default @Nullable Encoder encoder(WriteContext context) {
    return null;
  }

  /// See {@link millrace.spi.write.WriteSession#writer}. From a lane's thread.
  Writer writer(Form form, WriteContext context);

  /// Rows of a run that this one resumes are there. On the target's thread, before any writer.
  default void resume(JournaledRun from) {
    from.receipts().forEach(this::committed);
  }

  /// Another process has begun the run: commits look up the tokens of their splits. On the target's
  /// thread, before any writer.
  default void join(SplitOwners owners) {
    // If no owners are kept.
  }

  /// The place is as it is filled from now on. On the target's thread, before any writer.
  default void ready() {
    // Most have nothing to begin before their writers.
  }

  /// Rows have been committed, though the answer to that was lost, or by another process. If that
  /// has not written the receipt down, this one does. From any thread.
  default void committed(Receipt receipt) {
    // If rows are written again, nothing is counted by receipts.
  }

  /// The load has failed and is to be resumed: makes as much of it durable as can be. On the
  /// target's thread, once writers are closed, as are those below.
  ///
  /// @return whether there is anything to resume
  default boolean keep() {
    // Most have it in what is committed.
    return true;
  }

  /// What became of rows.
  Outcome outcome();

  @Override
  default void close() {
    // Most have nothing open but what is the target's.
  }
}
