package millrace.connectors.duckdb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.BiFunction;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Kind;
import millrace.connectors.sql.TableInfo.RowRules;
import millrace.connectors.sql.TableName;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// What a database says of its tables.
public final class DuckDbCatalog {

  private static final String ITS =
      " WHERE database_name = current_database() AND lower(schema_name) = lower(?)"
          + " AND lower(table_name) = lower(?)";

  private DuckDbCatalog() {}

  /// A unique index.
  ///
  /// @param keys what it is over, as SQL
  public record UniqueIndex(String name, List<String> keys) {}

  /// A column that is known by its name and type.
  public static ColumnInfo column(String name, String declared, boolean nullable) {
    return new ColumnInfo(name, declared, declared, nullable, false, false);
  }

  /// Looks a table or view up; null if there is none.
  ///
  /// @param definition what is lost with a table
  static @Nullable TableInfo find(
      SqlSession session,
      TableName table,
      BiFunction<SqlSession, TableName, TableInfo.Definition> definition) {
    if (!exists(session, table)) {
      return null;
    }
    List<ColumnInfo> columns =
        session.query(
            """
            SELECT column_name, data_type, is_nullable, column_default IS NOT NULL, is_generated
            FROM duckdb_columns()
            WHERE database_name = current_database() AND NOT internal
                AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)
            ORDER BY column_index\
            """,
            row ->
                new ColumnInfo(
                    row.getString(1),
                    row.getString(2),
                    row.getString(2),
                    row.getBoolean(3),
                    row.getBoolean(4),
                    row.getBoolean(5)),
            table.schema(),
            table.name());
    if (columns.isEmpty()) {
      return null;
    }
    if (isView(session, table)) {
      return TableInfo.whole(Kind.VIEW, columns);
    }
    // DuckDB itself refuses what other tables refer to, but for a table that is replaced.
    List<String> dependents = List.of();
    return new TableInfo(
        Kind.TABLE,
        columns,
        key(session, table),
        null,
        -1,
        dependents,
        definition.apply(session, table),
        RowRules.NONE);
  }

  /// Whether there is a table or view. DuckDB's lists of them are made anew, of all of them, each
  /// time they are asked for.
  static boolean exists(SqlSession session, TableName table) {
    Boolean isCommitted = session.run(open -> isCommitted(open, table));
    boolean isKnown = isCommitted != null && (isCommitted || !session.isInTransaction());
    return isKnown ? Boolean.TRUE.equals(isCommitted) : isListed(session, table);
  }

  /// Whether others see it; null if that is not known. They are asked: a statement that names what
  /// is not there would end the session's transaction.
  private static @Nullable Boolean isCommitted(Connection open, TableName table)
      throws SQLException {
    try (Connection other = open.unwrap(DuckDBConnection.class).duplicate()) {
      other.prepareStatement("SELECT 1 FROM " + DuckDbSql.name(table) + " LIMIT 0").close();
      return true;
    } catch (SQLException e) {
      String absent = "Catalog Error: Table with name " + table.name() + " does not exist!";
      return String.valueOf(e.getMessage()).startsWith(absent) ? false : null;
    }
  }

  private static boolean isListed(SqlSession session, TableName table) {
    return !texts(
            session,
            table,
            """
            SELECT table_name FROM information_schema.tables
            WHERE table_catalog = current_database()
                AND lower(table_schema) = lower(?) AND lower(table_name) = lower(?)\
            """)
        .isEmpty();
  }

  private static boolean isView(SqlSession session, TableName table) {
    return !texts(
            session,
            table,
            """
            SELECT view_name FROM duckdb_views()
            WHERE database_name = current_database()
                AND lower(schema_name) = lower(?) AND lower(view_name) = lower(?)\
            """)
        .isEmpty();
  }

  private static List<String> key(SqlSession session, TableName table) {
    return texts(
        session,
        table,
        "SELECT unnest(constraint_column_names) FROM duckdb_constraints()"
            + ITS
            + " AND constraint_type = 'PRIMARY KEY'");
  }

  /// The texts that a query gives for a schema and a table.
  static List<String> texts(SqlSession session, TableName table, String query) {
    return session.query(query, row -> row.getString(1), table.schema(), table.name());
  }

  /// The table's unique indexes that are not constraints.
  static List<UniqueIndex> uniqueIndexes(SqlSession session, TableName table) {
    return session.query(
        "SELECT index_name, CAST(expressions AS VARCHAR[]) FROM duckdb_indexes()"
            + ITS
            + " AND sql IS NOT NULL AND is_unique",
        row -> new UniqueIndex(row.getString(1), texts(row, 2)),
        table.schema(),
        table.name());
  }

  /// Names of the table's columns.
  public static List<String> columns(SqlSession session, TableName table) {
    return texts(session, table, "SELECT column_name FROM duckdb_columns()" + ITS);
  }

  /// A column of a result that holds lists of texts.
  public static List<String> texts(ResultSet row, int column) throws SQLException {
    java.sql.Array list = row.getArray(column);
    return list == null
        ? List.of()
        : List.of((Object[]) list.getArray()).stream().map(String::valueOf).toList();
  }

  /// Names of tables whose foreign keys point to the table.
  static List<String> dependents(SqlSession session, TableName table) {
    return texts(
        session,
        table,
        """
        SELECT DISTINCT table_name FROM duckdb_constraints()
        WHERE database_name = current_database() AND constraint_type = 'FOREIGN KEY'
            AND lower(schema_name) = lower(?) AND lower(referenced_table) = lower(?)\
        """);
  }

  /// All tables and views, as a user would name them.
  static List<String> names(SqlSession session) {
    return session.query(
        """
        SELECT table_schema, table_name FROM information_schema.tables
        WHERE table_catalog = current_database() ORDER BY 1, 2\
        """,
        row -> DuckDbSql.shown(new TableName(row.getString(1), row.getString(2))));
  }

  /// The columns of a query's result.
  public static List<ColumnInfo> describe(SqlSession session, String query) {
    return session.query(
        "DESCRIBE " + query, row -> column(row.getString(1), row.getString(2), true));
  }

  /// The single number that a query gives, 0 if it gives none.
  public static long number(SqlSession session, String query) {
    List<Long> found = session.query(query, row -> row.getLong(1));
    return found.isEmpty() ? 0 : found.getFirst();
  }
}
