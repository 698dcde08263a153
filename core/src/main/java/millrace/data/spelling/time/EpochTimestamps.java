package millrace.data.spelling.time;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Vector;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.number.Digits;

/// Reads timestamps that are numbers of some unit since 1970. A fraction is read, if it is one of
/// whole microseconds: others are refused. A reading of a clock is the one in UTC.
public final class EpochTimestamps extends ValueParser {

  private static final long MICRO_NANOS = 1_000;

  /// A number of whole seconds has fewer.
  private static final int LENGTH_MAX = 40;

  private final EpochUnit unit;

  public EpochTimestamps(EpochUnit unit) {
    this.unit = unit;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    int from = start < end && bytes[start] == '-' ? start + 1 : start;
    int point = Digits.digitsEnd(bytes, from, end);
    boolean pointed = point < end && bytes[point] == '.';
    int last = pointed ? Digits.digitsEnd(bytes, point + 1, end) : point;
    if (point == from || last < end || end - start > LENGTH_MAX || bytes[end - 1] == '.') {
      return false;
    }
    BigDecimal micros =
        new BigDecimal(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1))
            .multiply(BigDecimal.valueOf(unit.nanos()))
            .divide(BigDecimal.valueOf(MICRO_NANOS))
            .stripTrailingZeros();
    if (micros.scale() > 0) {
      return false;
    }
    BigInteger since =
        micros.toBigIntegerExact().subtract(BigInteger.valueOf(Temporals.EPOCH_MICROS));
    if (since.bitLength() >= Long.SIZE
        || since.equals(BigInteger.valueOf(Temporals.INFINITY))
        || since.equals(BigInteger.valueOf(Temporals.MINUS_INFINITY))
        || since.equals(BigInteger.valueOf(Dates.NONE))) {
      return false;
    }
    LongVector longs = (LongVector) into;
    longs.values[row] = since.longValueExact();
    longs.nulls[row] = false;
    return true;
  }
}
