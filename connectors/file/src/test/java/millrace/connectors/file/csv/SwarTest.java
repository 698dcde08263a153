package millrace.connectors.file.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/// What is looked for many bytes at a time is what looking at each of them finds.
class SwarTest {

  /// Bytes around the wanted ones, with and without the high bit.
  private static final byte[] BYTES = {
    0, 1, '!', '"', '#', ',', '-', '\n', 127, -128, -94, -84, -1
  };

  private static byte[] bytes(int[] choices) {
    byte[] bytes = new byte[choices.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = BYTES[Math.floorMod(choices[i], BYTES.length)];
    }
    return bytes;
  }

  @Property
  void placesAreThoseOfTheThreeBytes(
      @ForAll @Size(max = 300) int[] choices, @ForAll @IntRange(max = 20) int before) {
    byte[] bytes = bytes(choices);
    int from = Math.min(before, bytes.length);
    long[] marks = new long[bytes.length / 8];
    int[] places = new int[bytes.length - from];
    int count =
        Swar.places(bytes, from, bytes.length, (byte) '"', (byte) ',', (byte) '\n', marks, places);
    assertThat(Arrays.copyOf(places, count))
        .isEqualTo(
            IntStream.range(from, bytes.length)
                .filter(at -> bytes[at] == '"' || bytes[at] == ',' || bytes[at] == '\n')
                .toArray());
  }

  @Property
  void aHitIsABitOfItsByte(
      @ForAll @Size(70) int[] choices,
      @ForAll @IntRange(max = 6) int at,
      @ForAll @IntRange(max = 12) int wanted) {
    byte[] bytes = bytes(choices);
    byte sought = BYTES[wanted];
    long hits = Swar.hits(bytes, at, sought);
    for (int i = 0; i < 64; i++) {
      assertThat((hits >>> i & 1) == 1).isEqualTo(bytes[at + i] == sought);
    }
  }

  @Property
  void bytesThatStandApartAreCounted(@ForAll @Size(202) int[] choices, @ForAll boolean quotes) {
    byte[] bytes = new byte[choices.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] =
          switch (Math.floorMod(choices[i], 100)) {
            case 0, 1, 2 -> '\n';
            case 3 -> (byte) (quotes ? '"' : '#');
            default -> BYTES[Math.floorMod(choices[i], 3) * 4 + 1];
          };
    }
    int count = 0;
    boolean apart = true;
    for (int i = 2; i < bytes.length; i++) {
      boolean hit = bytes[i] == '\n';
      count += hit ? 1 : 0;
      apart &= bytes[i] != '"' && !(hit && (bytes[i - 1] == '\n' || bytes[i - 2] == '\n'));
    }
    assertThat(Swar.lone(bytes, 2, bytes.length - 2, (byte) '\n', (byte) '"'))
        .isEqualTo(apart ? count : -1);
  }

  @Property
  void whatIsFreeOfLowAndTwoOtherBytesHasNoneOfThem(
      @ForAll @Size(max = 60) int[] choices,
      @ForAll @IntRange(max = 20) int before,
      @ForAll @IntRange(max = 20) int after,
      @ForAll @IntRange(max = 40) int ordinary) {
    // Most bytes are harmless, so that a single other one shows.
    byte[] bytes = bytes(choices);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Math.floorMod(choices[i], 41) < ordinary ? (byte) 'a' : bytes[i];
    }
    int from = Math.min(before, bytes.length);
    int to = Math.max(from, bytes.length - after);
    boolean free =
        IntStream.range(from, to)
            .noneMatch(
                at -> (bytes[at] & 0xFF) < 16 || bytes[at] == -94 || bytes[at] == (byte) '"');
    assertThat(Swar.isFreeOf(bytes, from, to, 16, (byte) -94, (byte) '"')).isEqualTo(free);
  }

  @Property
  void parityIsThatOfTheBitsUpToEach(@ForAll long bits) {
    long parities = Swar.parities(bits);
    for (int i = 0; i < 64; i++) {
      assertThat(parities >>> i & 1).isEqualTo(Long.bitCount(bits << (63 - i)) & 1);
    }
  }
}
