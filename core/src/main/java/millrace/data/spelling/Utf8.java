package millrace.data.spelling;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// What text may be made of: valid UTF-8 without NUL, which no database takes.
public final class Utf8 {

  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long ONES = 0x0101010101010101L;

  /// Long enough that Java's compiler puts several longs of it into one register of the processor.
  private static final int STRETCH_BYTES = 1 << 10;

  private Utf8() {}

  /// The index of the first byte of the first NUL or invalid sequence, or -1 if all is well.
  ///
  /// Valid is what RFC 3629 and Unicode (table 3-7, "Well-Formed UTF-8 Byte Sequences") say: no
  /// longer form than needed, no surrogates, nothing above U+10FFFF.
  public static int firstInvalid(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end) {
      at = plainEnd(bytes, at, end);
      if (at == end) {
        return -1;
      }
      int length = sequence(bytes, at, end);
      if (length == 0) {
        return at;
      }
      at += length;
    }
    return -1;
  }

  /// Where the run of ASCII without NUL ends that begins at `start`.
  private static int plainEnd(byte[] bytes, int start, int end) {
    int at = start;
    while (end - at >= STRETCH_BYTES && isPlain(bytes, at)) {
      at += STRETCH_BYTES;
    }
    while (end - at >= 8) {
      long chunk = (long) EIGHT_BYTES.get(bytes, at);
      // A byte of 0 borrows into its high bit; what it does to the bytes above it does not matter.
      if (((chunk | (chunk - ONES)) & HIGH_BITS) != 0) {
        break;
      }
      at += 8;
    }
    while (at < end && bytes[at] > 0) {
      at++;
    }
    return at;
  }

  /// Whether a whole stretch is ASCII without NUL.
  private static boolean isPlain(byte[] bytes, int start) {
    long found = 0;
    for (int at = start; at < start + STRETCH_BYTES; at += 8) {
      long chunk = (long) EIGHT_BYTES.get(bytes, at);
      found |= chunk | (chunk - ONES);
    }
    return (found & HIGH_BITS) == 0;
  }

  /// The length of the sequence of 2 to 4 bytes that begins here, or 0 if it is none.
  private static int sequence(byte[] bytes, int at, int end) {
    int lead = bytes[at] & 0xFF;
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (end - at < length) {
      return 0;
    }
    int second = bytes[at + 1] & 0xFF;
    int secondMin =
        switch (lead) {
          case 0xE0 -> 0xA0;
          case 0xF0 -> 0x90;
          default -> 0x80;
        };
    int secondMax =
        switch (lead) {
          case 0xED -> 0x9F;
          case 0xF4 -> 0x8F;
          default -> 0xBF;
        };
    if (second < secondMin || second > secondMax) {
      return 0;
    }
    for (int i = at + 2; i < at + length; i++) {
      if (!isContinuation(bytes[i])) {
        return 0;
      }
    }
    return length;
  }

  /// How many characters (code points) valid UTF-8 has.
  public static int characters(byte[] bytes, int start, int end) {
    int characters = end - start;
    int at = start;
    for (; end - at >= 8; at += 8) {
      long chunk = (long) EIGHT_BYTES.get(bytes, at);
      characters -= Long.bitCount(chunk & ~(chunk << 1) & HIGH_BITS);
    }
    for (; at < end; at++) {
      characters -= isContinuation(bytes[at]) ? 1 : 0;
    }
    return characters;
  }

  /// How many UTF-16 units valid UTF-8 is: one for each character, two for one of four bytes.
  public static int utf16Units(byte[] bytes, int start, int end) {
    int units = characters(bytes, start, end);
    for (int i = start; i < end; i++) {
      units += (bytes[i] & 0xFF) >= 0xF0 ? 1 : 0;
    }
    return units;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }
}
