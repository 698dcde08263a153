package millrace.data;

/// How exact decimal numbers are held.
///
/// In longs: a count of units of 10^-scale. As text: an optional minus, at least one digit, and if
/// the scale is above 0 a point and the digits after it; no exponent, no leading zero before
/// another digit, trailing zeros kept; or `NaN`, `Infinity`, `-Infinity`.
public final class Decimals {

  /// The most digits that always fit a long.
  public static final int DIGITS_IN_LONG = 18;

  /// Stands for NaN among decimals held in longs (PostgreSQL's numeric(p,s) allows NaN).
  public static final long NAN = Long.MIN_VALUE;

  private static final long[] POWERS = new long[DIGITS_IN_LONG + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private Decimals() {}

  /// 10 to the given power, 0 to 18.
  public static long powerOfTen(int exponent) {
    return POWERS[exponent];
  }

  /// Whether values of this type are held in longs.
  public static boolean fitsLong(Type.Decimal type) {
    return type.precision() >= 1
        && type.precision() <= DIGITS_IN_LONG
        && type.scale() >= 0
        && type.scale() <= DIGITS_IN_LONG;
  }
}
