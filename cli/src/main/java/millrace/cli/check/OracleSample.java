package millrace.cli.check;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A type of Oracle's with three values: a usual one, one at an edge, and none.
///
/// @param column the name of a column of it
/// @param type as CREATE TABLE has it
/// @param shows how SQL shows its bytes; `%s` is the value
/// @param values each as CSV has it, and as a literal of SQL, which only says what a column has
///   once it stands in one: the server keeps dates of expressions in another way
record OracleSample(String column, String type, String shows, List<Value> values) {

  /// How many values each has.
  static final int ROWS = 3;

  /// One value.
  ///
  /// @param text as CSV has it; empty for none
  record Value(String text, String literal) {}

  private static final String DUMP = "DUMP(%s, 1016)";

  /// DUMP takes no large objects: their length and what they begin with.
  private static final String TEXT =
      "DBMS_LOB.GETLENGTH(%1$s) || ' ' || DBMS_LOB.SUBSTR(%1$s, 200, 1)";

  private static final String BYTES =
      "DBMS_LOB.GETLENGTH(%1$s) || ' ' || RAWTOHEX(DBMS_LOB.SUBSTR(%1$s, 200, 1))";

  /// DUMP takes no vectors either: all digits of their numbers.
  private static final String VECTOR = "FROM_VECTOR(%s)";

  private static final Value NONE = new Value("", "NULL");

  static final List<OracleSample> ALL =
      List.of(
          of("n5", "NUMBER(5)", "42", "42", "-99999", "-99999"),
          of("n18", "NUMBER(18)", "1", "1", "999999999999999999", "999999999999999999"),
          of(
              "n38",
              "NUMBER(38)",
              "0",
              "0",
              "-99999999999999999999999999999999999999",
              "-99999999999999999999999999999999999999"),
          of("n92", "NUMBER(9,2)", "748766.98", "748766.98", "-9999999.99", "-9999999.99"),
          of(
              "n",
              "NUMBER",
              "0.0000000001",
              "0.0000000001",
              "12345678901234567890.5",
              "12345678901234567890.5"),
          of("bf", "BINARY_FLOAT", "1.5", "1.5", "-0.25", "-0.25"),
          of("bd", "BINARY_DOUBLE", "1.5", "1.5", "-1234567.0625", "-1234567.0625"),
          of(
              "v",
              "VARCHAR2(20 CHAR)",
              "abc",
              "'abc'",
              "äöü€ß",
              "UNISTR('\\00e4\\00f6\\00fc\\20ac\\00df')"),
          of("vb", "VARCHAR2(10 BYTE)", "0123456789", "'0123456789'", "x", "'x'"),
          of(
              "nv",
              "NVARCHAR2(20)",
              "abc",
              "'abc'",
              "äöü€ß",
              "UNISTR('\\00e4\\00f6\\00fc\\20ac\\00df')"),
          of("c", "CHAR(8)", "k7037", "'k7037'", "12345678", "'12345678'"),
          of(
              "d",
              "DATE",
              "2024-02-29 23:59:58",
              "TIMESTAMP '2024-02-29 23:59:58'",
              "0001-01-01 00:00:00",
              "TIMESTAMP '0001-01-01 00:00:00'"),
          of(
              "ts",
              "TIMESTAMP(6)",
              "2024-02-29 23:59:58.123456",
              "TIMESTAMP '2024-02-29 23:59:58.123456'",
              "9999-12-31 23:59:59.999999",
              "TIMESTAMP '9999-12-31 23:59:59.999999'"),
          of(
              "tz",
              "TIMESTAMP(6) WITH TIME ZONE",
              "2024-02-29 23:59:58.123456Z",
              "TIMESTAMP '2024-02-29 23:59:58.123456 +00:00'",
              "1970-01-01 00:00:00Z",
              "TIMESTAMP '1970-01-01 00:00:00 +00:00'"),
          of(
              "tl",
              "TIMESTAMP(6) WITH LOCAL TIME ZONE",
              "2024-02-29 23:59:58.123456Z",
              "TIMESTAMP '2024-02-29 23:59:58.123456 +00:00'",
              "1970-01-01 00:00:00Z",
              "TIMESTAMP '1970-01-01 00:00:00 +00:00'"),
          of(
              "ym",
              "INTERVAL YEAR(2) TO MONTH",
              "1-6",
              "INTERVAL '1-6' YEAR(2) TO MONTH",
              "-20-11",
              "INTERVAL '-20-11' YEAR(2) TO MONTH"),
          of(
              "ds",
              "INTERVAL DAY(2) TO SECOND(6)",
              "1 2:3:4.5",
              "INTERVAL '1 2:3:4.5' DAY(2) TO SECOND(6)",
              "-10 23:59:59.999999",
              "INTERVAL '-10 23:59:59.999999' DAY(2) TO SECOND(6)"),
          of("r", "RAW(16)", "\\x00ff10", "HEXTORAW('00FF10')", "\\x61", "HEXTORAW('61')"),
          new OracleSample(
              "cl",
              "CLOB",
              TEXT,
              List.of(
                  new Value("a text", "TO_CLOB('a text')"),
                  new Value("äöü€ß", "TO_CLOB(UNISTR('\\00e4\\00f6\\00fc\\20ac\\00df'))"),
                  NONE)),
          new OracleSample(
              "bl",
              "BLOB",
              BYTES,
              List.of(
                  new Value("\\x00ff10", "TO_BLOB(HEXTORAW('00FF10'))"),
                  new Value("\\x61", "TO_BLOB(HEXTORAW('61'))"),
                  NONE)),
          of("b", "BOOLEAN", "true", "TRUE", "false", "FALSE"),
          new OracleSample(
              "ve",
              "VECTOR(3, FLOAT32)",
              VECTOR,
              List.of(
                  new Value("[1, -0.5, 1234.5]", "'[1, -0.5, 1234.5]'"),
                  new Value("[0.1, 1e-7, 3]", "'[0.1, 1e-7, 3]'"),
                  NONE)));

  private static OracleSample of(
      String column, String type, String one, String oneLiteral, String two, String twoLiteral) {
    return new OracleSample(
        column, type, DUMP, List.of(new Value(one, oneLiteral), new Value(two, twoLiteral), NONE));
  }

  /// How SQL asks for the bytes of a value that a column has.
  String dump() {
    return shows.formatted(column);
  }

  /// Columns, in which the server itself puts the values if nobody else does.
  String defaults() {
    return IntStream.range(0, ROWS)
        .mapToObj(i ->
            column
                + i
                + " "
                + type
                + (values.get(i).equals(NONE) ? "" : " DEFAULT " + values.get(i).literal))
        .collect(Collectors.joining(", "));
  }

  /// How SQL asks for the bytes of those.
  String defaultDumps() {
    return IntStream.range(0, ROWS)
        .mapToObj(i -> shows.formatted(column + i) + " AS " + column + i)
        .collect(Collectors.joining(", "));
  }
}
