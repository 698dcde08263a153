package millrace.data.spelling.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelled;
import millrace.data.spelling.SpellingStyle;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// Numbers mean what the JDK says they mean, or are refused.
class NumberSpellingPropertyTest {

  private static final Pattern INTEGER =
      Pattern.compile("[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]{1,6})?");

  /// The point may stand between thousands.
  private static final Pattern GROUPS = Pattern.compile("[+-]?[1-9][0-9]{0,2}[.][0-9]{3}");

  private static final Pattern NUMBER =
      Pattern.compile("([+-]?)([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,6})?");

  /// Nearly numbers: digits with a sprinkle of what may stand among them, and of what may not.
  @Provide
  Arbitrary<String> spellings() {
    Arbitrary<String> digits = Arbitraries.strings().withChars("0123456789").ofMaxLength(24);
    Arbitrary<String> zeros = Arbitraries.strings().withChars("0").ofMaxLength(20);
    Arbitrary<String> signs = Arbitraries.of("", "", "-", "+", "--", " ", "N");
    Arbitrary<String> fractions =
        Arbitraries.strings().withChars("0123456789").ofMaxLength(24).map(s -> "." + s);
    Arbitrary<String> ends =
        Arbitraries.of("", "", "", "", "e5", "E-3", "e+30", "e-330", "e", ".", " ", "d", ":", "/");
    return net.jqwik.api.Combinators.combine(
            signs, zeros, digits, Arbitraries.oneOf(Arbitraries.just(""), fractions), ends)
        .as((sign, zero, digit, fraction, end) -> sign + zero + digit + fraction + end);
  }

  @Property
  void integers(
      @ForAll("spellings") String spelling, @ForAll @IntRange(min = 0, max = 2) int size) {
    int bits = 16 << size;
    Vector read = Spelled.read(new Type.Int(bits), SpellingStyle.ISO, spelling);
    boolean isRead = INTEGER.matcher(spelling).matches() && !GROUPS.matcher(spelling).matches();
    BigDecimal number = isRead ? new BigDecimal(spelling).stripTrailingZeros() : null;
    BigInteger meant = number == null || number.scale() > 0 ? null : number.toBigIntegerExact();
    if (meant == null || meant.bitLength() >= bits) {
      assertThat(read).isNull();
    } else {
      assertThat(read).isNotNull();
      assertThat(((LongVector) read).values[0]).isEqualTo(meant.longValueExact());
    }
  }

  @Property
  void everyLongReadsBack(@ForAll long value) {
    LongVector vector = new LongVector(1);
    vector.values[0] = value;
    String spelling = Spelled.write(new Type.Int(64), SpellingStyle.ISO, vector);
    assertThat(spelling).isEqualTo(Long.toString(value));
    assertThat(Spelled.again(new Type.Int(64), spelling)).isEqualTo(spelling);
  }

  @Property(tries = 5000)
  void decimals(
      @ForAll("spellings") String spelling,
      @ForAll @IntRange(min = 1, max = 100) int precision,
      @ForAll @IntRange(min = -3, max = 100) int scale) {
    Type.Decimal type = new Type.Decimal(precision, scale);
    String expected = "refused";
    if (NUMBER.matcher(spelling).matches() && fits(new BigDecimal(spelling), type)) {
      expected = new BigDecimal(spelling).setScale(Math.max(0, scale)).toPlainString();
    }
    assertThat(Spelled.again(type, spelling)).isEqualTo(expected);
  }

  private static boolean fits(BigDecimal value, Type.Decimal type) {
    if (value.signum() == 0) {
      return true;
    }
    BigDecimal least = value.stripTrailingZeros();
    return least.scale() <= type.scale()
        && value.setScale(type.scale()).unscaledValue().abs().toString().length()
            <= type.precision();
  }

