package millrace.connectors.mariadb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// Which numbers of a JSON document MySQL keeps, and how they are spelled for that.
///
/// It keeps whole numbers of 64 bits with a sign or without, and binary floating-point numbers of
/// 64 bits for all else. What it gives back is the shortest spelling of such a number, so any other
/// decimal is another number afterwards.
///
/// Its parser multiplies digits by a power of ten in floating point, which is off in the last place
/// for about every third number of 17 digits. It gathers whole digits exactly as long as 64 bits
/// hold them, in all versions. So such a number is spelled as a whole number with an exponent that
/// comes out right by that arithmetic as well as by exact one.
final class JsonNumbers {

  /// Of the shortest spelling of a floating-point number.
  private static final int DIGITS_MAX = 17;

  /// Whole numbers below that, times or by powers of ten up to 22, come out right everywhere, and
  /// no shorter spelling means the same floating-point number.
  private static final long EXACT_END = 1_000_000_000_000_000L;

  private static final int EXACT_POWER = 22;
  private static final int POWER_MAX = 308;

  /// So many digits 64 bits hold always, and sometimes one more.
  private static final int LONG_DIGITS = 19;

  /// More digits than that have been found to help no number.
  private static final int SPELLED_DIGITS_MAX = 36;

  private static final int NEIGHBOURS = 4;
  private static final BigInteger INTEGER_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger INTEGER_MAX =
      BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);
  private static final double[] POWERS = new double[POWER_MAX + 1];

  static {
    for (int i = 0; i <= POWER_MAX; i++) {
      POWERS[i] = Double.parseDouble("1e" + i);
    }
  }

  private JsonNumbers() {}

  /// Looks at a number that follows JSON's grammar.
  ///
  /// @return how it is to be spelled so that MySQL keeps it; null if it can't
  static @Nullable String spelled(byte[] bytes, int start, int end) {
    String text = new String(bytes, start, end - start, US_ASCII);
    String sign = text.startsWith("-") ? "-" : "";
    String bare = text.substring(sign.length());
    int mark = Math.max(bare.indexOf('e'), bare.indexOf('E'));
    String mantissa = mark < 0 ? bare : bare.substring(0, mark);
    int point = mantissa.indexOf('.');
    if (mark < 0 && point < 0 && isInteger(text)) {
      // As a whole number, minus zero would lose its sign.
      return text.equals("-0") ? "-0.0" : text;
    }
    int exponent = mark < 0 ? 0 : exponent(bare.substring(mark + 1));
    if (exponent < -POWER_MAX - DIGITS_MAX || exponent > POWER_MAX) {
      return null;
    }
    if (point >= 0) {
      exponent -= mantissa.length() - point - 1;
      mantissa = mantissa.substring(0, point) + mantissa.substring(point + 1);
    }
    return decimal(text, sign, mantissa, exponent);
  }

  private static boolean isInteger(String text) {
    if (text.length() > LONG_DIGITS + 2) {
      return false;
    }
    BigInteger value = new BigInteger(text);
    return value.compareTo(INTEGER_MIN) >= 0 && value.compareTo(INTEGER_MAX) <= 0;
  }

  /// An exponent; one that is beyond all numbers if it has many digits.
  private static int exponent(String text) {
    int digits = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    int first = digits;
    while (first < text.length() - 1 && text.charAt(first) == '0') {
      first++;
    }
    int size = text.length() - first > 4 ? 10_000 : Integer.parseInt(text.substring(first));
    return text.startsWith("-") ? -size : size;
  }

  /// @param mantissa all digits, which times ten to the power of `exponent` are the number
  private static @Nullable String decimal(String text, String sign, String mantissa, int exponent) {
    int first = 0;
    while (first < mantissa.length() && mantissa.charAt(first) == '0') {
      first++;
    }
    int last = mantissa.length();
    while (last > first && mantissa.charAt(last - 1) == '0') {
      last--;
    }
    if (first == last) {
      return sign + "0.0";
    }
    if (last - first > DIGITS_MAX) {
      return null;
    }
    long digits = Long.parseLong(mantissa.substring(first, last));
    int power = exponent + mantissa.length() - last;
    if (digits < EXACT_END && Math.abs(power) <= EXACT_POWER) {
      boolean isPlain =
          mantissa.length() - first < DIGITS_MAX - 1 && Math.abs(exponent) <= EXACT_POWER;
      return isPlain ? text : sign + digits + "e" + power;
    }
    double value = Double.parseDouble(digits + "e" + power);
    boolean isShortest =
        Double.isFinite(value)
            && value > 0
            && new BigDecimal(Double.toString(value)).compareTo(BigDecimal.valueOf(digits, -power))
                == 0;
    String found = isShortest ? search(value, sign, digits, power) : null;
    return found == null ? null : sign + found;
  }

  private static @Nullable String search(double value, String sign, long digits, int power) {
    BigInteger headMax = sign.isEmpty() ? INTEGER_MAX : INTEGER_MIN.negate();
    Search search = new Search(value, new BigDecimal(value), headMax);
    if (search.isRead(digits, 0, power)) {
      return digits + "e" + power;
    }
    for (int count = DIGITS_MAX; count <= SPELLED_DIGITS_MAX; count++) {
      String found = search.among(count);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static double unsigned(long value) {
    return value >= 0 ? value : 2.0 * ((value >>> 1) | (value & 1));
  }

  /// Looks for a spelling of a value without its sign.
  ///
  /// @param headMax up to where the parser gathers digits exactly
  private record Search(double value, BigDecimal exact, BigInteger headMax) {

    /// Looks among whole numbers of so many digits. What the parser does not gather are zeros,
    /// since some processors round once for two steps.
    private @Nullable String among(int count) {
      int power = exact.precision() - exact.scale() - count;
      int zeros = Math.max(0, count - LONG_DIGITS - 1);
      BigInteger middle = middle(power + zeros);
      while (middle.compareTo(headMax) > 0) {
        zeros++;
        middle = middle(power + zeros);
      }
      double step = Math.max(1, Math.ulp(middle.doubleValue()) / 2);
      for (int i = -NEIGHBOURS; i <= NEIGHBOURS; i++) {
        BigInteger head = middle.add(BigInteger.valueOf((long) (i * step)));
        boolean isHead = head.signum() > 0 && head.compareTo(headMax) <= 0;
        if (isHead && isRead(head.longValue(), zeros, power)) {
          return head + "0".repeat(zeros) + "e" + power;
        }
      }
      return null;
    }

    private BigInteger middle(int power) {
      return exact.movePointLeft(power).setScale(0, RoundingMode.HALF_EVEN).toBigInteger();
    }

    /// Whether digits and zeros behind them, times ten to the power of `power`, are the value to
    /// MySQL's arithmetic, and to exact one.
    ///
    /// @param head of 64 bits without a sign
    private boolean isRead(long head, int zeros, int power) {
      if (Math.abs(power) > POWER_MAX) {
        return false;
      }
      long fullAt = headMax.divide(BigInteger.TEN).longValue();
      long gathered = head;
      int left = zeros;
      while (left > 0 && Long.compareUnsigned(gathered, fullAt) <= 0) {
        gathered *= 10;
        left--;
      }
      double read = unsigned(gathered);
      for (; left > 0; left--) {
        read *= 10;
      }
      read = power < 0 ? read / POWERS[-power] : read * POWERS[power];
      return read == value
          && Double.parseDouble(Long.toUnsignedString(head) + "e" + (power + zeros)) == value;
    }
  }
}
