package millrace.data.spelling.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelled;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Dates and times with names of months, halves of the day and time zones, with two digits of the
/// year, and with one digit where others have two.
class NamedTimesTest {

  private static final Type DATE = new Type.Date();
  private static final Type TIMESTAMP = new Type.Timestamp(false);
  private static final Type INSTANT = new Type.Timestamp(true);

  /// Patterns that mean the same to java.time, the last two digits of years aside.
  private static final List<String> PATTERNS =
      List.of(
          "d.M.yyyy H:mm:ss",
          "M/d/yyyy h:mm:ss a",
          "dd-MMM-yyyy HH:mm:ss",
          "d-MMM-yy h:mm:ss a",
          "MMMM d, yyyy hh:mm:ss a",
          "yyyy-M-d'T'H:m:s",
          "d MMM yy H.mm.ss",
          "yyMMddHHmmss");

  private static SpellingStyle dates(String format) {
    return new SpellingStyle(format, null, null, null);
  }

  private static SpellingStyle timestamps(String format) {
    return new SpellingStyle(null, null, format, null);
  }

  private static String iso(Type type, SpellingStyle style, String spelling) {
    Vector vector = Spelled.read(type, style, spelling);
    return vector == null ? "refused" : Spelled.write(type, SpellingStyle.ISO, vector);
  }

  private static DateTimeFormatter reference(String pattern) {
    DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
    int year = pattern.indexOf("yy");
    String rest = pattern;
    if (!pattern.contains("yyyy")) {
      if (year > 0) {
        builder.appendPattern(pattern.substring(0, year));
      }
      builder.appendValueReduced(ChronoField.YEAR, 2, 2, LocalDate.of(1969, 1, 1));
      rest = pattern.substring(year + 2);
    }
    return builder
        .appendPattern(rest.replace("yyyy", "uuuu"))
        .toFormatter(Locale.ENGLISH)
        .withResolverStyle(ResolverStyle.STRICT);
  }

