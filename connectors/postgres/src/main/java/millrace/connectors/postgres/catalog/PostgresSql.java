package millrace.connectors.postgres.catalog;

import java.util.List;
import java.util.stream.Collectors;

/// Names and values on their way into statements.
public final class PostgresSql {

  private PostgresSql() {}

  /// An identifier, always in double quotes.
  public static String name(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  /// Identifiers in double quotes with commas between.
  public static String names(List<String> identifiers) {
    return identifiers.stream().map(PostgresSql::name).collect(Collectors.joining(", "));
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
