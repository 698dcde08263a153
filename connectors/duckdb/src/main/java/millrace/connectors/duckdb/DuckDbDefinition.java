package millrace.connectors.duckdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.write.ReplacedTable;
import millrace.fault.Fault;

/// The definition of a table that a replace makes again.
///
/// @param sql the statement that makes the table, as DuckDB keeps it
/// @param comments statements that comment on it, its columns and its indexes
/// @param replaced what becomes of it
record DuckDbDefinition(String sql, List<String> comments, ReplacedTable replaced) {

  private static final String ITS =
      " WHERE database_name = current_database() AND lower(schema_name) = lower(?)"
          + " AND lower(table_name) = lower(?)";

  /// Reads it of a table that exists.
  ///
  /// @param label the table, for errors
  static DuckDbDefinition read(
      DuckDbCatalog catalog, TableName table, String label, DuckDbCatalog.Found found) {
    String sql = sql(catalog, table);
    List<String> comments = comments(catalog, table);
    List<String> rules = rules(catalog, table);
    // No view of the catalogue tells of a column's collation. COLLATE names nothing unquoted.
    if (DuckDbTypes.withoutQuoted(sql).toUpperCase(Locale.ROOT).contains(" COLLATE ")) {
      rules.add("collate");
    }
    if (!comments.isEmpty()) {
      rules.add("comments");
    }
    ReplacedTable replaced =
        new ReplacedTable(
            label,
            DuckDbTypes.SYSTEM,
            found.targetColumns(),
            found.key(),
            rules,
            texts(catalog, table, "SELECT 'index ' || index_name FROM duckdb_indexes()" + ITS));
    return new DuckDbDefinition(sql, comments, replaced);
  }

  private static String sql(DuckDbCatalog catalog, TableName table) {
    return String.join("", texts(catalog, table, "SELECT sql FROM duckdb_tables()" + ITS));
  }

  private static List<String> texts(DuckDbCatalog catalog, TableName table, String query) {
    return catalog.query(query, row -> row.getString(1), table.schema(), table.name());
  }

  private static List<String> rules(DuckDbCatalog catalog, TableName table) {
    List<String> rules =
        new ArrayList<>(
            texts(
                catalog,
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
        catalog.query(
            """
            SELECT CASE is_generated WHEN 'ALWAYS' THEN 'generated column ' ELSE 'default of ' END
                || column_name
            FROM information_schema.columns
            WHERE table_catalog = current_database() AND column_default IS NOT NULL
                AND lower(table_schema) = lower(?) AND lower(table_name) = lower(?)
            ORDER BY ordinal_position\
            """,
            row -> row.getString(1),
            table.schema(),
            table.name()));
    return rules;
  }

  private static List<String> comments(DuckDbCatalog catalog, TableName table) {
    List<String> comments = new ArrayList<>();
    String name = DuckDbSql.name(table);
    commented(catalog, table, "SELECT comment, '' FROM duckdb_tables()")
        .forEach(row -> comments.add(comment("TABLE " + name, row.getFirst())));
    commented(catalog, table, "SELECT comment, column_name FROM duckdb_columns()")
        .forEach(row ->
            comments.add(
                comment("COLUMN " + name + "." + DuckDbSql.name(row.getLast()), row.getFirst())));
    commented(catalog, table, "SELECT comment, index_name FROM duckdb_indexes()")
        .forEach(row -> {
          TableName index = new TableName(table.schema(), row.getLast());
          comments.add(comment("INDEX " + DuckDbSql.name(index), row.getFirst()));
        });
    return comments;
  }

  private static List<List<String>> commented(
      DuckDbCatalog catalog, TableName table, String query) {
    return catalog.query(
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
  /// @throws Fault.User if DuckDB does not make it as it was
  void make(DuckDbAccess access, DuckDbCatalog catalog, String label, TableName table) {
    access.session().execute(sql);
    if (!sql(catalog, table).equals(sql)) {
      throw new Fault.User(
          label + " can't be replaced: DuckDB does not make it again by its own definition.",
          "Use --mode truncate, which keeps the table; --types source takes the source's columns"
              + " and nothing of the old table's definition.");
    }
  }
}
