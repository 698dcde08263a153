package millrace.connectors.oracle;

import java.util.List;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Meaning;
import millrace.connectors.sql.types.TypeTable.Row;
import millrace.data.Type;
import millrace.data.Type.Text;
import millrace.data.Type.Text.Unit;

/// Oracle's types and ours, in both directions.
///
/// A declaration is as in CREATE TABLE, with the unit of a length: `VARCHAR2(20 CHAR)`.
final class OracleTypeTable {

  static final String SYSTEM = "oracle";

  /// Stands behind DATE if its values are days.
  static final String DAYS = " OF DAYS";

  /// Stands behind NUMBER(1) if its values are true and false.
  static final String TRUTH = " OF TRUTH";

  private static final int DIGITS_MAX = 38;
  private static final int BYTES_OF_CHARACTER = 4;
  private static final int VARCHAR_BYTES_MAX = 4_000;
  private static final int RAW_BYTES_MAX = 2_000;

  /// Of all columns together, if blocks have 8 kB.
  private static final int KEY_BYTES_MAX = 6_000;

  private final OracleTraits server;
  private final boolean longTexts;
  private final boolean fillsUp;

  /// @param longTexts whether new columns of text without a length are CLOBs
  /// @param fillsUp whether values of CHAR are filled up with blanks here, since the server does
  ///   not do so
  private OracleTypeTable(OracleTraits server, boolean longTexts, boolean fillsUp) {
    this.server = server;
    this.longTexts = longTexts;
    this.fillsUp = fillsUp;
  }

  static TypeTable of(OracleTraits server, boolean longTexts, boolean fillsUp) {
    OracleTypeTable types = new OracleTypeTable(server, longTexts, fillsUp);
    return new TypeTable(SYSTEM, types.rows(), types::declaration);
  }

  private List<Row> rows() {
    return List.of(
        Row.of("NUMBER" + TRUTH, new Type.Bool(), OracleCells.integer(1)),
        Row.declared("NUMBER|INTEGER", OracleTypeTable::number, OracleTypeTable::numberCell),
        Row.declared("FLOAT", (_, _) -> Type.Decimal.UNLIMITED, OracleCells::number),
        Row.of("BINARY_FLOAT", new Type.Float(32), OracleCells.FLOAT),
        Row.of("BINARY_DOUBLE", new Type.Float(64), OracleCells.DOUBLE),
        Row.of("BOOLEAN", new Type.Bool(), OracleCells.BOOLEAN),
        Row.of("DATE" + DAYS, new Type.Date(), OracleTimes.DATE_CELL),
        Row.of("DATE", new Type.Timestamp(false), OracleTimes.DATE_CELL),
        time("TIMESTAMP", false),
        time("TIMESTAMP WITH (LOCAL )?TIME ZONE", true),
        Row.of("INTERVAL YEAR TO MONTH", Text.UNLIMITED, OracleCells.YEARS_TO_MONTHS),
        Row.of("INTERVAL DAY TO SECOND", Text.UNLIMITED, OracleCells.DAYS_TO_SECONDS),
        text("(VARCHAR2|CHAR) CHAR", (length, _) -> new Text(length)),
        text("VARCHAR2( BYTE)?|CHAR( BYTE)?", this::inBytes),
        text("NVARCHAR2|NCHAR", (length, _) -> new Text(length, Unit.UTF16)),
        Row.of("N?CLOB|LONG", Text.UNLIMITED, lettered(OracleCells.TEXT).asText()),
        Row.of(
            "RAW", (_, _) -> new Type.Bytes(), (most, _) -> OracleCells.BYTES.checked(raw(most))),
        Row.of("BLOB|LONG RAW", new Type.Bytes(), OracleCells.BYTES.asText()),
        Row.of("JSON", new Type.Json(), OracleCells.JSON),
        Row.declared("VECTOR", (_, _) -> Text.UNLIMITED, OracleVectors::cell),
        Row.of("ROWID", Text.UNLIMITED, OracleCells.rowids("[A-Za-z0-9+/]{18}")),
        // Of tables that are organized by their index, behind a star.
        Row.of(
            "UROWID", Text.UNLIMITED, OracleCells.rowids("[A-Za-z0-9+/]{18}|\\*[A-Za-z0-9+/=]+")),
        Row.of(".*", Text.UNLIMITED, OracleCells.TEXT.asText()));
  }

  private static TypeTable.Check raw(int most) {
    return Cells.bytes(most < 0 ? 2_000 : most, false);
  }

