package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.guess.TypeGuess;
import millrace.spi.read.ColumnRequest;

/// Decides by the look of it whether a file's first record names its columns.
///
/// In this order: names of the target's columns are a header. So is a record that has one field
/// which is no value of its column, as the records below it show that: a word or a year over dates,
/// say. It may be a bad record all the same if another field is such a value, and no year or count.
/// A field without anything in it tells nothing, nor does one over text or one that is spelled as
/// missing values are. Numbers are of one kind, and so are dates and times.
///
/// Else a record with a number, date or the like in it is data, but for years or counts behind
/// names (`station,2019,2020`) if the records after it have other numbers there. If all is text,
/// nobody can tell: it is taken for a header if every field looks like a name and none is there
/// twice, since people leave headers out far more seldom than they write them.
public final class HeaderRule {

  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_ .#$%()/:-]{0,62}");

  private static final Pattern YEAR = Pattern.compile("(19|20|21)\\d\\d");

  /// What programs write for a missing value, in small letters.
  private static final Set<String> MISSING =
      Set.of(
          "\\n", "null", "(null)", "na", "n/a", "#n/a", "nan", "none", "nil", "-", "--", "?", ".");

  /// Fewer numbers that count up may be values.
  private static final int COUNTED_MIN = 3;

  private HeaderRule() {}

  /// What was decided.
  ///
  /// @param header whether the first record is a header
  /// @param sure whether the file or the target speaks for it; else it is a guess that may be wrong
  /// @param why in a few words
  public record Decision(boolean header, boolean sure, String why) {

    /// Why, and how sure that is, in parentheses behind what was decided.
    public String because() {
      return " (" + (sure ? "" : "a guess: ") + why + ")";
    }
  }

  /// Whether the first record is a header.
  ///
  /// @param first its fields
  /// @param below the types of the fields below it
  /// @param styles how those are spelled
  /// @param records some of the records below it
  public static Decision decide(
      List<String> first,
      List<Type> below,
      List<SpellingStyle> styles,
      List<List<String>> records,
      ColumnRequest columnRequest,
      SpellingStyle style) {
    if (namesTarget(first, columnRequest)) {
      return new Decision(true, true, "it names the target's columns");
    }
    List<String> stripped = first.stream().map(String::strip).toList();
    List<String> alike = new ArrayList<>();
    String unlike = "";
    boolean misses = false;
    for (int i = 0; i < stripped.size(); i++) {
      String field = stripped.get(i);
      Type type = below.get(i);
      if (type instanceof Type.Text || field.isEmpty()) {
        continue;
      }
      if (new ValueKinds(styles.get(i)).isOne(field, type)) {
        alike.add(field);
      } else if (isMissing(field)) {
        misses = true;
      } else if (unlike.isEmpty()) {
        unlike = "'" + field + "' is no " + type.label() + " like the values below it";
      }
    }
    if (!unlike.isEmpty()) {
      boolean sure = alike.isEmpty() || areColumnNumbers(alike);
      return new Decision(
          true, sure, sure ? unlike : unlike + ", but '" + alike.getFirst() + "' is like those");
    }
    if (!alike.isEmpty() || !stripped.stream().allMatch(field -> isText(field, style))) {
      return ofValues(stripped, records, !alike.isEmpty(), style);
    }
    boolean names =
        !misses
            && stripped.stream()
                .allMatch(field -> NAME.matcher(field).matches() && !field.equalsIgnoreCase("null"))
            && Set.copyOf(stripped).size() == stripped.size();
    return new Decision(names, false, "all columns are text");
  }

  /// The decision on a record that has values, which none of its fields speaks against.
  private static Decision ofValues(
      List<String> first, List<List<String>> records, boolean alike, SpellingStyle style) {
    if (areNumbersBehindNames(first, records, style)) {
      return new Decision(true, false, "years or counts stand behind a name");
    }
    return alike
        ? new Decision(false, !areColumnNumbers(first), "it has values like those below it")
        : new Decision(false, false, "it has values, and no other record has them there");
  }

  /// Whether the first fields are names and all others years, or count from 0 or 1, and no record
  /// has such numbers there.
  private static boolean areNumbersBehindNames(
      List<String> first, List<List<String>> records, SpellingStyle style) {
    int names = 0;
    while (names < first.size()
        && isText(first.get(names), style)
        && NAME.matcher(first.get(names)).matches()) {
      names++;
    }
    int from = names;
    return names > 0
        && !records.isEmpty()
        && areColumnNumbers(first.subList(from, first.size()))
        && records.stream()
            .filter(record -> record.size() == first.size())
            .map(record -> record.stream().map(String::strip).toList())
            .noneMatch(record ->
                record.subList(from, record.size()).stream().allMatch(HeaderRule::isYear)
                    || record
                        .subList(from, record.size())
                        .equals(first.subList(from, first.size())));
  }

  private static boolean areColumnNumbers(List<String> fields) {
    if (fields.stream().allMatch(HeaderRule::isYear)) {
      return true;
    }
    int start = fields.getFirst().equals("0") ? 0 : 1;
    for (int i = 0; i < fields.size(); i++) {
      if (!fields.get(i).equals(Integer.toString(start + i))) {
        return false;
      }
    }
    return fields.size() >= COUNTED_MIN;
  }

  private static boolean isYear(String field) {
    return YEAR.matcher(field).matches();
  }

  private static boolean isMissing(String field) {
    return MISSING.contains(field.toLowerCase(Locale.ROOT));
  }

  private static boolean isText(String field, SpellingStyle style) {
    TypeGuess guess = new TypeGuess(style);
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    guess.see(bytes, 0, bytes.length);
    return guess.type() instanceof Type.Text;
  }

  private static boolean namesTarget(List<String> first, ColumnRequest columnRequest) {
    return switch (columnRequest) {
      case ColumnRequest.Like(Schema schema, boolean _) -> {
        Set<String> names = new HashSet<>();
        schema.names().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        yield first.stream().allMatch(field -> names.contains(field.toLowerCase(Locale.ROOT)));
      }
      case ColumnRequest.Typed _, ColumnRequest.Untyped _ -> false;
    };
  }
}
