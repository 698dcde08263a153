package millrace.plan.mapping;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.ColumnsOption;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Reads a mapping as users write it: `a=b,"c d"=e`, `amount:decimal(12,2)`, `src='night, 2'`.
public final class MappingWords {

  private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9][0-9]{0,17})");
  private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9][0-9]*)\\.[0-9]+");
  private static final int DIGITS_MAX = 38;

  private MappingWords() {}

  /// New names by old ones.
  ///
  /// @param words what the option was given, each time
  /// @throws Fault.User if it makes no sense
  public static Map<String, String> renames(List<String> words) {
    Map<String, String> renames = new LinkedHashMap<>();
    for (Pair pair : pairs("--rename", "old=new", words)) {
      if (pair.value.isEmpty()) {
        throw new Fault.User(
            "--rename " + pair.name + "= gives an empty name.", "Write --rename old=new.");
      }
      once("--rename", pair.name, renames.put(pair.name, pair.value));
    }
    return renames;
  }

  /// Types by names of columns.
  ///
  /// @throws Fault.User if a type is not known, or none is given
  public static Map<String, Type> casts(List<String> words) {
    Map<String, Type> casts = new LinkedHashMap<>();
    for (String each : words) {
      for (ColumnsOption.Named named : ColumnsOption.parse("--cast", each)) {
        Type type = named.type();
        if (type == null) {
          throw new Fault.User(
              "--cast " + each + " says no type for " + named.name() + ".",
              "Write --cast name:type, such as --cast amount:decimal(12,2).");
        }
        once("--cast", named.name(), casts.put(named.name(), type));
      }
    }
    return casts;
  }

  /// The values of columns that are added, by name.
  ///
  /// @throws Fault.User if it makes no sense
  public static Map<String, AddedValue> added(List<String> words) {
    Map<String, AddedValue> added = new LinkedHashMap<>();
    for (Pair pair : pairs("--add", "name=value", words)) {
      once("--add", pair.name, added.put(pair.name, value(pair)));
    }
    return added;
  }

  /// Names of columns.
  ///
  /// @throws Fault.User if they are none
  public static List<String> names(String option, List<String> words) {
    List<String> names = new ArrayList<>();
    words.forEach(each -> names.addAll(NameList.parse(option, each)));
    return names;
  }

  private static void once(String option, String name, @Nullable Object before) {
    if (before != null) {
      throw new Fault.User(option + " names column " + name + " twice.", "Leave one of them out.");
    }
  }

  /// What looks like a number is one, but for numbers that begin with a zero.
  private static AddedValue value(Pair pair) {
    String text = pair.value;
    if (!pair.quoted && text.equalsIgnoreCase("now()")) {
      return new AddedValue.Now();
    }
    Type type = Type.Text.UNLIMITED;
    if (!pair.quoted && INTEGER.matcher(text).matches()) {
      type = new Type.Int(64);
    } else if (!pair.quoted && DECIMAL.matcher(text).matches()) {
      int scale = text.length() - text.indexOf('.') - 1;
      int precision = text.replace("-", "").length() - 1;
      type = precision <= DIGITS_MAX ? new Type.Decimal(precision, scale) : type;
    }
    return new AddedValue.Constant(text, type);
  }

  /// @param quoted whether the value stood in quotes
  private record Pair(String name, String value, boolean quoted) {}

  private static List<Pair> pairs(String option, String form, List<String> words) {
    List<Pair> pairs = new ArrayList<>();
    words.forEach(each -> new Scanner(option, form, each).scan(pairs));
    return pairs;
  }

  /// Reads `name=value` with commas between. Quotes around a name or value take commas into it.
  private static final class Scanner {

    private final String option;
    private final String form;
    private final String text;
    private int at;

    Scanner(String option, String form, String text) {
      this.option = option;
      this.form = form;
      this.text = text;
    }

    void scan(List<Pair> into) {
      do {
        into.add(pair());
      } while (at++ < text.length());
    }

    private Pair pair() {
      passBlanks();
      String name = isAt('"') ? quoted('"') : upTo("=,");
      passBlanks();
      if (!isAt('=') || name.isEmpty()) {
        throw wrong();
      }
      at++;
      passBlanks();
      if (!isAt('"') && !isAt('\'')) {
        return new Pair(name, upTo(","), false);
      }
      String value = quoted(text.charAt(at));
      passBlanks();
      if (at < text.length() && !isAt(',')) {
        throw wrong();
      }
      return new Pair(name, value, true);
    }

    private void passBlanks() {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
    }

    private boolean isAt(char wanted) {
      return at < text.length() && text.charAt(at) == wanted;
    }

    private String upTo(String ends) {
      int start = at;
      while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
        at++;
      }
      return text.substring(start, at).strip();
    }

    private String quoted(char quote) {
      StringBuilder inside = new StringBuilder();
      for (at++; at < text.length(); at++) {
        if (text.charAt(at) == quote) {
          at++;
          if (!isAt(quote)) {
            return inside.toString();
          }
        }
        inside.append(text.charAt(at));
      }
      throw wrong();
    }

    private Fault.User wrong() {
      return new Fault.User(
          option + " '" + text + "' is not " + form + ".",
          "Write " + option + " " + form + "; quotes stand around what holds a comma.");
    }
  }
}
