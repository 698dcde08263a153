package millrace.data.spelling;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.data.Type.Opaque.Marks;

/// Cuts the text of a list into the texts of its elements. Made for one thread.
///
/// It takes what the systems themselves write: PostgreSQL's `array_out`, and DuckDB's cast of a
/// list to VARCHAR. Lists in lists are none of it, nor arrays that do not count from 1.
public final class ListText {

  private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = {};

  private final byte open;
  private final byte close;
  private final boolean braces;
  private byte[] bytes = NOTHING;
  private int at;
  private int end;
  private byte[] element = new byte[64];
  private int length;
  private boolean missing;
  private boolean first;
  private boolean whole;

  /// @param marks how lists are spelled
  public ListText(Marks marks) {
    braces = marks == Marks.BRACES;
    open = (byte) (braces ? '{' : '[');
    close = (byte) (braces ? '}' : ']');
  }

  /// Begins with a text; false if it is no list of one dimension that counts from 1.
  public boolean open(byte[] text, int from, int to) {
    bytes = text;
    at = from + 1;
    end = to;
    first = true;
    whole = false;
    return from < to && text[from] == open;
  }

  /// Goes on to the next element; false at the end of the list, or if there is none where one
  /// should be: {@link #isWhole} tells.
  public boolean next() {
    blanks();
    if (at < end && bytes[at] == close && first) {
      return finish();
    }
    if (!first) {
      if (at < end && bytes[at] == close) {
        return finish();
      }
      if (at >= end || bytes[at] != ',') {
        return false;
      }
      at++;
      blanks();
    }
    first = false;
    length = 0;
    missing = false;
    if (at >= end || bytes[at] == '{' || (!braces && bytes[at] == '[')) {
      return false;
    }
    return isQuote(bytes[at]) ? quoted(bytes[at]) : bare();
  }

  private boolean isQuote(byte b) {
    return b == '"' || (!braces && b == '\'');
  }

  private boolean finish() {
    at++;
    whole = at == end;
    return false;
  }

  private void blanks() {
    while (at < end && bytes[at] == ' ') {
      at++;
    }
  }

  private boolean quoted(byte quote) {
    at++;
    while (at < end && bytes[at] != quote) {
      if (bytes[at] == '\\' && at + 1 < end) {
        at++;
      }
      put(bytes[at++]);
    }
    at++;
    return at <= end;
  }

  private boolean bare() {
    boolean escaped = false;
    while (at < end && bytes[at] != ',' && bytes[at] != close) {
      if (bytes[at] == '\\' && at + 1 < end) {
        at++;
        escaped = true;
      }
      put(bytes[at++]);
    }
    while (length > 0 && element[length - 1] == ' ') {
      length--;
    }
    missing = !escaped && isNullWord(element, length);
    return length > 0;
  }

  private void put(byte b) {
    if (length == element.length) {
      element = Arrays.copyOf(element, 2 * length);
    }
    element[length++] = b;
  }

  static boolean isNullWord(byte[] bytes, int length) {
    if (length != NULL.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if ((bytes[i] & 0xDF) != NULL[i]) {
        return false;
      }
    }
    return true;
  }

  /// Whether the list ended where its text does.
  public boolean isWhole() {
    return whole;
  }

  /// Whether the element is null.
  public boolean isNull() {
    return missing;
  }

  /// The element's text, from index 0 on; valid until the next call.
  public byte[] element() {
    return element;
  }

  /// How long it is.
  public int length() {
    return length;
  }

  /// Spells lists. Made for one thread.
  public static final class Writer {

    private final boolean braces;
    private byte[] bytes = new byte[256];
    private int length;
    private boolean first;

    /// @param marks how lists are spelled
    public Writer(Marks marks) {
      braces = marks == Marks.BRACES;
    }

    /// Begins a list.
    public void begin() {
      length = 0;
      first = true;
      put((byte) (braces ? '{' : '['));
    }

    /// Adds an element.
    ///
    /// @param text of it, from index 0 on; not looked at if it is null
    public void add(boolean isNull, byte[] text, int size) {
      if (!first) {
        put((byte) ',');
      }
      first = false;
      if (isNull) {
        put(NULL, NULL.length);
      } else if (isPlain(text, size)) {
        put(text, size);
      } else {
        quoted(text, size);
      }
    }

    /// Whether it reads as itself without quotes.
    private static boolean isPlain(byte[] text, int size) {
      for (int i = 0; i < size; i++) {
        byte b = text[i];
        boolean isWord = (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
        if (!isWord && b != '-' && b != '.' && b != '_' && b != '+') {
          return false;
        }
      }
      return size > 0 && !isNullWord(text, size);
    }

    private void quoted(byte[] text, int size) {
      byte quote = (byte) (braces ? '"' : '\'');
      put(quote);
      for (int i = 0; i < size; i++) {
        if (text[i] == quote || text[i] == '\\') {
          put((byte) '\\');
        }
        put(text[i]);
      }
      put(quote);
    }

    /// Ends the list.
    public void end() {
      put((byte) (braces ? '}' : ']'));
    }

    private void put(byte[] from, int size) {
      reserve(size);
      System.arraycopy(from, 0, bytes, length, size);
      length += size;
    }

    private void put(byte b) {
      reserve(1);
      bytes[length++] = b;
    }

    private void reserve(int more) {
      if (bytes.length - length < more) {
        bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), 2 * bytes.length));
      }
    }

    /// The list, from index 0 on; valid until the next one.
    public byte[] bytes() {
      return bytes;
    }

    /// How long it is.
    public int length() {
      return length;
    }
  }
}
