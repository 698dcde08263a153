package millrace.connectors.postgres.codec;

import java.nio.charset.StandardCharsets;
import millrace.data.Decimals;
import millrace.fault.Fault;

/// PostgreSQL's binary `numeric`: four 16-bit numbers (count of digits, weight of the first digit
/// as a power of 10,000, sign, digits after the point), then the digits of base 10,000 without
/// leading and trailing zeros. See `numeric_send` and `numeric_recv` in
/// src/backend/utils/adt/numeric.c.
final class NumericBinary {

  /// The most bytes that {@link #encode(long, int, byte[], int)} writes: length, header, and the
  /// digits of 18 before and 18 after the point.
  static final int LONG_BYTES_MAX = 4 + 8 + 2 * (5 + 5);

  /// Bytes before the digits.
  static final int HEADER = 8;

  private static final int BASE = 10_000;
  private static final int BASE_DIGITS = 4;
  private static final int NEGATIVE = 0x4000;
  private static final int NAN = 0xC000;
  private static final int INFINITY = 0xD000;
  private static final int MINUS_INFINITY = 0xF000;

  /// Limits of the type: digits before and after the point.
  private static final int INTEGER_DIGITS_MAX = 131_072;

  private static final int SCALE_MAX = 16_383;

  private static final byte[] NAN_WORD = ascii("NaN");
  private static final byte[] INFINITY_WORD = ascii("Infinity");
  private static final byte[] MINUS_INFINITY_WORD = ascii("-Infinity");

  private NumericBinary() {}

  private static byte[] ascii(String word) {
    return word.getBytes(StandardCharsets.US_ASCII);
  }

  /// Writes the length and the value of `units` times 10 to the power of `-scale`.
  ///
  /// The groups are taken off from the right by divisions by constants; zero groups at that end are
  /// left out.
  ///
  /// @param scale 0 to 18
  /// @return the index behind
  static int encode(long units, int scale, byte[] out, int at) {
    if (units == Decimals.NAN) {
      return special(NAN, out, at);
    }
    long rest = Math.abs(units);
    int groupsAfter = (scale + BASE_DIGITS - 1) / BASE_DIGITS;
    int last;
    switch (groupsAfter * BASE_DIGITS - scale) {
      case 0 -> {
        last = (int) (rest % 10_000);
        rest /= 10_000;
      }
      case 1 -> {
        last = (int) (rest % 1_000) * 10;
        rest /= 1_000;
      }
      case 2 -> {
        last = (int) (rest % 100) * 100;
        rest /= 100;
      }
      default -> {
        last = (int) (rest % 10) * 1_000;
        rest /= 10;
      }
    }
    int lastWeight = -groupsAfter;
    while (last == 0 && rest != 0) {
      last = (int) (rest % BASE);
      rest /= BASE;
      lastWeight++;
    }
    int count = last == 0 ? 0 : 1 + groups(rest);
    BigEndian.putInt(out, at, HEADER + 2 * count);
    BigEndian.putShort(out, at + 4, count);
    BigEndian.putShort(out, at + 6, count == 0 ? 0 : lastWeight + count - 1);
    BigEndian.putShort(out, at + 8, units < 0 ? NEGATIVE : 0);
    BigEndian.putShort(out, at + 10, scale);
    int end = at + 4 + HEADER + 2 * count;
    if (count > 0) {
      BigEndian.putShort(out, end - 2, last);
    }
    for (int place = end - 4; rest != 0; place -= 2) {
      BigEndian.putShort(out, place, (int) (rest % BASE));
      rest /= BASE;
    }
    return end;
  }

  private static int groups(long value) {
    if (value < 100_000_000L) {
      return value == 0 ? 0 : value < BASE ? 1 : 2;
    }
    return value < 1_000_000_000_000L ? 3 : value < 10_000_000_000_000_000L ? 4 : 5;
  }

