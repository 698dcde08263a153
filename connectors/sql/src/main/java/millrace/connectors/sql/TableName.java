package millrace.connectors.sql;

import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;

/// A table's schema and name.
///
/// @param schema empty for the database's default
/// @param name as the database knows it
public record TableName(String schema, String name) {

  /// As SQL names it.
  public String sql(Names names) {
    return schema.isEmpty() ? names.quoted(name) : names.quoted(schema) + "." + names.quoted(name);
  }

  /// How it is named in messages.
  public String label() {
    return schema.isEmpty() ? name : schema + "." + name;
  }

  /// Another table of the same schema.
  public TableName beside(String other) {
    return new TableName(schema, other);
  }

  /// The same text for all spellings of it.
  public String identity(Names names) {
    return names.tableIdentity(sql(names));
  }

  /// Reads `table` or `schema.table`, see {@link #parts}.
  ///
  /// @param defaultSchema the schema that is meant if none is named; may be empty
  /// @throws Fault.User if it is neither
  public static TableName parse(String text, Names names, String defaultSchema) {
    List<String> parts =
        parts(text).stream()
            .map(part -> part.quoted ? part.text : names.folded(part.text))
            .toList();
    return parts.size() == 1
        ? new TableName(defaultSchema, parts.getFirst())
        : new TableName(parts.getFirst(), parts.getLast());
  }

  /// One of the names in a table's name, as the user writes it.
  ///
  /// @param quoted whether it stood in double quotes, and means exactly what it says
  public record NamePart(String text, boolean quoted) {}

  /// The one or two names in `table` or `schema.table`. One in double quotes may contain points,
  /// and a double quote written twice.
  ///
  /// @throws Fault.User if there are others
  public static List<NamePart> parts(String text) {
    List<NamePart> parts = new ArrayList<>();
    int at = 0;
    while (at <= text.length()) {
      boolean quoted = at < text.length() && text.charAt(at) == '"';
      int end = quoted ? endOfQuotes(text, at + 1) : endOfBare(text, at);
      boolean isComplete = end == text.length() || (end > at && text.charAt(end) == '.');
      String part =
          quoted && end > at
              ? text.substring(at + 1, end - 1).replace("\"\"", "\"")
              : text.substring(at, Math.max(at, end));
      if (!isComplete || part.isEmpty() || parts.size() == 2 || part.indexOf('\0') >= 0) {
        throw new Fault.User(
            "table=" + text.replace('\0', '?') + " names no table.",
            "Write table=orders or table=sales.orders; quote a name that contains a point:"
                + " table=\"my.table\".");
      }
      parts.add(new NamePart(part, quoted));
      at = end + 1;
    }
    return parts;
  }

  private static int endOfBare(String text, int from) {
    int point = text.indexOf('.', from);
    return point < 0 ? text.length() : point;
  }

  /// The place behind the quote that ends a name; -1 if none does.
  private static int endOfQuotes(String text, int from) {
    int at = text.indexOf('"', from);
    while (at >= 0 && at + 1 < text.length() && text.charAt(at + 1) == '"') {
      at = text.indexOf('"', at + 2);
    }
    return at + (at < 0 ? 0 : 1);
  }
}
