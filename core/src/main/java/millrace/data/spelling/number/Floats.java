package millrace.data.spelling.number;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import millrace.data.DoubleVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.ValueCodec;
import millrace.data.spelling.Words;

/// Binary floating-point numbers, spelled as PostgreSQL spells them: the fewest digits that read
/// back to the same number, with an exponent if it is below -4 or not below 15 (6 for 32 bits).
///
/// Reads digits with an optional point and an optional exponent, to the nearest number; refuses
/// what overflows to infinity or vanishes to zero, and a whole number that the type can't hold.
///
/// A whole number is held if it is exact, or if it is what others write for the nearest number: its
/// fewest digits with zeros behind them, or, with an exponent, its digits rounded. So
/// `9007199254740993` is refused, and `123456789012345680000` and `1e23` are read.
public final class Floats extends ValueCodec {

  /// `-1.2345678901234567e-` and the room for the exponent's digits.
  public static final int LENGTH_MAX = 21 + Digits.ROOM;

  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private static final int EXPONENT_DIGITS_MAX = 6;

  /// Whole numbers up to here have no gaps among doubles.
  private static final long MANTISSA_MAX = 1L << 53;

  /// Powers of ten up to here are exact.
  private static final int POWER_MAX = 22;

  /// Bits of a double that a float has not, and their value half-way between two floats.
  private static final long SPARE_BITS = (1L << 29) - 1;

  private static final long HALF_WAY = 1L << 28;

  /// Whole numbers up to here have no gaps among floats.
  private static final long INTEGER_MAX_SINGLE = 1L << 24;

  private final boolean single;

  /// From here on a whole number may lie between two numbers of the type.
  private final double gapsFrom;

  public Floats(int bits) {
    single = bits == 32;
    gapsFrom = single ? INTEGER_MAX_SINGLE : MANTISSA_MAX;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    double value = nearest(bytes, start, end);
    if (Double.isNaN(value) && !Words.is(Words.NAN, bytes, start, end)) {
      return false;
    }
    boolean hasGaps = Math.abs(value) >= gapsFrom && !Double.isInfinite(value);
    if (hasGaps && !isHeld(bytes, start, end, value)) {
      return false;
    }
    DoubleVector doubles = (DoubleVector) into;
    doubles.values[row] = value;
    doubles.nulls[row] = false;
    return true;
  }

  /// Whether a number is no whole number, or is one that the type holds.
  ///
  /// @param value the nearest number of the type
  private boolean isHeld(byte[] bytes, int start, int end, double value) {
    String text = new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    BigDecimal spelled = new BigDecimal(text).stripTrailingZeros();
    BigDecimal exact = new BigDecimal(value);
    if (spelled.scale() > 0 || exact.compareTo(spelled) == 0) {
      return true;
    }
    if (text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
      return exact.subtract(spelled).abs().multiply(BigDecimal.TWO).compareTo(spelled.ulp()) <= 0;
    }
    String shortest = single ? Float.toString((float) value) : Double.toString(value);
    return new BigDecimal(shortest).compareTo(spelled) == 0;
  }

  /// Why a spelling is refused, as the end of a sentence, if that is because the type can't hold
  /// the whole number; else nothing.
  public static String lost(Type.Float type, String spelling) {
    byte[] bytes = spelling.getBytes(StandardCharsets.ISO_8859_1);
    double value = new Floats(type.bits()).nearest(bytes, 0, bytes.length);
    return Double.isFinite(value)
        ? "the nearest number that it holds is " + new BigDecimal(value).toPlainString()
        : "";
  }

