package millrace.spi.write;

import millrace.data.Batch;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;

/// Writes splits one after the other for one lane. One thread calls it, except for {@link #cancel}.
/// A split that was begun and not finished is undone by {@link #close}, unless it is a {@link
/// RecoverableWriter}.
public interface Writer extends AutoCloseable {

  /// Begins a split; the one before is finished.
  void start(Split split);

  /// Writes the rows and releases the batch, also if it throws.
  void write(Batch batch);

  /// Ends the split: its rows are now as durable as the receipt says.
  Receipt finish();

  /// Makes a blocked call return soon, with any fault. Called from another thread, at most once.
  default void cancel() {}

  /// Lets go of connections and buffers.
  @Override
  void close();
}
