package millrace.data.spelling.time;

import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Vector;
import millrace.data.spelling.ValueCodec;
import millrace.data.spelling.number.Digits;

/// Times of day: `12:34:56`, `12:34:56.789`; reads `12:34` as well.
public final class Times extends ValueCodec {

  /// What {@link #micros} answers if the bytes are no time.
  static final long NONE = -1;

  /// `12:34:56.` and the room for the digits behind it.
  static final int LENGTH_MAX = 9 + Digits.ROOM;

  private static final long SECOND_MICROS = 1_000_000;
  static final long HOUR_MICROS = 3_600 * SECOND_MICROS;
  private static final int FRACTION_DIGITS = 6;
  private static final int[] FRACTION_UNITS = {1_000_000, 100_000, 10_000, 1_000, 100, 10, 1};

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    long micros = micros(bytes, start, end);
    if (micros == NONE) {
      return false;
    }
    LongVector longs = (LongVector) into;
    longs.values[row] = micros;
    longs.nulls[row] = false;
    return true;
  }

  /// Microseconds since midnight of a time that fills these bytes, up to 24:00, or {@link #NONE}.
  static long micros(byte[] bytes, int start, int end) {
    if (end - start < 5) {
      return NONE;
    }
    int hours = Digits.two(bytes, start);
    long past = pastHours(bytes, start + 2, end);
    if (hours < 0 || past == NONE) {
      return NONE;
    }
    long micros = hours * HOUR_MICROS + past;
    return micros <= Temporals.DAY_MICROS ? micros : NONE;
  }

  /// Microseconds of the `:34:56.789` that stands behind the hours, or {@link #NONE}.
  static long pastHours(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length < 3 || bytes[start] != ':') {
      return NONE;
    }
    int minutes = Digits.two(bytes, start + 1);
    long micros = 0;
    if (length > 3) {
      if (length < 6 || bytes[start + 3] != ':') {
        return NONE;
      }
      int seconds = Digits.two(bytes, start + 4);
      long fraction = fraction(bytes, start + 6, end);
      if (seconds < 0 || seconds > 59 || fraction == NONE) {
        return NONE;
      }
      micros = seconds * SECOND_MICROS + fraction;
    }
    return minutes < 0 || minutes > 59 ? NONE : micros + minutes * (60 * SECOND_MICROS);
  }

  /// Microseconds of `.` and digits, of which those after the sixth must be zeros.
  private static long fraction(byte[] bytes, int start, int end) {
    if (start == end) {
      return 0;
    }
    if (bytes[start] != '.') {
      return NONE;
    }
    int from = start + 1;
    int to = Math.min(end, from + FRACTION_DIGITS);
    long value = Digits.parse(bytes, from, to);
    if (value < 0 || Digits.skipZeros(bytes, to, end) < end) {
      return NONE;
    }
    return value * FRACTION_UNITS[to - from];
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return LENGTH_MAX;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    return put(((LongVector) from).values[row], out, at);
  }

  /// Writes microseconds since midnight, the fraction without trailing zeros.
  static int put(long micros, byte[] out, int at) {
    int seconds = (int) (micros / SECOND_MICROS);
    int fraction = (int) (micros - seconds * SECOND_MICROS);
    int minutes = seconds / 60;
    Digits.putTwo(minutes / 60, out, at);
    out[at + 2] = ':';
    Digits.putTwo(minutes % 60, out, at + 3);
    out[at + 5] = ':';
    Digits.putTwo(seconds % 60, out, at + 6);
    if (fraction == 0) {
      return at + 8;
    }
    out[at + 8] = '.';
    int end = Digits.putPadded(fraction, FRACTION_DIGITS, out, at + 9);
    while (out[end - 1] == '0') {
      end--;
    }
    return end;
  }
}
