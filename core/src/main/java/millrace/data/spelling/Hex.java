package millrace.data.spelling;

import java.util.Arrays;

/// Hexadecimal digits in bytes.
final class Hex {

  private static final byte[] DIGITS = Words.of("0123456789abcdef");
  private static final byte[] VALUES = new byte[256];

  static {
    Arrays.fill(VALUES, (byte) -1);
    for (int i = 0; i < 16; i++) {
      VALUES[DIGITS[i]] = (byte) i;
      VALUES[Character.toUpperCase(DIGITS[i])] = (byte) i;
    }
  }

  private Hex() {}

  /// Reads pairs of digits into bytes; false if one is no digit.
  static boolean read(byte[] bytes, int start, int pairs, byte[] out, int at) {
    int bad = 0;
    for (int i = 0; i < pairs; i++) {
      int high = VALUES[bytes[start + 2 * i] & 0xFF];
      int low = VALUES[bytes[start + 2 * i + 1] & 0xFF];
      bad |= high | low;
      out[at + i] = (byte) (high << 4 | low);
    }
    return bad >= 0;
  }

  /// Writes bytes as pairs of lower-case digits.
  static int write(byte[] bytes, int start, int count, byte[] out, int at) {
    int next = at;
    for (int i = start; i < start + count; i++) {
      out[next] = DIGITS[(bytes[i] >> 4) & 0xF];
      out[next + 1] = DIGITS[bytes[i] & 0xF];
      next += 2;
    }
    return next;
  }
}
