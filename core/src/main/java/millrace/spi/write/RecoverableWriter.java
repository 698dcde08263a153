package millrace.spi.write;

import millrace.spi.journal.Receipt;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// A writer whose rows may be durable before their split ends, or that can't undo a split by
/// itself.
public interface RecoverableWriter extends Writer {

  /// What a writer that failed has left of its split.
  enum Leftover {
    /// Nothing of what no receipt speaks of: another writer may write it again.
    NOTHING,
    /// Rows may have become durable: {@link Recoverable#statusOf} tells.
    UNKNOWN,
    /// Rows that can't be taken back one by one: the run has to end.
    ROWS
  }

  /// The rows so far are all those of the split up to a place from which it can be read on.
  ///
  /// @param rest the split from there on, or null at its end, right before {@link #finish}
  /// @param checksum as {@link Reader#checksum} gave it there
  /// @return a receipt if the rows have been made durable now
  default @Nullable Receipt checkpoint(@Nullable Split rest, long checksum) {
    return null;
  }

  /// Ends a small split and leaves its rows to be made durable with those of the next: by the next
  /// {@link #checkpoint} that gives a receipt, {@link #finish} or {@link #commitFinished}.
  ///
  /// @return the receipt that is true then; null if {@link #finish} is to end the split
  default @Nullable Receipt finishLater() {
    return null;
  }

  /// Makes durable the splits that {@link #finishLater} has ended: no other split follows.
  default void commitFinished() {}

  /// What it has left behind of all that is not durable. Asked once after a failure, after {@link
  /// #close}.
  ///
  /// @param committing whether it failed in {@link #checkpoint}, {@link #finish} or {@link
  ///   #commitFinished}
  Leftover leftover(boolean committing);
}
