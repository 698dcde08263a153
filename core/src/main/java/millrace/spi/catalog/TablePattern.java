package millrace.spi.catalog;

import java.util.regex.Pattern;
import millrace.spi.Endpoint;

/// Which tables are meant: `public.*`, `shop.ord*`, `*`. A star is any text, a question mark one
/// letter. Letters match in either case, since systems fold names in different ways; a part in
/// double quotes matches only itself.
///
/// @param schema the schema as it is written, without quotes; empty if none is named
/// @param schemaQuoted whether it stood in quotes
/// @param name the pattern of the name as it is written
public record TablePattern(String schema, boolean schemaQuoted, String name) {

  private static final String TABLE = "table";

  /// The pattern of an end's table; all tables if it names none.
  public static TablePattern of(Endpoint end) {
    return parse(end.text(TABLE).orElse("*"));
  }

  /// Reads `name` or `schema.name`.
  public static TablePattern parse(String text) {
    int dot = -1;
    boolean inQuotes = false;
    for (int i = 0; i < text.length(); i++) {
      inQuotes ^= text.charAt(i) == '"';
      dot = text.charAt(i) == '.' && !inQuotes ? i : dot;
    }
    String schema = text.substring(0, Math.max(0, dot));
    return new TablePattern(unquoted(schema), isQuoted(schema), text.substring(dot + 1));
  }

  /// Whether an end names several tables.
  public static boolean isIn(Endpoint end) {
    String table = end.text(TABLE).orElse("");
    String location = end.location();
    return isWild(parse(table).name)
        || (location.startsWith("//")
            && isWild(location.substring(Math.max(1, location.lastIndexOf('/')))));
  }

  private static boolean isWild(String name) {
    return !isQuoted(name) && (name.indexOf('*') >= 0 || name.indexOf('?') >= 0);
  }

  /// Whether it means a table of that name.
  public boolean matches(String table) {
    return isQuoted(name) ? unquoted(name).equals(table) : matches(name, table);
  }

  /// Whether it means a table of that name in that schema.
  public boolean matchesIn(String tableSchema, String table) {
    boolean isSchema = schemaQuoted ? schema.equals(tableSchema) : matches(schema, tableSchema);
    return isSchema && matches(table);
  }

  /// Whether it means a table that has no schema: a dot is a letter as any other.
  public boolean matchesWhole(String table) {
    return schema.isEmpty() ? matches(table) : matches(schema + "." + name, table);
  }

  /// The name of the one table that is meant, without quotes.
  public String bare() {
    return unquoted(name);
  }

  /// Whether a text matches a pattern, in whatever case.
  public static boolean matches(String pattern, String text) {
    StringBuilder regex = new StringBuilder();
    pattern
        .codePoints()
        .forEach(letter ->
            regex.append(
                letter == '*'
                    ? ".*"
                    : letter == '?' ? "." : Pattern.quote(Character.toString(letter))));
    return Pattern.compile(
            regex.toString(), Pattern.DOTALL | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
        .matcher(text)
        .matches();
  }

  /// As the user wrote it, or nearly so.
  public String label() {
    return schema.isEmpty() ? name : schema + "." + name;
  }

  /// Whether a name needs no quotes in any system, but for its case.
  public static boolean isPlain(String name) {
    return name.matches("[\\p{L}_][\\p{L}\\d_$]*");
  }

  /// A name in double quotes.
  public static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /// The name of a table that a line of a list holds, with double quotes in the place of those of
  /// MariaDB and SQL Server; what follows a `#` that begins a word is a comment, but for quotes.
  public static String ofLine(String line) {
    StringBuilder name = new StringBuilder();
    char close = 0;
    for (int i = 0; i < line.length(); i++) {
      char letter = line.charAt(i);
      boolean begins = name.toString().isBlank() || name.charAt(name.length() - 1) == '.';
      if (close == 0 && letter == '#' && (i == 0 || Character.isWhitespace(line.charAt(i - 1)))) {
        break;
      }
      if (close == 0 && begins && "\"`[".indexOf(letter) >= 0) {
        close = letter == '[' ? ']' : letter;
        name.append('"');
      } else if (letter == close) {
        boolean isDoubled = i + 1 < line.length() && line.charAt(i + 1) == close;
        name.append(!isDoubled ? "\"" : close == '"' ? "\"\"" : "" + close);
        i += isDoubled ? 1 : 0;
        close = isDoubled ? close : 0;
      } else {
        name.append(close != 0 && close != '"' && letter == '"' ? "\"\"" : "" + letter);
      }
    }
    return name.toString().strip();
  }

  private static boolean isQuoted(String part) {
    return part.length() > 1 && part.startsWith("\"") && part.endsWith("\"");
  }

  private static String unquoted(String part) {
    return isQuoted(part) ? part.substring(1, part.length() - 1).replace("\"\"", "\"") : part;
  }
}
