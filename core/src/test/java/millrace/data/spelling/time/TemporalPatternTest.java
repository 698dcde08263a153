package millrace.data.spelling.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Objects;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelled;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Dates and times in a format that the user names.
class TemporalPatternTest {

  private static final Type DATE = new Type.Date();
  private static final Type TIME = new Type.Time();
  private static final Type TIMESTAMP = new Type.Timestamp(false);
  private static final Type INSTANT = new Type.Timestamp(true);

  @ParameterizedTest
  @CsvSource({
    "yyyymmddhhmmss, 38441231235959, 3844-12-31 23:59:59",
    "yyyyMMddHHmmss, 20240229123456, 2024-02-29 12:34:56",
    "YYYYMMDDHH24MISS, 20240229123456, 2024-02-29 12:34:56",
    "YYYY-MM-DD HH24:MI:SS, 2024-02-29 12:34:56, 2024-02-29 12:34:56",
    "YYYY-MM-DD HH:MM:SS, 2024-02-29 12:34:56, 2024-02-29 12:34:56",
    "yyyy/MM/dd HH:mm:ss, 2024/02/29 12:34:56, 2024-02-29 12:34:56",
    "dd.MM.yyyy, 29.02.2024, 2024-02-29 00:00:00",
    "MM/dd/yyyy HH:mm, 02/29/2024 12:34, 2024-02-29 12:34:00",
    "mm/dd/yyyy hh:mi:ss, 02/29/2024 12:34:56, 2024-02-29 12:34:56",
    "uuuu-MM-dd'T'HH:mm:ss.SSS, 2024-02-29T12:34:56.789, 2024-02-29 12:34:56.789",
    "yyyy-MM-ddTHH:mm:ss.SS, 2024-02-29T12:34:56.78, 2024-02-29 12:34:56.78",
    "YYYY-MM-DD HH24:MI:SS.FF6, 2024-02-29 12:34:56.000001, 2024-02-29 12:34:56.000001",
    "YYYY-MM-DD HH24:MI:SS.FF9, 2024-02-29 12:34:56.000001000, 2024-02-29 12:34:56.000001",
    "YYYY-MM-DD HH24:MI:SS.MS, 2024-02-29 12:34:56.001, 2024-02-29 12:34:56.001",
    "dd''MM''yyyy, 29'02'2024, 2024-02-29 00:00:00",
    "\"am \"dd.MM.yyyy, am 29.02.2024, 2024-02-29 00:00:00",
    "yyyy年MM月dd日, 2024年02月29日, 2024-02-29 00:00:00",
  })
  void bothWays(String format, String spelling, String iso) {
    SpellingStyle style = new SpellingStyle(null, null, format, null);
    assertThat(Spelled.again(TIMESTAMP, style, spelling)).isEqualTo(spelling);
    assertThat(Spelled.write(TIMESTAMP, SpellingStyle.ISO, read(TIMESTAMP, style, spelling)))
        .isEqualTo(iso);
  }

  @ParameterizedTest
  @CsvSource({
    "yyyy-MM-dd HH:mmXXX, 2024-02-29 12:34+09:00, 2024-02-29 03:34:00+00, 2024-02-29 03:34Z",
    "yyyy-MM-dd HH:mmXX, 2024-02-29 12:34-0330, 2024-02-29 16:04:00+00, 2024-02-29 16:04Z",
    "yyyy-MM-dd HH:mmx, 2024-02-29 12:34+09, 2024-02-29 03:34:00+00, 2024-02-29 03:34+00",
    "yyyy-MM-dd HH:mm'Z', 2024-02-29 12:34Z, 2024-02-29 12:34:00+00, 2024-02-29 12:34Z",
    "YYYY-MM-DD HH24:MI TZH:TZM, 2024-02-29 12:34 +09:00, 2024-02-29 03:34:00+00, 2024-02-29 03:34"
        + " +00:00",
    "YYYY-MM-DD HH24:MI TZH, 2024-02-29 12:34 -01, 2024-02-29 13:34:00+00, 2024-02-29 13:34 +00",
  })
  void instantsAreReadWithAnyOffsetAndWrittenInUtc(
      String format, String spelling, String iso, String again) {
    SpellingStyle style = new SpellingStyle(null, null, format, null);
    assertThat(Spelled.again(INSTANT, style, spelling)).isEqualTo(again);
    assertThat(Spelled.write(INSTANT, SpellingStyle.ISO, read(INSTANT, style, spelling)))
        .isEqualTo(iso);
  }