  @Property
  void decimalsWithoutLimitKeepTheirDigits(@ForAll("spellings") String spelling) {
    String expected = "refused";
    if (NUMBER.matcher(spelling).matches()) {
      BigDecimal meant = new BigDecimal(spelling);
      expected = meant.setScale(Math.max(0, meant.scale())).toPlainString();
    }
    assertThat(Spelled.again(Type.Decimal.UNLIMITED, spelling)).isEqualTo(expected);
  }

  @Test
  void aFewBytesNeverBecomeManyDigits() {
    for (String spelling : List.of("1e999", "1e-998", "-0e-999")) {
      assertThat(Spelled.again(Type.Decimal.UNLIMITED, spelling))
          .as(spelling)
          .hasSizeLessThan(1003);
    }
    for (String spelling : List.of("1e1000", "1e-1000", "1e999999", "-0e-1000")) {
      assertThat(Spelled.again(Type.Decimal.UNLIMITED, spelling)).isEqualTo("refused");
    }
  }

  @Property(tries = 5000)
  void floats(@ForAll("spellings") String spelling, @ForAll boolean single) {
    java.util.regex.Matcher matcher = NUMBER.matcher(spelling);
    Vector read = Spelled.read(new Type.Float(single ? 32 : 64), SpellingStyle.ISO, spelling);
    double meant = Double.NaN;
    if (matcher.matches()) {
      meant = single ? Float.parseFloat(spelling) : Double.parseDouble(spelling);
      boolean zero = new BigDecimal(matcher.group(2)).signum() == 0;
      if (Double.isInfinite(meant) || (meant == 0 && !zero)) {
        meant = Double.NaN;
      }
    }
    if (Double.isNaN(meant) || isLost(spelling, meant, single)) {
      assertThat(read).isNull();
    } else {
      assertThat(read).isNotNull();
      assertThat(Double.doubleToRawLongBits(((DoubleVector) read).values[0]))
          .isEqualTo(Double.doubleToRawLongBits(meant));
    }
  }

  /// From 0.000001 to 1,000,000. If the nearest double is the middle itself, the way to a float by
  /// way of a double may end at the wrong one.
  @Property(tries = 5000)
  void whatLiesBesideTheMiddleOfTwoFloatsIsTheNearerOne(
      @ForAll @IntRange(min = 0x3586_37BD, max = 0x4974_2400) int bits,
      @ForAll @IntRange(min = 14, max = 18) int digits) {
    float below = Float.intBitsToFloat(bits);
    BigDecimal middle =
        new BigDecimal(below).add(new BigDecimal(Math.nextUp(below))).divide(BigDecimal.TWO);
    for (RoundingMode mode : List.of(RoundingMode.DOWN, RoundingMode.UP)) {
      floats(middle.round(new MathContext(digits, mode)).toPlainString(), true);
    }
  }

  /// Whether a spelling is a whole number that is neither the float nor what is written for it.
  private static boolean isLost(String spelling, double value, boolean single) {
    BigDecimal meant = new BigDecimal(spelling);
    BigDecimal exact = new BigDecimal(value);
    boolean whole = meant.stripTrailingZeros().scale() <= 0;
    if (!whole || meant.compareTo(exact) == 0) {
      return false;
    }
    if (spelling.toLowerCase(Locale.ROOT).contains("e")) {
      int digits = Math.max(1, meant.stripTrailingZeros().precision());
      return Stream.of(RoundingMode.HALF_UP, RoundingMode.HALF_DOWN)
          .map(mode -> exact.round(new MathContext(digits, mode)))
          .noneMatch(written -> written.compareTo(meant) == 0);
    }
    String fewest = single ? Float.toString((float) value) : Double.toString(value);
    return new BigDecimal(fewest).compareTo(meant) != 0;
  }

