package millrace.io.document;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.fault.Shortened;
import org.jspecify.annotations.Nullable;

/// Finds where JSON values end, without making anything of them (RFC 8259); and has the mapper for
/// those few of which something is made.
///
/// It trusts that the bytes are JSON, as a CouchDB makes it: who needs to know checks that with
/// Jackson. Of bytes that are not, it gives some place or {@link #INCOMPLETE}, and never reads
/// beyond the end.
public final class Json {

  /// The value does not end before the bytes do.
  public static final int INCOMPLETE = -1;

  /// Makes objects of what is small: answers, settings, what a journal keeps. Any thread may use
  /// it.
  public static final JsonMapper MAPPER = JsonMapper.builder().build();

  /// So many characters of a value stand in a message.
  private static final int SHOWN_MAX = 60;

  private Json() {}

  /// Whether those bytes stand somewhere in others.
  public static boolean contains(byte[] bytes, byte[] wanted) {
    for (int i = 0; i <= bytes.length - wanted.length; i++) {
      if (bytes[i] == wanted[0]
          && Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return true;
      }
    }
    return false;
  }

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

  /// Whether the bytes are exactly these.
  public static boolean is(byte[] wanted, byte[] bytes, int start, int end) {
    return end - start == wanted.length
        && Arrays.equals(bytes, start, end, wanted, 0, wanted.length);
  }

  /// Whether a value is a string that means this text, which needs no escapes, however it is
  /// spelled.
  public static boolean means(byte[] text, byte[] bytes, int start, int end) {
    return common(text, bytes, start, end, true);
  }

  /// Whether a value is a string that begins with this text, which needs no escapes, however it is
  /// spelled.
  public static boolean begins(byte[] text, byte[] bytes, int start, int end) {
    return common(text, bytes, start, end, false);
  }

  private static boolean common(byte[] text, byte[] bytes, int start, int end, boolean whole) {
    if (bytes[start] != '"') {
      return false;
    }
    int differs = Arrays.mismatch(bytes, start + 1, end - 1, text, 0, text.length);
    int at = start + 1 + differs;
    if (differs >= 0 && at < end - 1 && bytes[at] == '\\') {
      byte[] plain = new byte[end - start];
      int length = unescape(bytes, start, end, plain);
      differs = length < 0 ? 0 : Arrays.mismatch(plain, 0, length, text, 0, text.length);
    }
    return differs < 0 || (!whole && differs == text.length);
  }

  /// The text of a string, quotes included, without them and its escapes; null for any other value.
  public static @Nullable String text(byte[] bytes, int start, int end) {
    if (end - start < 2 || bytes[start] != '"') {
      return null;
    }
    byte[] out = new byte[end - start];
    int length = unescape(bytes, start, end, out);
    return length < 0 ? null : new String(out, 0, length, StandardCharsets.UTF_8);
  }

  /// Bytes as a message shows them: cut short if they are many, and ending with `…` there.
  public static String shown(byte[] bytes, int start, int end) {
    int length = Math.min(end - start, 4 * SHOWN_MAX);
    String text = new String(bytes, start, length, StandardCharsets.UTF_8);
    return Shortened.value(text, SHOWN_MAX);
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

  /// An object of two members whose values are JSON.
  public static byte[] object(String one, byte[] oneValue, String other, byte[] otherValue) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("{\"" + one + "\":").getBytes(StandardCharsets.UTF_8));
    out.writeBytes(oneValue);
    out.writeBytes((",\"" + other + "\":").getBytes(StandardCharsets.UTF_8));
    out.writeBytes(otherValue);
    out.write('}');
    return out.toByteArray();
  }

  /// A text as a JSON string, quotes included.
  public static byte[] quoted(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] out = new byte[quotedLengthMax(bytes.length)];
    return Arrays.copyOf(out, quote(bytes, 0, bytes.length, out, 0));
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
