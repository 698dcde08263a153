package millrace.connectors.oracle.definition;

import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.Names;

/// Texts of users about other schemas. Pure.
///
/// @param schemas their new names
record MovedText(Names names, Map<String, String> schemas) {

  private static final String NAME = "\"[^\"]++\"|[\\p{L}\\d_$#]++";

  /// Comments, texts, and names; the first group is a name that another one follows.
  private static final Pattern TOKEN =
      Pattern.compile(
          "--[^\\n]*+|/\\*.*?\\*/|(?i:n?q'(?:\\[.*?\\]|\\{.*?\\}|\\(.*?\\)|<.*?>|(?<q>\\S).*?\\k<q>)')"
              + "|'(?:[^']|'')*+'|(?<![.@:])(?<name>"
              + NAME
              + ")(?=\\s*+\\.)|"
              + NAME,
          Pattern.DOTALL);

  /// The new name of a schema; its own if it has none.
  String schema(String name) {
    return schemas.getOrDefault(name, name);
  }

  /// The same text, in which names of schemas that stand before others are new.
  String moved(String text) {
    return schemas.entrySet().stream().allMatch(each -> each.getKey().equals(each.getValue()))
        ? text
        : TOKEN.matcher(text).replaceAll(each -> Matcher.quoteReplacement(moved(each)));
  }

  private String moved(MatchResult token) {
    String name = token.group("name");
    String plain =
        name == null ? "" : name.startsWith("\"") ? name.replace("\"", "") : names.folded(name);
    return schemas.containsKey(plain) ? names.quoted(schema(plain)) : token.group();
  }

  /// Whether a text within it names a schema that has a new name.
  boolean spells(String text) {
    return TOKEN.matcher(text).results().map(MatchResult::group).anyMatch(this::isOld);
  }

  private boolean isOld(String token) {
    return token.endsWith("'")
        && schemas.keySet().stream()
            .filter(each -> !each.equals(schema(each)))
            .anyMatch(each ->
                Pattern.compile(
                        "(?<![\\w$#])" + Pattern.quote(each) + "\"?\\s*\\.",
                        Pattern.CASE_INSENSITIVE)
                    .matcher(token)
                    .find());
  }

  /// The statement that makes what a text of the catalog is of.
  ///
  /// @param kind the words with which it begins
  /// @param name its new name, as SQL
  String made(String kind, String name, String text) {
    String words = "(?is)\\s*" + kind.replace(" ", "\\s+") + "\\s+";
    Matcher found =
        Pattern.compile(words + "(?:(?:" + NAME + ")\\s*\\.\\s*)?(?:" + NAME + ")").matcher(text);
    return found.lookingAt()
        ? "CREATE " + kind + " " + name + moved(text.substring(found.end()))
        : "CREATE " + moved(text);
  }
}
