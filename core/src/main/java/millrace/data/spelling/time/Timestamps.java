package millrace.data.spelling.time;

import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Vector;
import millrace.data.spelling.ValueCodec;
import millrace.data.spelling.Words;
import millrace.data.spelling.number.Digits;
import org.jspecify.annotations.Nullable;

/// Timestamps as PostgreSQL spells them in its ISO style: `2024-02-29 12:34:56.789`, instants in
/// UTC with `+00` behind, the years before 1 with ` BC` behind that.
///
/// Reads `T` for the space as well, a date alone as its midnight, and any offset: `Z`, `+09`,
/// `+0930`, `+09:30`, `-00:36:45`, `UTC`, with a space before it or without, and the names of
/// {@link ZoneNames}. An instant needs an offset, or a time zone whose clocks showed it; a
/// wall-clock reading must not have one: either would be a guess.
public final class Timestamps extends ValueCodec {

  /// Six digits of year, `-02-29`, a space, the time, `+00`, ` BC`; or nine digits of year.
  private static final int LENGTH_MAX = 9 + 6 + 1 + Times.LENGTH_MAX + 3 + 3;

  private static final byte[] UTC = Words.of("+00");
  private static final byte[] UTC_NAME = Words.of("UTC");

  /// The last day all of whose microseconds fit a long, counted from 2000-01-01 either way.
  private static final long DAYS_MAX = Long.MAX_VALUE / Temporals.DAY_MICROS - 1;

  private static final int PLAIN_LENGTH = 19;

  /// `0000-00-` and `00:00:00`, the first character in the lowest byte.
  private static final long DATE_PATTERN = 0x2D30302D30303030L;

  private static final long TIME_PATTERN = 0x30303A30303A3030L;

  /// What makes a byte's high bit appear: 10 or more where a digit stands, else 1 or more.
  private static final long DATE_LIMITS = 0x7F76767F76767676L;

  private static final long TIME_LIMITS = 0x76767F76767F7676L;
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final int DAY_SECONDS = 86_400;

  private static final int OFFSET_HOURS_MAX = 15;
  private static final long SECOND_MICROS = 1_000_000;

  private final boolean zoned;
  private final @Nullable WallClock clock;

  /// Of the one thread that reads.
  private @Nullable ZoneNames zones;

  /// @param clock tells instants that have no offset; null if they must have one
  public Timestamps(boolean zoned, @Nullable WallClock clock) {
    this.zoned = zoned;
    this.clock = clock;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    long micros = read(bytes, start, end);
    if (micros == Dates.NONE) {
      return false;
    }
    LongVector longs = (LongVector) into;
    longs.values[row] = micros;
    longs.nulls[row] = false;
    return true;
  }

  private long read(byte[] bytes, int start, int end) {
    if (end - start == PLAIN_LENGTH && !zoned) {
      long micros = plain(bytes, start);
      if (micros != Dates.NONE) {
        return micros;
      }
    }
    boolean bc = Dates.isBc(bytes, start, end);
    int to = bc ? end - Words.BC.length : end;
    int dateEnd = Dates.dateEnd(bytes, start, to);
    if (dateEnd < 0) {
      return Dates.infinity(bytes, start, end);
    }
    long days = Dates.days(bytes, start, dateEnd, bc);
    if (days == Dates.NONE || days > DAYS_MAX || days < -DAYS_MAX) {
      return Dates.NONE;
    }
    if (dateEnd == to) {
      return withoutOffset(days * Temporals.DAY_MICROS);
    }
    if (!Dates.isBeforeTime(bytes[dateEnd])) {
      return Dates.NONE;
    }
    int timeEnd = zoned ? timeEnd(bytes, dateEnd + 1, to) : to;
    long time = Times.micros(bytes, dateEnd + 1, timeEnd);
    if (time == Times.NONE) {
      return Dates.NONE;
    }
    long micros = days * Temporals.DAY_MICROS + time;
    if (timeEnd == to) {
      return withoutOffset(micros);
    }
    long offset = offsetAfterSpace(bytes, timeEnd, to);
    return offset == Dates.NONE ? inZone(micros, bytes, timeEnd, to) : micros - offset;
  }

  /// The instant of a time with a time zone's name behind it.
  private long inZone(long micros, byte[] bytes, int start, int end) {
    int from = bytes[start] == ' ' ? start + 1 : start;
    ZoneNames names = zones;
    if (names == null) {
      names = new ZoneNames();
      zones = names;
    }
    return names.instant(micros, bytes, from, end);
  }

