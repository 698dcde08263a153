package millrace.data.spelling.number;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import millrace.data.Vector;
import millrace.data.spelling.ValueCodec;

/// Exact decimals, held in longs or as text. A spelling with an exponent, or with zeros behind the
/// last digit that the scale has room for, is read as the plain spelling of the same number.
public abstract class DecimalCodec extends ValueCodec {

  /// More than any number of 64 bits has. A field of few bytes must not become a hundred thousand.
  private static final int DIGITS_MAX = 1_000;

  private final int scaleMax;

  /// @param scaleMax the most digits after the point
  DecimalCodec(int scaleMax) {
    this.scaleMax = scaleMax;
  }

  /// Reads a number without exponent and with no more digits after the point than there is room
  /// for, or a word.
  abstract boolean parsePlain(byte[] bytes, int start, int end, Vector into, int row);

  @Override
  public final boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    return parsePlain(bytes, start, end, into, row) || parseAnew(bytes, start, end, into, row);
  }

  private boolean parseAnew(byte[] bytes, int start, int end, Vector into, int row) {
    int from = digitsStart(bytes, start, end);
    int point = Digits.digitsEnd(bytes, from, end);
    int fractionStart = fractionStart(bytes, point, end);
    int digitsEnd = Digits.digitsEnd(bytes, fractionStart, end);
    if (point - from + digitsEnd - fractionStart == 0) {
      return false;
    }
    if (digitsEnd < end || point == from) {
      return parseSlowly(bytes, start, digitsEnd, end, into, row);
    }
    int last = end;
    while (last - fractionStart > scaleMax && bytes[last - 1] == '0') {
      last--;
    }
    return last < end && parsePlain(bytes, start, last, into, row);
  }

  private boolean parseSlowly(
      byte[] bytes, int start, int exponentStart, int end, Vector into, int row) {
    if (Floats.exponent(bytes, exponentStart, end) == Integer.MIN_VALUE) {
      return false;
    }
    BigDecimal value =
        new BigDecimal(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1));
    if (value.scale() > scaleMax) {
      value = value.stripTrailingZeros();
    }
    if (value.precision() + Math.abs(value.scale()) > DIGITS_MAX) {
      return false;
    }
    byte[] plain = value.toPlainString().getBytes(StandardCharsets.ISO_8859_1);
    return parsePlain(plain, 0, plain.length, into, row);
  }

  /// Whether these bytes, which have been read, have neither an exponent nor more digits after the
  /// point than that.
  public static boolean isPlain(byte[] bytes, int start, int end, int scaleMax) {
    int from = digitsStart(bytes, start, end);
    int fractionStart = fractionStart(bytes, Digits.digitsEnd(bytes, from, end), end);
    int digitsEnd = Digits.digitsEnd(bytes, fractionStart, end);
    return digitsEnd == from || (digitsEnd == end && end - fractionStart <= scaleMax);
  }

  private static int digitsStart(byte[] bytes, int start, int end) {
    return start < end && (bytes[start] == '-' || bytes[start] == '+') ? start + 1 : start;
  }

  private static int fractionStart(byte[] bytes, int point, int end) {
    return point < end && bytes[point] == '.' ? point + 1 : point;
  }
}
