package millrace.connectors.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Getter;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.BytesVector;
import millrace.data.Decimals;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import oracle.sql.NUMBER;
import org.jspecify.annotations.Nullable;

/// Numbers as the bytes that Oracle keeps, without a `BigDecimal` for each.
///
/// The first byte is the exponent of 100 plus 193, the others are digits of base 100 plus 1. Of a
/// negative number the exponent's bits are turned round, a digit is taken from 101, and 102 ends it
/// if there is room. 80 in hexadecimal is zero, and the infinities have bytes of their own. What
/// does not fit its type is left to the way by the driver's own objects, which says what it is.
final class OracleNumbers {

  /// Says that a number does not fit.
  static final long UNFIT = Long.MIN_VALUE;

  private static final byte ZERO = (byte) 0x80;
  private static final int EXPONENT_BIAS = 65;
  private static final int EXPONENT_BITS = 0x7F;
  private static final int BASE = 100;
  private static final int NEGATIVE_BIAS = 101;
  private static final byte NEGATIVE_END = 102;

  /// Digits of base 100 that always fit a long.
  private static final int DIGITS_MAX = 9;

  /// Digits of base 100 that a number has at most, and its bytes.
  private static final int STORED_DIGITS_MAX = 20;

  private static final int BYTES_MAX = 48;
  private static final int EXPONENT_MAX = 62;

  /// A sign, 126 digits, a point, and 130 digits.
  private static final int TEXT_MAX = 260;

  private OracleNumbers() {}

  /// Whole numbers, or decimals that are held as counts of their smallest unit.
  static Cell integers(Cell plain) {
    return plain.getting(ResultSet::getBytes, type -> units(type, plain.getter().apply(type)));
  }

  /// Decimals of all kinds.
  static Cell decimals() {
    Cell plain = new Cell(Cells.DECIMAL.getter(), OracleNumbers::setter, Types.NUMERIC, true);
    return plain.getting(
        ResultSet::getBytes,
        type -> {
          Getter slow = plain.getter().apply(type);
          return type instanceof Type.Decimal decimal && !Decimals.fitsLong(decimal)
              ? texts(decimal, slow)
              : units(type, slow);
        });
  }

  private static Setter setter(Type type) {
    int scale = ((Type.Decimal) type).scale();
    Setter slow = Cells.DECIMAL.setter().apply(type);
    byte[] number = new byte[BYTES_MAX];
    return (row, parameter, from, at) -> {
      int length =
          from instanceof LongVector longs
              ? bytes(longs.values[at], scale, number)
              : bytes((BytesVector) from, at, number);
      if (length == 0) {
        return slow.set(row, parameter, from, at);
      }
      row.setObject(parameter, new NUMBER(Arrays.copyOf(number, length)));
      return null;
    };
  }

  /// The bytes of a count of units of 10^-scale.
  ///
  /// @return how many there are; 0 if the way by the driver's own objects is needed
  static int bytes(long units, int scale, byte[] out) {
    if (units == 0) {
      out[0] = ZERO;
      return 1;
    }
    boolean isOdd = scale % 2 != 0;
    long size = Math.abs(units);
    if (size < 0 || scale < 0 || (isOdd && size > Long.MAX_VALUE / 10)) {
      return 0;
    }
    // Digits of base 100 stand on both sides of the point.
    long left = isOdd ? size * 10 : size;
    int exponent = -(scale + 1) / 2;
    for (; left % BASE == 0; left /= BASE) {
      exponent++;
    }
    int digits = 0;
    for (long rest = left; rest != 0; rest /= BASE) {
      digits++;
    }
    for (int i = digits; i > 0; left /= BASE) {
      out[i--] = (byte) (left % BASE);
    }
    return finish(out, digits, exponent + digits - 1, units < 0);
  }

