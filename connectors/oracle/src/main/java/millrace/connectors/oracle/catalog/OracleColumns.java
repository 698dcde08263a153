package millrace.connectors.oracle.catalog;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Filled;
import millrace.connectors.sql.TableName;
import oracle.jdbc.OracleResultSetMetaData;
import oracle.jdbc.VectorMetaData;

/// The columns of a table, a view or a query, declared as CREATE TABLE has them.
///
/// @param columns in order
/// @param rules what a table's definition says of their values, in words
public record OracleColumns(List<ColumnInfo> columns, List<String> rules) {

  private static final String VECTOR = "VECTOR";

  /// @param isShown whether statements have it that do not name it
  private record Declared(ColumnInfo info, String rule, boolean isShown) {}

  /// Those of a table or view.
  static OracleColumns of(SqlSession session, TableName table, Names names) {
    List<Declared> found = catalogued(session, table);
    List<Declared> declared =
        found.stream().noneMatch(each -> each.info.declared().equals(VECTOR))
            ? found
            : found.stream().map(each -> withShape(session, each, table, names)).toList();
    return new OracleColumns(
        declared.stream().filter(Declared::isShown).map(Declared::info).toList(),
        declared.stream().map(Declared::rule).filter(rule -> !rule.isEmpty()).toList());
  }

  /// What the catalog does not say of a vector: how many numbers it has, and how they are kept.
  private static Declared withShape(
      SqlSession session, Declared column, TableName table, Names names) {
    ColumnInfo info = column.info;
    if (!info.declared().equals(VECTOR) || !column.isShown) {
      return column;
    }
    String sql = "SELECT %s FROM %s".formatted(names.quoted(info.name()), table.sql(names));
    String declared =
        session.run(connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return declared(statement.getMetaData(), 1);
          }
        });
    ColumnInfo complete =
        new ColumnInfo(
            info.name(), declared, declared, info.nullable(), info.filled(), info.generated());
    return new Declared(complete, column.rule, true);
  }

  private static List<Declared> catalogued(SqlSession session, TableName table) {
    return session.query(
        "SELECT c.column_name, c.data_type, c.data_length, c.data_precision, c.data_scale,"
            + " c.char_length, c.char_used, c.nullable, c.default_length, c.virtual_column,"
            + " c.identity_column, c.default_on_null, i.generation_type, c.hidden_column FROM"
            + " all_tab_cols c LEFT JOIN all_tab_identity_cols i ON i.owner = c.owner AND"
            + " i.table_name = c.table_name AND i.column_name = c.column_name WHERE c.owner = ? AND"
            + " c.table_name = ? AND (c.hidden_column = 'NO' OR c.user_generated = 'YES') ORDER BY"
            + " c.column_id",
        row -> {
          String name = row.getString(1);
          String declared = declared(row);
          boolean isVirtual = row.getString(10).equals("YES");
          boolean isNumbered = row.getString(11).equals("YES");
          boolean hasDefault = row.getInt(9) > 0;
          boolean isNullable = row.getString(8).equals("Y");
          boolean isShown = row.getString(14).equals("NO");
          boolean isMissed = !isNullable && !hasDefault && !isNumbered;
          String usual =
              isVirtual
                  ? "generated column " + name
                  : isNumbered ? "identity of " + name : hasDefault ? "default of " + name : "";
          return new Declared(
              new ColumnInfo(
                  name,
                  declared,
                  declared,
                  isNullable,
                  filled(row, hasDefault || isNumbered),
                  isVirtual),
              isShown ? usual : TableInfo.INVISIBLE + name + (isMissed ? TableInfo.REQUIRED : ""),
              isShown);
        },
        table.schema(),
        table.name());
  }

  private static Filled filled(ResultSet row, boolean hasDefault) throws SQLException {
    return "ALWAYS".equals(row.getString(13))
        ? Filled.ALWAYS
        : row.getString(12).equals("YES")
            ? Filled.IF_NULL
            : hasDefault ? Filled.IF_LEFT_OUT : Filled.NEVER;
  }

  /// As CREATE TABLE has it. The catalog spells the digits of times, and of nothing else.
  private static String declared(ResultSet row) throws SQLException {
    String type = row.getString(2);
    int length = row.getInt(6);
    String precision = row.getString(4);
    String scale = row.getString(5);
    return switch (type) {
      case "VARCHAR2", "CHAR" ->
          "%s(%d%s)".formatted(type, length, "C".equals(row.getString(7)) ? " CHAR" : "");
      case "NVARCHAR2", "NCHAR" -> type + "(" + length + ")";
      case "RAW" -> type + "(" + row.getInt(3) + ")";
      case "FLOAT" -> type + "(" + precision + ")";
      case "NUMBER" ->
          precision == null && scale == null
              ? type
              // INTEGER and NUMBER(*,s) have 38 digits, which the catalog leaves out.
              : type
                  + "("
                  + (precision == null ? "38" : precision)
                  + (scale == null || scale.equals("0") ? "" : "," + scale)
                  + ")";
      default -> type;
    };
  }

  /// The columns of a query's result. Its columns are no copies of a table's, so that they carry no
  /// declaration.
  public static TableInfo describe(SqlSession session, String query) {
    return session.run(connection -> {
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT * FROM (" + query + "\n) millrace_query")) {
        ResultSetMetaData meta = statement.getMetaData();
        List<ColumnInfo> columns = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
          columns.add(
              new ColumnInfo(meta.getColumnLabel(i), "", declared(meta, i), true, false, false));
        }
        return TableInfo.whole(TableInfo.Kind.QUERY, columns);
      }
    });
  }

  private static String declared(ResultSetMetaData meta, int column) throws SQLException {
    String type = meta.getColumnTypeName(column);
    int precision = meta.getPrecision(column);
    int scale = meta.getScale(column);
    return switch (type) {
      case "VARCHAR2", "CHAR" -> type + "(" + precision + " CHAR)";
      case "NVARCHAR2", "NCHAR", "RAW" -> type + "(" + precision + ")";
      // An expression has no digits that it says, which the driver calls 0 and -127.
      case "NUMBER" ->
          precision == 0 || scale < -84
              ? type
              : type + "(" + precision + (scale == 0 ? "" : "," + scale) + ")";
      case "FLOAT" -> "NUMBER";
      case VECTOR -> declared(meta.unwrap(OracleResultSetMetaData.class).getVectorMetaData(column));
      case "INTERVALYM" -> "INTERVAL YEAR TO MONTH";
      case "INTERVALDS" -> "INTERVAL DAY TO SECOND";
      default -> type;
    };
  }

  private static String declared(VectorMetaData meta) {
    String format =
        switch (meta.type()) {
          case VECTOR_FLOAT32 -> "FLOAT32";
          case VECTOR_FLOAT64 -> "FLOAT64";
          case VECTOR_INT8 -> "INT8";
          case VECTOR_BINARY -> "BINARY";
          case null, default -> "*";
        };
    String numbers = meta.length() > 0 ? String.valueOf(meta.length()) : "*";
    return "VECTOR(" + numbers + ", " + format + (meta.isSparse() ? ", SPARSE" : "") + ")";
  }
}
