package millrace.data.spelling;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a JSON document means, whatever way it is written: members in any order, white space
/// between them, escapes in strings and the digits of numbers (1, 1.0 and 1e0) make no difference.
/// Of members with one name in one object the last counts. One thread.
public final class JsonValue {

  /// Makes one hash out of another and a value's.
  @FunctionalInterface
  public interface Mixer {

    /// A hash that depends on both, and on their order.
    long mix(long hash, long value);
  }

  /// An object or an array that is being read.
  private static final class Open {
    /// The hashes of an object's members by name; null in an array.
    private final @Nullable Map<String, Long> members;

    private String name = "";
    private long items = ARRAY;

    Open(boolean isObject) {
      members = isObject ? new HashMap<>() : null;
    }
  }

  private static final long OBJECT = 0x9FB21C651E98DF25L;
  private static final long ARRAY = 0xC2B2AE3D27D4EB4FL;
  private static final long STRING = 0x165667B19E3779F9L;
  private static final long NUMBER = 0x27D4EB2F165667C5L;
  private static final long LITERAL = 0x85EBCA77C2B2AE63L;
  private static final int WORD_CHARS = 4;

  private final Mixer mixer;
  private boolean valid;
  private boolean repeats;
  private long hash;

  public JsonValue(Mixer mixer) {
    this.mixer = mixer;
  }

  /// Reads a document.
  ///
  /// @return whether it is exactly one JSON value
  public boolean read(byte[] bytes, int start, int end) {
    valid = false;
    repeats = false;
    if (JsonCheck.isNoDocument(bytes, start, end)) {
      return false;
    }
    try (JsonParser parser = JsonCheck.FACTORY.createParser(bytes, start, end - start)) {
      Deque<Open> open = new ArrayDeque<>();
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (valid) {
          return false;
        }
        take(parser, token, open);
      }
      return valid;
    } catch (IOException | ArithmeticException | NumberFormatException _) {
      return false;
    }
  }

  /// The hash of the document that was read last; only of a valid one.
  public long hash() {
    return hash;
  }

  /// Whether an object in the document that was read last has two members of one name.
  public boolean repeatsMembers() {
    return repeats;
  }

  private void take(JsonParser parser, JsonToken token, Deque<Open> open) throws IOException {
    switch (token) {
      case START_OBJECT, START_ARRAY -> open.push(new Open(token == JsonToken.START_OBJECT));
      case END_OBJECT, END_ARRAY -> add(closed(open.pop()), open);
      case FIELD_NAME -> open.element().name = parser.currentName();
      case VALUE_STRING -> add(string(parser.getText()), open);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> add(number(parser.getText()), open);
      case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> add(mixer.mix(LITERAL, token.id()), open);
      case VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("no JSON text has a " + token);
    }
  }

  private void add(long value, Deque<Open> open) {
    Open into = open.peek();
    if (into == null) {
      hash = value;
      valid = true;
    } else if (into.members == null) {
      into.items = mixer.mix(into.items, value);
    } else {
      repeats |= into.members.put(into.name, value) != null;
    }
  }

  private long closed(Open ended) {
    if (ended.members == null) {
      return mixer.mix(ended.items, ARRAY);
    }
    long sum = OBJECT;
    for (Map.Entry<String, Long> member : ended.members.entrySet()) {
      // A sum, since the order of members means nothing.
      sum += mixer.mix(string(member.getKey()), member.getValue());
    }
    return mixer.mix(sum, ended.members.size());
  }

  /// By its characters, so that halves of surrogate pairs stay apart.
  private long string(String text) {
    long mixed = mixer.mix(STRING, text.length());
    for (int at = 0; at < text.length(); at += WORD_CHARS) {
      long word = 0;
      for (int i = at; i < Math.min(at + WORD_CHARS, text.length()); i++) {
        word = word << Character.SIZE | text.charAt(i);
      }
      mixed = mixer.mix(mixed, word);
    }
    return mixed;
  }

  /// Its digits without zeros at the end, and where the point is.
  private long number(String text) {
    BigDecimal value = new BigDecimal(text).stripTrailingZeros();
    return mixer.mix(
        mixer.mix(NUMBER, string(value.unscaledValue().toString(Character.MAX_RADIX))),
        value.scale());
  }
}
