package millrace.data.spelling.guess;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import millrace.data.Decimals;
import millrace.data.Type;
import millrace.data.spelling.Words;
import millrace.data.spelling.number.Digits;
import millrace.data.spelling.number.Floats;
import millrace.data.spelling.number.NumberRespelling;
import millrace.data.spelling.number.NumberStyle;
import org.jspecify.annotations.Nullable;

/// Whether a column is numbers, and which: integers, decimals if there are fractions, floats if
/// exponents, infinities, NaN or a negative zero occur.
final class NumberGuess implements TypeGuess.Hypothesis {

  private static final int FLOAT_BITS = 64;

  /// Digits before the point that a decimal has room for beyond the most seen.
  private static final int HEADROOM_DIGITS = 3;

  /// The most digits of a decimal that the usual databases have in common.
  private static final int PRECISION_MAX = 38;

  /// As many digits of a decimal survive in a 64-bit float, whatever they are.
  static final int FLOAT_DIGITS = 15;

  private final @Nullable NumberRespelling respelling;
  private final Floats floats = new Floats(FLOAT_BITS);
  private boolean witnessed;
  private boolean onlyFloat;
  private boolean exactFloat = true;
  private int integerDigitsMax;
  private int scaleMax;

  /// @param style how numbers are spelled
  NumberGuess(NumberStyle style) {
    respelling = NumberRespelling.of(style);
  }

  @Override
  public boolean holds(byte[] bytes, int start, int end) {
    NumberRespelling anew = respelling;
    return (anew != null && anew.respell(bytes, start, end, false))
        ? isNumber(anew.plain(), 0, anew.length())
        : (anew == null || !isPlain(bytes, start, end)) && isNumber(bytes, start, end);
  }

  /// Whether it would be a number if it were spelled plainly, which it is not.
  private boolean isPlain(byte[] bytes, int start, int end) {
    return Double.isFinite(floats.nearest(bytes, start, end));
  }

  private boolean isNumber(byte[] bytes, int start, int end) {
    int from = start < end && bytes[start] == '-' ? start + 1 : start;
    int point = Digits.digitsEnd(bytes, from, end);
    boolean pointed = point < end && bytes[point] == '.';
    int mantissaEnd = pointed ? Digits.digitsEnd(bytes, point + 1, end) : point;
    if (mantissaEnd == from) {
      onlyFloat = true;
      return isWord(bytes, from, end) && exactFloat;
    }
    int scale = pointed ? mantissaEnd - point - 1 : 0;
    double value = floats.nearest(bytes, start, end);
    if (hasZerosBefore(bytes, from, point) || (pointed && scale == 0) || Double.isNaN(value)) {
      return false;
    }
    witnessed = true;
    int significant = point - Digits.skipZeros(bytes, from, point);
    integerDigitsMax = Math.max(integerDigitsMax, significant);
    scaleMax = Math.max(scaleMax, scale);
    onlyFloat |= mantissaEnd < end || (value == 0 && from > start);
    exactFloat &= significant + scale <= FLOAT_DIGITS || survives(bytes, start, end, value);
    return !onlyFloat || exactFloat;
  }

  private static boolean isWord(byte[] bytes, int start, int end) {
    return Words.is(Words.NAN, bytes, start, end)
        || Words.is(Words.INF, bytes, start, end)
        || Words.is(Words.INFINITY, bytes, start, end);
  }

  /// Whether digits begin with a zero that says nothing, as those of codes do.
  static boolean hasZerosBefore(byte[] bytes, int start, int end) {
    return bytes[start] == '0' && start + 1 < end && Digits.isDigit(bytes[start + 1]);
  }

  /// Whether a float has the value that is spelled, to its last digit.
  static boolean survives(byte[] bytes, int start, int end, double value) {
    BigDecimal spelled =
        new BigDecimal(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1));
    return spelled.compareTo(new BigDecimal(Double.toString(value))) == 0;
  }

  @Override
  public boolean isWitnessed() {
    return witnessed;
  }

  /// Decimals keep their scale, so that a later value with more digits after the point is reported;
  /// they are held in longs, which is fast, if that leaves room before the point.
  @Override
  public Type type() {
    if (onlyFloat) {
      return new Type.Float(FLOAT_BITS);
    }
    if (scaleMax == 0 && integerDigitsMax <= Decimals.DIGITS_IN_LONG) {
      return new Type.Int(Long.SIZE);
    }
    if (integerDigitsMax + HEADROOM_DIGITS + scaleMax <= Decimals.DIGITS_IN_LONG) {
      return new Type.Decimal(Decimals.DIGITS_IN_LONG, scaleMax);
    }
    return integerDigitsMax + scaleMax <= PRECISION_MAX
        ? new Type.Decimal(PRECISION_MAX, scaleMax)
        : Type.Decimal.UNLIMITED;
  }
}
