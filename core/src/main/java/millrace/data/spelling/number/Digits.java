package millrace.data.spelling.number;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Decimal digits in bytes, read and written eight at a time.
///
/// Eight ASCII digits are one long: whether all are digits, and their value, follow from a few
/// operations on the whole long. The idea is Johnny Lee's, described by Daniel Lemire in "Quickly
/// parsing eight digits" (2018); the way back is Paul Khuong's in "How to print integers really
/// fast" (2017).
public final class Digits {

  /// How many places {@link #put} and {@link #putPadded} may change at the least.
  public static final int ROOM = 8;

  /// What {@link #parse} answers if a byte is not a digit.
  public static final long NONE = -1;

  /// The first number that takes more than eight digits.
  private static final long NINE_DIGITS = 100_000_000;

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle TWO_BYTES =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ZEROS = 0x3030303030303030L;
  private static final long HIGH_HALVES = 0xF0F0F0F0F0F0F0F0L;
  private static final long HIGH_BITS = 0x8080808080808080L;

  /// The two digits of each number below 100, the first in the lower byte.
  private static final short[] PAIRS = new short[100];

  static {
    for (int i = 0; i < 100; i++) {
      PAIRS[i] = (short) ('0' + i / 10 | ('0' + i % 10) << 8);
    }
  }

  private Digits() {}

  /// The value of 1 to 18 digits, or {@link #NONE} if there are fewer, more, or other bytes.
  public static long parse(byte[] bytes, int start, int end) {
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
  public static int two(byte[] bytes, int at) {
    int tens = bytes[at] - '0';
    int ones = bytes[at + 1] - '0';
    return (tens | ones | (9 - tens) | (9 - ones)) < 0 ? -1 : tens * 10 + ones;
  }

  public static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /// The index of the first byte that is not a digit.
  public static int digitsEnd(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && isDigit(bytes[at])) {
      at++;
    }
    return at;
  }

  /// Whether the bytes of a number are digits alone, and not a point or an exponent as well.
  ///
  /// @param end behind one byte at least
  public static boolean areDigits(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length > 8 || start + 8 > bytes.length) {
      return digitsEnd(bytes, start, end) == end;
    }
    return ((load(bytes, start) & HIGH_HALVES) ^ ZEROS) << (64 - 8 * length) == 0;
  }

  /// The index of the first byte that is not a `0`.
  public static int skipZeros(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && bytes[at] == '0') {
      at++;
    }
    return at;
  }

  /// Eight bytes, the first as the lowest.
  public static long load(byte[] bytes, int at) {
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

  /// Eight bytes, the first as the lowest.
  static void store(long bytes, byte[] out, int at) {
    EIGHT_BYTES.set(out, at, bytes);
  }

  /// The eight digits of a number below 100,000,000 as ASCII, the first in the lowest byte.
  static long spell(int number) {
    return spread(number) + ZEROS;
  }

  /// Each of eight digits as a byte's value. All parts are divided at once: first the two halves of
  /// four digits by 100, then the four pairs by 10, each by a product and a shift that are exact
  /// for numbers so small.
  private static long spread(int number) {
    long halves = number / 10_000 | (long) (number % 10_000) << 32;
    long hundreds = (halves * 10_486) >>> 20 & 0x0000007F0000007FL;
    long pairs = ((halves - 100 * hundreds) << 16) + hundreds;
    long tens = (pairs * 103) >>> 10 & 0x000F000F000F000FL;
    return tens + ((pairs - 10 * tens) << 8);
  }

  /// Writes a number, which is not negative or is {@link Long#MIN_VALUE} taken as unsigned.
  ///
  /// @return the index after the last digit
  public static int put(long value, byte[] out, int at) {
    if (value < 0) {
      int next = put(Long.divideUnsigned(value, 10), out, at);
      out[next] = (byte) ('0' + Long.remainderUnsigned(value, 10));
      return next + 1;
    }
    if (value < NINE_DIGITS) {
      long digits = spread((int) value);
      int zeros = Long.numberOfTrailingZeros(digits | 1L << 56) & -Byte.SIZE;
      store((digits + ZEROS) >>> zeros, out, at);
      return at + Long.BYTES - zeros / Byte.SIZE;
    }
    long head = value / NINE_DIGITS;
    int next = put(head, out, at);
    store(spell((int) (value - head * NINE_DIGITS)), out, next);
    return next + Long.BYTES;
  }

  /// Writes a number of at most so many digits, with zeros before it if it has fewer.
  ///
  /// @return the index after the last digit
  public static int putPadded(long value, int digits, byte[] out, int at) {
    if (digits <= Long.BYTES) {
      store(spell((int) value) >>> (Byte.SIZE * (Long.BYTES - digits)), out, at);
      return at + digits;
    }
    long head = value / NINE_DIGITS;
    int next = putPadded(head, digits - Long.BYTES, out, at);
    store(spell((int) (value - head * NINE_DIGITS)), out, next);
    return next + Long.BYTES;
  }

  /// Writes a number from 0 to 99 as two digits.
  public static void putTwo(int value, byte[] out, int at) {
    TWO_BYTES.set(out, at, PAIRS[value]);
  }
}
