package millrace.connectors.duckdb.read;

/// How a column's values lie in a result's memory and become values of ours.
public enum ResultEncoding {
  /// One signed byte: BOOLEAN, TINYINT.
  INT8,
  /// One unsigned byte.
  UINT8,
  INT16,
  UINT16,
  INT32,
  UINT32,
  INT64,
  FLOAT,
  DOUBLE,
  /// Days since 1970 in 32 bits; the outermost values are the infinities.
  DAYS,
  /// Microseconds since 1970 in 64 bits; the outermost values are the infinities.
  MICROS,
  /// 128 bits, the lower half first: what a UUID becomes as an unsigned number.
  UUID,
  /// UTF-8 text.
  TEXT,
  /// UTF-8 text of a decimal number, which DuckDB writes without a zero before the point.
  DECIMAL_TEXT,
  /// Text with two hexadecimal digits a byte.
  HEX
}
