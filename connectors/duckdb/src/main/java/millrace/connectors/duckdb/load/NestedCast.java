package millrace.connectors.duckdb.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.duckdb.TypeCursor;
import millrace.connectors.sql.Names;
import org.jspecify.annotations.Nullable;

/// Text of lists, structs, maps and tuples on its way into columns of such types. DuckDB cuts it
/// into the texts of single values, and casts each as leniently as text that stands alone: so it is
/// cut here as well, into types that have VARCHAR in the place of every other, and what is in it is
/// looked at before.
final class NestedCast {

  /// A type, or one within it.
  ///
  /// @param lossless makes of a text the condition that all values in it would be kept whole, in
  ///   SQL; null if that is always so
  /// @param count how many values there are in one that are not null
  private record CastCheck(@Nullable UnaryOperator<String> lossless, Count count) {}

  @FunctionalInterface
  private interface Count {
    /// The number in SQL, with the value itself and all that hold others.
    ///
    /// @param isText whether it is of a text that has yet to be cast
    String of(String value, boolean isText);
  }

  /// Stands for the text until the condition is a format.
  private static final String TEXT = "\0";

  private static final String BLANKS = " \t\n\r\u000b\f";

  private final TypeCursor type;
  private int lambdas;

  private NestedCast(String declared) {
    type = new TypeCursor(declared);
  }

  /// The condition that a text keeps all its values in a type; null if every text does that DuckDB
  /// can cast. A text that it can't cast fulfils it.
  ///
  /// @param declared a list, a struct, a map or a tuple as DuckDB's catalogue spells it
  /// @param text as SQL, in a format, as the condition is
  static @Nullable String lossless(String declared, String text) {
    UnaryOperator<String> condition = new NestedCast(declared).part().lossless;
    return condition == null ? null : condition.apply(TEXT).replace("%", "%%").replace(TEXT, text);
  }

  /// The condition that a text was cast whole. Of one with a value in it that can't be cast,
  /// TRY_CAST makes one with a null there.
  ///
  /// @param declared its type
  /// @param text as SQL
  /// @param cast what TRY_CAST has made of the text, as SQL
  static String isCast(String declared, String text, String cast) {
    Count count = new NestedCast(declared).part().count;
    return count.of(cast, false) + " = " + count.of(text, true);
  }

  private CastCheck part() {
    CastCheck part = one();
    while (type.skipsList()) {
      part = list(part);
    }
    return part;
  }

  private CastCheck one() {
    if (type.skips("STRUCT(")) {
      return struct();
    }
    if (type.skips("TUPLE(")) {
      return tuple();
    }
    if (type.skips("MAP(")) {
      return map();
    }
    String condition = Spellings.losslessWithin(type.word());
    return new CastCheck(
        condition == null ? null : condition::formatted, (value, _) -> countOne(value));
  }

  private CastCheck list(CastCheck of) {
    String texts = "VARCHAR[]";
    return new CastCheck(
        of.lossless == null ? null : text -> all(cut(text, texts), of),
        (list, isText) -> countOne(list) + sum(isText ? cut(list, texts) : list, of, isText));
  }

  private CastCheck struct() {
    List<String> names = new ArrayList<>();
    List<CastCheck> parts = new ArrayList<>();
    do {
      names.add(type.name());
      parts.add(part());
    } while (type.skips(", "));
    type.skip(")");
    return members("STRUCT", names, parts);
  }

  private CastCheck tuple() {
    List<CastCheck> parts = new ArrayList<>();
    do {
      parts.add(part());
    } while (type.skips(", "));
    type.skip(")");
    return members("TUPLE", List.of(), parts);
  }

