package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import millrace.data.Temporals;
import oracle.sql.DATE;
import oracle.sql.TIMESTAMP;
import oracle.sql.TIMESTAMPTZ;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Times to Oracle's bytes, which the driver's own classes make here, and back.
class OracleTimesTest {

  private static final int ROUNDS = 5_000;
  private static final long FIRST = micros(LocalDateTime.of(1, 1, 1, 0, 0));
  private static final long END = micros(LocalDateTime.of(9999, 12, 31, 23, 59, 59)) + 1_000_000;

  private static long micros(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000
        + time.get(ChronoField.NANO_OF_SECOND) / 1_000
        - Temporals.EPOCH_MICROS;
  }

  /// The first and the last that there are, the moments around 2000, and others.
  private static List<Long> times() {
    LongStream drawn = new Random(7).longs(ROUNDS, FIRST, END);
    return Stream.concat(
            Stream.of(FIRST, END - 1, -1L, 0L, 1L, 59_999_999L, 86_399_999_999L, 86_400_000_000L),
            drawn.boxed())
        .toList();
  }

  @Test
  void timesHaveTheBytesOfTheDriverAndComeBack() throws SQLException {
    for (long micros : times()) {
      LocalDateTime time =
          LocalDateTime.ofEpochSecond(
              Math.floorDiv(micros + Temporals.EPOCH_MICROS, 1_000_000L),
              (int) Math.floorMod(micros + Temporals.EPOCH_MICROS, 1_000_000L) * 1_000,
              ZoneOffset.UTC);
      assertThat(OracleTimes.bytes(micros, 7)).isEqualTo(DATE.of(time).getBytes());
      assertThat(OracleTimes.micros(OracleTimes.bytes(micros, 7)))
          .isEqualTo(micros - time.get(ChronoField.NANO_OF_SECOND) / 1_000);
      byte[] bytes = OracleTimes.bytes(micros, 11);
      assertThat(OracleTimes.micros(bytes)).isEqualTo(micros);
      // The driver leaves a fraction of zero out.
      if (time.get(ChronoField.NANO_OF_SECOND) > 0) {
        assertThat(bytes).isEqualTo(TIMESTAMP.of(time).getBytes());
      }
      byte[] zoned = OracleTimes.bytes(micros, 13);
      assertThat(OracleTimes.micros(zoned)).isEqualTo(micros);
      assertThat(new TIMESTAMPTZ(zoned).offsetDateTimeValue().toInstant())
          .isEqualTo(time.toInstant(ZoneOffset.UTC));
    }
  }

  /// Years before Christ have bytes below 100, and there is no year 0.
  @ParameterizedTest
  @CsvSource({"-4711, 3559", "-101, 6363", "-1, 6463", "1, 6465", "9999, C7C7"})
  void aYearIsReadFromItsCentury(int year, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex + "0204010101");
    LocalDateTime time = LocalDateTime.of(year < 0 ? year + 1 : year, 2, 4, 0, 0);
    assertThat(OracleTimes.micros(bytes)).isEqualTo(micros(time));
  }

  /// A day of the Julian calendar alone, a month, an hour and a minute too many.
  @ParameterizedTest
  @ValueSource(strings = {"6F64021D010101", "78640D01010101", "78640101190101", "786401010101FF"})
  void whatIsNoTimeIsRefused(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> OracleTimes.micros(bytes)).isInstanceOf(DateTimeException.class);
  }
}
