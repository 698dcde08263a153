package millrace.spi.write;

import millrace.data.Batch;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Writes splits one after the other for one lane. One thread calls it, except for {@link #cancel}.
public interface Writer extends AutoCloseable {

  /// Begins a split; the one before is finished.
  void start(Split split);

  /// Writes the rows and releases the batch, also where it throws.
  void write(Batch batch);

  /// The rows so far are all those of the split up to a place from which it can be read on.
  ///
  /// @param rest the split from there on, or null at its end, right before {@link #finish}
  /// @param checksum as {@link Reader#checksum} gave it there
  /// @return a receipt where the rows have been made durable now
  default @Nullable Receipt reached(@Nullable Split rest, long checksum) {
    return null;
  }

  /// Ends the split: its rows are now as durable as the receipt says.
  Receipt finish();

  /// Makes a blocked call return soon, with any fault. Called from another thread, at most once.
  default void cancel() {}

  /// Lets go of connections and buffers; what was not finished is undone where it can be.
  @Override
  void close();

  /// Whether rows may have become durable though {@link #reached} or {@link #finish} failed. Asked
  /// once after such a failure, after {@link #close}.
  default boolean mayBeDurable() {
    return true;
  }

  /// Whether a split that was begun and not finished has left nothing behind, so that another
  /// writer may write it again. Asked once, after {@link #close}, and not where rows {@linkplain
  /// #mayBeDurable may be durable}.
  default boolean undone() {
    return true;
  }
}
