package millrace.connectors.file.io;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/// What a charset's bytes mean.
public final class CharsetTraits {

  /// The bytes that begin shift sequences.
  private static final byte ESCAPE = 0x1B;

  private static final byte SHIFT_OUT = 0x0E;

  private CharsetTraits() {}

  /// Whether the bytes below 128 are ASCII's characters.
  public static boolean extendsAscii(Charset charset) {
    byte[] all = new byte[128];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    return new String(all, charset).equals(new String(all, StandardCharsets.US_ASCII));
  }

  /// Whether the charset has shift states: bytes that change what the bytes after them mean.
  public static boolean shifts(Charset charset) {
    if (!charset.canEncode()) {
      return true;
    }
    for (byte each : "\u3042\u4E2D\uD55C\u00E9".getBytes(charset)) {
      if (each == ESCAPE || each == SHIFT_OUT) {
        return true;
      }
    }
    return false;
  }
}
