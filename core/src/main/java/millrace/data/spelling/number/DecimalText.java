package millrace.data.spelling.number;

import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Texts;
import millrace.data.spelling.Words;

/// Exact decimals too long for a long, held as text in the spelling of {@link
/// millrace.data.Decimals}.
///
/// With a precision, values are held with exactly as many digits after the point as the scale has.
/// Without one each value keeps its own digits.
public final class DecimalText extends DecimalCodec {

  private final boolean limited;
  private final int scale;
  private final int integerDigitsMax;
  private byte[] buffer = new byte[64];

  public DecimalText(Type.Decimal type) {
    super(type.precision() > 0 ? Math.max(0, type.scale()) : Integer.MAX_VALUE);
    limited = type.precision() > 0;
    scale = type.scale();
    integerDigitsMax = type.precision() - scale;
  }

  @Override
  boolean parsePlain(byte[] bytes, int start, int end, Vector into, int row) {
    if (start >= end) {
      return false;
    }
    byte first = bytes[start];
    boolean signed = first == '-' || first == '+';
    int from = signed ? start + 1 : start;
    int point = Digits.digitsEnd(bytes, from, end);
    boolean pointed = point < end && bytes[point] == '.';
    int fractionStart = pointed ? point + 1 : point;
    if (Digits.digitsEnd(bytes, fractionStart, end) < end || end - from == (pointed ? 1 : 0)) {
      return word(bytes, start, end, (BytesVector) into, row);
    }
    int integerStart = Digits.skipZeros(bytes, from, point);
    if (limited && !fits(bytes, integerStart, point, end - fractionStart)) {
      return false;
    }
    int zeros = limited ? Math.max(0, scale - (end - fractionStart)) : 0;
    boolean negative = first == '-' && !isZero(bytes, integerStart, end);
    append(
        bytes, negative, integerStart, point, fractionStart, end, zeros, (BytesVector) into, row);
    return true;
  }

  private boolean fits(byte[] bytes, int integerStart, int point, int fractionDigits) {
    int integerDigits = point - integerStart;
    if (integerDigits > Math.max(0, integerDigitsMax) || fractionDigits > Math.max(0, scale)) {
      return false;
    }
    // numeric(2,5) needs three zeros after the point, numeric(2,-3) three zeros at the end.
    int leadingZeros = Math.max(0, -integerDigitsMax);
    int shown = Math.min(leadingZeros, fractionDigits);
    if (Digits.skipZeros(bytes, point + 1, point + 1 + shown) < point + 1 + shown) {
      return false;
    }
    int trailingZeros = Math.min(integerDigits, Math.max(0, -scale));
    return Digits.skipZeros(bytes, point - trailingZeros, point) == point;
  }

  private boolean word(byte[] bytes, int start, int end, BytesVector into, int row) {
    byte[] word;
    if (Words.is(Words.NAN, bytes, start, end)) {
      word = Words.NAN;
    } else if (limited) {
      return false;
    } else if (Words.is(Words.INFINITY, bytes, start, end)) {
      word = Words.INFINITY;
    } else if (Words.is(Words.MINUS_INFINITY, bytes, start, end)) {
      word = Words.MINUS_INFINITY;
    } else {
      return false;
    }
    into.append(row, word, 0, word.length);
    return true;
  }

  private void append(
      byte[] bytes,
      boolean negative,
      int integerStart,
      int point,
      int fractionStart,
      int end,
      int zeros,
      BytesVector into,
      int row) {
    int lengthMax = end - integerStart + zeros + 3;
    if (buffer.length < lengthMax) {
      buffer = new byte[Math.max(lengthMax, 2 * buffer.length)];
    }
    int at = 0;
    if (negative) {
      buffer[at++] = '-';
    }
    if (integerStart == point) {
      buffer[at++] = '0';
    }
    System.arraycopy(bytes, integerStart, buffer, at, point - integerStart);
    at += point - integerStart;
    int fractionDigits = end - fractionStart;
    if (fractionDigits + zeros > 0) {
      buffer[at++] = '.';
      System.arraycopy(bytes, fractionStart, buffer, at, fractionDigits);
      at += fractionDigits;
      Arrays.fill(buffer, at, at + zeros, (byte) '0');
      at += zeros;
    }
    into.append(row, buffer, 0, at);
  }

  private static boolean isZero(byte[] bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      if (bytes[i] != '0' && bytes[i] != '.') {
        return false;
      }
    }
    return true;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    BytesVector texts = (BytesVector) from;
    return texts.ends[row] - texts.starts[row];
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    return Texts.copy((BytesVector) from, row, out, at);
  }
}