  /// A whole number that comes as digits alone is the float, to its last digit, or is refused.
  @Property(tries = 5000)
  void noWholeNumberBecomesAnother(
      @ForAll long number, @ForAll @IntRange(min = 0, max = 40) int shift, @ForAll boolean single) {
    long whole = number >> shift;
    boolean exact =
        single
            ? new BigDecimal((float) whole).compareTo(BigDecimal.valueOf(whole)) == 0
            : new BigDecimal((double) whole).compareTo(BigDecimal.valueOf(whole)) == 0;
    String fewest = single ? Float.toString((float) whole) : Double.toString((double) whole);
    boolean written = new BigDecimal(fewest).compareTo(BigDecimal.valueOf(whole)) == 0;
    Vector read =
        Spelled.read(new Type.Float(single ? 32 : 64), SpellingStyle.ISO, Long.toString(whole));
    assertThat(read != null).as(Long.toString(whole)).isEqualTo(exact || written);
  }

  @Property(tries = 5000)
  void whatProgramsWriteForADoubleIsRead(
      @ForAll long bits, @ForAll @IntRange(min = 16, max = 20) int digits) {
    double value = Double.longBitsToDouble(bits);
    if (!Double.isFinite(value)) {
      return;
    }
    BigDecimal exact = new BigDecimal(value);
    String rounded = String.format(Locale.ROOT, "%." + digits + "e", exact);
    String plain = new BigDecimal(Double.toString(value)).toPlainString();
    for (String spelling : List.of(rounded, plain, exact.toPlainString())) {
      assertThat(Spelled.read(new Type.Float(64), SpellingStyle.ISO, spelling))
          .as(spelling)
          .isNotNull();
    }
  }

  @Property(tries = 5000)
  void everyDoubleReadsBackFromItsFewestDigits(@ForAll long bits) {
    double value = Double.longBitsToDouble(bits);
    assertShortest(new Type.Float(64), value, Double.toString(value));
  }

  @Property(tries = 5000)
  void everyFloatReadsBackFromItsFewestDigits(@ForAll int bits) {
    float value = Float.intBitsToFloat(bits);
    assertShortest(new Type.Float(32), value, Float.toString(value));
  }

  @Property
  void amountsAreWrittenAsTheyAreSpoken(
      @ForAll @IntRange(min = -99_999_999, max = 99_999_999) int units,
      @ForAll @IntRange(min = 0, max = 8) int scale) {
    double value = new BigDecimal(BigInteger.valueOf(units), scale).doubleValue();
    assertShortest(new Type.Float(64), value, Double.toString(value));
    float single = (float) value;
    assertShortest(new Type.Float(32), single, Float.toString(single));
  }

  private static void assertShortest(Type type, double value, String fewestDigits) {
    DoubleVector vector = new DoubleVector(1);
    vector.values[0] = value;
    String spelling = Spelled.write(type, SpellingStyle.ISO, vector);
    Vector back = Spelled.read(type, SpellingStyle.ISO, spelling);
    assertThat(back).as(spelling).isNotNull();
    assertThat(Double.doubleToLongBits(((DoubleVector) back).values[0]))
        .isEqualTo(Double.doubleToLongBits(value));
    if (Double.isFinite(value)) {
      BigDecimal ours = new BigDecimal(spelling).stripTrailingZeros();
      BigDecimal theirs = new BigDecimal(fewestDigits).stripTrailingZeros();
      boolean longer = ours.precision() > theirs.precision();
      assertThat(longer).as(spelling).isEqualTo(isHalfWay(theirs, value, type));
    }
  }

  /// Whether the digits stand half-way to the next number, where the JDK takes them, PostgreSQL
  /// not.
  private static boolean isHalfWay(BigDecimal digits, double value, Type type) {
    boolean single = type.equals(new Type.Float(32));
    BigDecimal twice = digits.add(digits).subtract(new BigDecimal(value));
    double up = single ? Math.nextUp((float) value) : Math.nextUp(value);
    double down = single ? Math.nextDown((float) value) : Math.nextDown(value);
    return (Double.isFinite(up) && twice.compareTo(new BigDecimal(up)) == 0)
        || (Double.isFinite(down) && twice.compareTo(new BigDecimal(down)) == 0);
  }
}
