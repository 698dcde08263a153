package millrace.connectors.sqlite;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import org.jspecify.annotations.Nullable;

/// A statement that made a table, an index or a view, as SQLite keeps it: as the user wrote it. It
/// is made again under other names, and a table without its foreign keys too. Pure.
final class SchemaText {

  private final List<String> tokens;

  SchemaText(String sql) {
    tokens = SqliteDefinition.TOKEN.matcher(sql).results().map(MatchResult::group).toList();
  }

  /// A foreign key's part of a table's statement.
  ///
  /// @param from the first token
  /// @param parent the token that names the other table
  /// @param end behind the last token
  private record ForeignKey(int from, int parent, int end) {}

  /// An index on another table.
  String index(String name, String table) {
    int at = nameAt("INDEX");
    int on = nameAt("ON");
    return text(0, at)
        + renamed(at, name)
        + text(at + 1, on)
        + renamed(on, table)
        + text(on + 1, tokens.size());
  }

  private int nameAt(String word) {
    int at = 0;
    while (!is(at, word)) {
      at++;
    }
    return skip(at + 1);
  }

  /// A table whose foreign keys are comments so far; without those whose other tables have no name.
  ///
  /// @param parents the name of another table, by its name here
  String table(String name, Function<String, @Nullable String> parents) {
    StringBuilder text = new StringBuilder();
    int at = nameAt("TABLE");
    text.append(text(0, at)).append(renamed(at, name));
    at++;
    for (ForeignKey each : foreignKeys()) {
      String parent = parents.apply(bare(tokens.get(each.parent)));
      text.append(text(at, withComma(each.from)));
      text.append(parent == null ? "" : comment(text(each, parent)));
      at = each.end;
    }
    return text + text(at, tokens.size());
  }

  /// The foreign keys to another table.
  ///
  /// @param parent its name here
  /// @param name its name there
  List<String> foreignKeys(String parent, String name) {
    return foreignKeys().stream()
        .filter(each -> bare(tokens.get(each.parent)).equals(parent))
        .map(each -> text(each, name))
        .toList();
  }

  private String text(ForeignKey key, String parent) {
    return text(withComma(key.from), key.parent)
        + renamed(key.parent, parent)
        + text(key.parent + 1, key.end);
  }

  /// A part of a statement that is there for readers only.
  static String comment(String part) {
    return "/*" + part.replace("*/", "* /") + "*/";
  }

  /// Other tables that its foreign keys refer to.
  List<String> parents() {
    return foreignKeys().stream().map(each -> bare(tokens.get(each.parent))).distinct().toList();
  }

  private List<ForeignKey> foreignKeys() {
    List<ForeignKey> found = new ArrayList<>();
    for (int at = 0; at < tokens.size(); at++) {
      // No name is this word but in quotes.
      if (is(at, "REFERENCES")) {
        int parent = skip(at + 1);
        found.add(new ForeignKey(begin(at), parent, end(parent + 1)));
      }
    }
    return found;
  }

  /// Where the part begins, before FOREIGN KEY or CONSTRAINT.
  private int begin(int references) {
    int at = references;
    int before = skipBack(at - 1);
    if (is(before, ")")) {
      int open = openOf(before);
      int key = skipBack(open - 1);
      int foreign = skipBack(key - 1);
      if (is(key, "KEY") && is(foreign, "FOREIGN")) {
        at = foreign;
      }
    }
    int name = skipBack(at - 1);
    int constraint = skipBack(name - 1);
    return is(constraint, "CONSTRAINT") ? constraint : at;
  }

  private int openOf(int close) {
    int depth = 0;
    for (int at = close; ; at--) {
      depth += is(at, ")") ? 1 : is(at, "(") ? -1 : 0;
      if (depth == 0 || at == 0) {
        return at;
      }
    }
  }

  /// Behind the columns, the actions, MATCH and DEFERRABLE.
  private int end(int from) {
    int end = from;
    int at = skip(from);
    if (is(at, "(")) {
      end = closeOf(at) + 1;
    }
    while (true) {
      at = skip(end);
      int next = skip(at + 1);
      if (is(at, "ON")) {
        int action = skip(next + 1);
        end = (is(action, "SET") || is(action, "NO") ? skip(action + 1) : action) + 1;
      } else if (is(at, "MATCH")) {
        end = next + 1;
      } else if (is(at, "DEFERRABLE") || (is(at, "NOT") && is(next, "DEFERRABLE"))) {
        end = (is(at, "NOT") ? next : at) + 1;
        int initially = skip(end);
        end = is(initially, "INITIALLY") ? skip(initially + 1) + 1 : end;
      } else {
        return end;
      }
    }
  }

  private int closeOf(int open) {
    int depth = 0;
    for (int at = open; at < tokens.size(); at++) {
      depth += is(at, "(") ? 1 : is(at, ")") ? -1 : 0;
      if (depth == 0) {
        return at;
      }
    }
    return tokens.size() - 1;
  }

  /// A part between commas goes with the one before it, but not a part of a column.
  private int withComma(int from) {
    int before = skipBack(from - 1);
    return is(before, ",") ? before : from;
  }

  /// Whether a name stands in it, in quotes or not.
  boolean names(String name) {
    return tokens.stream().anyMatch(token -> bare(token).equalsIgnoreCase(name));
  }

  private boolean is(int at, String word) {
    return at >= 0 && at < tokens.size() && tokens.get(at).equalsIgnoreCase(word);
  }

  private int skip(int from) {
    int at = from;
    while (at < tokens.size() && isSpace(tokens.get(at))) {
      at++;
    }
    return at;
  }

  private int skipBack(int from) {
    int at = from;
    while (at > 0 && isSpace(tokens.get(at))) {
      at--;
    }
    return at;
  }

  private static boolean isSpace(String token) {
    return token.isBlank() || token.startsWith("--") || token.startsWith("/*");
  }

  private String text(int from, int to) {
    return String.join("", tokens.subList(from, to));
  }

  /// The name as it is written here, if it is the same.
  private String renamed(int at, String name) {
    String token = tokens.get(at);
    return bare(token).equals(name) ? token : SqliteDialect.NAMES.quoted(name);
  }

  /// A name without its quotes.
  private static String bare(String token) {
    char first = token.charAt(0);
    char last = first == '[' ? ']' : first;
    if (token.length() < 2 || "\"`['".indexOf(first) < 0) {
      return token;
    }
    String inner = token.substring(1, token.length() - 1);
    String quote = String.valueOf(last);
    return first == '[' ? inner : inner.replace(quote + quote, quote);
  }
}
