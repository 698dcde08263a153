package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import millrace.data.BytesVector;
import millrace.data.Type;
import oracle.sql.NUMBER;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Numbers from their bytes, which the driver's own class makes here.
class OracleNumbersTest {

  private static final int ROUNDS = 20_000;

  private static byte[] bytes(BigDecimal value) throws SQLException {
    return new NUMBER(value).getBytes();
  }

  private static String text(byte[] number, Type.Decimal type) {
    byte[] out = new byte[260];
    int length = OracleNumbers.text(number, type, out);
    return new String(out, 0, length, StandardCharsets.US_ASCII);
  }

  private static BigDecimal drawn(Random random) {
    BigInteger digits = new BigInteger(random.nextInt(1, 126), random);
    BigDecimal value = new BigDecimal(digits, random.nextInt(-10, 45));
    BigDecimal kept = value.round(new MathContext(38, RoundingMode.DOWN));
    return random.nextBoolean() ? kept : kept.negate();
  }

  @Test
  void numbersAreSpelledAsTheDriverHasThem() throws SQLException {
    Random random = new Random(1);
    for (int i = 0; i < ROUNDS; i++) {
      BigDecimal value = drawn(random);
      BigDecimal bare = value.signum() == 0 ? BigDecimal.ZERO : new NUMBER(value).bigDecimalValue();
      bare = bare.stripTrailingZeros();
      String expected = (bare.scale() < 0 ? bare.setScale(0) : bare).toPlainString();
      assertThat(text(bytes(value), Type.Decimal.UNLIMITED)).as("%s", value).isEqualTo(expected);
    }
  }

  @Test
  void aScaleHasAllOfItsZeros() throws SQLException {
    Random random = new Random(2);
    for (int i = 0; i < ROUNDS; i++) {
      BigDecimal value = drawn(random);
      int scale = random.nextInt(0, 20);
      int precision = random.nextInt(19, 39);
      BigDecimal bare = value.stripTrailingZeros();
      boolean fits =
          value.signum() == 0
              || (bare.scale() <= scale && bare.precision() - bare.scale() <= precision - scale);
      String expected =
          !fits
              ? ""
              : value.signum() == 0
                  ? BigDecimal.ZERO.setScale(scale).toPlainString()
                  : value.setScale(scale).toPlainString();
      assertThat(text(bytes(value), new Type.Decimal(precision, scale)))
          .as("%s as decimal(%d,%d)", value, precision, scale)
          .isEqualTo(expected);
    }
  }

  @Test
  void wholeNumbersAndCountsOfUnitsAreExactOrUnfit() throws SQLException {
    Random random = new Random(3);
    int counted = 0;
    for (int i = 0; i < ROUNDS; i++) {
      BigDecimal value = new BigDecimal(random.nextLong() >> random.nextInt(64));
      BigDecimal scaled = value.movePointLeft(random.nextInt(0, 12));
      int scale = random.nextInt(0, 12);
      long found = OracleNumbers.units(bytes(scaled), scale);
      BigDecimal units = scaled.movePointRight(scale);
      if (found == OracleNumbers.UNFIT) {
        boolean isWhole = units.stripTrailingZeros().scale() <= 0;
        assertThat(isWhole && units.abs().compareTo(BigDecimal.TEN.pow(17)) < 0)
            .as("%s in units of 10^-%d", scaled, scale)
            .isFalse();
      } else {
        assertThat(units).as("%s", scaled).isEqualByComparingTo(BigDecimal.valueOf(found));
        counted++;
      }
    }
    assertThat(counted).isGreaterThan(ROUNDS / 4);
  }

  /// The same bytes as the driver's, or none, from counts and from texts.
  @Test
  void numbersBecomeTheBytesOfTheDriver() throws SQLException {
    Random random = new Random(4);
    byte[] out = new byte[48];
    int made = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long units = random.nextLong() >> random.nextInt(64);
      int scale = random.nextInt(0, 19);
      int length = OracleNumbers.bytes(units, scale, out);
      BigDecimal value = BigDecimal.valueOf(units, scale);
      if (length > 0) {
        assertThat(Arrays.copyOf(out, length)).as("%s", value).isEqualTo(bytes(value));
        made++;
      }
      for (BigDecimal each : List.of(value, drawn(random))) {
        BytesVector texts = new BytesVector(1);
        byte[] text = each.toPlainString().getBytes(StandardCharsets.US_ASCII);
        texts.append(0, text, 0, text.length);
        length = OracleNumbers.bytes(texts, 0, out);
        assertThat(length).as("%s", each).isPositive();
        assertThat(Arrays.copyOf(out, length)).as("%s", each).isEqualTo(bytes(each));
      }
    }
    assertThat(made).isGreaterThan(ROUNDS / 2);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 80, 0",
    "1, C102, 1",
    "-1, 3E6466, -1",
    "100, C202, 100",
    "0.01, C002, UNFIT",
    "1E125, FF0B, UNFIT",
    "-1E125, 005B66, UNFIT",
    "1E-130, 8002, UNFIT",
    "-1E-130, 7F6466, UNFIT",
    "999999999999999999, C9646464646464646464, 999999999999999999",
    "-999999999999999999, 3602020202020202020266, -999999999999999999"
  })
  void bytesAsTheServerWritesThem(BigDecimal value, String hex, String whole) throws SQLException {
    byte[] number = HexFormat.of().parseHex(hex);
    assertThat(bytes(value)).isEqualTo(number);
    long found = OracleNumbers.units(number, 0);
    assertThat(found == OracleNumbers.UNFIT ? "UNFIT" : String.valueOf(found)).isEqualTo(whole);
    assertThat(text(number, Type.Decimal.UNLIMITED)).isEqualTo(value.toPlainString());
  }

  /// Infinities, a letter among the digits, and none at all.
  @ParameterizedTest
  @ValueSource(strings = {"FF65", "00", "C1FF", "", "C1", "41"})
  void whatIsNoNumberIsLeftToTheDriver(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThat(OracleNumbers.units(bytes, 0)).isEqualTo(OracleNumbers.UNFIT);
    assertThat(text(bytes, Type.Decimal.UNLIMITED)).isEmpty();
  }
}
