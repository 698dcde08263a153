package millrace.data.spelling.time;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import millrace.data.Decimals;
import millrace.data.Temporals;
import millrace.data.spelling.Words;
import millrace.data.spelling.number.Digits;

/// One field or literal of a {@link TemporalPattern}.
///
/// @param field what it is
/// @param width most bytes that it takes
/// @param literal the bytes of a literal, otherwise empty
/// @param shape how it is spelled
record PatternPart(Field field, int width, byte[] literal, Shape shape) {

  /// The parts of a date or time.
  enum Field {
    YEAR,
    MONTH,
    DAY,
    HOUR,
    /// From 1 to 12.
    HALF_HOUR,
    /// AM or PM.
    HALF,
    MINUTE,
    SECOND,
    FRACTION,
    OFFSET,
    LITERAL
  }

  /// How a field is spelled.
  enum Shape {
    /// In as many digits or bytes as it is wide.
    FIXED,
    /// In one digit or two.
    SHORT,
    /// A year in two digits.
    YEAR_OF_CENTURY,
    /// The same, or in four digits on read: what follows is no digit.
    YEAR_OR_YEAR_OF_CENTURY,
    /// The first three letters of a month's English name.
    NAME,
    CAPITAL_NAME,
    LONG_NAME,
    CAPITAL_LONG_NAME,
    /// An offset that is the letter `Z` if it is zero.
    ZULU,
    /// The name of a time zone; `UTC` on write.
    ZONE
  }

  /// Years of two digits from here on are of the last century.
  static final int PIVOT = 69;

  private static final byte[] NO_BYTES = {};
  private static final byte[] AM = Words.of("AM");
  private static final byte[] PM = Words.of("PM");
  private static final byte[] UTC = Words.of("UTC");
  private static final long SECOND_MICROS = 1_000_000;
  private static final long MINUTE_MICROS = 60 * SECOND_MICROS;
  private static final long HOUR_MICROS = 60 * MINUTE_MICROS;
  private static final int MICRO_DIGITS = 6;
  private static final int NAME_LENGTH = 3;
  private static final int LONG_NAME_LENGTH_MAX = 9;

  private static final String[] MONTHS = {
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December"
  };

  private static final byte[][] LONG_NAMES = names(LONG_NAME_LENGTH_MAX);
  private static final byte[][] NAMES = names(NAME_LENGTH);

  private static byte[][] names(int lengthMax) {
    byte[][] names = new byte[MONTHS.length][];
    for (int i = 0; i < names.length; i++) {
      names[i] = Words.of(MONTHS[i].substring(0, Math.min(lengthMax, MONTHS[i].length())));
    }
    return names;
  }

  static PatternPart number(Field field, int width) {
    return new PatternPart(field, width, NO_BYTES, Shape.FIXED);
  }

  /// One of two digits, of which the first need not stand there if it is zero.
  static PatternPart shortNumber(Field field) {
    return new PatternPart(field, 2, NO_BYTES, Shape.SHORT);
  }

  /// @param isAlone whether no digit may follow
  static PatternPart yearOfCentury(boolean isAlone) {
    return new PatternPart(
        Field.YEAR, 2, NO_BYTES, isAlone ? Shape.YEAR_OR_YEAR_OF_CENTURY : Shape.YEAR_OF_CENTURY);
  }

  /// A month by name: as the pattern writes it, in capitals or not, long or not.
  static PatternPart monthName(boolean isLong, boolean isCapital) {
    Shape shape =
        isLong
            ? isCapital ? Shape.CAPITAL_LONG_NAME : Shape.LONG_NAME
            : isCapital ? Shape.CAPITAL_NAME : Shape.NAME;
    return new PatternPart(
        Field.MONTH, isLong ? LONG_NAME_LENGTH_MAX : NAME_LENGTH, NO_BYTES, shape);
  }

  static PatternPart half() {
    return new PatternPart(Field.HALF, AM.length, NO_BYTES, Shape.FIXED);
  }

  static PatternPart zone() {
    return new PatternPart(Field.OFFSET, UTC.length, NO_BYTES, Shape.ZONE);
  }

