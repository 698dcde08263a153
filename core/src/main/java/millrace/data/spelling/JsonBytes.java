package millrace.data.spelling;

import java.nio.charset.StandardCharsets;

/// Finds where JSON values end in bytes that are JSON (RFC 8259), and reads and writes strings. Of
/// bytes that are none, it gives some place or {@link #INCOMPLETE}, and never reads beyond the end.
public final class JsonBytes {

  /// The value does not end before the bytes do.
  public static final int INCOMPLETE = -1;

  private JsonBytes() {}

  /// The index after the white space that begins at `at`, at most `end`.
  public static int space(byte[] bytes, int at, int end) {
    int i = at;
    while (i < end && isSpace(bytes[i])) {
      i++;
    }
    return i;
  }

  public static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /// The index after the value that begins at `at`, or {@link #INCOMPLETE}. A number or a word is
  /// complete when something follows it.
  public static int value(byte[] bytes, int at, int end) {
    if (at >= end) {
      return INCOMPLETE;
    }
    return switch (bytes[at]) {
      case '"' -> string(bytes, at, end);
      case '{', '[' -> nested(bytes, at, end);
      default -> plain(bytes, at, end);
    };
  }

  /// The index after the string whose opening quote is at `at`, or {@link #INCOMPLETE}.
  public static int string(byte[] bytes, int at, int end) {
    int i = at + 1;
    while (i < end) {
      byte b = bytes[i++];
      if (b == '"') {
        return i;
      }
      if (b == '\\') {
        i++;
      }
    }
    return INCOMPLETE;
  }

  private static int nested(byte[] bytes, int at, int end) {
    int depth = 0;
    int i = at;
    while (i < end) {
      byte b = bytes[i];
      if (b == '"') {
        i = string(bytes, i, end);
        if (i < 0) {
          return INCOMPLETE;
        }
        continue;
      }
      i++;
      if (b == '{' || b == '[') {
        depth++;
      } else if (b == '}' || b == ']') {
        depth--;
        if (depth == 0) {
          return i;
        }
      }
    }
    return INCOMPLETE;
  }

  private static int plain(byte[] bytes, int at, int end) {
    for (int i = at; i < end; i++) {
      byte b = bytes[i];
      if (b == ',' || b == '}' || b == ']' || isSpace(b)) {
        return i;
      }
    }
    return INCOMPLETE;
  }

  /// Writes what a string means, without its quotes and escapes.
  ///
  /// @param start at its opening quote
  /// @param end after its closing quote
  /// @param out has room for as many bytes
  /// @return how many bytes it has, or -1 if an escape is none, or means half a character
  public static int unescape(byte[] bytes, int start, int end, byte[] out) {
    int to = 0;
    int i = start + 1;
    while (i < end - 1) {
      byte b = bytes[i++];
      if (b != '\\') {
        out[to++] = b;
        continue;
      }
      if (i >= end - 1) {
        return -1;
      }
      byte kind = bytes[i++];
      if (kind != 'u') {
        int plain = "\"\\/bfnrt".indexOf(kind);
        if (plain < 0) {
          return -1;
        }
        out[to++] = (byte) "\"\\/\b\f\n\r\t".charAt(plain);
        continue;
      }
      int code = hex(bytes, i, end - 1);
      i += 4;
      if (code >= 0xD800 && code < 0xDC00 && i + 1 < end - 1 && bytes[i] == '\\') {
        int low = bytes[i + 1] == 'u' ? hex(bytes, i + 2, end - 1) : -1;
        if (low < 0xDC00 || low > 0xDFFF) {
          return -1;
        }
        code = Character.toCodePoint((char) code, (char) low);
        i += 6;
      }
      if (code < 0 || (code >= 0xD800 && code < 0xE000)) {
        return -1;
      }
      byte[] utf8 = Character.toString(code).getBytes(StandardCharsets.UTF_8);
      System.arraycopy(utf8, 0, out, to, utf8.length);
      to += utf8.length;
    }
    return to;
  }

  private static int hex(byte[] bytes, int at, int end) {
    if (end - at < 4) {
      return -1;
    }
    int code = 0;
    for (int i = at; i < at + 4; i++) {
      int digit = Character.digit(bytes[i], 16);
      if (digit < 0) {
        return -1;
      }
      code = code << 4 | digit;
    }
    return code;
  }

  /// The most bytes that a text of that many may take, quotes included.
  public static int quotedLengthMax(int length) {
    return Math.addExact(2, Math.multiplyExact(6, length));
  }

  /// Writes UTF-8 as a JSON string, quotes included; returns the index after it.
  public static int quote(byte[] bytes, int start, int end, byte[] out, int at) {
    int to = at;
    out[to++] = '"';
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      if (b == '"' || b == '\\') {
        out[to++] = '\\';
        out[to++] = b;
      } else if (b >= 0 && b < ' ') {
        to = escape(b, out, to);
      } else {
        out[to++] = b;
      }
    }
    out[to++] = '"';
    return to;
  }

  private static int escape(byte b, byte[] out, int at) {
    int to = at;
    out[to++] = '\\';
    int named = "\b\f\n\r\t".indexOf(b);
    if (named >= 0) {
      out[to++] = (byte) "bfnrt".charAt(named);
      return to;
    }
    out[to++] = 'u';
    out[to++] = '0';
    out[to++] = '0';
    out[to++] = (byte) ('0' + (b >> 4));
    out[to++] = (byte) Character.forDigit(b & 15, 16);
    return to;
  }
}
