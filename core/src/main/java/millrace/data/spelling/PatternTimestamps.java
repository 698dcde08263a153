package millrace.data.spelling;

import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;

/// Timestamps spelled in a pattern; instants in UTC.
final class PatternTimestamps extends Codec {

  private final TemporalPattern pattern;
  private final boolean zoned;

  PatternTimestamps(TemporalPattern pattern, boolean zoned) {
    this.pattern = pattern;
    this.zoned = zoned;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    long micros = pattern.read(bytes, start, end);
    if (micros == Dates.NONE) {
      return false;
    }
    LongVector longs = (LongVector) into;
    longs.values[row] = micros;
    longs.nulls[row] = false;
    return true;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return pattern.lengthMax();
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    long micros = ((LongVector) from).values[row];
    if (micros != Temporals.INFINITY && micros != Temporals.MINUS_INFINITY) {
      long days = Math.floorDiv(micros, Temporals.DAY_MICROS);
      long clock = micros - days * Temporals.DAY_MICROS;
      long date = Calendar.date(days);
      if (pattern.carries(date, clock)) {
        return pattern.write(date, clock, out, at);
      }
    }
    throw pattern.cannotSpell("timestamp " + Spelling.text(new Type.Timestamp(zoned), from, row));
  }
}
