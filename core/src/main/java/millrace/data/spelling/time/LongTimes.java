package millrace.data.spelling.time;

import millrace.data.LongVector;
import millrace.data.Vector;
import millrace.data.spelling.ValueCodec;
import millrace.data.spelling.number.Digits;

/// Times beyond a day or below zero, as MariaDB and MySQL have them: `-26:30:00`, `838:59:59.5`.
public final class LongTimes extends ValueCodec {

  private static final int HOURS_DIGITS_MAX = 10;
  private static final int READ_DIGITS_MAX = 6;

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    boolean isNegative = start < end && bytes[start] == '-';
    int from = isNegative ? start + 1 : start;
    int colon = Digits.digitsEnd(bytes, from, end);
    long past = Times.pastHours(bytes, colon, end);
    if (colon == from || colon - from > READ_DIGITS_MAX || past == Times.NONE) {
      return false;
    }
    long micros = Digits.parse(bytes, from, colon) * Times.HOUR_MICROS + past;
    LongVector longs = (LongVector) into;
    longs.values[row] = isNegative ? -micros : micros;
    longs.nulls[row] = false;
    return true;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return 1 + HOURS_DIGITS_MAX + Times.LENGTH_MAX;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    long micros = ((LongVector) from).values[row];
    int start = at;
    if (micros < 0) {
      out[start++] = '-';
    }
    long hours = Math.abs(micros / Times.HOUR_MICROS);
    if (hours < 100) {
      return Times.put(Math.abs(micros), out, start);
    }
    int colon = Digits.put(hours, out, start);
    int end = Times.put(Math.abs(micros % Times.HOUR_MICROS), out, colon - 2);
    // That begins with the hours 00.
    Digits.putTwo((int) (hours % 100), out, colon - 2);
    return end;
  }
}
