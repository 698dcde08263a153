package millrace.connectors.mariadb;

import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// What the server says of a view, a routine, a trigger, an event or a sequence, as a statement
/// that makes the same in another database. Pure.
final class ObjectText {

  /// Comments, what is quoted, words, and any other character. The loops don't go back, so that no
  /// text is too long for them.
  private static final String TOKEN =
      "--(?=\\s)[^\\n]*+|#[^\\n]*+|/\\*.*?\\*/|'(?:%1$s|'')*+'|\"(?:%2$s|\"\")*+\""
          + "|`(?:[^`]|``)*+`|[\\w$\\x{80}-\\x{10ffff}]++|.";

  private static final Pattern USUAL =
      Pattern.compile(TOKEN.formatted("[^'\\\\]|\\\\.", "[^\"\\\\]|\\\\."), Pattern.DOTALL);
  private static final Pattern WITHOUT_ESCAPES =
      Pattern.compile(TOKEN.formatted("[^']", "[^\"]"), Pattern.DOTALL);

  private final List<String> tokens;

  /// @param text as the server says it
  /// @param sqlMode the one that it was made with: it decides what a backslash is
  ObjectText(String text, String sqlMode) {
    Pattern token = sqlMode.contains("NO_BACKSLASH_ESCAPES") ? WITHOUT_ESCAPES : USUAL;
    tokens = token.matcher(text).results().map(MatchResult::group).toList();
  }

  /// The definer that it names; empty if it names none.
  String definer() {
    int at = definerAt();
    return at < 0
        ? ""
        : String.join("", tokens.subList(at, definerEnd(at)))
            .replaceFirst("^\\w+\\s*=\\s*", "")
            .replaceAll("[`\"]", "")
            .strip();
  }

  private int definerAt() {
    for (int at = 0; at < tokens.size(); at++) {
      if (isWord(at, "DEFINER") && tokens.get(skipBlanks(at + 1)).equals("=")) {
        return at;
      }
      if (isWord(at, "VIEW") || isWord(at, "AS") || isWord(at, "BEGIN")) {
        return -1;
      }
    }
    return -1;
  }

  /// Behind `DEFINER = user@host`, and the blank that follows.
  private int definerEnd(int at) {
    int end = skipBlanks(skipBlanks(at + 1) + 1) + 1;
    if (tokens.get(end).equals("@")) {
      end += 2;
    } else if (tokens.get(end).equals("(")) {
      end = skipBlanks(end + 1) + 1;
    }
    return skipBlanks(end);
  }

  private boolean isWord(int at, String word) {
    return tokens.get(at).equalsIgnoreCase(word);
  }

  private int skipBlanks(int from) {
    int at = Math.min(from, tokens.size() - 1);
    while (at < tokens.size() - 1 && tokens.get(at).isBlank()) {
      at++;
    }
    return at;
  }

  /// The statement that makes it, without its definer.
  ///
  /// @param kind as SQL calls it, such as `PACKAGE BODY`
  /// @param name its new name, as SQL
  /// @param databases their new names: what backquotes name in an old one is of its new one
  String made(String kind, String name, Databases databases) {
    StringBuilder text = new StringBuilder();
    int at = nameEnd(head(kind, text) + 1);
    text.append(' ').append(name);
    return text + moved(at, databases);
  }

  /// The same of a trigger, whose text the server keeps: it names no database.
  String trigger(Databases databases) {
    StringBuilder text = new StringBuilder();
    int at = nameEnd(head("TRIGGER", text) + 1);
    text.append(' ').append(tokens.get(at - 1));
    while (!isWord(at, "ON")) {
      text.append(tokens.get(at++));
    }
    at = nameEnd(at + 1);
    text.append("ON ").append(tokens.get(at - 1));
    while (!isWord(at, "ROW")) {
      text.append(tokens.get(at++));
    }
    text.append(tokens.get(at++));
    int order = skipBlanks(at);
    if (isWord(order, "FOLLOWS") || isWord(order, "PRECEDES")) {
      at = nameEnd(order + 1); // They are made in the order in which they run.
    }
    return text + moved(at, databases);
  }

  /// What stands up to the last word of the kind, without the definer.
  private int head(String kind, StringBuilder text) {
    String last = kind.substring(kind.lastIndexOf(' ') + 1);
    int definer = definerAt();
    int at = 0;
    while (!isWord(at, last)) {
      if (at == definer) {
        at = definerEnd(at);
      } else {
        text.append(tokens.get(at++));
      }
    }
    text.append(last);
    return at;
  }

  /// Behind a name, with its database or without.
  private int nameEnd(int from) {
    int at = skipBlanks(from);
    if (isWord(at, "IF")) {
      at = skipBlanks(skipBlanks(skipBlanks(at + 1) + 1) + 1); // NOT EXISTS
    }
    at++;
    int point = skipBlanks(at);
    return tokens.get(point).equals(".") ? skipBlanks(point + 1) + 1 : at;
  }

  /// The same text about other databases.
  String moved(Databases databases) {
    return moved(0, databases);
  }

  private String moved(int begin, Databases databases) {
    StringBuilder text = new StringBuilder();
    for (int at = begin; at < tokens.size(); at++) {
      String token = tokens.get(at);
      String name = bare(token);
      boolean isQuoted = token.startsWith("`") && databases.targets().containsKey(name);
      text.append(
          isQuoted && isDatabase(at, name, databases) ? quoted(databases.target(name)) : token);
    }
    return text.toString();
  }

  /// Whether a name is that of a database, and not of a table or an alias before a column.
  private boolean isDatabase(int at, String name, Databases databases) {
    int next = second(at);
    return next > 0
        && (tokens.get(skipBlanks(next + 1)).equals(".")
            || databases.holds(name, bare(tokens.get(next))));
  }

  /// Where the name stands that follows the first one of several with points between; 0 if none
  /// does.
  private int second(int at) {
    int before = at - 1;
    while (before >= 0 && tokens.get(before).isBlank()) {
      before--;
    }
    int point = skipBlanks(at + 1);
    boolean isFirst = before < 0 || !tokens.get(before).equals(".");
    return isFirst && tokens.get(point).equals(".") ? skipBlanks(point + 1) : 0;
  }

  private static String bare(String token) {
    return token.startsWith("`")
        ? token.substring(1, token.length() - 1).replace("``", "`")
        : token.replace("\"", "");
  }

  /// Whether it names something of a database, both in backquotes.
  boolean names(String database, String name) {
    for (int at = 0; at < tokens.size(); at++) {
      if (tokens.get(at).equals(quoted(database))
          && second(at) > 0
          && tokens.get(second(at)).equals(quoted(name))) {
        return true;
      }
    }
    return false;
  }

  /// Whether it names a database in another way than in backquotes: without any, or in a text.
  boolean spells(String database, Databases databases) {
    Pattern within =
        Pattern.compile(
            "(?<![\\w$])" + Pattern.quote(database.toLowerCase(Locale.ROOT)) + "[`\"]?\\s*\\.");
    for (int at = 0; at < tokens.size(); at++) {
      String token = tokens.get(at);
      boolean isText = token.startsWith("'") || token.startsWith("\"");
      boolean isName =
          token.replace("\"", "").equalsIgnoreCase(database) && isDatabase(at, database, databases);
      if (isName || (isText && within.matcher(token.toLowerCase(Locale.ROOT)).find())) {
        return true;
      }
    }
    return false;
  }

  static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }
}
