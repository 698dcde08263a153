package millrace.connectors.json;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.data.spelling.JsonBytes;
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
  public static final int INCOMPLETE = JsonBytes.INCOMPLETE;

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

  private static boolean common(byte[] text, byte[] bytes, int start, int end, boolean entire) {
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
    return differs < 0 || (!entire && differs == text.length);
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

  /// As {@link JsonBytes#space}.
  public static int space(byte[] bytes, int at, int end) {
    return JsonBytes.space(bytes, at, end);
  }

  public static boolean isSpace(byte b) {
    return JsonBytes.isSpace(b);
  }

  /// As {@link JsonBytes#value}.
  public static int value(byte[] bytes, int at, int end) {
    return JsonBytes.value(bytes, at, end);
  }

  /// As {@link JsonBytes#string}.
  public static int string(byte[] bytes, int at, int end) {
    return JsonBytes.string(bytes, at, end);
  }

  /// As {@link JsonBytes#unescape}.
  public static int unescape(byte[] bytes, int start, int end, byte[] out) {
    return JsonBytes.unescape(bytes, start, end, out);
  }

  /// As {@link JsonBytes#quotedLengthMax}.
  public static int quotedLengthMax(int length) {
    return JsonBytes.quotedLengthMax(length);
  }

  /// As {@link JsonBytes#quote}.
  public static int quote(byte[] bytes, int start, int end, byte[] out, int at) {
    return JsonBytes.quote(bytes, start, end, out, at);
  }
}
