package millrace.text;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// A list of columns' names as users write it: commas between, and around a name that holds one
/// quotes as in CSV, `id,"street, number"`. A comma in parentheses is part of a name too.
public final class NameList {

  private static final char QUOTE = '"';

  /// What stands between two commas.
  ///
  /// @param quoted the name, if it stands in quotes
  /// @param bare what stands behind those quotes; all, if there are none
  public record Entry(@Nullable String quoted, String bare) {}

  private NameList() {}

  /// The first names with commas between, and how many more there are.
  public static String first(List<String> names, int most) {
    int more = names.size() - most;
    return String.join(", ", names.subList(0, Math.min(most, names.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /// The names, of which blanks around belong to one only inside quotes.
  ///
  /// @param option what messages call the list
  /// @throws Fault.User if it is no list of names
  public static List<String> parse(String option, String text) {
    List<String> names = new ArrayList<>();
    for (Entry entry : entries(option, text)) {
      if (entry.quoted != null && !entry.bare.isEmpty()) {
        throw new Fault.User(
            option + " '" + text + "' has '" + entry.bare + "' behind a closing quote.",
            "Write names with one comma between; a quote inside quotes is written \"\".");
      }
      String name = entry.quoted == null ? entry.bare : entry.quoted;
      if (name.isEmpty()) {
        throw new Fault.User(
            option + " '" + text + "' holds an empty name.", "Write names with one comma between.");
      }
      names.add(name);
    }
    return names;
  }

  /// The names as {@link #parse} takes them.
  public static String spelled(List<String> names, String between) {
    return names.stream().map(NameList::spelled).collect(Collectors.joining(between));
  }

  /// The names of columns in a sentence: `column a`, or `columns a, b`.
  public static String columns(List<String> names) {
    return (names.size() == 1 ? "column " : "columns ") + spelled(names, ", ");
  }

  private static String spelled(String name) {
    boolean plain =
        name.chars().noneMatch(each -> each == ',' || each == '(')
            && name.indexOf(QUOTE) != 0
            && name.strip().equals(name);
    return plain ? name : QUOTE + name.replace("\"", "\"\"") + QUOTE;
  }

  /// What stands between the commas; one empty entry if there is nothing at all.
  ///
  /// @throws Fault.User if a quote is never closed
  public static List<Entry> entries(String option, String text) {
    List<Entry> entries = new ArrayList<>();
    int at = 0;
    while (at <= text.length()) {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      String quoted = null;
      if (at < text.length() && text.charAt(at) == QUOTE) {
        int close = closingQuote(text, at + 1);
        if (close < 0) {
          throw new Fault.User(
              option + " '" + text + "' has a quote that is never closed.",
              "Quotes stand around a whole name; one inside is written \"\".");
        }
        quoted = text.substring(at + 1, close).replace("\"\"", "\"");
        at = close + 1;
      }
      int comma = comma(text, at);
      entries.add(new Entry(quoted, text.substring(at, comma).strip()));
      at = comma + 1;
    }
    return entries;
  }

  private static int closingQuote(String text, int from) {
    int at = text.indexOf(QUOTE, from);
    while (at >= 0 && at + 1 < text.length() && text.charAt(at + 1) == QUOTE) {
      at = text.indexOf(QUOTE, at + 2);
    }
    return at;
  }

  /// The next comma outside of parentheses, or the end.
  private static int comma(String text, int from) {
    int depth = 0;
    for (int at = from; at < text.length(); at++) {
      char each = text.charAt(at);
      if (each == '(') {
        depth++;
      } else if (each == ')') {
        depth = Math.max(0, depth - 1);
      } else if (each == ',' && depth == 0) {
        return at;
      }
    }
    return text.length();
  }
}
