package millrace.data.spelling.time;

import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.ValueCodec;

/// Times of day spelled in a pattern.
public final class PatternTimes extends ValueCodec {

  private static final long ANY_DATE = Calendar.date(0);

  private final TemporalPattern pattern;

  public PatternTimes(TemporalPattern pattern) {
    this.pattern = pattern;
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
    boolean isOfDay = micros >= 0 && micros <= Temporals.DAY_MICROS;
    if (!isOfDay || !pattern.carries(ANY_DATE, micros)) {
      throw pattern.cannotSpell("time " + Spelling.text(new Type.Time(true), from, row));
    }
    return pattern.write(ANY_DATE, micros, out, at);
  }
}
