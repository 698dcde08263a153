package millrace.connectors.duckdb;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Text of lists, structs, maps and tuples on its way into columns of such types. DuckDB cuts it
/// into the texts of single values, and casts each as leniently as text that stands alone: so it is
/// cut here as well, into a type that has VARCHAR in the place of every other, and what is in it is
/// looked at before.
final class NestedText {

  /// A type, or one within it.
  ///
  /// @param asText the same with VARCHAR in the place of each type of single values
  /// @param whole makes of an expression of that type the condition that all values in it would be
  ///   kept whole, in SQL; null where that is always so
  private record Part(String asText, @Nullable UnaryOperator<String> whole) {}

  private final String declared;
  private int at;
  private int lists;

  private NestedText(String declared) {
    this.declared = declared;
  }

  /// The condition that a text keeps all its values in a type; null where every text does that
  /// DuckDB can cast. A text that it can't cast fulfils it.
  ///
  /// @param declared a list, a struct, a map or a tuple as DuckDB's catalogue spells it
  /// @param text as SQL, in a format, as the condition is
  static @Nullable String whole(String declared, String text) {
    NestedText types = new NestedText(declared);
    Part part = types.part();
    // In a list of one, so that it is cut once only.
    UnaryOperator<String> all = types.all(part.whole);
    String cut = "[TRY_CAST(" + text + " AS " + part.asText.replace("%", "%%") + ")]";
    return all == null ? null : all.apply(cut);
  }

  private Part part() {
    Part part = one();
    while (skips("[")) {
      at = declared.indexOf(']', at) + 1;
      part = new Part(part.asText + "[]", all(part.whole));
    }
    return part;
  }

  private Part one() {
    if (skips("STRUCT(")) {
      return members(true);
    }
    if (skips("TUPLE(")) {
      return members(false);
    }
    if (skips("MAP(")) {
      return map();
    }
    String condition = Spellings.wholeWithin(word());
    return new Part("VARCHAR", condition == null ? null : condition::formatted);
  }

  private Part members(boolean named) {
    List<String> types = new ArrayList<>();
    List<UnaryOperator<String>> wholes = new ArrayList<>();
    for (int i = 1; i == 1 || skips(", "); i++) {
      String name = named ? name() : "";
      Part part = part();
      types.add(named ? Sql.name(name) + " " + part.asText : part.asText);
      String which = named ? Sql.text(name).replace("%", "%%") : Integer.toString(i);
      UnaryOperator<String> whole = part.whole;
      if (whole != null) {
        wholes.add(of -> whole.apply("struct_extract(" + of + ", " + which + ")"));
      }
    }
    skip(")");
    return new Part(
        (named ? "STRUCT(" : "TUPLE(") + String.join(", ", types) + ")", together(wholes));
  }

  private Part map() {
    Part key = part();
    skip(", ");
    Part value = part();
    skip(")");
    List<UnaryOperator<String>> wholes = new ArrayList<>();
    UnaryOperator<String> keys = all(key.whole);
    UnaryOperator<String> values = all(value.whole);
    if (keys != null) {
      wholes.add(of -> keys.apply("map_keys(" + of + ")"));
    }
    if (values != null) {
      wholes.add(of -> values.apply("map_values(" + of + ")"));
    }
    return new Part("MAP(" + key.asText + ", " + value.asText + ")", together(wholes));
  }

  private static @Nullable UnaryOperator<String> together(List<UnaryOperator<String>> wholes) {
    return wholes.isEmpty()
        ? null
        : of -> String.join(" AND ", wholes.stream().map(each -> each.apply(of)).toList());
  }

  /// Of a list all of whose values must fulfil a condition.
  private @Nullable UnaryOperator<String> all(@Nullable UnaryOperator<String> whole) {
    String each = "v" + lists++;
    return whole == null
        ? null
        : of ->
            "coalesce(list_bool_and(list_transform(%s, lambda %s: %s)), true)"
                .formatted(of, each, whole.apply(each));
  }

  /// The name of a struct's member, and the blank behind it.
  private String name() {
    int from = at;
    at = wordEnd(" ");
    String name = declared.substring(from, at);
    skip(" ");
    return name.startsWith("\"")
        ? name.substring(1, name.length() - 1).replace("\"\"", "\"")
        : name;
  }

  /// A type of single values, up to what can only stand behind one.
  private String word() {
    int from = at;
    at = wordEnd(",)[");
    return declared.substring(from, at);
  }

  /// Where one of those characters stands, but within brackets or quotes; or the end.
  private int wordEnd(String ends) {
    int depth = 0;
    char quote = 0;
    for (int i = at; i < declared.length(); i++) {
      char each = declared.charAt(i);
      if (quote != 0) {
        quote = each == quote ? 0 : quote;
      } else if (each == '\'' || each == '"') {
        quote = each;
      } else if (depth == 0 && ends.indexOf(each) >= 0) {
        return i;
      } else if (each == '(') {
        depth++;
      } else if (each == ')') {
        depth--;
      }
    }
    return declared.length();
  }

  private boolean skips(String what) {
    boolean isThere = declared.startsWith(what, at);
    if (isThere) {
      at += what.length();
    }
    return isThere;
  }

  private void skip(String what) {
    if (!skips(what)) {
      throw new Fault.Bug("\"" + what + "\" is not at " + at + " of type " + declared, null);
    }
  }
}
