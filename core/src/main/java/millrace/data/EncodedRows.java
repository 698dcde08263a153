package millrace.data;

import java.util.concurrent.atomic.AtomicInteger;

/// Which rows of a batch of columns frames were encoded from, so that a target that refuses one of
/// them later can name it and hand its record back.
///
/// Frames share the batch, which goes back to its reader when the last of them is released. Made
/// only if records may be set aside: otherwise batches go back at once.
public final class EncodedRows {

  private final Shared batch;
  private final int[] rows;

  private EncodedRows(Shared batch, int[] rows) {
    this.batch = batch;
    this.rows = rows;
  }

  /// A batch and how many hold it: whoever made this, and each origin.
  public static final class Shared {

    private final Columns columns;
    private final AtomicInteger holders = new AtomicInteger(1);

    /// The caller holds the batch, and calls {@link #release} once.
    public Shared(Columns columns) {
      this.columns = columns;
    }

    /// Of frames whose rows are these of the batch; the array is the origin's own from now on.
    public EncodedRows of(int[] rows) {
      holders.incrementAndGet();
      return new EncodedRows(this, rows);
    }

    /// The caller needs the batch no more. From any thread.
    public void release() {
      if (holders.decrementAndGet() == 0) {
        columns.release();
      }
    }
  }

  /// The batch.
  public Columns columns() {
    return batch.columns;
  }

  /// Which row of the batch a row of the frames was.
  public int row(int row) {
    return rows[row];
  }

  /// The frames are released.
  void release() {
    batch.release();
  }
}
