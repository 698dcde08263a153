package millrace.connectors.duckdb.load;

/// How a column's values are handed to DuckDB's table function, which takes few types; the
/// statement around it makes them what they are.
public enum Send {
  BOOLEAN,
  INT32,
  INT64,
  FLOAT,
  DOUBLE,
  /// A decimal of up to 18 digits.
  DECIMAL,
  /// UTF-8 text.
  TEXT,
  /// The 36 characters of a UUID.
  UUID,
  /// Text with two hexadecimal digits a byte.
  HEX
}
