package millrace.connectors.duckdb;

import java.util.EnumSet;
import java.util.List;
import millrace.connectors.sql.structure.SqlStructures.FactReader;
import millrace.connectors.sql.structure.StructureQueries;
import millrace.connectors.sql.structure.StructureSpelling;
import millrace.connectors.sql.structure.StructureSpelling.Keys;
import millrace.connectors.sql.structure.StructureSpelling.Literals;
import millrace.spi.catalog.TableStructure.Action;

/// What the catalog of DuckDB says of tables, and what it gives to tables that are there.
final class DuckDbStructures {

  private static final String HERE =
      " WHERE database_name = current_database() AND schema_name = ?";

  private static final String COLUMNS =
      """
      SELECT c.table_name, c.column_name, c.column_default,
        CAST((SELECT coalesce(s.last_value + s.increment_by, s.start_value)
          FROM duckdb_sequences() s
          WHERE s.database_name = c.database_name AND s.schema_name = c.schema_name
            AND s.sequence_name = regexp_extract(
              c.column_default, '^nextval\\(''(.*\\.)*"*([^''".]+)"*''\\)$', 2)) AS VARCHAR)
      FROM duckdb_columns() c
      WHERE c.database_name = current_database() AND c.schema_name = ?
        AND c.column_default IS NOT NULL AND NOT c.is_generated
      """;

  /// Only an index of plain columns has their names alone between its brackets.
  private static final String INDEXES =
      """
      SELECT table_name, name, what, "column", 0 FROM (
        SELECT table_name, index_name AS name, CASE WHEN is_unique THEN 'U' ELSE 'I' END AS what,
          unnest(list_transform(string_split(expressions[2:-2], ', '), lambda each:
            replace(trim(each, ''''), '"', ''))) AS "column",
          generate_subscripts(string_split(expressions, ', '), 1) AS place
        FROM duckdb_indexes() WHERE database_name = current_database() AND schema_name = ?
        UNION ALL SELECT table_name, table_name || '_'
            || array_to_string(constraint_column_names, '_') || '_key',
          CASE constraint_type WHEN 'UNIQUE' THEN 'K' ELSE 'P' END, unnest(constraint_column_names),
          generate_subscripts(constraint_column_names, 1)
        FROM duckdb_constraints() WHERE database_name = current_database() AND schema_name = ?
          AND constraint_type IN ('UNIQUE', 'PRIMARY KEY')
      ) ORDER BY 1, 2, place
      """;

  private static final String FOREIGN_KEYS =
      """
      SELECT table_name, table_name || '_' || array_to_string(constraint_column_names, '_')
          || '_fkey' AS name, unnest(constraint_column_names), schema_name, referenced_table,
        unnest(referenced_column_names), '', ''
      FROM duckdb_constraints() WHERE database_name = current_database() AND schema_name = ?
        AND constraint_type = 'FOREIGN KEY'
      """;

  private static final String CHECKS =
      """
      SELECT table_name, table_name || '_check_' || constraint_index, expression
      FROM duckdb_constraints() WHERE database_name = current_database() AND schema_name = ?
        AND constraint_type = 'CHECK'
      UNION ALL SELECT table_name, table_name || '_' || column_name || '_check',
        '"' || replace(column_name, '"', '""') || '" IN ' || data_type[5:]
      FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = ?
        AND data_type LIKE 'ENUM(%'
      """;

  private static final String OTHERS =
      "SELECT 'view', view_name, '' FROM duckdb_views()"
          + HERE
          + " AND NOT internal UNION ALL SELECT 'macro', function_name, '' FROM duckdb_functions()"
          + HERE
          + " AND NOT internal AND function_type LIKE '%macro' UNION ALL SELECT 'sequence',"
          + " sequence_name, '' FROM duckdb_sequences() s"
          + HERE
          + " AND NOT EXISTS (SELECT 1 FROM duckdb_columns() c WHERE contains(c.column_default,"
          + " s.sequence_name)) UNION ALL SELECT 'computed column', column_name, table_name FROM"
          + " duckdb_columns()"
          + HERE
          + " AND is_generated ORDER BY 1, 2";

  private static final StructureQueries QUERIES =
      new StructureQueries(COLUMNS, "", INDEXES, FOREIGN_KEYS, CHECKS, OTHERS, false);

  static final FactReader READER = (session, schema, _) -> QUERIES.read(session::query, schema);

  /// A column of a table with an index changes no more, so that indexes come last. It takes no
  /// further constraints.
  static final StructureSpelling SPELLING =
      new StructureSpelling(
          DuckDbSql.NAMES,
          DuckDbSql.NAMES::fresh,
          new StructureSpelling.Scopes(true, true),
          new StructureSpelling.Numbering(
              List.of(
                  "CREATE SEQUENCE IF NOT EXISTS %5$s START WITH %4$d",
                  "ALTER TABLE %1$s ALTER COLUMN %2$s SET DEFAULT nextval(%7$s)"),
              false,
              ""),
          StructureSpelling.VALUE,
          new Keys(
              Keys.INDEX_AGAIN, "", EnumSet.noneOf(Action.class), EnumSet.noneOf(Action.class)),
          Literals.STANDARD,
          (_, _, _) -> "");

  private DuckDbStructures() {}
}