  private long withoutOffset(long micros) {
    if (!zoned) {
      return micros;
    }
    return clock == null ? Dates.NONE : clock.instant(micros);
  }

  /// The commonest spelling, `2024-02-29 12:34:56`, or {@link Dates#NONE} if it is another.
  ///
  /// Two longs hold all of it but the day and what follows it. With the zeros and the separators of
  /// the pattern taken off by xor, each byte must be a digit or nothing; ten times a digit plus the
  /// next one is then done for all of them at once.
  private static long plain(byte[] bytes, int start) {
    long date = Digits.load(bytes, start) ^ DATE_PATTERN;
    long time = Digits.load(bytes, start + 11) ^ TIME_PATTERN;
    int day = Digits.two(bytes, start + 8);
    byte between = bytes[start + 10];
    long wrong = ((date + DATE_LIMITS) | date | (time + TIME_LIMITS) | time) & HIGH_BITS;
    if (wrong != 0 || !Dates.isBeforeTime(between)) {
      return Dates.NONE;
    }
    long datePairs = date * 10 + (date >>> 8);
    long timePairs = time * 10 + (time >>> 8);
    int year = pair(datePairs, 0) * 100 + pair(datePairs, 2);
    int month = pair(datePairs, 5);
    int seconds = (pair(timePairs, 0) * 60 + pair(timePairs, 3)) * 60 + pair(timePairs, 6);
    if (year < 1
        || !Calendar.isDay(year, month, day)
        || pair(timePairs, 3) > 59
        || pair(timePairs, 6) > 59
        || seconds > DAY_SECONDS) {
      return Dates.NONE;
    }
    return Calendar.days(year, month, day) * Temporals.DAY_MICROS + seconds * SECOND_MICROS;
  }

  private static int pair(long pairs, int place) {
    return (int) (pairs >>> (8 * place)) & 0xFF;
  }

  private static int timeEnd(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && (Digits.isDigit(bytes[at]) || bytes[at] == ':' || bytes[at] == '.')) {
      at++;
    }
    return at;
  }

  private static long offsetAfterSpace(byte[] bytes, int start, int end) {
    int from = start < end && bytes[start] == ' ' ? start + 1 : start;
    return Words.is(UTC_NAME, bytes, from, end) ? 0 : offset(bytes, from, end);
  }

  /// Microseconds that the clock is ahead of UTC, or {@link Dates#NONE}.
  static long offset(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length == 1 && bytes[start] == 'Z') {
      return 0;
    }
    if (length < 3 || (bytes[start] != '+' && bytes[start] != '-')) {
      return Dates.NONE;
    }
    int hours = Digits.two(bytes, start + 1);
    int minutes = 0;
    int seconds = 0;
    switch (length) {
      case 3 -> {}
      case 5 -> minutes = Digits.two(bytes, start + 3);
      case 6 -> minutes = bytes[start + 3] == ':' ? Digits.two(bytes, start + 4) : -1;
      case 9 -> {
        boolean colons = bytes[start + 3] == ':' && bytes[start + 6] == ':';
        minutes = colons ? Digits.two(bytes, start + 4) : -1;
        seconds = Digits.two(bytes, start + 7);
      }
      default -> hours = -1;
    }
    if ((hours | minutes | seconds) < 0
        || hours > OFFSET_HOURS_MAX
        || minutes > 59
        || seconds > 59) {
      return Dates.NONE;
    }
    long micros = ((hours * 60L + minutes) * 60 + seconds) * SECOND_MICROS;
    return bytes[start] == '-' ? -micros : micros;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return LENGTH_MAX;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    long micros = ((LongVector) from).values[row];
    if (micros == Temporals.INFINITY) {
      return Words.put(Words.DATE_INFINITY, out, at);
    }
    if (micros == Temporals.MINUS_INFINITY) {
      return Words.put(Words.DATE_MINUS_INFINITY, out, at);
    }
    long days = Math.floorDiv(micros, Temporals.DAY_MICROS);
    long date = Calendar.date(days);
    int next = Dates.put(date, out, at);
    out[next] = ' ';
    next = Times.put(micros - days * Temporals.DAY_MICROS, out, next + 1);
    if (zoned) {
      next = Words.put(UTC, out, next);
    }
    return Calendar.year(date) < 1 ? Words.put(Words.BC, out, next) : next;
  }
}
