package millrace.data.spelling.number;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import millrace.data.spelling.Words;

/// The fewest decimal digits that read back to the same floating-point number, in the layout of
/// PostgreSQL's `float8out` and `float4out` (documented under `extra_float_digits`).
final class FloatDigits {

  /// From this power of ten on an exponent is written; below it, digits alone.
  private static final int EXPONENT_FROM = 15;

  private static final int EXPONENT_FROM_SINGLE = 6;
  private static final int EXPONENT_MIN = -4;
  private static final BigDecimal HALF = new BigDecimal("0.5");

  /// Most digits after the point that {@link #shortDecimal} tries.
  private static final int FRACTION_MAX = 6;

  private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};

  private FloatDigits() {}

  static int put(double value, boolean single, byte[] out, int at) {
    if (Double.isNaN(value)) {
      return Words.put(Words.NAN, out, at);
    }
    if (Double.isInfinite(value)) {
      return Words.put(value > 0 ? Words.INFINITY : Words.MINUS_INFINITY, out, at);
    }
    double size = Math.abs(value);
    int next = at;
    if (Double.compare(value, size) != 0) {
      out[next++] = '-';
    }
    int end = single ? shortSingle((float) size, out, next) : shortDecimal(size, out, next);
    return end > 0 ? end : putShortest(size, single, out, next);
  }

  /// Writes a number of few digits, as most are; returns 0 if it is not one.
  ///
  /// Two decimals of up to 15 digits never read as the same double, so that one which reads back is
  /// the shortest; and a division of two exact numbers rounds as reading does.
  private static int shortDecimal(double size, byte[] out, int at) {
    for (int digits = 0; digits <= FRACTION_MAX; digits++) {
      double units = Math.rint(size * POWERS[digits]);
      if (units >= 1e15) {
        return 0;
      }
      if (units / POWERS[digits] == size) {
        return putUnits((long) units, digits, out, at);
      }
    }
    return 0;
  }

  /// The same for 32 bits, where up to 6 digits are safe.
  private static int shortSingle(float size, byte[] out, int at) {
    for (int digits = 0; digits <= FRACTION_MAX; digits++) {
      float units = (float) Math.rint(size * POWERS[digits]);
      if (units >= 1e6f) {
        return 0;
      }
      if (units / POWERS[digits] == size) {
        return putUnits((long) units, digits, out, at);
      }
    }
    return 0;
  }

  /// Numbers that need an exponent in spite of few digits never come here with fewer than 5 digits
  /// after the point: 0.0001 is the smallest without one.
  private static int putUnits(long units, int fractionDigits, byte[] out, int at) {
    long one = POWERS[fractionDigits];
    if (fractionDigits > -EXPONENT_MIN
        && units != 0
        && units < POWERS[fractionDigits + EXPONENT_MIN]) {
      return 0;
    }
    int next = Digits.put(units / one, out, at);
    if (fractionDigits == 0) {
      return next;
    }
    out[next] = '.';
    return Digits.putPadded(units % one, fractionDigits, out, next + 1);
  }

  private static int putShortest(double size, boolean single, byte[] out, int at) {
    Shortest shortest = Shortest.of(size, single);
    int exponent = shortest.exponent();
    int from = single ? EXPONENT_FROM_SINGLE : EXPONENT_FROM;
    if (exponent < EXPONENT_MIN || exponent >= from) {
      return putScientific(shortest.digits(), exponent, out, at);
    }
    return putPlain(shortest.digits(), exponent, out, at);
  }

  private static int putPlain(String digits, int exponent, byte[] out, int at) {
    int next = at;
    if (exponent < 0) {
      out[next++] = '0';
      out[next++] = '.';
      for (int i = -1; i > exponent; i--) {
        out[next++] = '0';
      }
    }
    for (int i = 0; i < Math.max(digits.length(), exponent + 1); i++) {
      if (i > 0 && i == exponent + 1) {
        out[next++] = '.';
      }
      out[next++] = (byte) (i < digits.length() ? digits.charAt(i) : '0');
    }
    return next;
  }

  private static int putScientific(String digits, int exponent, byte[] out, int at) {
    int next = at;
    out[next++] = (byte) digits.charAt(0);
    if (digits.length() > 1) {
      out[next++] = '.';
      for (int i = 1; i < digits.length(); i++) {
        out[next++] = (byte) digits.charAt(i);
      }
    }
    out[next++] = 'e';
    out[next++] = (byte) (exponent < 0 ? '-' : '+');
    int power = Math.abs(exponent);
    return Digits.putPadded(power, power < 100 ? 2 : 3, out, next);
  }

  /// The digits of a number and the power of ten of the first of them, from the JDK's own shortest
  /// spelling (Raffaello Giulietti, "The Schubfach way to render doubles", since JDK 19).
  private record Shortest(String digits, int exponent) {

    static Shortest of(double size, boolean single) {
      String text = single ? Float.toString((float) size) : Double.toString(size);
      int letter = text.indexOf('E');
      String mantissa = letter < 0 ? text : text.substring(0, letter);
      int exponent = letter < 0 ? 0 : Integer.parseInt(text.substring(letter + 1));
      int point = mantissa.indexOf('.');
      String all = mantissa.substring(0, point) + mantissa.substring(point + 1);
      int first = 0;
      while (first < all.length() - 1 && all.charAt(first) == '0') {
        first++;
      }
      int last = all.length();
      while (last > first + 1 && all.charAt(last - 1) == '0') {
        last--;
      }
      Shortest shortest =
          oneDigit(
              new Shortest(all.substring(first, last), exponent + point - 1 - first), size, single);
      boolean mayBeHalfWay = size >= (single ? 1L << 12 : 1L << 29) && size < 1e40;
      return mayBeHalfWay ? offTheBounds(shortest, size, single) : shortest;
    }

    private static Shortest of(BigDecimal shown) {
      BigDecimal least = shown.stripTrailingZeros();
      String digits = least.unscaledValue().toString();
      return new Shortest(digits, digits.length() - 1 - least.scale());
    }

    private BigDecimal value() {
      return new BigDecimal(new BigInteger(digits), digits.length() - 1 - exponent);
    }

    /// PostgreSQL takes no digits that stand exactly half-way to the next number, where readers
    /// that do not round to even would take that one; the JDK does. It happens to no number below
    /// 2^12 (2^29 with 64 bits), for half-way then has more digits than the shortest spelling.
    private static Shortest offTheBounds(Shortest shortest, double size, boolean single) {
      BigDecimal exact = new BigDecimal(size);
      double above = single ? Math.nextUp((float) size) : Math.nextUp(size);
      double below = single ? Math.nextDown((float) size) : Math.nextDown(size);
      if (Double.isInfinite(above)) {
        return shortest;
      }
      BigDecimal upper = new BigDecimal(above).add(exact).multiply(HALF);
      BigDecimal lower = new BigDecimal(below).add(exact).multiply(HALF);
      BigDecimal shown = shortest.value();
      int digits = shortest.digits.length();
      while (shown.compareTo(upper) >= 0 || shown.compareTo(lower) <= 0) {
        digits++;
        shown = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      }
      return digits == shortest.digits.length() ? shortest : of(shown);
    }

    /// The JDK always shows two digits, of which the second is not needed where numbers lie very
    /// far apart: the smallest double is 4.9E-324 to it, and 5e-324 in fact.
    private static Shortest oneDigit(Shortest two, double size, boolean single) {
      double gapsEnd = 128 * (single ? Float.MIN_VALUE : Double.MIN_VALUE);
      if (two.digits.length() != 2 || size >= gapsEnd) {
        return two;
      }
      int rounded = (Integer.parseInt(two.digits) + 5) / 10;
      String digit = rounded == 10 ? "1" : Integer.toString(rounded);
      Shortest one = new Shortest(digit, rounded == 10 ? two.exponent + 1 : two.exponent);
      String spelled = one.digits + "E" + one.exponent;
      double back = single ? Float.parseFloat(spelled) : Double.parseDouble(spelled);
      return back == size ? one : two;
    }
  }
}
