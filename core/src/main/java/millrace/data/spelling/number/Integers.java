package millrace.data.spelling.number;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import millrace.data.LongVector;
import millrace.data.Vector;
import millrace.data.spelling.ValueCodec;

/// Signed integers: digits with a minus before them. A plus and leading zeros are read as well, and
/// so are whole numbers with a fraction of zeros or an exponent: `12.0`, `1e3`. `12.000` is not,
/// because its point may stand between thousands.
public final class Integers extends ValueCodec {

  /// Nineteen digits and the sign.
  private static final int LENGTH_MAX = 20;

  /// More than any whole number of 64 bits needs; a field of few bytes must not become a million.
  private static final int SPELLING_MAX = 100;

  private static final int GROUP_DIGITS = 3;

  /// All digits of the largest long but the last.
  private static final long HEAD_MAX = Long.MAX_VALUE / 10;

  private final long min;
  private final long max;

  public Integers(int bits) {
    min = -1L << (bits - 1);
    max = ~min;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    if (start >= end) {
      return false;
    }
    byte first = bytes[start];
    boolean negative = first == '-';
    int from = negative || first == '+' ? start + 1 : start;
    long value;
    if (end - from <= 18) {
      value = Digits.parse(bytes, from, end);
      if (value < 0) {
        return ofDecimal(bytes, start, from, end, into, row);
      }
      value = negative ? -value : value;
    } else {
      long below = belowZero(bytes, Digits.skipZeros(bytes, from, end), end);
      if (below > 0 || (below == Long.MIN_VALUE && !negative)) {
        return ofDecimal(bytes, start, from, end, into, row);
      }
      value = negative ? below : -below;
    }
    return put(value, into, row);
  }

  private boolean put(long value, Vector into, int row) {
    if (value < min || value > max) {
      return false;
    }
    LongVector longs = (LongVector) into;
    longs.values[row] = value;
    longs.nulls[row] = false;
    return true;
  }

  /// Reads a number with a fraction or an exponent, if it is whole.
  private boolean ofDecimal(byte[] bytes, int start, int from, int end, Vector into, int row) {
    int point = Digits.digitsEnd(bytes, from, end);
    boolean pointed = point < end && bytes[point] == '.';
    int fraction = pointed ? point + 1 : point;
    int digitsEnd = Digits.digitsEnd(bytes, fraction, end);
    boolean isNumber =
        end - start <= SPELLING_MAX
            && point > from
            && (pointed || digitsEnd < end)
            && Floats.exponent(bytes, digitsEnd, end) != Integer.MIN_VALUE;
    boolean mayBeGroups =
        digitsEnd == end
            && digitsEnd - fraction == GROUP_DIGITS
            && point - from <= GROUP_DIGITS
            && bytes[from] != '0';
    if (!isNumber || mayBeGroups) {
      return false;
    }
    BigDecimal value =
        new BigDecimal(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1))
            .stripTrailingZeros();
    if (value.scale() > 0 || (long) value.precision() - value.scale() > LENGTH_MAX) {
      return false;
    }
    BigInteger exact = value.toBigIntegerExact();
    return exact.bitLength() < Long.SIZE && put(exact.longValueExact(), into, row);
  }

  /// The digits as a number of zero or less, because there is one more of them than of positive
  /// ones; 1 if they are no number that fits.
  private static long belowZero(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length == 0) {
      return 0;
    }
    if (length <= 18) {
      long value = Digits.parse(bytes, start, end);
      return value < 0 ? 1 : -value;
    }
    if (length > 19 || !Digits.isDigit(bytes[end - 1])) {
      return 1;
    }
    long head = Digits.parse(bytes, start, end - 1);
    int last = bytes[end - 1] - '0';
    boolean fits = head >= 0 && (head < HEAD_MAX || (head == HEAD_MAX && last <= 8));
    return fits ? -head * 10 - last : 1;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return LENGTH_MAX;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    long value = ((LongVector) from).values[row];
    if (value >= 0) {
      return Digits.put(value, out, at);
    }
    out[at] = '-';
    return Digits.put(-value, out, at + 1);
  }
}