  @Test
  void datesAndTimesHaveFormatsOfTheirOwn() {
    SpellingStyle style = new SpellingStyle("dd.MM.yyyy", "HHmmss", null, null);
    assertThat(Spelled.again(DATE, style, "29.02.2024")).isEqualTo("29.02.2024");
    assertThat(Spelled.again(DATE, style, "2024-02-29")).isEqualTo("refused");
    assertThat(Spelled.again(DATE, style, "30.02.2024")).isEqualTo("refused");
    assertThat(Spelled.again(TIME, style, "235959")).isEqualTo("235959");
    assertThat(Spelled.again(TIME, style, "240000")).isEqualTo("240000");
    assertThat(Spelled.again(TIME, style, "240001")).isEqualTo("refused");
    assertThat(Spelled.again(TIMESTAMP, style, "2024-02-29 12:34:56"))
        .isEqualTo("2024-02-29 12:34:56");
  }

  @ParameterizedTest
  @CsvSource({
    "20240229123456789",
    "2024022912345",
    "2024022912345x",
    "20240230123456",
    "20240229126056",
    "20240229240001",
    "00000229123456",
    "''",
    "2024022912345６",
  })
  void whatDoesNotFollowTheFormatIsRefused(String spelling) {
    SpellingStyle style = new SpellingStyle(null, null, "yyyymmddhhmmss", null);
    assertThat(Spelled.again(TIMESTAMP, style, spelling)).isEqualTo("refused");
  }

  /// A date with other separators may have its parts in another order.
  @ParameterizedTest
  @CsvSource({"03/04/2024", "03.04/2024", "03-04.2024", "03.04.2024.", "3.4.2024"})
  void whatHasOtherSeparatorsThanTheFormatIsRefused(String spelling) {
    SpellingStyle style = new SpellingStyle("dd.MM.yyyy", null, null, null);
    assertThat(Spelled.again(DATE, style, spelling)).isEqualTo("refused");
  }

  @ParameterizedTest
  @CsvSource({
    "0044-03-15 12:00:00 BC",
    "10000-01-01 00:00:00",
    "infinity",
    "-infinity",
    "2024-02-29 12:34:56.5",
  })
  void aValueThatTheFormatCannotCarryIsNamed(String value) {
    SpellingStyle style = new SpellingStyle(null, null, "yyyymmddhhmmss", null);
    assertThatThrownBy(
            () -> Spelled.write(TIMESTAMP, style, read(TIMESTAMP, SpellingStyle.ISO, value)))
        .isInstanceOf(Fault.Data.class)
        .hasMessage("The timestamp " + value + " can't be spelled as \"yyyymmddhhmmss\".");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "yyy-MM-dd; \"yyy-MM-dd\" is no part that is known",
        "yyyy-MM-dd HH24:mm a; an hour of 24 has neither AM nor PM",
        "yyyy-MM-dd HH12:mi; an hour of 12 needs AM or PM behind it, written a",
        "yyyy-MMMMM-dd; \"MMMMM-dd\" is no part that is known",
        "dMyyyy; the day of one digit or two ends at no place, as a digit follows",
        "yyyy-MM-dd a; it has AM or PM without an hour",
        "yyyy-MM-dd MMM; it has two fields for the month",
        "yyyy-MM-dd 'x; \"'x\" is no part that is known",
        "yyyy-MM; it has no day",
        "yyyy-MM-dd HH:ss; it has a second without a minute",
        "yyyy-MM-dd HH:mmXXX; only an instant has an offset from UTC",
        "yyyy-MM-dd dd; it has two fields for the day",
      })
  void aFormatThatIsNoneIsExplained(String format, String why) {
    assertThatThrownBy(
            () -> Spelling.parser(TIMESTAMP, new SpellingStyle(null, null, format, null)))
        .isInstanceOf(Fault.User.class)
        .hasMessage("\"" + format + "\" can't be the format of a timestamp: " + why + ".");
  }

  @ParameterizedTest
  @CsvSource({
    "yyyyMMddHHmmss, 20240701123456, 2024-07-01 10:34:56+00",
    "yyyyMMddHHmmss, 20240331023456, refused",
    "yyyy-MM-dd HH:mmXXX, 2024-07-01 12:34+09:00, 2024-07-01 03:34:00+00",
  })
  void whereAFormatHasNoOffsetTheTimeZoneTellsTheInstant(
      String format, String spelling, String instant) {
    SpellingStyle style = new SpellingStyle(null, null, format, ZoneId.of("Europe/Berlin"));
    byte[] field = spelling.getBytes(StandardCharsets.US_ASCII);
    Vector vector = Vector.of(INSTANT, 1);
    boolean read = Spelling.parser(INSTANT, style).parse(field, 0, field.length, vector, 0);
    assertThat(read ? Spelled.write(INSTANT, SpellingStyle.ISO, vector) : "refused")
        .isEqualTo(instant);
  }

  @Test
  void anInstantNeedsAnOffset() {
    assertThatThrownBy(() ->
            Spelling.formatter(INSTANT, new SpellingStyle(null, null, "yyyyMMddHHmmss", null)))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(
            "an instant needs an offset from UTC, such as XXX, or a time zone to be read by");
  }

  private static millrace.data.Vector read(Type type, SpellingStyle style, String spelling) {
    return Objects.requireNonNull(Spelled.read(type, style, spelling), spelling);
  }
}
