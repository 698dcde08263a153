package millrace.testkit.oracle.sql;

/// The full name of a table or the like.
public record ObjectName(String schema, String name) {

  /// As H2 is told it.
  public String h2() {
    return quote(schema) + "." + quote(name);
  }

  /// As Oracle's messages have it.
  public String shown() {
    return schema + "." + name;
  }

  public static String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