  /// An offset of 1 (only `Z`), 3 (`+09`), 5 (`+0930`) or 6 bytes (`+09:30`).
  static PatternPart offset(int width, boolean zulu) {
    return new PatternPart(Field.OFFSET, width, NO_BYTES, zulu ? Shape.ZULU : Shape.FIXED);
  }

  static PatternPart literal(byte[] text) {
    return new PatternPart(Field.LITERAL, text.length, text, Shape.FIXED);
  }

  /// Whether it takes as many digits as stand there.
  boolean isOpen() {
    return shape == Shape.SHORT;
  }

  /// Whether it begins with a digit.
  boolean isNumber() {
    return switch (field) {
      case YEAR, DAY, HOUR, HALF_HOUR, MINUTE, SECOND, FRACTION -> true;
      case MONTH -> shape == Shape.FIXED || shape == Shape.SHORT;
      case HALF, OFFSET -> false;
      case LITERAL -> Digits.isDigit(literal[0]);
    };
  }

  /// Whether it is a year without its century.
  boolean isOfCentury() {
    return shape == Shape.YEAR_OF_CENTURY || shape == Shape.YEAR_OR_YEAR_OF_CENTURY;
  }

  /// The smallest step in time that this part tells.
  long stepMicros() {
    return switch (field) {
      case YEAR, MONTH, DAY, OFFSET, LITERAL, HALF -> Temporals.DAY_MICROS;
      case HOUR, HALF_HOUR -> HOUR_MICROS;
      case MINUTE -> MINUTE_MICROS;
      case SECOND -> SECOND_MICROS;
      case FRACTION -> Decimals.powerOfTen(Math.max(0, MICRO_DIGITS - width));
    };
  }

  /// How many bytes it takes here.
  int widthAt(byte[] bytes, int at, int end) {
    return switch (shape) {
      case FIXED, YEAR_OF_CENTURY, NAME, CAPITAL_NAME -> width;
      case SHORT -> at + 1 < end && Digits.isDigit(bytes[at + 1]) ? 2 : 1;
      case YEAR_OR_YEAR_OF_CENTURY -> Digits.digitsEnd(bytes, at, end) - at == 4 ? 4 : 2;
      case LONG_NAME, CAPITAL_LONG_NAME -> {
        int stop = at;
        while (stop < end && (bytes[stop] | 0x20) >= 'a' && (bytes[stop] | 0x20) <= 'z') {
          stop++;
        }
        yield stop - at;
      }
      case ZULU -> at < end && bytes[at] == 'Z' ? 1 : width;
      case ZONE -> ZoneNames.nameEnd(bytes, at, end) - at;
    };
  }

  /// Years, months and days as they are, the rest in microseconds; {@link Dates#NONE} if the bytes
  /// are something else. A time zone is for the caller to read.
  long read(byte[] bytes, int at, int takes) {
    return switch (field) {
      case YEAR -> year(bytes, at, takes);
      case MONTH ->
          isNumber() ? number(bytes, at, takes, Long.MAX_VALUE, 1) : month(bytes, at, takes);
      case DAY -> number(bytes, at, takes, Long.MAX_VALUE, 1);
      case HOUR -> number(bytes, at, takes, 24, HOUR_MICROS);
      case HALF_HOUR -> halfHour(bytes, at, takes);
      case HALF ->
          Words.is(AM, bytes, at, at + takes)
              ? 0
              : Words.is(PM, bytes, at, at + takes) ? 12 * HOUR_MICROS : Dates.NONE;
      case MINUTE -> number(bytes, at, takes, 59, MINUTE_MICROS);
      case SECOND -> number(bytes, at, takes, 59, SECOND_MICROS);
      case FRACTION -> fraction(bytes, at);
      case OFFSET -> shape == Shape.ZONE ? 0 : Timestamps.offset(bytes, at, at + takes);
      case LITERAL -> isHere(bytes, at) ? 0 : Dates.NONE;
    };
  }

  private long year(byte[] bytes, int at, int takes) {
    long year = number(bytes, at, takes, Long.MAX_VALUE, 1);
    return !isOfCentury() || takes > 2 || year == Dates.NONE
        ? year
        : year + (year < PIVOT ? 2000 : 1900);
  }