  /// Whole numbers that fit 64 bits are integers, and all others decimals.
  private static Type number(int precision, int scale) {
    if (precision == 0 || scale > precision) {
      return Type.Decimal.UNLIMITED;
    }
    return scale > 0 || precision > 18
        ? new Type.Decimal(precision, scale)
        : new Type.Int(precision <= 4 ? 16 : precision <= 9 ? 32 : 64);
  }

  private static Cell numberCell(String declared) {
    String digits = declared.replaceAll("[^(]*\\((\\d+)\\)|.*", "$1");
    return !digits.isEmpty() && Integer.parseInt(digits) <= 18
        ? OracleCells.integer(Integer.parseInt(digits))
        : OracleCells.number(declared);
  }

  private Type inBytes(int length, int unused) {
    return new Text(length, server.isUnicode() ? Unit.BYTES : Unit.CHARACTERS);
  }

  private Row text(String pattern, Meaning type) {
    return Row.declared(
        pattern,
        type,
        declared ->
            lettered(
                fillsUp && declared.matches("N?CHAR.*")
                    ? OracleCells.filledUp(declared)
                    : usual(declared)));
  }

  private Cell usual(String declared) {
    boolean isNational = declared.startsWith("N");
    return isNational ? OracleCells.TEXT : OracleCells.plainText(server.isUnicode());
  }

  private Cell lettered(Cell text) {
    return server.isUnicode() ? text : text.checked(OracleCells.letters(server));
  }

  private static Row time(String pattern, boolean zoned) {
    return Row.of(
        pattern,
        (_, _) -> new Type.Timestamp(zoned),
        (digits, _) -> OracleTimes.timestamps(zoned, digits));
  }

  /// The declaration of a new column.
  private String declaration(Type type) {
    return switch (type) {
      case Type.Bool _ -> server.hasBoolean() ? "BOOLEAN" : "NUMBER(1)";
      case Type.Int(int bits) ->
          bits == 16 ? "NUMBER(5)" : bits == 32 ? "NUMBER(10)" : "NUMBER(19)";
      case Type.Float(int bits) -> bits == 32 ? "BINARY_FLOAT" : "BINARY_DOUBLE";
      case Type.Decimal(int precision, int scale) -> number(type, precision, scale);
      case Type.Date _ -> "DATE";
      case Type.Time _ -> "VARCHAR2(15 CHAR)";
      case Type.Timestamp(boolean zoned) -> zoned ? "TIMESTAMP(6) WITH TIME ZONE" : "TIMESTAMP(6)";
      case Type.Uuid _ -> "VARCHAR2(36 CHAR)";
      // Its own type JSON would spell documents anew.
      case Type.Json _ -> "CLOB";
      case Type.Bytes _ -> "BLOB";
      case Text text -> text(text);
      case Type.Opaque _ -> text(Text.UNLIMITED);
    };
  }

  /// What no NUMBER holds is kept as text.
  private static String number(Type type, int precision, int scale) {
    if (type.equals(Type.Decimal.UNLIMITED)) {
      return "NUMBER";
    }
    boolean fits = precision <= DIGITS_MAX && scale >= 0 && scale <= precision;
    return fits
        ? "NUMBER(" + precision + (scale == 0 ? "" : "," + scale) + ")"
        : "VARCHAR2(" + VARCHAR_BYTES_MAX + ")";
  }

  /// A column of VARCHAR2 has at most 4,000 bytes, however many characters it is declared with.
  private String text(Text type) {
    int length = type.lengthMax();
    if (length == 0) {
      return longTexts ? "CLOB" : "VARCHAR2(" + VARCHAR_BYTES_MAX + ")";
    }
    if (type.unit() == Unit.BYTES && length <= VARCHAR_BYTES_MAX) {
      return "VARCHAR2(" + length + ")";
    }
    return length <= VARCHAR_BYTES_MAX / BYTES_OF_CHARACTER
        ? "VARCHAR2(" + length + " CHAR)"
        : "CLOB";
  }

  /// The declaration of a column of a key, which an index has to hold: a value that is longer is
  /// refused.
  ///
  /// @param columns how many the key has
  static String keyed(String declared, int columns) {
    String bare = TypeTable.bare(declared);
    int most = Math.min(VARCHAR_BYTES_MAX, KEY_BYTES_MAX / columns);
    if (bare.matches("BLOB|LONG RAW")) {
      return "RAW(" + Math.min(RAW_BYTES_MAX, most) + ")";
    }
    boolean isLong = declared.equals("VARCHAR2(" + VARCHAR_BYTES_MAX + ")");
    return isLong || bare.matches("N?CLOB|LONG") ? "VARCHAR2(" + most + ")" : declared;
  }
}