  /// @param names none of a tuple
  private CastCheck members(String kind, List<String> names, List<CastCheck> parts) {
    List<String> keys = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      keys.add(names.isEmpty() ? Integer.toString(i + 1) : Names.text(names.get(i)));
      texts.add(names.isEmpty() ? "VARCHAR" : DuckDbSql.name(names.get(i)) + " VARCHAR");
    }
    String asTexts = kind + "(" + String.join(", ", texts) + ")";
    Count count =
        (value, isText) -> {
          String of = isText ? cut(value, asTexts) : value;
          StringBuilder sum = new StringBuilder(countOne(value));
          for (int i = 0; i < parts.size(); i++) {
            sum.append(" + ").append(parts.get(i).count.of(member(of, keys.get(i)), isText));
          }
          return sum.toString();
        };
    return names.isEmpty() && parts.stream().allMatch(part -> part.lossless == null)
        ? new CastCheck(null, count)
        : new CastCheck(
            // In a list of one, so that it is cut once only.
            text ->
                every(
                    "[" + cut(text, asTexts) + "]",
                    cut -> losslessMembers(text, cut, names, keys, parts)),
            count);
  }

  private String losslessMembers(
      String text, String cut, List<String> names, List<String> keys, List<CastCheck> parts) {
    List<String> conditions = new ArrayList<>();
    if (!names.isEmpty()) {
      conditions.add(eachOnce(text, cut, names));
    }
    for (int i = 0; i < parts.size(); i++) {
      UnaryOperator<String> condition = parts.get(i).lossless;
      if (condition != null) {
        conditions.add(condition.apply(member(cut, keys.get(i))));
      }
    }
    return String.join(" AND ", conditions);
  }

  /// No member is there twice, of which DuckDB takes the last: if there are no more than have
  /// values, that is so, and their names need not be looked at.
  private String eachOnce(String text, String cut, List<String> names) {
    String bare = "trim(" + text + ", " + Names.text(BLANKS) + ")";
    String all = cut("'[' || " + bare + "[2:-2] || ']'", "VARCHAR[]");
    String values =
        names.stream()
            .map(name -> countOne(member(cut, Names.text(name))))
            .collect(Collectors.joining(" + "));
    String anyName =
        names.stream()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .map(name -> name.replaceAll("[\\p{ASCII}&&\\W]", "\\\\$0"))
            .collect(Collectors.joining("|", "^(", ")\\s*:"));
    String each = lambda();
    String named = "regexp_extract(" + each + ", " + Names.text(anyName) + ", 1)";
    return "CASE WHEN len(%1$s) > %2$s AND starts_with(%3$s, '{') THEN %4$s ELSE true END"
        .formatted(
            all,
            values,
            bare,
            "list_unique(list_transform(%1$s, lambda %2$s: %3$s)) = len(%1$s)"
                .formatted(all, each, named));
  }

  private CastCheck map() {
    CastCheck key = part();
    type.skip(", ");
    CastCheck value = part();
    type.skip(")");
    String texts = "MAP(VARCHAR, VARCHAR)";
    return new CastCheck(
        key.lossless == null && value.lossless == null
            ? null
            : text ->
                every(
                    "[" + cut(text, texts) + "]",
                    cut ->
                        all("map_keys(" + cut + ")", key)
                            + " AND "
                            + all("map_values(" + cut + ")", value)),
        (map, isText) -> {
          String of = isText ? cut(map, texts) : map;
          return countOne(map)
              + sum("map_keys(" + of + ")", key, isText)
              + sum("map_values(" + of + ")", value, isText);
        });
  }

  private static String cut(String text, String type) {
    return "TRY_CAST(" + text + " AS " + type + ")";
  }

  private static String member(String of, String key) {
    return "struct_extract(" + of + ", " + key + ")";
  }

  /// That all texts of a list are whole.
  private String all(String texts, CastCheck part) {
    return part.lossless == null ? "true" : every(texts, part.lossless);
  }

  private String every(String list, UnaryOperator<String> condition) {
    String each = lambda();
    return "coalesce(list_bool_and(list_transform(%s, lambda %s: %s)), true)"
        .formatted(list, each, condition.apply(each));
  }

  private static String countOne(String value) {
    return "CAST(" + value + " IS NOT NULL AS INTEGER)";
  }

  private String sum(String list, CastCheck part, boolean isText) {
    String each = lambda();
    return " + coalesce(list_sum(list_transform(%s, lambda %s: %s)), 0)"
        .formatted(list, each, part.count.of(each, isText));
  }

  private String lambda() {
    return "v" + lambdas++;
  }
}
