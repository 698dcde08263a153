package millrace.data.spelling.number;

import millrace.data.Decimals;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Words;

/// Exact decimals of up to 18 digits, held as a count of units; written with exactly as many digits
/// after the point as the scale has.
public final class DecimalLongs extends DecimalCodec {

  /// Sign, eighteen digits with a point, and the room for those behind it.
  private static final int LENGTH_MAX = 1 + 18 + 1 + Digits.ROOM;

  private final int scale;
  private final long unitsPerOne;
  private final long integersLimit;
  private final long unitsLimit;

  public DecimalLongs(Type.Decimal type) {
    super(type.scale());
    scale = type.scale();
    unitsPerOne = Decimals.powerOfTen(scale);
    unitsLimit = Decimals.powerOfTen(type.precision());
    integersLimit = Decimals.powerOfTen(Math.max(0, type.precision() - scale));
  }

  @Override
  boolean parsePlain(byte[] bytes, int start, int end, Vector into, int row) {
    if (start >= end) {
      return false;
    }
    byte first = bytes[start];
    boolean negative = first == '-';
    int from = negative || first == '+' ? start + 1 : start;
    int point = from;
    while (point < end && bytes[point] != '.') {
      point++;
    }
    long units = units(bytes, from, point, end);
    if (units < 0) {
      if (!Words.is(Words.NAN, bytes, start, end)) {
        return false;
      }
      units = Decimals.NAN;
    }
    LongVector longs = (LongVector) into;
    longs.values[row] = negative ? -units : units;
    longs.nulls[row] = false;
    return true;
  }

  private long units(byte[] bytes, int start, int point, int end) {
    int fractionDigits = Math.max(0, end - point - 1);
    if (fractionDigits > scale || point - start + fractionDigits == 0) {
      return Digits.NONE;
    }
    int from =
        point - start > Decimals.DIGITS_IN_LONG ? Digits.skipZeros(bytes, start, point) : start;
    long integer = from == point ? 0 : Digits.parse(bytes, from, point);
    long fraction = fractionDigits == 0 ? 0 : Digits.parse(bytes, point + 1, end);
    if ((integer | fraction) < 0 || integer >= integersLimit) {
      return Digits.NONE;
    }
    long units = integer * unitsPerOne + fraction * Decimals.powerOfTen(scale - fractionDigits);
    return units < unitsLimit ? units : Digits.NONE;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return LENGTH_MAX;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    long units = ((LongVector) from).values[row];
    if (units == Decimals.NAN) {
      return Words.put(Words.NAN, out, at);
    }
    int next = at;
    if (units < 0) {
      out[next++] = '-';
      units = -units;
    }
    if (scale == 0) {
      return Digits.put(units, out, next);
    }
    long integer = units / unitsPerOne;
    next = Digits.put(integer, out, next);
    out[next++] = '.';
    return Digits.putPadded(units - integer * unitsPerOne, scale, out, next);
  }
}
