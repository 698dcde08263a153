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
    if (end - start < DATE_LENGTH || bytes[start] != '0' || bytes[start + DATE_LENGTH - 1] != '0') {
      return false;
    }
    for (int at = start; at < end; at++) {
      byte each = bytes[at];
      boolean isBetween = at - start == 4 || at - start == 7;
      boolean isInTime = at - start >= DATE_LENGTH && " T:.".indexOf(each) >= 0;
      if (isBetween ? each != '-' : each != '0' && !isInTime) {
        return false;
      }
    }
    return true;
  }
}
