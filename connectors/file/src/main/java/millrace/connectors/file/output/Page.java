package millrace.connectors.file.output;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Bytes that are being written, in an array that grows.
public final class Page {

  /// How many bytes are copied as two longs, what lies behind a shorter value included.
  public static final int SHORT = 16;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  public byte[] bytes;
  public int length;

  public Page(int capacity) {
    bytes = new byte[capacity];
  }

  /// Makes room for that many more bytes.
  public void reserve(int more) {
    if (bytes.length - length < more) {
      long wanted = Math.max((long) length + more, Math.min(bytes.length * 2L, 1L << 30));
      bytes = Arrays.copyOf(bytes, Math.toIntExact(wanted));
    }
  }

  public void append(byte each) {
    reserve(1);
    bytes[length++] = each;
  }

  public void append(byte[] from) {
    append(from, 0, from.length);
  }

  public void append(byte[] from, int start, int end) {
    int count = end - start;
    if (count <= SHORT && start <= from.length - SHORT) {
      // Short values are the most; the call of arraycopy costs more than they do.
      reserve(SHORT);
      LONG.set(bytes, length, (long) LONG.get(from, start));
      LONG.set(bytes, length + 8, (long) LONG.get(from, start + 8));
    } else {
      reserve(count);
      System.arraycopy(from, start, bytes, length, count);
    }
    length += count;
  }
}
