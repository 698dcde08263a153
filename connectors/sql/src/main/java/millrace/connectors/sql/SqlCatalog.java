package millrace.connectors.sql;

import java.util.List;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.data.TableComments;
import org.jspecify.annotations.Nullable;

/// What there is in a database.
public interface SqlCatalog {

  /// What of the database is the same always.
  Dialect.Profile profile();

  /// Looks a table or view up; null if there is none.
  @Nullable TableInfo find(SqlSession session, TableName table);

  /// Whether there is a table or view of that name.
  default boolean exists(SqlSession session, TableName table) {
    return find(session, table) != null;
  }

  /// The columns of a query's result.
  default TableInfo describe(SqlSession session, String query) {
    return JdbcCatalog.describe(session, query, profile().types());
  }

  /// Names of a schema's tables and views, as the database knows them.
  ///
  /// @param schema empty for the default one
  default List<String> tables(SqlSession session, String schema) {
    return JdbcCatalog.tables(session, schema);
  }

  /// What is written down about a table and its columns.
  default TableComments comments(SqlSession session, TableName table) {
    return TableComments.NONE;
  }

  /// Why columns of that declaration are neither read nor written, as the end of a sentence; empty
  /// if they are.
  default String refuses(ColumnInfo column) {
    return "";
  }
}
