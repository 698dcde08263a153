package millrace.connectors.json;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.guess.TypeGuess;

/// What a field holds, by a sample of documents.
///
/// Texts stay texts, whatever they look like: JSON tells numbers and texts apart by itself. A field
/// of several kinds, or of objects, is json, and so are numbers that no other type keeps.
final class FieldTypes {

  private final List<byte[]> path;
  private final Members members = new Members();
  private final TypeGuess numbers = new TypeGuess(SpellingStyle.ISO);
  private boolean sawNumber;
  private boolean sawText;
  private boolean sawBoolean;
  private boolean sawNested;
  private boolean seen;

  /// @param path names from the outermost on
  FieldTypes(List<byte[]> path) {
    this.path = new ArrayList<>(path);
  }

  /// Takes a document into account.
  void see(byte[] bytes, int start, int end) {
    Range value = new Range(start, end);
    for (byte[] name : path) {
      value = Range.ofMember(members, bytes, value.start(), value.end(), name);
      if (value == null) {
        return;
      }
    }
    seen = true;
    switch (bytes[value.start()]) {
      case '"' -> sawText = true;
      case '{', '[' -> sawNested = true;
      case 't', 'f' -> sawBoolean = true;
      case 'n' -> {
        // A missing value may be of any type.
      }
      default -> {
        sawNumber = true;
        numbers.see(bytes, value.start(), value.end());
      }
    }
  }

  /// Whether any document had the field.
  boolean seen() {
    return seen;
  }

  /// The type that holds all that was seen.
  Type type() {
    int kinds =
        (sawNumber ? 1 : 0) + (sawText ? 1 : 0) + (sawBoolean ? 1 : 0) + (sawNested ? 1 : 0);
    if (kinds > 1 || sawNested) {
      return new Type.Json();
    }
    if (sawBoolean) {
      return new Type.Bool();
    }
    if (!sawNumber) {
      return Type.Text.UNLIMITED;
    }
    return numbers.type() instanceof Type.Text ? new Type.Json() : numbers.type();
  }
}
