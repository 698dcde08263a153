package millrace.data.spelling.time;

import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Vector;
import millrace.data.spelling.ValueCodec;
import millrace.data.spelling.Words;
import millrace.data.spelling.number.Digits;
import millrace.fault.Fault;

/// Dates as ISO 8601 and PostgreSQL spell them: `2024-02-29`, `12024-02-29`, `0044-03-15 BC`,
/// `infinity`. Reads the midnight at which a day begins as that day, for databases whose dates have
/// a time.
public final class Dates extends ValueCodec {

  /// No count of days or microseconds that can be read.
  public static final long NONE = Long.MIN_VALUE + 1;

  private static final int YEAR_DIGITS_MAX = 9;

  /// Nine digits of year, month, day, two dashes, ` BC`.
  private static final int LENGTH_MAX = YEAR_DIGITS_MAX + 6 + 3;

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    long days = read(bytes, start, end);
    if (days == NONE) {
      return false;
    }
    LongVector longs = (LongVector) into;
    longs.values[row] = days;
    longs.nulls[row] = false;
    return true;
  }

  private static long read(byte[] bytes, int start, int end) {
    boolean bc = isBc(bytes, start, end);
    int to = bc ? end - Words.BC.length : end;
    int dateEnd = dateEnd(bytes, start, to);
    if (dateEnd < 0) {
      return infinity(bytes, start, end);
    }
    return dateEnd == to || isMidnight(bytes, dateEnd, to) ? days(bytes, start, dateEnd, bc) : NONE;
  }

  private static boolean isMidnight(byte[] bytes, int start, int end) {
    return isBeforeTime(bytes[start]) && Times.micros(bytes, start + 1, end) == 0;
  }

  /// Whether that byte may stand between a date and a time.
  static boolean isBeforeTime(byte b) {
    return b == ' ' || b == 'T';
  }

  /// The infinity that is spelled here, or {@link #NONE}.
  static long infinity(byte[] bytes, int start, int end) {
    if (Words.is(Words.DATE_INFINITY, bytes, start, end)) {
      return Temporals.INFINITY;
    }
    return Words.is(Words.DATE_MINUS_INFINITY, bytes, start, end) ? Temporals.MINUS_INFINITY : NONE;
  }

  static boolean isBc(byte[] bytes, int start, int end) {
    return end - start > Words.BC.length
        && bytes[end - 1] == 'C'
        && bytes[end - 2] == 'B'
        && bytes[end - 3] == ' ';
  }

  /// Where a date ends that begins here, going by its first dash; -1 if there is none.
  static int dateEnd(byte[] bytes, int start, int end) {
    int dash = start + 4;
    int last = Math.min(end, start + YEAR_DIGITS_MAX);
    while (dash < last && bytes[dash] != '-') {
      dash++;
    }
    return dash + 6 <= end ? dash + 6 : -1;
  }

  /// The days of a date that fills these bytes, or {@link #NONE}.
  static long days(byte[] bytes, int start, int end, boolean bc) {
    int dash = end - 6;
    long year = dash - start > YEAR_DIGITS_MAX ? Digits.NONE : Digits.parse(bytes, start, dash);
    int month = Digits.two(bytes, end - 5);
    int day = Digits.two(bytes, end - 2);
    if (year < 1 || bytes[dash] != '-' || bytes[end - 3] != '-') {
      return NONE;
    }
    long astronomical = bc ? 1 - year : year;
    return Calendar.isDay(astronomical, month, day)
        ? Calendar.days(astronomical, month, day)
        : NONE;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return LENGTH_MAX;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    long days = ((LongVector) from).values[row];
    if (days == Temporals.INFINITY) {
      return Words.put(Words.DATE_INFINITY, out, at);
    }
    if (days == Temporals.MINUS_INFINITY) {
      return Words.put(Words.DATE_MINUS_INFINITY, out, at);
    }
    long date = date(days);
    int next = put(date, out, at);
    return Calendar.year(date) < 1 ? Words.put(Words.BC, out, next) : next;
  }

  /// The date of a day that has at most nine digits of year.
  static long date(long days) {
    if (Math.abs(days) < Calendar.DAYS_LIMIT) {
      long date = Calendar.date(days);
      if (Math.abs(Calendar.year(date)) < Calendar.YEAR_LIMIT) {
        return date;
      }
    }
    throw new Fault.Data("The date " + days + " days from 2000-01-01 is out of range.", "", null);
  }

  /// Writes a date without its era.
  static int put(long date, byte[] out, int at) {
    long year = Calendar.year(date);
    long shown = year < 1 ? 1 - year : year;
    int next = shown > 9999 ? Digits.put(shown, out, at) : Digits.putPadded(shown, 4, out, at);
    out[next] = '-';
    Digits.putTwo(Calendar.month(date), out, next + 1);
    out[next + 3] = '-';
    Digits.putTwo(Calendar.day(date), out, next + 4);
    return next + 6;
  }
}
