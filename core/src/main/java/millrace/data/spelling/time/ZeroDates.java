package millrace.data.spelling.time;

import millrace.data.Vector;
import millrace.data.spelling.ValueParser;

/// Reads dates and timestamps of zeros alone as missing values, and all others by the parser of
/// their type. A date that has only a month or a day of zero is none of those.
public final class ZeroDates extends ValueParser {

  private static final int DATE_LENGTH = 10;

  private final ValueParser others;

  public ZeroDates(ValueParser others) {
    this.others = others;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    if (isZero(bytes, start, end)) {
      into.nulls[row] = true;
      return true;
    }
    return others.parse(bytes, start, end, into, row);
  }

  /// Whether it is `0000-00-00`, with a time of zeros behind it or without.
  public static boolean isZero(byte[] bytes, int start, int end) {
    if (end - start < DATE_LENGTH) {
      return false;
    }
    for (int i = 0; i < DATE_LENGTH; i++) {
      boolean isBetween = i == 4 || i == 7;
      if (bytes[start + i] != (isBetween ? '-' : '0')) {
        return false;
      }
    }
    int time = start + DATE_LENGTH;
    return time == end
        || (Dates.isBeforeTime(bytes[time]) && Times.micros(bytes, time + 1, end) == 0);
  }
}
