package millrace.connectors.json;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/// Walks over the members of one JSON object, one after the other, by where they lie.
///
/// Used again and again by one thread; what it says holds until the next call.
public final class Members {

  /// What {@link #next} came to.
  public enum Event {
    /// A member: its key and its value are known.
    MEMBER,
    /// The object is over, and {@link #valueEnd} is the index after it.
    END,
    /// The bytes end within the object.
    INCOMPLETE,
    /// There is no object here.
    MALFORMED
  }

  /// The members that tell a document and its revision.
  public static final byte[] ID = "_id".getBytes(StandardCharsets.US_ASCII);

  public static final byte[] REVISION = "_rev".getBytes(StandardCharsets.US_ASCII);

  /// What the ids of design documents begin with.
  public static final byte[] DESIGN = "_design/".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] NOTHING = {};

  private byte[] bytes = NOTHING;
  private int at;
  private int end;
  private boolean first;

  /// Where the key's opening quote is.
  public int keyStart;

  /// The index after the key's closing quote.
  public int keyEnd;

  /// Where the value begins.
  public int valueStart;

  /// The index after the value.
  public int valueEnd;

  /// Begins with an object.
  ///
  /// @param start at its opening brace
  /// @param end after the bytes that are there
  public void open(byte[] bytes, int start, int end) {
    Objects.checkFromToIndex(start, end, bytes.length);
    this.bytes = bytes;
    this.end = end;
    at = start;
    first = true;
  }

  /// Goes on to the next member.
  public Event next() {
    if (!opened()) {
      return at < end ? Event.MALFORMED : Event.INCOMPLETE;
    }
    int i = Json.space(bytes, at, end);
    if (i < end && bytes[i] == '}') {
      valueEnd = i + 1;
      return Event.END;
    }
    if (!first && i < end) {
      if (bytes[i] != ',') {
        return Event.MALFORMED;
      }
      i = Json.space(bytes, i + 1, end);
    }
    if (i == end) {
      return Event.INCOMPLETE;
    }
    return bytes[i] == '"' ? member(i) : Event.MALFORMED;
  }

  private boolean opened() {
    if (!first) {
      return true;
    }
    if (at == end || bytes[at] != '{') {
      return false;
    }
    at = Json.space(bytes, at + 1, end);
    return true;
  }

  private Event member(int start) {
    keyStart = start;
    keyEnd = Json.string(bytes, start, end);
    if (keyEnd < 0) {
      return Event.INCOMPLETE;
    }
    int colon = Json.space(bytes, keyEnd, end);
    if (colon == end) {
      return Event.INCOMPLETE;
    }
    if (bytes[colon] != ':') {
      return Event.MALFORMED;
    }
    valueStart = Json.space(bytes, colon + 1, end);
    valueEnd = Json.value(bytes, valueStart, end);
    if (valueEnd < 0) {
      return Event.INCOMPLETE;
    }
    if (valueEnd == valueStart) {
      return Event.MALFORMED;
    }
    at = valueEnd;
    first = false;
    return Event.MEMBER;
  }

  /// Whether the key means this name, which needs no escapes; the key may have some all the same.
  public boolean isKey(byte[] name) {
    return Json.means(name, bytes, keyStart, keyEnd);
  }
}
