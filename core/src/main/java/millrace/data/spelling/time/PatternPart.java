package millrace.data.spelling.time;

import millrace.data.Decimals;
import millrace.data.Temporals;
import millrace.data.spelling.Words;
import millrace.data.spelling.number.Digits;

/// One field or literal of a {@link TemporalPattern}.
///
/// @param field what it is
/// @param width most bytes that it takes
/// @param literal the bytes of a literal, otherwise empty
/// @param zulu whether an offset of zero is the letter `Z`
record PatternPart(Field field, int width, byte[] literal, boolean zulu) {

  /// The parts of a date or time.
  enum Field {
    YEAR,
    MONTH,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    FRACTION,
    OFFSET,
    LITERAL
  }

  private static final byte[] NO_BYTES = {};
  private static final long SECOND_MICROS = 1_000_000;
  private static final long MINUTE_MICROS = 60 * SECOND_MICROS;
  private static final long HOUR_MICROS = 60 * MINUTE_MICROS;
  private static final int MICRO_DIGITS = 6;

  static PatternPart number(Field field, int width) {
    return new PatternPart(field, width, NO_BYTES, false);
  }

  /// An offset of 1 (only `Z`), 3 (`+09`), 5 (`+0930`) or 6 bytes (`+09:30`).
  static PatternPart offset(int width, boolean zulu) {
    return new PatternPart(Field.OFFSET, width, NO_BYTES, zulu);
  }

  static PatternPart literal(byte[] text) {
    return new PatternPart(Field.LITERAL, text.length, text, false);
  }

  /// The smallest step in time that this part tells.
  long stepMicros() {
    return switch (field) {
      case YEAR, MONTH, DAY, OFFSET, LITERAL -> Temporals.DAY_MICROS;
      case HOUR -> HOUR_MICROS;
      case MINUTE -> MINUTE_MICROS;
      case SECOND -> SECOND_MICROS;
      case FRACTION -> Decimals.powerOfTen(Math.max(0, MICRO_DIGITS - width));
    };
  }

  /// How many bytes it takes here.
  int widthAt(byte[] bytes, int at, int end) {
    return zulu && at < end && bytes[at] == 'Z' ? 1 : width;
  }

  /// Years, months and days as they are, the rest in microseconds; {@link Dates#NONE} if the bytes
  /// are something else.
  long read(byte[] bytes, int at, int takes) {
    return switch (field) {
      case YEAR, MONTH, DAY -> number(bytes, at, Long.MAX_VALUE, 1);
      case HOUR -> number(bytes, at, 24, HOUR_MICROS);
      case MINUTE -> number(bytes, at, 59, MINUTE_MICROS);
      case SECOND -> number(bytes, at, 59, SECOND_MICROS);
      case FRACTION -> fraction(bytes, at);
      case OFFSET -> Timestamps.offset(bytes, at, at + takes);
      case LITERAL -> isHere(bytes, at) ? 0 : Dates.NONE;
    };
  }

  private long number(byte[] bytes, int at, long max, long unit) {
    long value = width == 2 ? Digits.two(bytes, at) : Digits.parse(bytes, at, at + width);
    return value < 0 || value > max ? Dates.NONE : value * unit;
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
      case YEAR -> Digits.putPadded(Calendar.year(date), width, out, at);
      case MONTH -> two(Calendar.month(date), out, at);
      case DAY -> two(Calendar.day(date), out, at);
      case HOUR -> two((int) (clock / HOUR_MICROS), out, at);
      case MINUTE -> two((int) (clock / MINUTE_MICROS) % 60, out, at);
      case SECOND -> two((int) (clock / SECOND_MICROS) % 60, out, at);
      case FRACTION -> writeFraction(clock, out, at);
      case OFFSET -> writeUtc(out, at);
      case LITERAL -> Words.put(literal, out, at);
    };
  }

  private static int two(int value, byte[] out, int at) {
    Digits.putTwo(value, out, at);
    return at + 2;
  }

  private int writeFraction(long clock, byte[] out, int at) {
    int digits = Math.min(width, MICRO_DIGITS);
    Digits.putPadded(clock % SECOND_MICROS / stepMicros(), digits, out, at);
    java.util.Arrays.fill(out, at + digits, at + width, (byte) '0');
    return at + width;
  }

  private int writeUtc(byte[] out, int at) {
    if (zulu) {
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
