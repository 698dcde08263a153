package millrace.engine.transform;

import millrace.data.Decimals;
import millrace.data.LongVector;
import millrace.data.Vector;

/// Brings integers and short decimals to another scale and range.
final class Rescale implements ValueConversion {

  private final long factor;
  private final long divisor;
  private final long min;
  private final long max;
  private final boolean fromDecimal;
  private final boolean toDecimal;

  /// @param max the largest value after; decimals are as far below zero, integers one further
  Rescale(int fromScale, int toScale, long max, boolean fromDecimal, boolean toDecimal) {
    factor = Decimals.powerOfTen(Math.max(0, toScale - fromScale));
    divisor = Decimals.powerOfTen(Math.max(0, fromScale - toScale));
    this.max = max;
    min = toDecimal ? -max : -max - 1;
    this.fromDecimal = fromDecimal;
    this.toDecimal = toDecimal;
  }

  @Override
  public boolean convert(Vector from, Vector into, int row) {
    long[] values = ((LongVector) into).values;
    long value = ((LongVector) from).values[row];
    if (fromDecimal && value == Decimals.NAN) {
      values[row] = value;
      return toDecimal;
    }
    long scaled = value / divisor;
    if (scaled * divisor != value || scaled > max / factor || scaled < min / factor) {
      return false;
    }
    values[row] = scaled * factor;
    return true;
  }
}
