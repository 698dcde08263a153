package millrace.testkit.oracle.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;

/// NUMBER as bytes: an exponent of base 100, then a byte for each pair of digits.
///
/// Positive numbers have the exponent plus 193 and digits plus 1; negative ones the complement of
/// that, digits from 101 downwards, and a final 102 unless there are 20 digits.
public final class NumberFormat {

  private static final int ZERO = 0x80;
  private static final int EXPONENT_OF_ONE = 0xC1;
  private static final int MOST_PAIRS = 20;
  private static final int NEGATIVE_END = 102;
  private static final BigInteger HUNDRED = BigInteger.valueOf(100);

  private NumberFormat() {}

  public static byte[] encode(BigDecimal value) {
    if (value.signum() == 0) {
      return new byte[] {(byte) ZERO};
    }
    BigDecimal even = value.stripTrailingZeros();
    if ((even.scale() & 1) != 0) {
      even = even.setScale(even.scale() + 1);
    }
    int[] pairs = pairs(even.unscaledValue().abs());
    int exponent = pairs.length - 1 - even.scale() / 2;
    int count = Math.min(MOST_PAIRS, pairs.length);
    while (pairs[count - 1] == 0) {
      count--;
    }
    boolean negative = value.signum() < 0;
    byte[] bytes = new byte[1 + count + (negative && count < MOST_PAIRS ? 1 : 0)];
    bytes[0] = (byte) (negative ? ~(EXPONENT_OF_ONE + exponent) : EXPONENT_OF_ONE + exponent);
    for (int i = 0; i < count; i++) {
      bytes[1 + i] = (byte) (negative ? 101 - pairs[i] : pairs[i] + 1);
    }
    if (bytes.length > 1 + count) {
      bytes[1 + count] = NEGATIVE_END;
    }
    return bytes;
  }

  /// The digits in pairs, the highest first.
  private static int[] pairs(BigInteger digits) {
    int[] pairs = new int[digits.bitLength() / 6 + 1];
    int at = pairs.length;
    if (digits.bitLength() < Long.SIZE) {
      for (long left = digits.longValue(); left != 0; left /= 100) {
        pairs[--at] = (int) (left % 100);
      }
    } else {
      for (BigInteger left = digits; left.signum() != 0; left = left.divide(HUNDRED)) {
        pairs[--at] = left.mod(HUNDRED).intValue();
      }
    }
    return Arrays.copyOfRange(pairs, at, pairs.length);
  }

  /// The number of those bytes.
  ///
  /// @throws IllegalArgumentException if the bytes are no number: a pair is beyond 99
  public static BigDecimal decode(byte[] bytes) {
    int head = bytes[0] & 0xFF;
    if (head == ZERO && bytes.length == 1) {
      return BigDecimal.ZERO;
    }
    boolean negative = head < ZERO;
    int exponent = (negative ? ~head & 0xFF : head) - EXPONENT_OF_ONE;
    int end = bytes.length;
    if (negative && (bytes[end - 1] & 0xFF) == NEGATIVE_END) {
      end--;
    }
    if (end == 1) {
      throw new IllegalArgumentException("a number without digits");
    }
    long small = 0;
    BigInteger large = null;
    for (int i = 1; i < end; i++) {
      int pair = negative ? 101 - (bytes[i] & 0xFF) : (bytes[i] & 0xFF) - 1;
      if (pair < 0 || pair > 99) {
        throw new IllegalArgumentException("a number with the byte " + (bytes[i] & 0xFF));
      }
      if (i < 9) {
        small = small * 100 + pair;
      } else {
        large = (large == null ? BigInteger.valueOf(small) : large).multiply(HUNDRED);
        large = large.add(BigInteger.valueOf(pair));
      }
    }
    BigInteger digits = large == null ? BigInteger.valueOf(small) : large;
    int scale = 2 * (end - 2 - exponent);
    return new BigDecimal(negative ? digits.negate() : digits, scale);
  }
}
