package millrace.spi.read;

import millrace.data.Batch;
import org.jspecify.annotations.Nullable;

/// Reads splits one after the other for one lane. One thread calls it, except for {@link #cancel}.
public interface Reader extends AutoCloseable {

  /// Begins a split; the one before is finished.
  void start(Split split);

  /// The next rows of the split, or null at its end. The caller owns the batch.
  ///
  /// The batch is in the form asked for, or, if its rows do not fit that, in the fallback form.
  @Nullable Batch next();

  /// What of the split is left behind the batches that have been given: another split of the same
  /// number, which can be read by itself, and has no rows if that was the last batch. Null if it
  /// can't be cut there.
  default @Nullable Split rest() {
    return null;
  }

  /// CRC-32C of the source's bytes since the split began, up to where the last batch ends, or what
  /// {@link ReadPlan#checksums} asked for; 0 if nobody adds them up.
  default long checksum() {
    return 0;
  }

  /// Makes a blocked call return soon, with any fault. Called from another thread, at most once.
  default void cancel() {}

  @Override
  void close();
}
