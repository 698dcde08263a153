package millrace.connectors.duckdb.load;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.function.Function;
import millrace.connectors.duckdb.DuckDbCatalog;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.TableName;
import millrace.spi.write.MergeCounts;

/// How staged rows are merged into their table: the last of every key updates the rows that have
/// it, or is inserted.
///
/// @param names the columns that the rows have
/// @param key those that rows are told apart by
public record Merge(TableName table, List<String> names, List<String> key, TemporaryStaging stage) {

  /// What the merge will do, asked in its own transaction, in which nobody else changes the table.
  public MergeCounts counts(DuckDbCatalog catalog) {
    String sql =
        """
        SELECT count(*), count(*) FILTER (is_new), count(*) FILTER (is_same),
          (SELECT count(*) FROM %s)
        FROM (SELECT bool_and(old.rowid IS NULL) AS is_new,
            bool_and(old.rowid IS NOT NULL AND %s) AS is_same
          FROM %s AS fresh LEFT JOIN %s AS old ON %s GROUP BY %s)
        """
            .formatted(
                TemporaryStaging.TABLE,
                each(names, " AND ", name -> "old." + name + " IS NOT DISTINCT FROM fresh." + name),
                lastRows(),
                DuckDbSql.name(table),
                sameKey(),
                each(key, ", ", name -> "fresh." + name));
    return catalog
        .query(
            sql,
            row -> {
              long all = row.getLong(1);
              long inserted = row.getLong(2);
              long unchanged = row.getLong(3);
              return new MergeCounts(
                  inserted, all - inserted - unchanged, unchanged, row.getLong(4) - all);
            })
        .getFirst();
  }

  /// The statement that does it.
  public String statement() {
    List<String> others =
        names.stream().filter(name -> key.stream().noneMatch(name::equalsIgnoreCase)).toList();
    String set = each(others, ", ", name -> name + " = fresh." + name);
    return "MERGE INTO %s AS old USING %s AS fresh ON %s%s WHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)"
        .formatted(
            DuckDbSql.name(table),
            lastRows(),
            sameKey(),
            set.isEmpty() ? "" : " WHEN MATCHED THEN UPDATE SET " + set,
            DuckDbSql.names(names),
            each(names, ", ", name -> "fresh." + name));
  }

  /// The last row of every key.
  private String lastRows() {
    return "(SELECT * FROM %s QUALIFY row_number() OVER (PARTITION BY %s ORDER BY %s DESC, %s DESC) = 1)"
        .formatted(
            TemporaryStaging.TABLE,
            DuckDbSql.names(key),
            stage.beside("split"),
            stage.beside("number"));
  }

  private String sameKey() {
    return each(key, " AND ", name -> "old." + name + " = fresh." + name);
  }

  /// SQL of columns, by their names as SQL spells them.
  private static String each(List<String> names, String between, Function<String, String> sql) {
    return names.stream().map(DuckDbSql::name).map(sql).collect(joining(between));
  }
}
