package millrace.connectors.file;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.TypeGuess;
import millrace.spi.Wanted;

/// Decides by the look of it whether a file's first record names its columns.
///
/// In this order: names of the target's columns are a header. A record with an empty field, with a
/// field twice, or with a number, date or the like in it is data. If the records after it have such
/// values where it has words, it is a header. If all is text, it is a header if every field looks
/// like a name: people leave headers out far more seldom than they write them.
final class HeaderRule {

  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_ .#$%()/:-]{0,62}");

  private HeaderRule() {}

  /// Whether the first record is a header.
  ///
  /// @param first its fields
  /// @param below the types of the fields below it
  static boolean isHeader(
      List<String> first, List<Type> below, Wanted wanted, SpellingStyle style) {
    if (namesTarget(first, wanted)) {
      return true;
    }
    Set<String> seen = new HashSet<>();
    for (String field : first) {
      if (field.isEmpty() || !seen.add(field) || !isText(field, style)) {
        return false;
      }
    }
    boolean typedBelow = below.stream().anyMatch(type -> !(type instanceof Type.Text));
    return typedBelow || first.stream().allMatch(field -> NAME.matcher(field).matches());
  }

  private static boolean isText(String field, SpellingStyle style) {
    TypeGuess guess = new TypeGuess(style);
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    guess.see(bytes, 0, bytes.length);
    return guess.type() instanceof Type.Text;
  }

  private static boolean namesTarget(List<String> first, Wanted wanted) {
    return switch (wanted) {
      case Wanted.Like(Schema schema, boolean _) -> {
        Set<String> names = new HashSet<>();
        schema.names().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        yield first.stream().allMatch(field -> names.contains(field.toLowerCase(Locale.ROOT)));
      }
      case Wanted.Typed _, Wanted.Untyped _ -> false;
    };
  }
}