  /// Drops zero groups at both ends and writes length and header in front.
  private static int finish(
      int digits, int end, int weight, boolean negative, int scale, byte[] out, int at) {
    int from = digits;
    int to = end;
    int weightLeft = weight;
    while (from < to && BigEndian.getShort(out, from) == 0) {
      from += 2;
      weightLeft--;
    }
    while (to > from && BigEndian.getShort(out, to - 2) == 0) {
      to -= 2;
    }
    if (from > digits) {
      System.arraycopy(out, from, out, digits, to - from);
    }
    int length = to - from;
    BigEndian.putInt(out, at, HEADER + length);
    BigEndian.putShort(out, at + 4, length / 2);
    BigEndian.putShort(out, at + 6, length == 0 ? 0 : weightLeft);
    BigEndian.putShort(out, at + 8, negative && length > 0 ? NEGATIVE : 0);
    BigEndian.putShort(out, at + 10, scale);
    return digits + length;
  }

  private static int special(int sign, byte[] out, int at) {
    BigEndian.putInt(out, at, HEADER);
    BigEndian.putInt(out, at + 4, 0);
    BigEndian.putShort(out, at + 8, sign);
    BigEndian.putShort(out, at + 10, 0);
    return at + 4 + HEADER;
  }

  /// The most bytes that a decimal spelled in that many bytes takes, its length included.
  static int bytesMax(int textLength) {
    return 4 + HEADER + textLength / 2 + 2 * BASE_DIGITS;
  }

  /// Writes the length and the value of a decimal that is spelled as {@link Decimals} says.
  ///
  /// @return the index behind, or -1 if it has more digits than the type can hold
  static int encode(byte[] text, int start, int end, byte[] out, int at) {
    return switch (text[end - 1]) {
      case 'N' -> special(NAN, out, at);
      case 'y' -> special(text[start] == '-' ? MINUS_INFINITY : INFINITY, out, at);
      default -> encodeDigits(text, start, end, out, at);
    };
  }

  private static int encodeDigits(byte[] text, int start, int end, byte[] out, int at) {
    boolean negative = text[start] == '-';
    int first = negative ? start + 1 : start;
    int point = first;
    while (point < end && text[point] != '.') {
      point++;
    }
    int integerDigits = point - first;
    int scale = Math.max(0, end - point - 1);
    if (integerDigits > INTEGER_DIGITS_MAX || scale > SCALE_MAX) {
      return -1;
    }
    int groupsBefore = (integerDigits + BASE_DIGITS - 1) / BASE_DIGITS;
    int digits = at + 4 + HEADER;
    int next = digits;
    int from = point - groupsBefore * BASE_DIGITS;
    for (int i = 0; i < groupsBefore; i++, from += BASE_DIGITS) {
      BigEndian.putShort(out, next, group(text, from, first, point));
      next += 2;
    }
    for (from = point + 1; from < end; from += BASE_DIGITS) {
      BigEndian.putShort(out, next, group(text, from, from, end));
      next += 2;
    }
    return finish(digits, next, groupsBefore - 1, negative, scale, out, at);
  }

  /// Four digits from there on; those outside the bounds count as zeros.
  private static int group(byte[] text, int from, int low, int high) {
    int value = 0;
    for (int i = from; i < from + BASE_DIGITS; i++) {
      value = value * 10 + (i >= low && i < high ? text[i] - '0' : 0);
    }
    return value;
  }

  /// Reads a value as units of 10 to the power of `-scale`.
  static long decodeLong(byte[] bytes, int at, int scale) {
    int count = BigEndian.getShort(bytes, at) & 0xFFFF;
    int weight = BigEndian.getShort(bytes, at + 2);
    int sign = BigEndian.getShort(bytes, at + 4) & 0xFFFF;
    if (sign == NAN) {
      return Decimals.NAN;
    }
    if (sign != 0 && sign != NEGATIVE) {
      throw outOfPrecision();
    }
    long units = 0;
    for (int i = 0; i < count; i++) {
      int digit = BigEndian.getShort(bytes, at + HEADER + 2 * i);
      int exponent = BASE_DIGITS * (weight - i) + scale;
      if (Math.abs(exponent) > Decimals.DIGITS_IN_LONG) {
        throw outOfPrecision();
      }
      units +=
          exponent >= 0
              ? digit * Decimals.powerOfTen(exponent)
              : digit / Decimals.powerOfTen(-exponent);
    }
    return sign == NEGATIVE ? -units : units;
  }

