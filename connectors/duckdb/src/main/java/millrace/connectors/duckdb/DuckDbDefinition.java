package millrace.connectors.duckdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.Definition;
import millrace.connectors.sql.TableInfo.DependentObject;
import millrace.connectors.sql.TableName;
import millrace.data.TableComments;
import millrace.fault.Fault;

/// The definition of a table that a replace makes again.
///
/// @param sql the statement that makes the table, as DuckDB keeps it
/// @param comments statements that comment on it, its columns and its indexes
public record DuckDbDefinition(String sql, List<String> comments) {

  static final CommentStyle COMMENTS =
      new CommentStyle(CommentStyle.Location.STATEMENTS, Integer.MAX_VALUE, Names::text);

  private static final String ITS =
      " WHERE database_name = current_database() AND lower(schema_name) = lower(?)"
          + " AND lower(table_name) = lower(?)";

  /// Reads it of a table that exists.
  static DuckDbDefinition read(SqlSession session, TableName table) {
    return new DuckDbDefinition(sql(session, table), comments(session, table));
  }

  /// What of a table that exists is lost with it.
  static Definition of(SqlSession session, TableName table) {
    DuckDbDefinition definition = read(session, table);
    List<String> rules = rules(session, table);
    // No view of the catalogue tells of a column's collation. COLLATE names nothing unquoted.
    String bare = DuckDbTypes.withoutQuoted(definition.sql).toUpperCase(Locale.ROOT);
    if (bare.contains(" COLLATE ")) {
      rules.add("collate");
    }
    if (!definition.comments.isEmpty()) {
      rules.add("comments");
    }
    return new Definition(rules, indexes(session, table));
  }

  /// The statement that makes the table.
  static String sql(SqlSession session, TableName table) {
    return String.join(
        "", DuckDbCatalog.texts(session, table, "SELECT sql FROM duckdb_tables()" + ITS));
  }

  /// They go with their table.
  private static List<DependentObject> indexes(SqlSession session, TableName table) {
    return session.query(
        "SELECT index_name, sql FROM duckdb_indexes()" + ITS + " AND sql IS NOT NULL",
        row -> new DependentObject("index " + row.getString(1), false, "", row.getString(2)),
        table.schema(),
        table.name());
  }

  private static List<String> rules(SqlSession session, TableName table) {
    List<String> rules =
        new ArrayList<>(
            DuckDbCatalog.texts(
                session,
                table,
                "SELECT CASE constraint_type WHEN 'UNIQUE' THEN 'unique ('"
                    + " || array_to_string(constraint_column_names, ', ') || ')'"
                    + " WHEN 'FOREIGN KEY' THEN 'foreign key ('"
                    + " || array_to_string(constraint_column_names, ', ') || ') to '"
                    + " || referenced_table ELSE 'check ' || expression END"
                    + " FROM duckdb_constraints()"
                    + ITS
                    + " AND constraint_type IN ('UNIQUE', 'FOREIGN KEY', 'CHECK')"
                    + " ORDER BY constraint_index"));
    rules.addAll(
        DuckDbCatalog.texts(
            session,
            table,
            """
            SELECT CASE WHEN is_generated THEN 'generated column ' ELSE 'default of ' END
                || column_name
            FROM duckdb_columns()
            WHERE database_name = current_database() AND column_default IS NOT NULL
                AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)
            ORDER BY column_index\
            """));
    return rules;
  }

  /// What is written down about a table and its columns.
  public static TableComments tableComments(SqlSession session, TableName table) {
    List<Map.Entry<String, String>> rows = new ArrayList<>();
    commented(session, table, "SELECT comment, '' FROM duckdb_tables()")
        .forEach(row -> rows.add(Map.entry("", row.getFirst())));
    commented(session, table, "SELECT comment, column_name FROM duckdb_columns()")
        .forEach(row -> rows.add(Map.entry(row.getLast(), row.getFirst())));
    return TableComments.of(rows);
  }

  private static List<String> comments(SqlSession session, TableName table) {
    List<String> comments = new ArrayList<>();
    String name = DuckDbSql.name(table);
    commented(session, table, "SELECT comment, '' FROM duckdb_tables()")
        .forEach(row -> comments.add(comment("TABLE " + name, row.getFirst())));
    commented(session, table, "SELECT comment, column_name FROM duckdb_columns()")
        .forEach(row ->
            comments.add(
                comment("COLUMN " + name + "." + DuckDbSql.name(row.getLast()), row.getFirst())));
    commented(session, table, "SELECT comment, index_name FROM duckdb_indexes()")
        .forEach(row -> {
          TableName index = new TableName(table.schema(), row.getLast());
          comments.add(comment("INDEX " + DuckDbSql.name(index), row.getFirst()));
        });
    return comments;
  }

  private static List<List<String>> commented(SqlSession session, TableName table, String query) {
    return session.query(
        query + ITS + " AND comment IS NOT NULL",
        row -> List.of(row.getString(1), row.getString(2)),
        table.schema(),
        table.name());
  }

  private static String comment(String on, String text) {
    return "COMMENT ON " + on + " IS " + Names.text(text);
  }

  /// Makes the table again, which has just been dropped in the same transaction.
  ///
  /// @param label the table, for errors
  /// @throws Fault.User if DuckDB does not make it as it was
  void make(SqlSession session, String label, TableName table) {
    session.execute(sql);
    if (!sql(session, table).equals(sql)) {
      throw new Fault.User(
          label + " can't be replaced: DuckDB does not make it again by its own definition.",
          "Use --mode truncate, which keeps the table; --types source takes the source's columns"
              + " and nothing of the old table's definition.");
    }
  }
}