  private static long halfHour(byte[] bytes, int at, int takes) {
    long hour = number(bytes, at, takes, 12, 1);
    return hour < 1 ? Dates.NONE : hour % 12 * HOUR_MICROS;
  }

  private static long number(byte[] bytes, int at, int takes, long max, long unit) {
    long value = takes == 2 ? Digits.two(bytes, at) : Digits.parse(bytes, at, at + takes);
    return value < 0 || value > max ? Dates.NONE : value * unit;
  }

  private long month(byte[] bytes, int at, int takes) {
    boolean isLong = shape == Shape.LONG_NAME || shape == Shape.CAPITAL_LONG_NAME;
    for (int i = 0; i < MONTHS.length; i++) {
      if (Words.is((isLong ? LONG_NAMES : NAMES)[i], bytes, at, at + takes)) {
        return i + 1L;
      }
    }
    return Dates.NONE;
  }

  private long fraction(byte[] bytes, int at) {
    int digits = Math.min(width, MICRO_DIGITS);
    long value = Digits.parse(bytes, at, at + digits);
    boolean exact = Digits.skipZeros(bytes, at + digits, at + width) == at + width;
    return value < 0 || !exact ? Dates.NONE : value * stepMicros();
  }

  private boolean isHere(byte[] bytes, int at) {
    for (int i = 0; i < literal.length; i++) {
      if (bytes[at + i] != literal[i]) {
        return false;
      }
    }
    return true;
  }

  /// Writes its part of a date and a time of day; returns the index after it.
  int write(long date, long clock, byte[] out, int at) {
    return switch (field) {
      case YEAR ->
          isOfCentury()
              ? two((int) (Calendar.year(date) % 100), out, at)
              : Digits.putPadded(Calendar.year(date), width, out, at);
      case MONTH -> isNumber() ? two(Calendar.month(date), out, at) : writeName(date, out, at);
      case DAY -> two(Calendar.day(date), out, at);
      case HOUR -> two((int) (clock / HOUR_MICROS), out, at);
      case HALF_HOUR -> two((int) (clock / HOUR_MICROS + 11) % 12 + 1, out, at);
      case HALF -> Words.put(clock < 12 * HOUR_MICROS ? AM : PM, out, at);
      case MINUTE -> two((int) (clock / MINUTE_MICROS) % 60, out, at);
      case SECOND -> two((int) (clock / SECOND_MICROS) % 60, out, at);
      case FRACTION -> writeFraction(clock, out, at);
      case OFFSET -> writeUtc(out, at);
      case LITERAL -> Words.put(literal, out, at);
    };
  }

  private int two(int value, byte[] out, int at) {
    if (shape == Shape.SHORT && value < 10) {
      out[at] = (byte) ('0' + value);
      return at + 1;
    }
    Digits.putTwo(value, out, at);
    return at + 2;
  }

  private int writeName(long date, byte[] out, int at) {
    String name = MONTHS[Calendar.month(date) - 1];
    boolean isLong = shape == Shape.LONG_NAME || shape == Shape.CAPITAL_LONG_NAME;
    boolean isCapital = shape == Shape.CAPITAL_NAME || shape == Shape.CAPITAL_LONG_NAME;
    String shown = isLong ? name : name.substring(0, NAME_LENGTH);
    String spelled = isCapital ? shown.toUpperCase(Locale.ROOT) : shown;
    return Words.put(spelled.getBytes(StandardCharsets.US_ASCII), out, at);
  }

  private int writeFraction(long clock, byte[] out, int at) {
    int digits = Math.min(width, MICRO_DIGITS);
    Digits.putPadded(clock % SECOND_MICROS / stepMicros(), digits, out, at);
    java.util.Arrays.fill(out, at + digits, at + width, (byte) '0');
    return at + width;
  }

  private int writeUtc(byte[] out, int at) {
    if (shape == Shape.ZONE) {
      return Words.put(UTC, out, at);
    }
    if (shape == Shape.ZULU) {
      out[at] = 'Z';
      return at + 1;
    }
    java.util.Arrays.fill(out, at, at + width, (byte) '0');
    out[at] = '+';
    if (width == 6) {
      out[at + 3] = ':';
    }
    return at + width;
  }
}
