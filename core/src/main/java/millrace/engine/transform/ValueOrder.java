package millrace.engine.transform;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Vector;

/// Where values of one type stand against one literal.
///
/// As in PostgreSQL, NaN equals itself and is greater than every number. Text goes by its bytes,
/// which is the order of code points and needs no collation.
@FunctionalInterface
interface ValueOrder {

  /// Negative, zero or positive as the value of a row, which is not null, is less than, equal to or
  /// greater than the literal.
  int compare(Vector vector, int row);

  /// Digits before or after the point beyond which no long reaches.
  int DIGITS_BEYOND_LONG = 40;

  /// Against a whole number.
  static ValueOrder ofLong(long literal) {
    return (vector, row) -> Long.compare(((LongVector) vector).values[row], literal);
  }

  /// Integers and short decimals against any decimal, exactly.
  ///
  /// @param scale of the column
  /// @param nan whether {@link Decimals#NAN} may occur among the values
  static ValueOrder ofUnits(BigDecimal literal, int scale, boolean nan) {
    int integerDigits = literal.signum() == 0 ? 0 : literal.precision() - literal.scale() + scale;
    if (integerDigits > DIGITS_BEYOND_LONG) {
      return beyond(literal.signum(), nan);
    }
    // Of a literal this close to zero it only matters on which side it is.
    BigDecimal units =
        integerDigits < -DIGITS_BEYOND_LONG
            ? BigDecimal.valueOf(literal.signum(), 1)
            : literal.scaleByPowerOfTen(scale);
    BigDecimal floor = units.setScale(0, RoundingMode.FLOOR);
    if (floor.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      return beyond(1, nan);
    }
    if (floor.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) < 0) {
      return beyond(-1, nan);
    }
    long below = floor.longValueExact();
    boolean exact = floor.compareTo(units) == 0;
    return (vector, row) -> {
      long value = ((LongVector) vector).values[row];
      if (nan && value == Decimals.NAN) {
        return 1;
      }
      return value != below || exact ? Long.compare(value, below) : -1;
    };
  }

  /// All numbers are on one side of a literal of that sign.
  private static ValueOrder beyond(int sign, boolean nan) {
    return (vector, row) -> nan && ((LongVector) vector).values[row] == Decimals.NAN ? 1 : -sign;
  }

  /// Long decimals.
  static ValueOrder ofDecimalText(BigDecimal literal) {
    return (vector, row) -> {
      BytesVector texts = (BytesVector) vector;
      byte last = texts.bytes[texts.ends[row] - 1];
      if (last > '9') {
        return texts.bytes[texts.starts[row]] == '-' ? -1 : 1;
      }
      return new BigDecimal(texts.text(row)).compareTo(literal);
    };
  }

  /// Floating-point numbers against one of the same width.
  static ValueOrder ofDouble(double literal) {
    return (vector, row) -> {
      double value = ((DoubleVector) vector).values[row];
      if (value < literal) {
        return -1;
      }
      if (value > literal) {
        return 1;
      }
      return value == literal ? 0 : Boolean.compare(Double.isNaN(value), Double.isNaN(literal));
    };
  }

  /// Text, UUIDs and raw bytes.
  static ValueOrder ofBytes(byte[] literal) {
    return (vector, row) -> {
      BytesVector texts = (BytesVector) vector;
      return Arrays.compareUnsigned(
          texts.bytes, texts.starts[row], texts.ends[row], literal, 0, literal.length);
    };
  }

  /// Counts of days against a number of microseconds.
  static ValueOrder ofDays(long days, boolean midnight) {
    return (vector, row) -> {
      long value = ((LongVector) vector).values[row];
      return value != days || midnight ? Long.compare(value, days) : -1;
    };
  }
}