  private static Fault outOfPrecision() {
    return new Fault.External(
        "The server sends a numeric that is out of its column's precision.", "", null);
  }

  /// Whether the bytes are as many as the count of digits says, and the value is within the type's
  /// limits.
  ///
  /// @param length at least {@link #HEADER}
  static boolean isComplete(byte[] bytes, int at, int length) {
    int count = BigEndian.getShort(bytes, at) & 0xFFFF;
    int weight = BigEndian.getShort(bytes, at + 2);
    int scale = BigEndian.getShort(bytes, at + 6);
    return length == HEADER + 2 * count
        && scale >= 0
        && scale <= SCALE_MAX
        && Math.abs(weight) <= INTEGER_DIGITS_MAX / BASE_DIGITS;
  }

  /// How many bytes the spelling of a value takes at most.
  static int textBytesMax(byte[] bytes, int at) {
    int weight = BigEndian.getShort(bytes, at + 2);
    int scale = BigEndian.getShort(bytes, at + 6);
    return Math.max(
        MINUS_INFINITY_WORD.length,
        3 + BASE_DIGITS * (Math.max(weight, 0) + 1) + scale + BASE_DIGITS);
  }

  /// Spells a value as {@link Decimals} says, and returns how many bytes that took.
  ///
  /// @param out with room for {@link #textBytesMax}
  static int decodeText(byte[] bytes, int at, byte[] out) {
    int count = BigEndian.getShort(bytes, at) & 0xFFFF;
    int weight = BigEndian.getShort(bytes, at + 2);
    int sign = BigEndian.getShort(bytes, at + 4) & 0xFFFF;
    int scale = BigEndian.getShort(bytes, at + 6);
    return switch (sign) {
      case NAN -> word(NAN_WORD, out);
      case INFINITY -> word(INFINITY_WORD, out);
      case MINUS_INFINITY -> word(MINUS_INFINITY_WORD, out);
      default -> {
        int next = 0;
        if (sign == NEGATIVE) {
          out[next++] = '-';
        }
        next = integerPart(bytes, at + HEADER, count, weight, out, next);
        yield scale == 0 ? next : fraction(bytes, at + HEADER, count, weight, scale, out, next);
      }
    };
  }

  private static int word(byte[] word, byte[] out) {
    System.arraycopy(word, 0, out, 0, word.length);
    return word.length;
  }

  private static int integerPart(
      byte[] bytes, int digits, int count, int weight, byte[] out, int from) {
    if (weight < 0) {
      out[from] = '0';
      return from + 1;
    }
    int next = from;
    for (int i = 0; i <= weight; i++) {
      putGroup(i < count ? BigEndian.getShort(bytes, digits + 2 * i) : 0, out, next);
      next += BASE_DIGITS;
    }
    int zeros = from;
    while (zeros < next - 1 && out[zeros] == '0') {
      zeros++;
    }
    System.arraycopy(out, zeros, out, from, next - zeros);
    return next - (zeros - from);
  }

  private static int fraction(
      byte[] bytes, int digits, int count, int weight, int scale, byte[] out, int from) {
    out[from] = '.';
    int next = from + 1;
    int groups = (scale + BASE_DIGITS - 1) / BASE_DIGITS;
    for (int i = weight + 1; i <= weight + groups; i++) {
      putGroup(i >= 0 && i < count ? BigEndian.getShort(bytes, digits + 2 * i) : 0, out, next);
      next += BASE_DIGITS;
    }
    return from + 1 + scale;
  }

  private static void putGroup(int group, byte[] out, int at) {
    out[at] = (byte) ('0' + group / 1000);
    out[at + 1] = (byte) ('0' + group / 100 % 10);
    out[at + 2] = (byte) ('0' + group / 10 % 10);
    out[at + 3] = (byte) ('0' + group % 10);
  }
}
