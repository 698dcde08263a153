package millrace.data.spelling.time;

import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.ValueCodec;

/// Dates spelled in a pattern.
public final class PatternDates extends ValueCodec {

  private final TemporalPattern pattern;

  public PatternDates(TemporalPattern pattern) {
    this.pattern = pattern;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    long micros = pattern.read(bytes, start, end);
    if (micros == Dates.NONE) {
      return false;
    }
    LongVector longs = (LongVector) into;
    longs.values[row] = Math.floorDiv(micros, Temporals.DAY_MICROS);
    longs.nulls[row] = false;
    return true;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return pattern.lengthMax();
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    long days = ((LongVector) from).values[row];
    if (days != Temporals.INFINITY && days != Temporals.MINUS_INFINITY) {
      long date = Dates.date(days);
      if (pattern.carries(date, 0)) {
        return pattern.write(date, 0, out, at);
      }
    }
    throw pattern.cannotSpell("date " + Spelling.text(new Type.Date(), from, row));
  }
}
