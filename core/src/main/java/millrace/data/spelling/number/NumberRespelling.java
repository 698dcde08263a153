package millrace.data.spelling.number;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns numbers of a {@link NumberStyle} into the plain spelling. It takes nothing for a separator
/// that does not stand where one has to: `1,000` and `12,345,678`, but neither `1,00` nor
/// `1000,000` if the comma stands between thousands. One thread.
public final class NumberRespelling {

  private static final int GROUP_DIGITS = 3;

  private static final int EXPONENT_LENGTH_MAX = 8;

  private final byte decimal;
  private final byte[][] separators;
  private final byte[][] signs;
  private final boolean isPercent;

  private byte[] plain = new byte[64];
  private int length;

  public NumberRespelling(NumberStyle style) {
    decimal = (byte) style.decimal().charAt(0);
    separators = bytes(style.separators());
    signs = bytes(style.signs());
    isPercent = style.isPercent();
  }

  /// That of a style, or null if there is nothing to do.
  public static @Nullable NumberRespelling of(NumberStyle style) {
    return style.equals(NumberStyle.PLAIN) ? null : new NumberRespelling(style);
  }

  private static byte[][] bytes(List<String> texts) {
    return texts.stream().map(each -> each.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
  }

  /// Spells a number anew; whether it is one of the style.
  ///
  /// @param integers whether zeros behind the decimal separator are left out
  public boolean respell(byte[] bytes, int start, int end, boolean integers) {
    length = 0;
    if (plain.length < end - start) {
      plain = new byte[2 * (end - start)];
    }
    int from = start;
    int to = end;
    boolean signed = false;
    if (from < to && isSign(bytes[from])) {
      plain[length++] = bytes[from++];
      signed = true;
    }
    if (signs.length > 0) {
      int after = isPercent ? from : unitEnd(bytes, from, to);
      int before = unitStart(bytes, from, to);
      boolean inFront = after > from;
      // It stands in one place, and percent has to have it.
      if (inFront == (before < to) && (inFront || isPercent)) {
        return false;
      }
      from = after;
      to = inFront ? to : before;
      if (inFront && !signed && from < to && isSign(bytes[from])) {
        plain[length++] = bytes[from++];
      }
    }
    return body(bytes, from, to, integers);
  }

  /// The plain spelling.
  public byte[] plain() {
    return plain;
  }

  /// How long it is.
  public int length() {
    return length;
  }

  private static boolean isSign(byte each) {
    return each == '-' || each == '+';
  }

  /// Copies digits; false if they are no number.
  private boolean body(byte[] bytes, int start, int end, boolean integers) {
    int at = Digits.digitsEnd(bytes, start, end);
    int digits = at - start;
    copy(bytes, start, at);
    int width = separator(bytes, at, end);
    if (width > 0 && (digits == 0 || digits > GROUP_DIGITS)) {
      return false;
    }
    while (width > 0) {
      int from = at + width;
      at = Digits.digitsEnd(bytes, from, end);
      if (at - from != GROUP_DIGITS) {
        return false;
      }
      copy(bytes, from, at);
      digits += GROUP_DIGITS;
      width = separator(bytes, at, end);
    }
    if (at < end && bytes[at] == decimal) {
      int from = at + 1;
      at = Digits.digitsEnd(bytes, from, end);
      digits += at - from;
      plain[length++] = '.';
      copy(bytes, from, at);
    }
    if (digits == 0) {
      return false;
    }
    if (at == end) {
      if (integers) {
        dropZeros();
      }
      return true;
    }
    copy(bytes, at, end);
    return (bytes[at] | 0x20) == 'e' && end - at <= EXPONENT_LENGTH_MAX;
  }

  private void copy(byte[] bytes, int start, int end) {
    System.arraycopy(bytes, start, plain, length, end - start);
    length += end - start;
  }

  /// How long the separator is that stands there; 0 if none does.
  private int separator(byte[] bytes, int at, int end) {
    for (byte[] each : separators) {
      if (stands(each, bytes, at, end)) {
        return each.length;
      }
    }
    return 0;
  }

  private static boolean stands(byte[] part, byte[] bytes, int at, int end) {
    return end - at >= part.length
        && Arrays.equals(part, 0, part.length, bytes, at, at + part.length);
  }

  /// Where a sign of the unit ends that stands there, with a blank behind it.
  private int unitEnd(byte[] bytes, int from, int to) {
    for (byte[] each : signs) {
      if (stands(each, bytes, from, to)) {
        int at = from + each.length;
        return at < to && bytes[at] == ' ' ? at + 1 : at;
      }
    }
    return from;
  }

  /// Where a sign of the unit begins that ends there, with a blank before it.
  private int unitStart(byte[] bytes, int from, int to) {
    for (byte[] each : signs) {
      int at = to - each.length;
      if (at > from && stands(each, bytes, at, to)) {
        return bytes[at - 1] == ' ' ? at - 1 : at;
      }
    }
    return to;
  }

  /// Leaves out zeros behind the point.
  private void dropZeros() {
    int point = 0;
    while (point < length && plain[point] != '.') {
      point++;
    }
    int last = length;
    while (last > point + 1 && plain[last - 1] == '0') {
      last--;
    }
    length = last == point + 1 ? point : length;
  }
}
