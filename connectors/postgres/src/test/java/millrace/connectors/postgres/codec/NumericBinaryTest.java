package millrace.connectors.postgres.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
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
    assertThat(java.util.Arrays.copyOf(fromLong, end))
        .isEqualTo(java.util.Arrays.copyOf(fromText, textEnd));

    byte[] back = new byte[NumericBinary.textBytesMax(fromLong, 7)];
    int length = NumericBinary.decodeText(fromLong, 7, back);
    assertThat(new String(back, 0, length, StandardCharsets.US_ASCII)).isEqualTo(spelled);
    assertThat(NumericBinary.decodeLong(fromLong, 7, scale)).isEqualTo(units);
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
