package millrace.data.spelling;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Decimal digits in bytes, read eight at a time and written two at a time.
///
/// Eight ASCII digits are one long: whether all are digits, and their value, follow from a few
/// operations on the whole long. The idea is Johnny Lee's, described by Daniel Lemire in "Quickly
/// parsing eight digits" (2018).
final class Digits {

  /// What {@link #parse} answers where a byte is not a digit.
  static final long NONE = -1;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ZEROS = 0x3030303030303030L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final byte[] PAIRS = new byte[200];
  private static final long[] POWERS = new long[19];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
    for (int i = 0; i < 100; i++) {
      PAIRS[2 * i] = (byte) ('0' + i / 10);
      PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
    }
  }

  private Digits() {}

  /// The value of 1 to 18 digits, or {@link #NONE} where there are fewer, more, or other bytes.
  static long parse(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length <= 8) {
      return upToEight(bytes, start, length);
    }
    if (length <= 16) {
      long high = upToEight(bytes, start, length - 8);
      long low = eight(load(bytes, end - 8));
      return (high | low) < 0 ? NONE : high * 100_000_000 + low;
    }
    if (length <= 18) {
      long high = upToEight(bytes, start, length - 16);
      long middle = eight(load(bytes, end - 16));
      long low = eight(load(bytes, end - 8));
      return (high | middle | low) < 0 ? NONE : (high * 100_000_000 + middle) * 100_000_000 + low;
    }
    return NONE;
  }

  /// The value of two digits, or a negative number.
  static int two(byte[] bytes, int at) {
    int tens = bytes[at] - '0';
    int ones = bytes[at + 1] - '0';
    return (tens | ones | (9 - tens) | (9 - ones)) < 0 ? -1 : tens * 10 + ones;
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /// The index of the first byte that is not a `0`.
  static int skipZeros(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && bytes[at] == '0') {
      at++;
    }
    return at;
  }

  /// Eight bytes, the first as the lowest.
  static long load(byte[] bytes, int at) {
    return (long) EIGHT_BYTES.get(bytes, at);
  }

  private static long upToEight(byte[] bytes, int start, int length) {
    if (length <= 0) {
      return NONE;
    }
    if (start + 8 > bytes.length) {
      return oneByOne(bytes, start, start + length);
    }
    long chunk = load(bytes, start);
    if (length < 8) {
      // Moves the digits to the end, as a little-endian long counts, and puts zeros before them.
      chunk = (chunk << (64 - 8 * length)) | (ZEROS >>> (8 * length));
    }
    return eight(chunk);
  }

  private static long eight(long chunk) {
    long digits = chunk - ZEROS;
    if ((((chunk + 0x4646464646464646L) | digits) & HIGH_BITS) != 0) {
      return NONE;
    }
    long pairs = digits * 10 + (digits >>> 8);
    long high = (pairs & 0x000000FF000000FFL) * 0x000F424000000064L;
    long low = ((pairs >>> 16) & 0x000000FF000000FFL) * 0x0000271000000001L;
    return (high + low) >>> 32;
  }

  private static long oneByOne(byte[] bytes, int start, int end) {
    long value = 0;
    for (int i = start; i < end; i++) {
      if (!isDigit(bytes[i])) {
        return NONE;
      }
      value = value * 10 + (bytes[i] - '0');
    }
    return value;
  }

  /// How many digits a number has, which is not negative; 1 for 0.
  ///
  /// The number of bits times log10(2) is the number of digits or one less: Henry S. Warren,
  /// "Hacker's Delight", integer log base 10.
  static int count(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    int digits = (bits * 1233) >> 12;
    return value >= POWERS[digits] ? digits + 1 : Math.max(1, digits);
  }

  /// Writes a number, which is not negative or is {@link Long#MIN_VALUE} taken as unsigned.
  static int put(long value, byte[] out, int at) {
    if (value < 0) {
      int next = put(Long.divideUnsigned(value, 10), out, at);
      out[next] = (byte) ('0' + Long.remainderUnsigned(value, 10));
      return next + 1;
    }
    return putPadded(value, count(value), out, at);
  }

  /// Writes the lowest digits of a number, with zeros before it where it has fewer.
  static int putPadded(long value, int digits, byte[] out, int at) {
    long rest = value;
    int i = at + digits;
    while (i - 2 >= at) {
      long next = rest / 100;
      i -= 2;
      putTwo((int) (rest - next * 100), out, i);
      rest = next;
    }
    if (i > at) {
      out[at] = (byte) ('0' + rest % 10);
    }
    return at + digits;
  }

  /// Writes a number from 0 to 99 as two digits.
  static void putTwo(int value, byte[] out, int at) {
    out[at] = PAIRS[2 * value];
    out[at + 1] = PAIRS[2 * value + 1];
  }
}