  @Property
  void whatJavaWritesIsReadAndWrittenAlike(
      @ForAll @LongRange(min = -31_536_000L, max = 3_124_223_999L) long second,
      @ForAll @IntRange(min = 0, max = 7) int which,
      @ForAll boolean inCapitals) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    String pattern = PATTERNS.get(which);
    String spelling = reference(pattern).format(time);
    String iso = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").format(time);
    String given = inCapitals ? spelling.toUpperCase(Locale.ROOT) : spelling;
    assertThat(iso(TIMESTAMP, timestamps(pattern), given)).isEqualTo(iso);
    assertThat(Spelled.again(TIMESTAMP, timestamps(pattern), given)).isEqualTo(spelling);
  }

  @Provide
  Arbitrary<String> nearlyTimes() {
    return Arbitraries.of(
            "1", "12", "0", "31", "2024", "99", "/", "-", ".", " ", ":", "Jan", "FEB", "june", "am",
            "PM", "May", "5")
        .list()
        .ofMinSize(5)
        .ofMaxSize(13)
        .map(parts -> String.join("", parts));
  }

  @Property(tries = 3000)
  void whatJavaRefusesIsRefused(@ForAll("nearlyTimes") String spelling) {
    for (String pattern : List.of("d-MMM-yyyy", "M/d/yyyy", "d.M.yy", "MMMM d yyyy")) {
      String expected;
      try {
        expected = LocalDate.parse(spelling, reference(pattern)).toString();
      } catch (DateTimeParseException _) {
        expected = "refused";
      }
      // Java takes no four digits for the last two of a year.
      boolean isOfCentury = !pattern.contains("yyyy") && spelling.matches(".*[0-9]{4}");
      if (!isOfCentury) {
        assertThat(iso(DATE, dates(pattern), spelling)).as(pattern).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "d-MMM-yy, 12-JAN-24, 2024-01-12",
    "d-MMM-yy, 03-Feb-2024, 2024-02-03",
    "d-MMM-yyyy, 3-feb-2024, 2024-02-03",
    "DD-MON-RR, 01-DEC-69, 1969-12-01",
    "DD-MON-YY, 01-DEC-68, 2068-12-01",
    "d-MMM-yy, 01-DEC-024, refused",
    "d-MMM-yyyy, 12-JAN-24, refused",
    "d-MMM-yy, 31-Jun-24, refused",
    "d-MMM-yy, 1-Sept-24, refused",
    "ddMMyy, 010224, 2024-02-01",
    "ddMMyy, 01022024, 2024-02-01",
    "d.M.yyyy, 1.2.2024, 2024-02-01",
    "d.M.yyyy, 01.02.2024, 2024-02-01",
    "d.M.yyyy, 001.2.2024, refused",
    "MONTH d yyyy, september 9 2024, 2024-09-09",
  })
  void dates(String format, String spelling, String expected) {
    assertThat(iso(DATE, dates(format), spelling)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "M/d/yyyy h:mm:ss a, 1/2/2024 3:04:05 PM, 2024-01-02 15:04:05",
    "M/d/yyyy h:mm:ss a, 12/31/2023 12:00:00 AM, 2023-12-31 00:00:00",
    "M/d/yyyy h:mm:ss a, 12/31/2023 12:00:00 pm, 2023-12-31 12:00:00",
    "M/d/yyyy h:mm:ss a, 12/31/2023 13:00:00 PM, refused",
    "M/d/yyyy h:mm:ss a, 12/31/2023 0:00:00 AM, refused",
    "M/d/yyyy h:mm:ss a, 12/31/2023 1:00:00, refused",
    "MM/DD/YYYY HH:MI:SS AM, 01/02/2024 03:04:05 PM, 2024-01-02 15:04:05",
    "MM/DD/YYYY HH12:MI AM, 01/02/2024 12:04 AM, 2024-01-02 00:04:00",
    "DD-MON-YYYY HH24:MI, 02-JAN-2024 15:04, 2024-01-02 15:04:00",
  })
  void halvesOfTheDay(String format, String spelling, String expected) {
    assertThat(iso(TIMESTAMP, timestamps(format), spelling)).isEqualTo(expected);
  }

  @Test
  void aYearThatTwoDigitsDoNotTellIsNotWritten() {
    Vector early = Objects.requireNonNull(Spelled.read(DATE, SpellingStyle.ISO, "1968-12-31"));
    assertThatThrownBy(() -> Spelled.write(DATE, dates("dd.MM.yy"), early))
        .isInstanceOf(Fault.Data.class)
        .hasMessage("The date 1968-12-31 can't be spelled as \"dd.MM.yy\".");
  }

  @ParameterizedTest
  @CsvSource({
    "2021-11-02 00:00:04.13 UTC, 2021-11-02 00:00:04.13+00",
    "2021-11-02 00:00:04 Europe/Berlin, 2021-11-01 23:00:04+00",
    "2021-07-02T00:00:04 Europe/Berlin, 2021-07-01 22:00:04+00",
    "2021-11-02 00:00:04 CEST, 2021-11-01 22:00:04+00",
    "2021-11-02 00:00:04 EST, 2021-11-02 05:00:04+00",
    "2021-11-02 00:00:04 America/Argentina/Buenos_Aires, 2021-11-02 03:00:04+00",
    "2021-11-02 00:00:04 Etc/GMT+3, 2021-11-02 03:00:04+00",
    // The clocks were put back, and forward.
    "2021-10-31 02:30:00 Europe/Berlin, refused",
    "2021-03-28 02:30:00 Europe/Berlin, refused",
    "2021-11-02 00:00:04 CST, refused",
    "2021-11-02 00:00:04 IST, refused",
    "2021-11-02 00:00:04 Europe/Atlantis, refused",
    "2021-11-02 00:00:04 Berlin, refused",
    "2021-11-02 00:00:04 Europe/Berlin x, refused",
  })
  void timeZonesAreKnownByName(String spelling, String expected) {
    assertThat(iso(INSTANT, SpellingStyle.ISO, spelling)).isEqualTo(expected);
    assertThat(iso(TIMESTAMP, SpellingStyle.ISO, spelling)).isEqualTo("refused");
  }

  @Property
  void anyPlaceIsReadAsJavaDoes(
      @ForAll @LongRange(min = 0, max = 2_000_000_000L) long second,
      @ForAll("places") String place) {
    ZonedDateTime time =
        ZonedDateTime.ofInstant(java.time.Instant.ofEpochSecond(second), ZoneId.of(place));
    boolean isOnce = time.getZone().getRules().getValidOffsets(time.toLocalDateTime()).size() == 1;
    String shown = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").format(time) + " " + place;
    String expected =
        DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss")
                .format(time.withZoneSameInstant(ZoneOffset.UTC))
            + "+00";
    assertThat(iso(INSTANT, SpellingStyle.ISO, shown)).isEqualTo(isOnce ? expected : "refused");
    assertThat(iso(INSTANT, timestamps("yyyy-MM-dd HH:mm:ss VV"), shown))
        .isEqualTo(isOnce ? expected : "refused");
  }

  @Provide
  Arbitrary<String> places() {
    return Arbitraries.of(
        ZoneId.getAvailableZoneIds().stream()
            .filter(each -> each.indexOf('/') > 0)
            .sorted()
            .toList());
  }

  @Test
  void instantsAreWrittenInUtcByName() {
    SpellingStyle style = timestamps("yyyy-MM-dd HH:mm VV");
    assertThat(Spelled.again(INSTANT, style, "2024-01-02 03:04 Asia/Tokyo"))
        .isEqualTo("2024-01-01 18:04 UTC");
  }
}
