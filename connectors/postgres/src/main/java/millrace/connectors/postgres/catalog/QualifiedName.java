package millrace.connectors.postgres.catalog;

import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// A table as a user names it, with or without its schema: `orders`, `sales.orders`, `"Odd
/// schema"."t.x"`.
///
/// Names without quotes mean what is spelled like that if there is such a table, and else what SQL
/// makes of them: all in lower case.
///
/// @param schema null if the server's search path decides
/// @param schemaQuoted whether the schema stood in quotes, and means exactly what it says
/// @param quoted whether the last name did
public record QualifiedName(
    @Nullable String schema, String name, boolean schemaQuoted, boolean quoted) {

  /// A table whose names both mean exactly what they say, or both not.
  public QualifiedName(@Nullable String schema, String name, boolean quoted) {
    this(schema, name, quoted, quoted);
  }

  /// Reads `name` or `schema.name`, each with or without double quotes.
  ///
  /// @throws Fault.User if the text is no such name
  public static QualifiedName parse(String text) {
    List<TableName.NamePart> parts = TableName.parts(text);
    TableName.NamePart name = parts.getLast();
    TableName.NamePart schema = parts.getFirst();
    return parts.size() == 1
        ? new QualifiedName(null, name.text(), false, name.quoted())
        : new QualifiedName(schema.text(), name.text(), schema.quoted(), name.quoted());
  }

  /// The table that an end names, which names one.
  public static QualifiedName of(Endpoint endpoint) {
    return parse(endpoint.text("table").orElseThrow());
  }

  /// What stands before the last name, its dot included, with its quotes; empty if nothing does.
  public static String schemaAsWritten(String text) {
    int last = -1;
    boolean inQuotes = false;
    for (int i = 0; i < text.length(); i++) {
      inQuotes ^= text.charAt(i) == '"';
      last = text.charAt(i) == '.' && !inQuotes ? i : last;
    }
    return text.substring(0, last + 1);
  }

  /// The name that SQL makes of one without quotes: ASCII letters in lower case.
  public QualifiedName folded() {
    return new QualifiedName(
        schema == null || schemaQuoted ? schema : lower(schema),
        quoted ? name : lower(name),
        schemaQuoted,
        quoted);
  }

  private static String lower(String name) {
    StringBuilder lower = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      lower.append(c < 128 ? Character.toLowerCase(c) : c);
    }
    return lower.toString();
  }

  /// The name as it may stand in a statement.
  public String sql() {
    return schema == null
        ? PostgresSql.name(name)
        : PostgresSql.name(schema) + "." + PostgresSql.name(name);
  }

  /// The name as a user reads it: in quotes only if it needs them.
  public String label() {
    return schema == null ? plain(name) : plain(schema) + "." + plain(name);
  }

  private static String plain(String name) {
    return name.equals(name.toLowerCase(Locale.ROOT)) && name.matches("[\\p{L}_][\\p{L}\\d_$]*")
        ? name
        : PostgresSql.name(name);
  }
}
