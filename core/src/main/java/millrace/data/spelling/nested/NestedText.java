package millrace.data.spelling.nested;

import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;

/// Cuts the text of a list or a struct into the texts of its parts, quotes and escapes resolved.
/// What is in a part that is a list or a struct itself, it leaves to another one. One thread.
///
/// It takes what the systems themselves write, and refuses all else.
public sealed interface NestedText permits BracesText, BracketsText, JsonText {

  /// Cuts a value.
  ///
  /// @param into gets its parts: the elements, or the members as they are placed
  /// @return whether the text is one of the type, as far as its parts are concerned
  boolean cut(byte[] text, int start, int end, Parts into);

  /// What cuts values of a type.
  static NestedText of(Nested type) {
    return switch (type.marks()) {
      case BRACES -> new BracesText(type);
      case BRACKETS -> new BracketsText(type);
      case JSON -> new JsonText(type);
    };
  }

  /// How many members there are; -1 for a list.
  static int members(Nested type) {
    return switch (type) {
      case ListOf _ -> -1;
      case StructOf struct -> struct.members().size();
    };
  }
}
