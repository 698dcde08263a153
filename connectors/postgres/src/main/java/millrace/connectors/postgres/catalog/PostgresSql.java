package millrace.connectors.postgres.catalog;

import java.util.List;
import millrace.connectors.sql.Names;

/// Names and values on their way into statements.
public final class PostgresSql {

  public static final Names NAMES = new Names('"', Names.Folding.LOWER);

  private PostgresSql() {}

  /// An identifier, always in double quotes.
  public static String name(String identifier) {
    return NAMES.quoted(identifier);
  }

  /// Identifiers in double quotes with commas between.
  public static String names(List<String> identifiers) {
    return NAMES.quoted(identifiers);
  }

  /// A string constant that means the same whatever `standard_conforming_strings` says.
  public static String text(String value) {
    String doubled = value.replace("'", "''");
    return doubled.indexOf('\\') < 0
        ? "'" + doubled + "'"
        : "E'" + doubled.replace("\\", "\\\\") + "'";
  }

  /// A user's query or condition, made safe to stand in parentheses: without the semicolon at its
  /// end, and with a line end so that a comment at its end ends there.
  public static String embedded(String sql) {
    String stripped = sql.strip();
    while (stripped.endsWith(";")) {
      stripped = stripped.substring(0, stripped.length() - 1).strip();
    }
    return stripped + "\n";
  }
}
