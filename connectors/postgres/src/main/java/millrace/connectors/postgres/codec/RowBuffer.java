package millrace.connectors.postgres.codec;

import java.util.Arrays;

/// The rows of a batch, one behind the other, as they come. One thread.
public final class RowBuffer {

  private static final int ENDS_MIN = 1 << 10;

  private final int rowsMax;
  private final long bytesMax;
  private int[] ends = new int[ENDS_MIN];

  /// Where the rows are.
  public byte[] bytes = {};

  /// Where the next row goes.
  public int end;

  private int rows;

  /// @param rowsMax most rows
  /// @param bytesMax no more rows once they have so many bytes
  public RowBuffer(int rowsMax, long bytesMax) {
    this.rowsMax = rowsMax;
    this.bytesMax = bytesMax;
  }

  /// Begins a batch in that array; a longer one takes its place if rows are longer.
  public void begin(byte[] into) {
    bytes = into;
    end = 0;
    rows = 0;
  }

  public boolean hasRoom() {
    return rows < rowsMax && end < bytesMax;
  }

  /// Makes room for a row behind the others.
  public void reserve(int length) {
    if (bytes.length - end < length) {
      bytes = Arrays.copyOf(bytes, Math.addExact(end, length) + (end >> 2));
    }
  }

  /// A row of that length has been put at the end.
  public void add(int length) {
    if (rows == ends.length) {
      ends = Arrays.copyOf(ends, rows * 2);
    }
    end += length;
    ends[rows++] = end;
  }

  /// Adds a row from elsewhere.
  public void add(byte[] from, int start) {
    int length = from.length - start;
    reserve(length);
    System.arraycopy(from, start, bytes, end, length);
    add(length);
  }

  public int rows() {
    return rows;
  }

  public int start(int row) {
    return row == 0 ? 0 : ends[row - 1];
  }

  public int end(int row) {
    return ends[row];
  }
}
