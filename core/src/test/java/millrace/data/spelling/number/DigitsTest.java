package millrace.data.spelling.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/// Digits are those that the JDK writes, and nothing but the room for them changes.
class DigitsTest {

  private static final int AT = 3;

  /// Four digits are divided at once, twice: all there are, on both sides.
  @Test
  void everyFourDigits() {
    for (int i = 0; i < 10_000; i++) {
      String digits = "%04d".formatted(i);
      assertThat(text(Digits.spell(i))).isEqualTo("0000" + digits);
      assertThat(text(Digits.spell(i * 10_000))).isEqualTo(digits + "0000");
    }
  }

  @Test
  void numbersOnBothSidesOfEachPowerOfTen() {
    long power = 1;
    for (int digits = 1; digits <= 18; digits++) {
      for (long number : new long[] {power - 1, power, power + 1, power * 10 - 1}) {
        assertThat(put(number)).isEqualTo(Long.toString(number));
        assertThat(padded(number, 18)).isEqualTo("%018d".formatted(number));
      }
      power *= 10;
    }
    assertThat(put(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
    assertThat(put(Long.MIN_VALUE)).isEqualTo("9223372036854775808");
  }

  @Property
  void numbers(@ForAll @LongRange(min = 0) long number) {
    String digits = Long.toString(number);
    assertThat(put(number)).isEqualTo(digits);
    for (int width = digits.length(); width <= 18; width++) {
      BigInteger all = BigInteger.valueOf(number);
      assertThat(padded(number, width)).isEqualTo(("%0" + width + "d").formatted(all));
    }
  }

  private static String text(long digits) {
    byte[] bytes = new byte[Long.BYTES];
    Digits.store(digits, bytes, 0);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private static String put(long number) {
    byte[] out = paper();
    return written(out, Digits.put(number, out, AT));
  }

  private static String padded(long number, int digits) {
    byte[] out = paper();
    return written(out, Digits.putPadded(number, digits, out, AT));
  }

  private static byte[] paper() {
    byte[] out = new byte[40];
    Arrays.fill(out, (byte) '#');
    return out;
  }

  private static String written(byte[] out, int end) {
    int room = Math.max(end, AT + Digits.ROOM);
    assertThat(new String(out, 0, AT, StandardCharsets.US_ASCII)).isEqualTo("###");
    assertThat(new String(out, room, out.length - room, StandardCharsets.US_ASCII)).matches("#*");
    return new String(out, AT, end - AT, StandardCharsets.US_ASCII);
  }
}
