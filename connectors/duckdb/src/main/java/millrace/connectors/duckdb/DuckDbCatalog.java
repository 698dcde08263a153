package millrace.connectors.duckdb;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.TableName;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.spi.write.TargetColumn;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// What a database says of its tables.
public final class DuckDbCatalog {

  private final DuckDBConnection connection;
  private final String label;

  /// @param label how to name the database in errors
  public DuckDbCatalog(DuckDBConnection connection, String label) {
    this.connection = connection;
    this.label = label;
  }

  /// A unique index.
  ///
  /// @param keys what it is over, as SQL
  public record UniqueIndex(String name, List<String> keys) {}

  /// A table or view.
  ///
  /// @param view whether it is a view
  /// @param columns its columns in order
  /// @param key names of its primary key's columns
  public record Found(boolean view, List<Described> columns, List<String> key) {

    /// Those of its columns that may be written, or all.
    public Schema schema(boolean writable) {
      return new Schema(
          columns.stream()
              .filter(column -> !writable || !column.generated())
              .map(c -> DuckDbTypes.column(c.name(), c.declared(), c.nullable()))
              .toList(),
          key);
    }

    /// Its columns as a target describes them.
    List<TargetColumn> targetColumns() {
      return columns.stream().map(Described::targetColumn).toList();
    }
  }

  /// A column.
  ///
  /// @param declared its type in DuckDB's words
  /// @param hasDefault whether a row without it gets a value
  /// @param generated whether DuckDB computes it
  public record Described(
      String name, String declared, boolean nullable, boolean hasDefault, boolean generated) {

    private TargetColumn targetColumn() {
      Column column = DuckDbTypes.column(name, declared, nullable);
      return new TargetColumn(
          name,
          column.type(),
          column.declared(),
          nullable,
          hasDefault,
          generated ? "a generated column" : "");
    }
  }

  /// Looks a table or view up; null if there is none.
  @Nullable Found find(TableName table) {
    List<Described> columns =
        query(
            """
            SELECT column_name, data_type, is_nullable = 'YES', column_default IS NOT NULL,
                is_generated = 'ALWAYS'
            FROM information_schema.columns
            WHERE table_catalog = current_database()
                AND lower(table_schema) = lower(?) AND lower(table_name) = lower(?)
            ORDER BY ordinal_position\
            """,
            row ->
                new Described(
                    row.getString(1),
                    row.getString(2),
                    row.getBoolean(3),
                    row.getBoolean(4),
                    row.getBoolean(5)),
            table.schema(),
            table.name());
    return columns.isEmpty() ? null : new Found(isView(table), columns, key(table));
  }

  private boolean isView(TableName table) {
    return !query(
            """
            SELECT view_name FROM duckdb_views()
            WHERE database_name = current_database()
                AND lower(schema_name) = lower(?) AND lower(view_name) = lower(?)\
            """,
            row -> row.getString(1),
            table.schema(),
            table.name())
        .isEmpty();
  }

  private List<String> key(TableName table) {
    return query(
        """
        SELECT unnest(constraint_column_names) FROM duckdb_constraints()
        WHERE database_name = current_database() AND constraint_type = 'PRIMARY KEY'
            AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)\
        """,
        row -> row.getString(1),
        table.schema(),
        table.name());
  }

  /// Statements that make the table's secondary indexes.
  List<String> indexes(TableName table) {
    return query(
        """
        SELECT sql FROM duckdb_indexes()
        WHERE database_name = current_database() AND sql IS NOT NULL
            AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)\
        """,
        row -> row.getString(1),
        table.schema(),
        table.name());
  }

  /// The table's unique indexes that are not constraints.
  List<UniqueIndex> uniqueIndexes(TableName table) {
    return query(
        """
        SELECT index_name, CAST(expressions AS VARCHAR[]) FROM duckdb_indexes()
        WHERE database_name = current_database() AND sql IS NOT NULL AND is_unique
            AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)\
        """,
        row -> new UniqueIndex(row.getString(1), texts(row, 2)),
        table.schema(),
        table.name());
  }

  /// Names of the table's columns.
  public List<String> columns(TableName table) {
    return query(
        """
        SELECT column_name FROM duckdb_columns()
        WHERE database_name = current_database()
            AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)\
        """,
        row -> row.getString(1),
        table.schema(),
        table.name());
  }

  /// A column of a result that holds lists of texts.
  public static List<String> texts(ResultSet row, int column) throws SQLException {
    java.sql.Array list = row.getArray(column);
    return list == null
        ? List.of()
        : List.of((Object[]) list.getArray()).stream().map(String::valueOf).toList();
  }

  /// Names of tables whose foreign keys point to the table.
  List<String> dependents(TableName table) {
    return query(
        """
        SELECT DISTINCT table_name FROM duckdb_constraints()
        WHERE database_name = current_database() AND constraint_type = 'FOREIGN KEY'
            AND lower(schema_name) = lower(?) AND lower(referenced_table) = lower(?)\
        """,
        row -> row.getString(1),
        table.schema(),
        table.name());
  }

  /// All tables and views, as a user would name them.
  List<String> names() {
    return query(
        """
        SELECT table_schema, table_name FROM information_schema.tables
        WHERE table_catalog = current_database() ORDER BY 1, 2\
        """,
        row -> DuckDbSql.shown(new TableName(row.getString(1), row.getString(2))));
  }

  /// The columns of a query's result.
  public List<Described> describe(String query) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("DESCRIBE " + query)) {
      List<Described> columns = new ArrayList<>();
      while (rows.next()) {
        columns.add(new Described(rows.getString(1), rows.getString(2), true, false, false));
      }
      return columns;
    } catch (SQLException e) {
      throw DuckDbFaults.reading(e, label);
    }
  }

  /// The single number that a query gives, 0 if it gives none.
  public long number(String query) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next() ? rows.getLong(1) : 0;
    } catch (SQLException e) {
      throw DuckDbFaults.reading(e, label);
    }
  }

  /// Makes something of a row.
  @FunctionalInterface
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /// All rows of a query.
  public <T> List<T> query(String sql, RowReader<T> reader, String... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      List<T> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(reader.read(rows));
        }
      }
      return found;
    } catch (SQLException e) {
      throw DuckDbFaults.reading(e, label);
    }
  }
}
