package millrace.connectors.postgres.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/// PostgreSQL's binary numeric, against java.math.
class NumericBinaryTest {

  private static final long MOST = 999_999_999_999_999_999L;

  @Provide
  Arbitrary<Long> units() {
    Arbitrary<Long> sparse =
        Arbitraries.longs()
            .between(-9_999, 9_999)
            .flatMap(digits ->
                Arbitraries.integers()
                    .between(0, 14)
                    .map(zeros -> digits * (long) Math.pow(10, zeros)));
    return Arbitraries.oneOf(Arbitraries.longs().between(-MOST, MOST), sparse);
  }

  @Property
  void decimalsInLongsAreTheirDigitsAndNothingElse(
      @ForAll("units") long units, @ForAll @IntRange(max = 18) int scale) {
    String spelled = BigDecimal.valueOf(units, scale).toPlainString();
    byte[] fromLong = new byte[64];
    int end = NumericBinary.encode(units, scale, fromLong, 3);
    assertThat(end - 3).isLessThanOrEqualTo(NumericBinary.LONG_BYTES_MAX);
    assertThat(BigEndian.getInt(fromLong, 3)).isEqualTo(end - 7);

    byte[] text = spelled.getBytes(StandardCharsets.US_ASCII);
    byte[] fromText = new byte[64];
    int textEnd = NumericBinary.encode(text, 0, text.length, fromText, 3);
    assertThat(Arrays.copyOf(fromLong, end)).isEqualTo(Arrays.copyOf(fromText, textEnd));

    byte[] back = new byte[NumericBinary.textBytesMax(fromLong, 7)];
    int length = NumericBinary.decodeText(fromLong, 7, back);
    assertThat(new String(back, 0, length, StandardCharsets.US_ASCII)).isEqualTo(spelled);
    assertThat(NumericBinary.decodeLong(fromLong, 7, scale)).isEqualTo(units);
  }

  /// Digits stand in groups of four, counted from the point: every power of ten begins or ends one.
  @Example
  void powersOfTenAndTheirNeighboursAreWhatTheFormatSays() {
    for (int exponent = 0; exponent <= 18; exponent++) {
      for (int delta = -1; delta <= 1; delta++) {
        long units = Math.clamp(BigInteger.TEN.pow(exponent).longValueExact() + delta, -MOST, MOST);
        for (int scale = 0; scale <= 18; scale++) {
          assertThatLongsAreWhatTheFormatSays(units, scale);
          assertThatLongsAreWhatTheFormatSays(-units, scale);
        }
      }
    }
  }

  /// The same of decimals that fit no long: some digits before the point, some behind it.
  @Example
  void powersOfTenBeyondALongAndTheirNeighboursAreWhatTheFormatSays() {
    for (int exponent = 18; exponent <= 42; exponent++) {
      for (int delta = -1; delta <= 1; delta++) {
        BigInteger units = BigInteger.TEN.pow(exponent).add(BigInteger.valueOf(delta));
        for (int scale = 0; scale <= 44; scale++) {
          assertThatTextsAreWhatTheFormatSays(new BigDecimal(units, scale));
          assertThatTextsAreWhatTheFormatSays(new BigDecimal(units.negate(), scale));
        }
      }
    }
  }

  private static void assertThatLongsAreWhatTheFormatSays(long units, int scale) {
    BigDecimal value = BigDecimal.valueOf(units, scale);
    byte[] expected = reference(value);
    byte[] fromLong = new byte[64];
    int end = NumericBinary.encode(units, scale, fromLong, 0);
    assertThat(Arrays.copyOf(fromLong, end)).as("%s", value).isEqualTo(expected);
    assertThat(NumericBinary.decodeLong(expected, 4, scale)).as("%s", value).isEqualTo(units);
    assertThatTextsAreWhatTheFormatSays(value);
  }

  private static void assertThatTextsAreWhatTheFormatSays(BigDecimal value) {
    byte[] expected = reference(value);
    String spelled = value.toPlainString();
    byte[] text = spelled.getBytes(StandardCharsets.US_ASCII);
    byte[] out = new byte[NumericBinary.bytesMax(text.length)];
    int end = NumericBinary.encode(text, 0, text.length, out, 0);
    assertThat(Arrays.copyOf(out, end)).as("text %s", spelled).isEqualTo(expected);
    byte[] back = new byte[NumericBinary.textBytesMax(expected, 4)];
    int length = NumericBinary.decodeText(expected, 4, back);
    assertThat(new String(back, 0, length, StandardCharsets.US_ASCII)).isEqualTo(spelled);
  }

  /// PostgreSQL's `numeric_send` in numeric.c, by java.math: count of groups, weight of the first,
  /// sign, digits behind the point, groups; after the length of a field.
  private static byte[] reference(BigDecimal value) {
    int padding = (4 - value.scale() % 4) % 4;
    BigInteger left = value.unscaledValue().abs().multiply(BigInteger.TEN.pow(padding));
    Deque<Short> groups = new ArrayDeque<>();
    while (left.signum() > 0) {
      BigInteger[] parts = left.divideAndRemainder(BigInteger.valueOf(10_000));
      groups.addFirst(parts[1].shortValueExact());
      left = parts[0];
    }
    int weight = groups.isEmpty() ? 0 : groups.size() - (value.scale() + padding) / 4 - 1;
    while (!groups.isEmpty() && groups.getLast() == 0) {
      groups.removeLast();
    }
    ByteBuffer out = ByteBuffer.allocate(12 + 2 * groups.size());
    out.putInt(8 + 2 * groups.size()).putShort((short) groups.size()).putShort((short) weight);
    out.putShort((short) (value.signum() < 0 ? 0x4000 : 0)).putShort((short) value.scale());
    groups.forEach(out::putShort);
    return out.array();
  }

  /// As `SELECT numeric_send(-1234567.8)` of PostgreSQL prints it.
  @Example
  void theServersOwnBytes() {
    byte[] out = new byte[32];
    int end = NumericBinary.encode(-12_345_678L, 1, out, 0);
    assertThat(java.util.HexFormat.of().formatHex(out, 4, end))
        .isEqualTo("0003000140000001007b11d71f40");
  }
}
