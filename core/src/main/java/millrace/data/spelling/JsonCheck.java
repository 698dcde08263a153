package millrace.data.spelling;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/// Whether bytes are one JSON document, for targets that need it valid.
///
/// By Jackson's streaming parser, which keeps no tree and takes nothing that RFC 8259 does not
/// allow. Threads may share it.
public final class JsonCheck {

  /// Without Jackson's limits: how large a document may be is not for a check of form to say.
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
    if (isNoDocument(bytes, start, end)) {
      return false;
    }
    try (JsonParser parser = FACTORY.createParser(bytes, start, end - start)) {
      if (parser.nextToken() == null) {
        return false;
      }
      int depth = 0;
      for (JsonToken token = parser.currentToken(); token != null; token = parser.nextToken()) {
        if (depth < 0) {
          return false;
        }
        if (token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME) {
          // Strings are read lazily: only this looks at their escapes and their UTF-8.
          parser.finishToken();
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth == 0) {
          // The document is complete: nothing may follow.
          depth = -1;
        }
      }
      return true;
    } catch (IOException _) {
      return false;
    }
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
