package millrace.testkit.oracle.rules;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraKind;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.OraType;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.ColumnSpec;
import millrace.testkit.oracle.value.TtcType;
import org.jspecify.annotations.Nullable;

/// What the columns of a result of H2's are to Oracle, and their values in Java.
///
/// A column of a table has the type that its DDL said; an expression the one that H2's suggests.
public final class ResultColumns {

  private static final int LONGEST_TEXT = 4000;
  private static final int LONGEST_RAW = 2000;
  private static final int MOST_DIGITS = 38;

  private ResultColumns() {}

  public static List<ColumnSpec> describe(ResultSetMetaData meta, OraCatalog catalog)
      throws SQLException {
    List<ColumnSpec> columns = new ArrayList<>();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      String label = meta.getColumnLabel(i);
      OraTable table = catalog.table(meta.getSchemaName(i), meta.getTableName(i));
      OraColumn column = table == null ? null : table.column(meta.getColumnName(i));
      columns.add(
          column == null
              ? expression(label, meta, i)
              : column.type().spec(label, column.nullable()));
    }
    return columns;
  }

  private static ColumnSpec expression(String label, ResultSetMetaData meta, int i)
      throws SQLException {
    String type = meta.getColumnTypeName(i);
    int precision = meta.getPrecision(i);
    int scale = meta.getScale(i);
    boolean derived = !meta.getTableName(i).isEmpty();
    return switch (type) {
      case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "DECFLOAT" -> computed(label);
      case "NUMERIC" ->
          derived && precision <= MOST_DIGITS
              ? OraType.number(precision, scale).spec(label, true)
              : computed(label);
      case "REAL" -> OraType.of(OraKind.BINARY_FLOAT).spec(label, true);
      case "DOUBLE PRECISION" -> OraType.of(OraKind.BINARY_DOUBLE).spec(label, true);
      case "BOOLEAN" -> OraType.of(OraKind.BOOLEAN).spec(label, true);
      case "DATE" -> OraType.of(OraKind.DATE).spec(label, true);
      case "TIMESTAMP" ->
          OraType.time(scale == 0 ? OraKind.DATE : OraKind.TIMESTAMP, 0, scale).spec(label, true);
      case "TIMESTAMP WITH TIME ZONE" ->
          OraType.time(OraKind.TIMESTAMP_TZ, 0, scale).spec(label, true);
      case "CHARACTER LARGE OBJECT" -> OraType.of(OraKind.CLOB).spec(label, true);
      case "BINARY LARGE OBJECT" -> OraType.of(OraKind.BLOB).spec(label, true);
      case "BINARY VARYING", "BINARY" ->
          OraType.text(OraKind.RAW, Math.min(precision, LONGEST_RAW), false).spec(label, true);
      case "CHARACTER" ->
          OraType.text(OraKind.CHAR, Math.min(precision, 2000), false).spec(label, true);
      default -> type.startsWith("INTERVAL") ? interval(label, type) : text(label, precision);
    };
  }

  /// Of a number that an expression makes, servers tell neither precision nor scale.
  private static ColumnSpec computed(String label) {
    return OraType.number(0, 0).spec(label, true);
  }

  private static ColumnSpec interval(String label, String type) {
    boolean months = type.contains("YEAR") || type.contains("MONTH");
    OraKind kind = months ? OraKind.INTERVAL_YM : OraKind.INTERVAL_DS;
    return OraType.time(kind, 9, months ? 0 : 9).spec(label, true);
  }

  private static ColumnSpec text(String label, int chars) {
    int most = Math.max(1, Math.min(chars, LONGEST_TEXT));
    return new ColumnSpec(
        label,
        TtcType.VARCHAR,
        CharForm.DATABASE,
        Math.min(LONGEST_TEXT, 4 * most),
        0,
        0,
        most,
        true);
  }

  /// The values of the row that the result stands at.
  public static @Nullable Object[] read(ResultSet rows, List<ColumnSpec> columns)
      throws SQLException {
    @Nullable Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = read(rows, i + 1, columns.get(i));
    }
    return values;
  }

  private static @Nullable Object read(ResultSet rows, int i, ColumnSpec column)
      throws SQLException {
    Object value =
        switch (column.type()) {
          case VARCHAR, LONG, CLOB, ROWID, UROWID -> rows.getString(i);
          case CHAR -> padded(rows.getString(i), column);
          case NUMBER, BINARY_INTEGER -> rows.getBigDecimal(i);
          case BINARY_FLOAT -> rows.getFloat(i);
          case BINARY_DOUBLE -> rows.getDouble(i);
          case BOOLEAN -> rows.getBoolean(i);
          case DATE, TIMESTAMP, TIMESTAMP_LTZ -> rows.getObject(i, LocalDateTime.class);
          case TIMESTAMP_TZ -> rows.getObject(i, OffsetDateTime.class);
          case INTERVAL_YM -> rows.getObject(i, Period.class);
          case INTERVAL_DS -> rows.getObject(i, Duration.class);
          case RAW, LONG_RAW, BLOB, JSON, VECTOR -> rows.getBytes(i);
          case CURSOR -> null;
        };
    return rows.wasNull() ? null : value;
  }

  /// H2 fills up to a number of characters; Oracle to one of bytes, or of characters.
  private static @Nullable String padded(@Nullable String value, ColumnSpec column) {
    if (value == null || column.form() == CharForm.NATIONAL || column.chars() != column.size()) {
      return value;
    }
    String bare = value.stripTrailing();
    int blanks = column.size() - bare.getBytes(CharForm.DATABASE.charset()).length;
    return bare + " ".repeat(Math.max(0, blanks));
  }
}
