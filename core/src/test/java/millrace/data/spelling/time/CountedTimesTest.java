package millrace.data.spelling.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelled;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/// Timestamps that count from 1970, and dates of zeros.
class CountedTimesTest {

  private static final Type INSTANT = new Type.Timestamp(true);

  private static final Pattern COUNT = Pattern.compile("-?[0-9]+([.][0-9]+)?");

  private static final Pattern ZEROS = Pattern.compile("0000-00-00([ T]00:00(:00([.]0+)?)?)?");

  @Provide
  Arbitrary<String> counts() {
    return Arbitraries.of("0", "1", "15", "953104", "123", "999", "000", ".", "-", "e1", " ", "5")
        .list()
        .ofMaxSize(7)
        .map(parts -> String.join("", parts));
  }

  @Property(tries = 4000, edgeCases = EdgeCasesMode.NONE)
  void countsAreReadAsTheirUnitSays(@ForAll("counts") String spelling, @ForAll EpochUnit unit) {
    Vector read = Spelled.read(INSTANT, SpellingStyle.ISO.with(unit), spelling);
    int power =
        switch (unit) {
          case SECONDS -> 6;
          case MILLIS -> 3;
          case MICROS -> 0;
          case NANOS -> -3;
        };
    BigDecimal micros =
        COUNT.matcher(spelling).matches()
            ? new BigDecimal(spelling).scaleByPowerOfTen(power).stripTrailingZeros()
            : null;
    BigInteger since =
        micros == null || micros.scale() > 0
            ? null
            : micros.toBigIntegerExact().subtract(BigInteger.valueOf(Temporals.EPOCH_MICROS));
    if (since == null || since.bitLength() >= Long.SIZE) {
      assertThat(read).isNull();
    } else {
      assertThat(read).isNotNull();
      assertThat(((LongVector) read).values[0]).isEqualTo(since.longValueExact());
    }
  }

  @Provide
  Arbitrary<String> nearlyZero() {
    return Arbitraries.of(
            "0000-00-00",
            "0000-00-00",
            "0000",
            "-00",
            " ",
            "T",
            "00:00",
            ":00",
            ".0",
            "1",
            "2001-02-03")
        .list()
        .ofMaxSize(5)
        .map(parts -> String.join("", parts));
  }

  @Property(tries = 4000, edgeCases = EdgeCasesMode.NONE)
  void zerosAloneAreMissingAndAllElseIsReadAsBefore(@ForAll("nearlyZero") String spelling) {
    SpellingStyle zeros =
        new SpellingStyle(null, null, null, null, SpellingStyle.ISO.numbers(), null, true);
    byte[] bytes = spelling.getBytes(StandardCharsets.UTF_8);
    for (Type type : new Type[] {new Type.Date(), new Type.Timestamp(false)}) {
      ValueParser parser = Spelling.parser(type, zeros);
      Vector vector = Vector.of(type, 1);
      boolean read = parser.parse(bytes, 0, bytes.length, vector, 0);
      boolean isZero = ZEROS.matcher(spelling).matches();
      boolean before =
          Spelling.parser(type, SpellingStyle.ISO)
              .parse(bytes, 0, bytes.length, Vector.of(type, 1), 0);
      assertThat(read).as(spelling).isEqualTo(isZero || before);
      assertThat(vector.nulls[0]).as(spelling).isEqualTo(read && isZero);
    }
  }
}
