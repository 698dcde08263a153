package millrace.data.spelling;

import java.nio.charset.StandardCharsets;

/// Fixed words among bytes.
public final class Words {

  public static final byte[] TRUE = of("true");
  public static final byte[] FALSE = of("false");
  public static final byte[] NAN = of("NaN");
  public static final byte[] INF = of("inf");
  public static final byte[] INFINITY = of("Infinity");
  public static final byte[] MINUS_INFINITY = of("-Infinity");
  public static final byte[] DATE_INFINITY = of("infinity");
  public static final byte[] DATE_MINUS_INFINITY = of("-infinity");
  public static final byte[] BC = of(" BC");

  private Words() {}

  public static byte[] of(String word) {
    return word.getBytes(StandardCharsets.US_ASCII);
  }

  /// Whether the bytes are that word of letters, in any case.
  public static boolean is(byte[] word, byte[] bytes, int start, int end) {
    if (end - start != word.length) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      byte b = bytes[start + i];
      byte wanted = word[i];
      boolean letter = (wanted | 0x20) >= 'a' && (wanted | 0x20) <= 'z';
      if (letter ? (b | 0x20) != (wanted | 0x20) : b != wanted) {
        return false;
      }
    }
    return true;
  }

  /// Writes a word as it stands here.
  public static int put(byte[] word, byte[] out, int at) {
    System.arraycopy(word, 0, out, at, word.length);
    return at + word.length;
  }
}
