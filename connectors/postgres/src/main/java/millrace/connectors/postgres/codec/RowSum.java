package millrace.connectors.postgres.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A sum of 64-bit hashes of rows as the server sent them: the same for the same rows in any order.
/// It wraps around, on purpose; unlike xor it tells two of a row from none. One thread.
///
/// The mixing step, the two halves of a 128-bit product xored together, is that of Wang Yi's
/// wyhash.
public final class RowSum {

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONE = 0xA0761D6478BD642FL;
  private static final long OTHER = 0xE7037ED1A0B428DBL;
  private static final long LAST = 0x8EBC6AF09C88C6E3L;
  private static final int STEP = 2 * Long.BYTES;

  private long sum;

  /// A split begins.
  public void begin() {
    sum = 0;
  }

  /// Adds the rows of a batch.
  public void add(RowBuffer rows) {
    byte[] bytes = rows.bytes;
    int start = 0;
    for (int row = 0; row < rows.rows(); row++) {
      int end = rows.end(row);
      sum += hash(bytes, start, end);
      start = end;
    }
  }

  /// The sum since the split began.
  public long value() {
    return sum;
  }

  static long hash(byte[] bytes, int start, int end) {
    long hash = OTHER ^ (end - start);
    int at = start;
    for (; at + STEP <= end; at += STEP) {
      hash = fold((long) WORD.get(bytes, at) ^ ONE, (long) WORD.get(bytes, at + 8) ^ hash);
    }
    long low = 0;
    if (at + Long.BYTES <= end) {
      low = (long) WORD.get(bytes, at);
      at += Long.BYTES;
    }
    long high = 0;
    for (; at < end; at++) {
      high = high << 8 | (bytes[at] & 0xFF);
    }
    return fold(fold(low ^ ONE, high ^ hash) ^ LAST, OTHER);
  }

  private static long fold(long a, long b) {
    return Math.unsignedMultiplyHigh(a, b) ^ (a * b);
  }
}
