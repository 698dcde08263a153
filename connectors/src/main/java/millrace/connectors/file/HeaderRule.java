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
/// In this order: names of the target's columns are a header. A record with a number, date or the
/// like in it is data. If the records after it have such values where it has words, it is a header,
/// be it one that leaves a column without a name, as exports with row numbers do, or names two
/// alike, as joins do. If all is text, it is a header if every field looks like a name and none is
/// there twice: people leave headers out far more seldom than they write them.
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
    if (!first.stream().allMatch(field -> isText(field, style))) {
      return false;
    }
    for (int i = 0; i < first.size(); i++) {
      if (isWord(first.get(i)) && !(below.get(i) instanceof Type.Text)) {
        return true;
      }
    }
    return first.stream().allMatch(field -> isWord(field) && NAME.matcher(field).matches())
        && Set.copyOf(first).size() == first.size();
  }

  /// What other programs write for a missing value is none.
  private static boolean isWord(String field) {
    return !field.isEmpty() && !field.equals("\\N") && !field.equalsIgnoreCase("null");
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
