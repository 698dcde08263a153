package millrace.data.spelling.time;

import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.ValueCodec;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Timestamps spelled in a pattern; instants in UTC.
public final class PatternTimestamps extends ValueCodec {

  private final TemporalPattern pattern;
  private final boolean zoned;
  private final @Nullable WallClock clock;

  /// @param clock tells the instants if the pattern has no offset; null if it must have one
  /// @throws Fault.User if it is no pattern of such a timestamp
  public PatternTimestamps(String format, boolean zoned, @Nullable WallClock clock) {
    this.zoned = zoned;
    this.clock = clock == null || PatternCompiler.hasOffset(format) ? null : clock;
    pattern = TemporalPattern.ofTimestamp(format, zoned && this.clock == null);
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    long micros = pattern.read(bytes, start, end);
    if (micros != Dates.NONE && clock != null) {
      micros = clock.instant(micros);
    }
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
