package millrace.testkit.oracle.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// An answer under construction. One thread uses it.
public final class TtcOutput {

  private static final int LONGEST_SHORT = 252;
  private static final int CHUNKED = 0xFE;
  private static final int CHUNK_BYTES = 32767;
  private static final int NEGATIVE = 0x80;

  private byte[] bytes = new byte[512];
  private int size;

  public int size() {
    return size;
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  void copy(int from, byte[] to, int at, int count) {
    System.arraycopy(bytes, from, to, at, count);
  }

  public TtcOutput u1(int... values) {
    for (int value : values) {
      room(1);
      bytes[size++] = (byte) value;
    }
    return this;
  }

  public TtcOutput raw(byte[] value) {
    return raw(value, 0, value.length);
  }

  public TtcOutput raw(byte[] value, int from, int count) {
    room(count);
    System.arraycopy(value, from, bytes, size, count);
    size += count;
    return this;
  }

  public TtcOutput raw(String text) {
    return raw(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Integers with their lengths before them; zero is a length of 0.
  public TtcOutput ub(long... values) {
    for (long value : values) {
      long left = Math.abs(value);
      int length = (Long.SIZE - Long.numberOfLeadingZeros(left) + 7) / 8;
      u1(length | (value < 0 ? NEGATIVE : 0));
      for (int i = length - 1; i >= 0; i--) {
        u1((int) (left >>> (8 * i)));
      }
    }
    return this;
  }

  /// A byte string with its length, in chunks if it is long; null and empty look the same.
  public TtcOutput clr(byte @Nullable [] value) {
    if (value == null) {
      return u1(0);
    }
    return clr(value, value.length);
  }

  /// The first bytes of a byte string, with their length.
  public TtcOutput clr(byte[] value, int count) {
    if (count <= LONGEST_SHORT) {
      return u1(count).raw(value, 0, count);
    }
    u1(CHUNKED);
    for (int from = 0; from < count; from += CHUNK_BYTES) {
      int chunk = Math.min(CHUNK_BYTES, count - from);
      ub(chunk).raw(value, from, chunk);
    }
    return u1(0);
  }

  public TtcOutput clr(String text) {
    return clr(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A length, and the byte string with its own length if there is any.
  public TtcOutput dalc(byte @Nullable [] value) {
    if (value == null || value.length == 0) {
      return ub(0);
    }
    return ub(value.length).clr(value);
  }

  public TtcOutput dalc(String text) {
    return dalc(text.getBytes(StandardCharsets.UTF_8));
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
