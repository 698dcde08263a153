package millrace.data;

import java.util.Arrays;
import millrace.fault.Location;
import org.jspecify.annotations.Nullable;

/// Fills batches for a reader that gets rows one by one, or some at a time, and knows where each
/// stands. The reader's own thread uses it.
///
/// Rows are written into {@link #batch} from {@link #rows} on, and count once they are {@link
/// #add}ed or {@link #leaveOut left out}. {@link #finish} gives the batch away.
public final class BatchFill {

  private final ColumnsPool pool;
  private final long bytesMax;
  private String resource = "";
  private int split;
  private long firstRow;
  private long readBefore;
  private @Nullable Columns batch;
  private int rows;
  private int read;
  private long bytes;

  /// How many rows were read before each of the batch's; counts only if some were left out.
  private int[] places = {};

  /// @param bytesMax a batch with so many bytes is full, whatever the pool's capacity
  public BatchFill(ColumnsPool pool, long bytesMax) {
    this.pool = pool;
    this.bytesMax = bytesMax;
  }

  /// Begins a split; what was not finished before is dropped.
  ///
  /// @param of what it is a part of, as a {@link Location} names it
  /// @param number of the split
  /// @param row number of its first row, from 1; 0 if unknown
  public void start(String of, int number, long row) {
    resource = of;
    split = number;
    firstRow = row;
    readBefore = 0;
    reset();
  }

  /// The batch to write into.
  public Columns batch() {
    Columns filling = batch == null ? pool.take() : batch;
    batch = filling;
    return filling;
  }

  /// How many rows are in the batch, which is the position of the next one.
  public int rows() {
    return rows;
  }

  /// Whether no row has been read since the batch before.
  public boolean isEmpty() {
    return read == 0;
  }

  /// How many bytes more the batch takes.
  public long bytesLeft() {
    return bytesMax - bytes;
  }

  /// How many rows more the batch takes.
  public int rowsLeft() {
    return pool.capacity() - rows;
  }

  /// Whether the batch takes another row.
  public boolean hasRoom() {
    return rowsLeft() > 0 && bytesLeft() > 0;
  }

  /// How many rows of the split have been read, those left out included.
  public long read() {
    return readBefore + read;
  }

  /// Says that the batch has so many rows more, and of how many bytes of the source.
  public void add(int count, long size) {
    if (read > rows) {
      for (int i = 0; i < count; i++) {
        places[rows + i] = read + i;
      }
    }
    rows += count;
    read += count;
    bytes += size;
  }

  /// Says that the next row is bad, and stays out of the batch.
  public void leaveOut(long size) {
    if (read == rows) {
      places = places.length == 0 ? new int[pool.capacity()] : places;
      Arrays.setAll(places, i -> i);
    }
    read++;
    bytes += size;
  }

  /// The batch; null if nothing has been read since the one before. It has no rows if all were left
  /// out.
  public @Nullable Columns finish() {
    Columns filled = batch;
    if (filled == null || read == 0) {
      reset();
      return null;
    }
    boolean thinned = read > rows;
    long skipped = readBefore + (thinned && rows > 0 ? places[0] : 0);
    long number = firstRow == 0 ? 0 : firstRow + skipped;
    filled.filled(rows, bytes, new Location(resource, split, number, 0, -1), null);
    if (thinned) {
      filled.standAt(places);
    }
    filled.standsBehind(skipped);
    readBefore += read;
    batch = null;
    reset();
    return filled;
  }

  private void reset() {
    if (batch != null) {
      batch.release();
    }
    batch = null;
    rows = 0;
    read = 0;
    bytes = 0;
  }
}