  /// The same of a decimal that is held as text.
  static int bytes(BytesVector texts, int at, byte[] out) {
    byte[] text = texts.bytes;
    int end = texts.ends[at];
    int from = texts.starts[at];
    boolean isNegative = from < end && text[from] == '-';
    from += isNegative ? 1 : 0;
    int point = from;
    while (point < end && text[point] != '.') {
      point++;
    }
    int first = from;
    while (first < end && (text[first] == '0' || text[first] == '.')) {
      first++;
    }
    if (first == end) {
      out[0] = ZERO;
      return 1;
    }
    // How many digits stand before the point, from the first that is no zero; below 0 if zeros
    // stand between the point and that.
    int integerDigits = first < point ? point - first : point + 1 - first;
    int exponent = Math.floorDiv(integerDigits + 1, 2) - 1;
    boolean isSecond = Math.floorMod(integerDigits, 2) != 0;
    int digits = 0;
    int last = 0;
    int pair = 0;
    for (int i = first; i < end; i++) {
      if (i == point) {
        continue;
      }
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9 || digits == BYTES_MAX - 2) {
        return 0;
      }
      pair = isSecond ? pair * 10 + digit : digit;
      if (isSecond) {
        out[++digits] = (byte) pair;
        last = pair == 0 ? last : digits;
        pair = 0;
      }
      isSecond = !isSecond;
    }
    if (isSecond && pair > 0) {
      out[++digits] = (byte) (pair * 10);
      last = digits;
    }
    return finish(out, last, exponent, isNegative);
  }

  /// Turns digits of base 100, which stand behind a free byte, into what Oracle keeps.
  private static int finish(byte[] out, int digits, int exponent, boolean isNegative) {
    if (digits > STORED_DIGITS_MAX || exponent < -EXPONENT_BIAS || exponent > EXPONENT_MAX) {
      return 0;
    }
    int biased = (exponent + EXPONENT_BIAS) | 0x80;
    out[0] = (byte) (isNegative ? ~biased : biased);
    for (int i = 1; i <= digits; i++) {
      out[i] = (byte) (isNegative ? NEGATIVE_BIAS - out[i] : out[i] + 1);
    }
    if (!isNegative || digits == STORED_DIGITS_MAX) {
      return digits + 1;
    }
    out[digits + 1] = NEGATIVE_END;
    return digits + 2;
  }

  private static Getter units(Type type, Getter slow) {
    int scale = type instanceof Type.Decimal decimal ? decimal.scale() : 0;
    long most = most(type);
    long least = type instanceof Type.Bool ? 0 : -most;
    return (value, row, column, into, at) -> {
      long units = units((byte[]) value, scale);
      if (units < least || units > most) {
        return slow(slow, row, column, into, at);
      }
      ((LongVector) into).values[at] = units;
      return null;
    };
  }

  private static long most(Type type) {
    if (type instanceof Type.Int(int bits)) {
      return (1L << (bits - 1)) - 1;
    }
    return type instanceof Type.Decimal decimal ? Decimals.powerOfTen(decimal.precision()) - 1 : 1;
  }

  private static Getter texts(Type.Decimal type, Getter slow) {
    byte[] out = new byte[TEXT_MAX];
    return (value, row, column, into, at) -> {
      int length = text((byte[]) value, type, out);
      if (length == 0) {
        return slow(slow, row, column, into, at);
      }
      ((BytesVector) into).append(at, out, 0, length);
      return null;
    };
  }

  private static @Nullable String slow(Getter slow, ResultSet row, int column, Vector into, int at)
      throws SQLException {
    return slow.get(row.getObject(column), row, column, into, at);
  }

  /// How many units of 10^-scale a number is; {@link #UNFIT} if that is no whole number of at most
  /// 18 digits, or if these are no bytes of a number.
  static long units(byte[] number, int scale) {
    int digits = digits(number);
    if (digits < 0 || digits > DIGITS_MAX) {
      return UNFIT;
    }
    long value = 0;
    for (int i = 1; i <= digits; i++) {
      int digit = digit(number, i);
      if (digit < 0 || digit >= BASE) {
        return UNFIT;
      }
      value = value * BASE + digit;
    }
    if (value == 0) {
      return 0;
    }
    int shift = 2 * (exponent(number) - digits + 1) + scale;
    if (shift < 0) {
      if (shift < -1 || value % 10 != 0) {
        return UNFIT;
      }
      value /= 10;
    } else {
      if (shift > Decimals.DIGITS_IN_LONG || value > Long.MAX_VALUE / Decimals.powerOfTen(shift)) {
        return UNFIT;
      }
      value *= Decimals.powerOfTen(shift);
    }
    return isNegative(number) ? -value : value;
  }

  private static boolean isNegative(byte[] number) {
    return number[0] >= 0;
  }

  /// How many digits of base 100 follow the exponent; -1 if it is no finite number.
  private static int digits(byte[] number) {
    if (number.length < 2) {
      return number.length == 1 && number[0] == ZERO ? 0 : -1;
    }
    int last = number.length - 1;
    return isNegative(number) && number[last] == NEGATIVE_END ? last - 1 : last;
  }

  private static int digit(byte[] number, int at) {
    return isNegative(number) ? NEGATIVE_BIAS - number[at] : number[at] - 1;
  }

  /// The exponent of 100 of the first digit.
  private static int exponent(byte[] number) {
    int bits = isNegative(number) ? ~number[0] : number[0];
    return (bits & EXPONENT_BITS) - EXPONENT_BIAS;
  }

  /// Spells a number as decimals are held as text.
  ///
  /// @param out has room for the longest
  /// @return the length; 0 if it does not fit the type, or if these are no bytes of a number
  static int text(byte[] number, Type.Decimal type, byte[] out) {
    int pairs = digits(number);
    if (pairs < 0) {
      return 0;
    }
    // Digits of base 10, without a zero at either end.
    byte[] tens = new byte[2 * pairs];
    for (int i = 0; i < pairs; i++) {
      int digit = digit(number, i + 1);
      if (digit < 0 || digit >= BASE) {
        return 0;
      }
      tens[2 * i] = (byte) (digit / 10);
      tens[2 * i + 1] = (byte) (digit % 10);
    }
    int first = pairs > 0 && tens[0] == 0 ? 1 : 0;
    int end = pairs > 0 && tens[2 * pairs - 1] == 0 ? 2 * pairs - 1 : 2 * pairs;
    // Before this one stands the point.
    int point = pairs == 0 ? 0 : 2 * (exponent(number) + 1);
    boolean limited = type.precision() > 0;
    int scale = limited ? type.scale() : Math.max(0, end - point);
    if (limited && (end - point > scale || point - first > type.precision() - scale)) {
      return 0;
    }
    int to = 0;
    if (pairs > 0 && isNegative(number)) {
      out[to++] = '-';
    }
    if (point <= first) {
      out[to++] = '0';
    }
    for (int i = first; i < point; i++) {
      out[to++] = (byte) ('0' + (i < end ? tens[i] : 0));
    }
    if (scale > 0) {
      out[to++] = '.';
      for (int i = point; i < point + scale; i++) {
        out[to++] = (byte) ('0' + (i >= first && i < end ? tens[i] : 0));
      }
    }
    return to;
  }
}
