package millrace.data.spelling.time;

import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.ValueCodec;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Dates, times of day and timestamps spelled in a pattern; instants in UTC.
public final class PatternTemporals extends ValueCodec {

  private final Type.Temporal type;
  private final boolean isDate;
  private final boolean isTime;
  private final @Nullable WallClock clock;
  private final TemporalPattern pattern;

  /// @param clock tells the instants if the pattern has no offset; null if it must have one, and
  ///   for what is no instant
  /// @throws Fault.User if it is no pattern of such values
  public PatternTemporals(Type.Temporal type, String format, @Nullable WallClock clock) {
    this.type = type;
    isDate = type instanceof Type.Date;
    isTime = type instanceof Type.Time;
    this.clock = clock == null || PatternCompiler.hasOffset(format) ? null : clock;
    pattern =
        PatternCompiler.compile(
            format,
            switch (type) {
              case Type.Date _ -> PatternCompiler.Kind.DATE;
              case Type.Time _ -> PatternCompiler.Kind.TIME;
              case Type.Timestamp(boolean zoned) when zoned && this.clock == null ->
                  PatternCompiler.Kind.INSTANT;
              case Type.Timestamp _ -> PatternCompiler.Kind.TIMESTAMP;
            });
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
    longs.values[row] = isDate ? Math.floorDiv(micros, Temporals.DAY_MICROS) : micros;
    longs.nulls[row] = false;
    return true;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return pattern.lengthMax();
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    long value = ((LongVector) from).values[row];
    long days = isDate ? value : isTime ? 0 : Math.floorDiv(value, Temporals.DAY_MICROS);
    long time = isDate ? 0 : value - days * Temporals.DAY_MICROS;
    boolean isFinite = value != Temporals.INFINITY && value != Temporals.MINUS_INFINITY;
    if (isFinite && time >= 0 && time <= Temporals.DAY_MICROS) {
      long date = Dates.date(days);
      if (pattern.carries(date, time)) {
        return pattern.write(date, time, out, at);
      }
    }
    String kind = isDate ? "date " : isTime ? "time " : "timestamp ";
    throw pattern.cannotSpell(kind + Spelling.text(type, from, row));
  }
}
