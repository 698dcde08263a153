package millrace.connectors.postgres.catalog;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;

/// Finds out the columns of a query.
public final class QueryColumns {

  private static final int MODIFIER_OFFSET = 4;

  private QueryColumns() {}

  /// Lets the server plan the query for no rows, and reads what the driver says of the columns.
  ///
  /// @throws Fault.User if two columns have one name, or the query is wrong
  public static List<TableColumn> of(Session session, PostgresCatalog catalog, String query) {
    catalog.checkHeld("The query", query, "Write it with other characters.");
    List<String> names = new ArrayList<>();
    List<CatalogTypes.TypeRef> refs = new ArrayList<>();
    session.asUser(() -> describe(session, query, names, refs));
    checkUnique(names);
    List<PostgresType> types = new CatalogTypes(session).of(refs);
    List<TableColumn> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      columns.add(new TableColumn(names.get(i), types.get(i), false, false, "", "", false));
    }
    return columns;
  }

  private static void describe(
      Session session, String query, List<String> names, List<CatalogTypes.TypeRef> refs) {
    String sql = "SELECT * FROM (" + PostgresSql.embedded(query) + ") AS q LIMIT 0";
    try (Statement statement = session.driver().createStatement()) {
      statement.setEscapeProcessing(false);
      try (ResultSet nothing = statement.executeQuery(sql)) {
        ResultSetMetaData columns = nothing.getMetaData();
        // The driver goes by names, and would take one of the user's types for the server's own.
        refs.addAll(session.withQualifiedNames(() -> types(session, columns)));
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          names.add(columns.getColumnLabel(i));
        }
      }
    } catch (SQLException e) {
      Fault fault = session.fault(e);
      // No row has been asked for: a bad value is one of the query's own.
      throw fault instanceof Fault.User || fault instanceof Fault.Data
          ? new Fault.User("The query is refused: " + fault.getMessage(), "Try it in psql.", e)
          : fault;
    }
  }

  private static List<CatalogTypes.TypeRef> types(Session session, ResultSetMetaData columns) {
    try {
      List<CatalogTypes.TypeRef> types = new ArrayList<>();
      for (int i = 1; i <= columns.getColumnCount(); i++) {
        int oid = session.driver().getTypeInfo().getPGType(typeName(columns, i));
        types.add(new CatalogTypes.TypeRef(Integer.toUnsignedLong(oid), modifier(columns, i), 0));
      }
      return types;
    } catch (SQLException e) {
      throw session.fault(e);
    }
  }

  /// The type's name. The driver has another for the integers of a column that a sequence fills.
  private static String typeName(ResultSetMetaData columns, int column) throws SQLException {
    String name = columns.getColumnTypeName(column);
    return !columns.isAutoIncrement(column)
        ? name
        : switch (name) {
          case "smallserial" -> "int2";
          case "serial" -> "int4";
          case "bigserial" -> "int8";
          default -> name;
        };
  }

  private static void checkUnique(List<String> names) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(name)) {
        throw new Fault.User(
            "The query has two columns named " + name + ".",
            "Give one of them another name: SELECT … AS other_name.");
      }
    }
  }

  /// The type's modifier, worked out of the precision and scale that the driver makes of it.
  private static int modifier(ResultSetMetaData columns, int column) throws SQLException {
    int precision = columns.getPrecision(column);
    return switch (columns.getColumnTypeName(column)) {
      case "numeric" ->
          precision == 0
              ? -1
              : (precision << 16 | (columns.getScale(column) & 0x7FF)) + MODIFIER_OFFSET;
      case "varchar", "bpchar" ->
          precision == 0 || precision == Integer.MAX_VALUE ? -1 : precision + MODIFIER_OFFSET;
      default -> -1;
    };
  }
}