  /// The nearest number of the type, or NaN if these bytes are none.
  public double nearest(byte[] bytes, int start, int end) {
    if (start >= end) {
      return Double.NaN;
    }
    boolean negative = bytes[start] == '-';
    int from = negative || bytes[start] == '+' ? start + 1 : start;
    int point = Digits.digitsEnd(bytes, from, end);
    boolean pointed = point < end && bytes[point] == '.';
    int mantissaEnd = pointed ? Digits.digitsEnd(bytes, point + 1, end) : point;
    int fractionDigits = pointed ? mantissaEnd - point - 1 : 0;
    if (point - from + fractionDigits == 0) {
      return infinity(bytes, from, end, negative);
    }
    int exponent = exponent(bytes, mantissaEnd, end);
    if (exponent == Integer.MIN_VALUE) {
      return Double.NaN;
    }
    long mantissa = mantissa(bytes, from, point, fractionDigits);
    int power = exponent - fractionDigits;
    if (mantissa >= 0 && mantissa <= MANTISSA_MAX && Math.abs(power) <= POWER_MAX) {
      double size = exact(mantissa, power);
      if (!single || isSafeToNarrow(size)) {
        double fitting = single ? (float) size : size;
        return negative ? -fitting : fitting;
      }
    }
    return slow(bytes, start, mantissaEnd, end);
  }

  /// All digits as one number, or a negative one if there are too many.
  private static long mantissa(byte[] bytes, int start, int point, int fractionDigits) {
    int from = Digits.skipZeros(bytes, start, point);
    if (point - from + fractionDigits > 18) {
      return Digits.NONE;
    }
    long integer = from == point ? 0 : Digits.parse(bytes, from, point);
    if (fractionDigits == 0) {
      return integer;
    }
    long fraction = Digits.parse(bytes, point + 1, point + 1 + fractionDigits);
    return integer * millrace.data.Decimals.powerOfTen(fractionDigits) + fraction;
  }

  /// Both operands are exact, so that the one rounding of the operation is the right one: William
  /// Clinger, "How to Read Floating Point Numbers Accurately" (1990).
  private static double exact(long mantissa, int power) {
    return power < 0 ? mantissa / POWERS[-power] : mantissa * POWERS[power];
  }

  /// Whether rounding a second time, to 32 bits, gives what rounding once would have: it does
  /// unless the first time ended half-way between two floats. Only for floats of full precision.
  private static boolean isSafeToNarrow(double size) {
    boolean normal = size >= Float.MIN_NORMAL && size <= Float.MAX_VALUE;
    return size == 0 || (normal && (Double.doubleToRawLongBits(size) & SPARE_BITS) != HALF_WAY);
  }

  /// What the JDK reads; NaN if the number is lost to infinity or zero.
  private double slow(byte[] bytes, int start, int mantissaEnd, int end) {
    String text = new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
    boolean vanished = value == 0 && !isZero(bytes, start, mantissaEnd);
    return Double.isInfinite(value) || vanished ? Double.NaN : value;
  }

  private static boolean isZero(byte[] bytes, int start, int mantissaEnd) {
    for (int i = start; i < mantissaEnd; i++) {
      if (bytes[i] >= '1' && bytes[i] <= '9') {
        return false;
      }
    }
    return true;
  }

  private static double infinity(byte[] bytes, int start, int end, boolean negative) {
    if (Words.is(Words.INFINITY, bytes, start, end) || Words.is(Words.INF, bytes, start, end)) {
      return negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    return Double.NaN;
  }

  /// The exponent that fills the bytes from `start`, 0 if there is none, or {@link
  /// Integer#MIN_VALUE} if there is something else.
  static int exponent(byte[] bytes, int start, int end) {
    if (start == end) {
      return 0;
    }
    if ((bytes[start] | 0x20) != 'e' || end - start < 2) {
      return Integer.MIN_VALUE;
    }
    boolean negative = bytes[start + 1] == '-';
    int from = negative || bytes[start + 1] == '+' ? start + 2 : start + 1;
    int significant = Math.min(Digits.skipZeros(bytes, from, end), end - 1);
    if (from == end || end - significant > EXPONENT_DIGITS_MAX) {
      return Integer.MIN_VALUE;
    }
    int value = (int) Digits.parse(bytes, significant, end);
    if (value < 0) {
      return Integer.MIN_VALUE;
    }
    return negative ? -value : value;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return LENGTH_MAX;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    double value = ((DoubleVector) from).values[row];
    return FloatDigits.put(value, single, out, at);
  }
}
