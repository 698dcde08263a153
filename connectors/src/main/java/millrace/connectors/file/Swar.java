package millrace.connectors.file;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Looks through byte arrays eight bytes at a time, with the arithmetic of one long.
///
/// The zero-byte test is the well-known one of Hacker's Delight (Warren, section 6-1): its lowest
/// hit is exact, hits above it may be false. Counting uses the exact form.
final class Swar {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long LOWS = 0x7F7F7F7F7F7F7F7FL;

  private Swar() {}

  /// The first place of a byte in `[from, to)`, or `to`.
  static int indexOf(byte[] bytes, int from, int to, byte wanted) {
    long pattern = (wanted & 0xFFL) * ONES;
    int at = from;
    for (; at <= to - 8; at += 8) {
      long word = (long) LONG.get(bytes, at) ^ pattern;
      long hits = (word - ONES) & ~word & HIGHS;
      if (hits != 0) {
        return at + (Long.numberOfTrailingZeros(hits) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == wanted) {
        return at;
      }
    }
    return to;
  }

  /// The first place of either byte in `[from, to)`, or `to`.
  static int indexOf(byte[] bytes, int from, int to, byte one, byte other) {
    long pattern = (one & 0xFFL) * ONES;
    long otherPattern = (other & 0xFFL) * ONES;
    int at = from;
    for (; at <= to - 8; at += 8) {
      long word = (long) LONG.get(bytes, at);
      long first = word ^ pattern;
      long second = word ^ otherPattern;
      long hits = (((first - ONES) & ~first) | ((second - ONES) & ~second)) & HIGHS;
      if (hits != 0) {
        return at + (Long.numberOfTrailingZeros(hits) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == one || bytes[at] == other) {
        return at;
      }
    }
    return to;
  }

  /// How often a byte occurs in `[from, to)`.
  static int count(byte[] bytes, int from, int to, byte wanted) {
    long pattern = (wanted & 0xFFL) * ONES;
    int count = 0;
    int at = from;
    for (; at <= to - 8; at += 8) {
      long word = (long) LONG.get(bytes, at) ^ pattern;
      count += Long.bitCount(~(((word & LOWS) + LOWS) | word | LOWS));
    }
    for (; at < to; at++) {
      if (bytes[at] == wanted) {
        count++;
      }
    }
    return count;
  }

  /// Whether every byte of `[from, to)` is below 128.
  static boolean isAscii(byte[] bytes, int from, int to) {
    int at = from;
    for (; at <= to - 8; at += 8) {
      if (((long) LONG.get(bytes, at) & HIGHS) != 0) {
        return false;
      }
    }
    for (; at < to; at++) {
      if (bytes[at] < 0) {
        return false;
      }
    }
    return true;
  }
}
