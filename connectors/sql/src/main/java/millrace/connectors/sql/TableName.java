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

  /// Another table of the same schema.
  public TableName beside(String other) {
    return new TableName(schema, other);
  }

  /// The same text for all spellings of it.
  public String identity(Names names) {
    return names.tableIdentity(sql(names));
  }

  /// Reads `table` or `schema.table`; a part in double quotes may contain points, and a double
  /// quote written twice.
  ///
  /// @param defaultSchema the schema that is meant if none is named; may be empty
  /// @throws Fault.User if it is neither
  public static TableName parse(String text, Names names, String defaultSchema) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    boolean quoted = false;
    boolean wasQuoted = false;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : '.';
      if (c == '"' && (quoted || part.isEmpty())) {
        boolean twice = quoted && i + 1 < text.length() && text.charAt(i + 1) == '"';
        if (twice) {
          part.append('"');
          i++;
        } else {
          quoted = !quoted;
          wasQuoted = true;
        }
      } else if (c == '.' && (!quoted || i == text.length())) {
        parts.add(wasQuoted ? part.toString() : names.folded(part.toString()));
        part.setLength(0);
        wasQuoted = false;
      } else {
        part.append(c);
      }
    }
    if (quoted || parts.contains("") || parts.size() > 2 || text.indexOf('\0') >= 0) {
      throw new Fault.User(
          "table=" + text.replace('\0', '?') + " names no table.",
          "Write table=orders or table=sales.orders; quote a name that contains a point:"
              + " table=\"my.table\".");
    }
    return parts.size() == 1
        ? new TableName(defaultSchema, parts.getFirst())
        : new TableName(parts.getFirst(), parts.getLast());
  }
}
