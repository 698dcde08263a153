package millrace.data.spelling.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
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
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Dates and times are those of java.time over all that PostgreSQL holds, and nothing that is
/// nearly one is taken for another.
class TemporalSpellingPropertyTest {

  private static final BigInteger DAY = BigInteger.valueOf(Temporals.DAY_MICROS);
  private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);

  /// 4713-11-24 BC to 5874897-12-31, and 294276-12-31 for timestamps.
  private static final long DAY_FIRST = -2_451_545;

  private static final long DAY_LAST = 2_145_031_948;
  private static final long MICROS_FIRST = DAY_FIRST * Temporals.DAY_MICROS;
  private static final long MICROS_LAST = 9_223_371_331_199_999_999L;

  private static final Pattern ISO =
      Pattern.compile(
          "([0-9]{4,9})-([0-9]{2})-([0-9]{2})"
              + "(?:[ T]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.]([0-9]{1,6})0*)?)?)?"
              + "(?: ?(?<offset>Z|UTC|[+-][0-9]{2}(?::?[0-9]{2}|:[0-9]{2}:[0-9]{2})?))?( BC)?");

  @Property
  void dates(@ForAll @LongRange(min = DAY_FIRST, max = DAY_LAST) long days) {
    String spelling = write(new Type.Date(), days);
    assertThat(spelling).isEqualTo(date(EPOCH.toLocalDate().plusDays(days)));
    assertThat(read(new Type.Date(), spelling)).isEqualTo(days);
  }

  @Property
  void datesOfOurTime(@ForAll @IntRange(min = -80_000, max = 80_000) int days) {
    dates(days);
  }

  /// Each day of each year from 1001 BC to 11000: a calendar is wrong at the edges, if anywhere.
  @Test
  void everyDay() {
    LocalDate day = LocalDate.of(-1000, 1, 1);
    long days = ChronoUnit.DAYS.between(EPOCH.toLocalDate(), day);
    while (day.getYear() < 11_000) {
      long date = Calendar.date(days);
      if (Calendar.year(date) != day.getYear()
          || Calendar.month(date) != day.getMonthValue()
          || Calendar.day(date) != day.getDayOfMonth()
          || Calendar.days(day.getYear(), day.getMonthValue(), day.getDayOfMonth()) != days) {
        throw new AssertionError(day + " is taken for another day");
      }
      day = day.plusDays(1);
      days++;
    }
  }

  @Property
  void times(@ForAll @LongRange(min = 0, max = Temporals.DAY_MICROS - 1) long micros) {
    String spelling = write(new Type.Time(), micros);
    assertThat(spelling).isEqualTo(time(LocalTime.MIDNIGHT.plus(micros, ChronoUnit.MICROS)));
    assertThat(read(new Type.Time(), spelling)).isEqualTo(micros);
  }

  @Property
  void timestamps(@ForAll @LongRange(min = MICROS_FIRST, max = MICROS_LAST) long micros) {
    LocalDateTime meant = EPOCH.plus(micros, ChronoUnit.MICROS);
    String date = date(meant.toLocalDate());
    boolean bc = date.endsWith(" BC");
    String clock = " " + time(meant.toLocalTime());
    String expected =
        bc ? date.substring(0, date.length() - 3) + clock + "{} BC" : date + clock + "{}";
    assertThat(write(new Type.Timestamp(false), micros)).isEqualTo(expected.replace("{}", ""));
    assertThat(write(new Type.Timestamp(true), micros)).isEqualTo(expected.replace("{}", "+00"));
    assertThat(read(new Type.Timestamp(false), expected.replace("{}", ""))).isEqualTo(micros);
    assertThat(read(new Type.Timestamp(true), expected.replace("{}", "+00"))).isEqualTo(micros);
    assertThat(read(new Type.Timestamp(true), expected.replace("{}", "+01:30")))
        .isEqualTo(micros - 90L * 60 * 1_000_000);
  }

  /// Around changes of the clocks too, and where there were none for a thousand years.
  @Property(tries = 5000)
  void instantsByTheClocksOfATimeZone(
      @ForAll("zones") ZoneId zone, @ForAll("moments") List<Long> moments) {
    Vector vector = new LongVector(1);
    ValueParser parser =
        Spelling.parser(new Type.Timestamp(true), new SpellingStyle(null, null, null, zone));
    for (long shown : moments) {
      LocalDateTime time = EPOCH.plus(shown, ChronoUnit.MICROS);
      List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
      byte[] spelling = write(new Type.Timestamp(false), shown).getBytes(StandardCharsets.US_ASCII);
      boolean read = parser.parse(spelling, 0, spelling.length, vector, 0);
      assertThat(read).as("%s in %s", time, zone).isEqualTo(offsets.size() == 1);
      if (read) {
        long ahead = offsets.getFirst().getTotalSeconds() * 1_000_000L;
        assertThat(valueOf(vector)).as("%s in %s", time, zone).isEqualTo(shown - ahead);
      }
    }
  }

  @Provide
  Arbitrary<ZoneId> zones() {
    return Arbitraries.of(
            "Europe/Berlin",
            "America/New_York",
            "Australia/Lord_Howe",
            "Asia/Tokyo",
            "Africa/Casablanca",
            "Pacific/Apia",
            "UTC",
            "+05:30")
        .map(ZoneId::of);
  }

  @Provide
  Arbitrary<List<Long>> moments() {
    Arbitrary<Long> any = Arbitraries.longs().between(MICROS_FIRST, MICROS_LAST);
    Arbitrary<Long> quarters =
        Arbitraries.longs()
            .between(0, 4L * 24 * 366 * 60)
            .map(n -> n * 15L * 60 * 1_000_000 - 10L * 366 * Temporals.DAY_MICROS);
    Arbitrary<Long> octobers =
        Arbitraries.longs()
            .between(0, 4L * 24 * 8)
            .map(n -> (n * 15 * 60 + 783_000_000L) * 1_000_000);
    return Arbitraries.oneOf(any, quarters, quarters, octobers).list().ofMinSize(1).ofMaxSize(20);
  }

  @Property
  void timestampsInAPattern(
      @ForAll @LongRange(min = -63_000_000_000L, max = 252_000_000_000L) long seconds,
      @ForAll("patterns") String pattern) {
    LocalDateTime meant = EPOCH.plusSeconds(seconds);
    SpellingStyle style = new SpellingStyle(null, null, pattern, null);
    Type type = new Type.Timestamp(false);
    LongVector vector = new LongVector(1);
    vector.values[0] = seconds * 1_000_000;
    String spelling = Spelled.write(type, style, vector);
    assertThat(spelling).isEqualTo(meant.format(DateTimeFormatter.ofPattern(pattern, Locale.ROOT)));
    assertThat(valueOf(Spelled.read(type, style, spelling))).isEqualTo(vector.values[0]);
  }

  @Provide
  Arbitrary<String> patterns() {
    return Arbitraries.of(
        "yyyyMMddHHmmss",
        "yyyy/MM/dd HH:mm:ss",
        "dd.MM.yyyy HH:mm:ss.SSS",
        "uuuu-MM-dd'T'HH:mm:ss.SSSSSS");
  }

  /// Spellings with up to three characters changed, put in or left out.
  @Provide
  Arbitrary<String> nearlyTimestamps() {
    Arbitrary<String> right =
        Arbitraries.of(
            "2024-02-29 12:34:56.789",
            "2024-02-29",
            "2024-02-29 00:00:00",
            "2023-12-31T23:59:59Z",
            "2023-12-31T23:59:59 UTC",
            "2023-12-31 23:59:59.1230000 +09:00",
            "0044-03-15 12:00:00 BC",
            "0001-02-28 12:00:00+09:30 BC",
            "12024-01-30 24:00:00.000-0330",
            "1900-03-01 00:00:00+00:19:32");
    Arbitrary<Integer> places = Arbitraries.integers().between(0, 30);
    Arbitrary<Character> others =
        Arbitraries.of("0123456789-:. +TZBC".chars().mapToObj(c -> (char) c).toList());
    Arbitrary<Integer> ways = Arbitraries.integers().between(0, 3);
    Arbitrary<java.util.function.UnaryOperator<String>> change =
        net.jqwik.api.Combinators.combine(places, others, ways)
            .as((place, other, way) -> text -> changed(text, place, other, way));
    return net.jqwik.api.Combinators.combine(right, change.list().ofMaxSize(3))
        .as((text, changes) -> {
          String result = text;
          for (java.util.function.UnaryOperator<String> one : changes) {
            result = one.apply(result);
          }
          return result;
        });
  }

  private static String changed(String text, int place, char other, int way) {
    if (place >= text.length()) {
      return text;
    }
    return switch (way) {
      case 0 -> text.substring(0, place) + text.substring(place + 1);
      case 1 -> text.substring(0, place) + other + text.substring(place);
      default -> text.substring(0, place) + other + text.substring(place + 1);
    };
  }

  @Property(tries = 10_000)
  void whatIsNearlyATimestampIsReadAsItStandsOrRefused(
      @ForAll("nearlyTimestamps") String spelling) {
    Matcher iso = ISO.matcher(spelling);
    BigInteger micros = iso.matches() ? micros(iso) : null;
    boolean offset = micros != null && iso.group("offset") != null;
    boolean clock = micros != null && iso.group(4) != null;
    Long meant = micros == null || micros.bitLength() > 63 ? null : (Long) micros.longValue();
    assertThat(read(new Type.Timestamp(false), spelling)).isEqualTo(offset ? null : meant);
    assertThat(read(new Type.Timestamp(true), spelling)).isEqualTo(offset && clock ? meant : null);
    assertThat(read(new Type.Date(), spelling))
        .isEqualTo(
            micros == null || offset || clockMicros(iso) > 0
                ? null
                : (Long) micros.divide(DAY).longValueExact());
  }

  private static @Nullable BigInteger micros(Matcher iso) {
    int year = Integer.parseInt(iso.group(1));
    if (year == 0) {
      return null;
    }
    try {
      int month = Integer.parseInt(iso.group(2));
      int day = Integer.parseInt(iso.group(3));
      LocalDate date = LocalDate.of(iso.group(9) == null ? year : 1 - year, month, day);
      long clock = clockMicros(iso) - offsetMicros(iso.group("offset"));
      return DAY.multiply(BigInteger.valueOf(ChronoUnit.DAYS.between(EPOCH.toLocalDate(), date)))
          .add(BigInteger.valueOf(clock));
    } catch (DateTimeException _) {
      return null;
    }
  }

  private static long clockMicros(Matcher iso) {
    if (iso.group(4) == null) {
      return 0;
    }
    String clock = iso.group(4) + ":" + iso.group(5) + ":" + orElse(iso.group(6), "00");
    String fraction = (orElse(iso.group(7), "") + "000000").substring(0, 6);
    if (clock.equals("24:00:00") && fraction.equals("000000")) {
      return Temporals.DAY_MICROS;
    }
    return LocalTime.parse(clock + "." + fraction).toNanoOfDay() / 1000;
  }

  /// As ZoneOffset reads it, which ends at 18 hours; databases end before 16.
  private static long offsetMicros(@Nullable String offset) {
    if (offset == null) {
      return 0;
    }
    int seconds = ZoneOffset.of(offset.replace("UTC", "Z")).getTotalSeconds();
    if (Math.abs(seconds) >= 16 * 3600) {
      throw new DateTimeException(offset);
    }
    return seconds * 1_000_000L;
  }

  private static String orElse(@Nullable String text, String other) {
    return text == null ? other : text;
  }

  private static String date(LocalDate date) {
    boolean bc = date.getYear() < 1;
    int year = bc ? 1 - date.getYear() : date.getYear();
    return String.format(
            Locale.ROOT, "%04d-%02d-%02d", year, date.getMonthValue(), date.getDayOfMonth())
        + (bc ? " BC" : "");
  }

  private static String time(LocalTime time) {
    String clock = time.format(DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT));
    String fraction = String.format(Locale.ROOT, ".%06d", time.toNanoOfDay() / 1000 % 1_000_000);
    return clock + fraction.replaceFirst("[.]?0*$", "");
  }

  private static String write(Type type, long value) {
    LongVector vector = new LongVector(1);
    vector.values[0] = value;
    return Spelled.write(type, SpellingStyle.ISO, vector);
  }

  private static @Nullable Long read(Type type, String spelling) {
    return valueOf(Spelled.read(type, SpellingStyle.ISO, spelling));
  }

  private static @Nullable Long valueOf(@Nullable Vector vector) {
    return vector == null ? null : (Long) ((LongVector) vector).values[0];
  }
}
