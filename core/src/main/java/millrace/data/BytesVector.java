package millrace.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Values of varying length: row i is the bytes from `starts[i]` up to `ends[i]` of {@link #bytes}.
///
/// The bytes may be the vector's own, filled by {@link #append}, or the buffer that a whole batch
/// was read into ({@link #view}), so that a value that only passes through is never copied.
public final class BytesVector extends Vector {

  /// Where the values lie; the vector's own or a view on the batch's buffer.
  public byte[] bytes;

  /// Where each value starts.
  public final int[] starts;

  /// Where each value ends, exclusive.
  public final int[] ends;

  private byte[] buffer = new byte[0];
  private int used;

  public BytesVector(int capacity) {
    super(capacity);
    starts = new int[capacity];
    ends = new int[capacity];
    bytes = buffer;
  }

  /// Makes the values views on a buffer that somebody else filled and keeps until release.
  public void view(byte[] buffer) {
    bytes = buffer;
  }

  /// Empties the vector for {@link #append}, keeping its own buffer.
  public void reset() {
    bytes = buffer;
    used = 0;
  }

  /// Sets the value of a row by copying it behind those appended before; rows in any order.
  public void append(int row, byte[] from, int start, int end) {
    int length = end - start;
    reserve(length);
    System.arraycopy(from, start, buffer, used, length);
    starts[row] = used;
    used += length;
    ends[row] = used;
    nulls[row] = false;
  }

  /// Makes room for that many bytes behind those appended before, for a reader that copies them
  /// there itself and sets `starts`, `ends` and `nulls`. Returns their index in {@link #bytes}.
  public int grow(int length) {
    reserve(length);
    int at = used;
    used += length;
    return at;
  }

  /// The value of a row as a string; for messages and slow paths.
  public String text(int row) {
    return new String(bytes, starts[row], ends[row] - starts[row], StandardCharsets.UTF_8);
  }

  private void reserve(int length) {
    if (buffer.length - used < length) {
      int wanted = Math.max(Math.addExact(used, length), Math.max(1024, buffer.length * 2));
      buffer = Arrays.copyOf(buffer, wanted);
      bytes = buffer;
    }
  }
}
