package millrace.data.spelling;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Whether bytes are one JSON document, as RFC 8259 has it. Threads may share it.
public final class JsonCheck {

  /// Jackson's parsers without its limits: how large a document may be is not for a check of form
  /// to say.
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /// Of an escape by number, behind its letter.
  private static final int HEX_DIGITS = 4;

  /// First byte of a byte order mark, which Jackson would skip and databases refuse.
  private static final byte MARK = (byte) 0xEF;

  private JsonCheck() {}

  /// Whether the bytes are exactly one JSON value in UTF-8, with white space around it at most.
  public static boolean isValid(byte[] bytes, int start, int end) {
    return Utf8.firstInvalid(bytes, start, end) < 0
        && new JsonGrammar().follow(bytes, start, end) == JsonGrammar.Result.DOCUMENT;
  }

  /// Whether the bytes are none or not plain UTF-8: Jackson would take UTF-16 and UTF-32 as well.
  static boolean isNoDocument(byte[] bytes, int start, int end) {
    return start >= end || bytes[start] == MARK || Utf8.firstInvalid(bytes, start, end) >= 0;
  }

  /// Whether a string of a document that is valid has an escape for half of a surrogate pair, and
  /// not the other half beside it. JSON allows it, some databases do not.
  public static boolean hasHalfPair(byte[] bytes, int start, int end) {
    boolean awaitsLow = false;
    for (int at = start; at < end; at++) {
      char escaped = 0;
      if (bytes[at] == '\\') {
        at++;
        if (bytes[at] == 'u') {
          escaped = (char) HexFormat.fromHexDigits(ascii(bytes, at + 1, HEX_DIGITS));
          at += HEX_DIGITS;
        }
      }
      if (awaitsLow != Character.isLowSurrogate(escaped)) {
        return true;
      }
      awaitsLow = Character.isHighSurrogate(escaped);
    }
    return false;
  }

  private static String ascii(byte[] bytes, int start, int length) {
    return new String(bytes, start, length, StandardCharsets.US_ASCII);
  }
}
