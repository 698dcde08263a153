package millrace.connectors.duckdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import millrace.fault.Fault;

/// Names and values as DuckDB's SQL spells them.
public final class DuckDbSql {

  private DuckDbSql() {}

  /// A name in double quotes, whatever it contains.
  public static String name(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /// Names in double quotes, joined by commas.
  public static String names(List<String> names) {
    return names.stream().map(DuckDbSql::name).collect(Collectors.joining(", "));
  }

  /// A text in single quotes.
  public static String text(String value) {
    return '\'' + value.replace("'", "''") + '\'';
  }

  /// A table's schema and name.
  ///
  /// @param schema the schema, `main` where the user named none
  /// @param name the table
  public record Table(String schema, String name) {

    /// As SQL names it.
    public String sql() {
      return DuckDbSql.name(schema) + "." + DuckDbSql.name(name);
    }

    /// The same by whatever case it is spelled in: DuckDB tells no names apart by that.
    public String folded() {
      return sql().toLowerCase(Locale.ROOT);
    }

    /// As a user reads it.
    @Override
    public String toString() {
      return schema.equals("main") ? name : schema + "." + name;
    }

    /// Reads `table` or `schema.table`; a part in double quotes may contain points, and a double
    /// quote written twice.
    ///
    /// @throws Fault.User where it is neither
    static Table parse(String text) {
      List<String> parts = new ArrayList<>();
      int at = 0;
      do {
        int end = partEnd(text, at);
        parts.add(part(text, at, end));
        at = end + 1;
      } while (at <= text.length());
      if (parts.contains("") || parts.size() > 2 || text.indexOf('\0') >= 0) {
        throw new Fault.User(
            "table=" + text.replace('\0', '?') + " names no table.",
            "Write table=orders or table=sales.orders; quote a name that contains a point:"
                + " table=\"my.table\".");
      }
      return parts.size() == 1
          ? new Table("main", parts.getFirst())
          : new Table(parts.getFirst(), parts.getLast());
    }

    private static int partEnd(String text, int from) {
      boolean quoted = false;
      for (int i = from; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '"') {
          quoted = !quoted;
        } else if (c == '.' && !quoted) {
          return i;
        }
      }
      return text.length();
    }

    private static String part(String text, int from, int end) {
      String part = text.substring(from, end);
      boolean quoted = part.length() >= 2 && part.startsWith("\"") && part.endsWith("\"");
      return quoted ? part.substring(1, part.length() - 1).replace("\"\"", "\"") : part;
    }
  }
}
