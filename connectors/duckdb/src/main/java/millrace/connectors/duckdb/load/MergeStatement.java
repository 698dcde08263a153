package millrace.connectors.duckdb.load;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.function.Function;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.Writes.Equality;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.MergeSteps;

/// How staged rows are merged into their table: the last of every key updates the rows that have
/// it, or is inserted.
///
/// @param columns names of those that the rows have
/// @param key names of those that rows are told apart by
/// @param equality whether two values are the same
/// @param steps what the merge does
public record MergeStatement(
    TableName table,
    List<String> columns,
    List<String> key,
    Equality equality,
    MergeSteps steps,
    TemporaryStaging stage) {

  /// Does it, in a transaction in which nobody else changes the table.
  public MergeCounts run(SqlSession session) {
    long deleted = steps.deletes() ? session.update(deleteGone()) : 0;
    if (!steps.inserts()) {
      return new MergeCounts(0, 0, 0, 0).deleting(deleted);
    }
    MergeCounts counts = counts(session);
    session.execute(statement());
    return counts.deleting(deleted);
  }

  /// What has no key is equal to nothing that could come, so it stays.
  private String deleteGone() {
    return "DELETE FROM %s AS old WHERE %s AND NOT EXISTS (SELECT 1 FROM %s AS fresh WHERE %s)"
        .formatted(
            DuckDbSql.name(table),
            each(key, " AND ", name -> "old." + name + " IS NOT NULL"),
            TemporaryStaging.TABLE,
            sameKey());
  }

  /// What the merge will do, asked in its own transaction, in which nobody else changes the table.
  private MergeCounts counts(SqlSession session) {
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
                others().isEmpty()
                    ? "true"
                    : others().stream().map(this::isSame).collect(joining(" AND ")),
                lastRows(),
                DuckDbSql.name(table),
                sameKey(),
                each(key, ", ", name -> "fresh." + name));
    return session
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

  /// The columns that are no part of the key: those of it stay as the table has them.
  private List<String> others() {
    return !steps.updates()
        ? List.of()
        : columns.stream().filter(name -> key.stream().noneMatch(name::equalsIgnoreCase)).toList();
  }

  private String isSame(String name) {
    String quoted = DuckDbSql.name(name);
    return equality.same().apply(name).formatted("old." + quoted, "fresh." + quoted);
  }

  /// The statement that does it.
  private String statement() {
    String set = each(others(), ", ", name -> name + " = fresh." + name);
    return "MERGE INTO %s AS old USING %s AS fresh ON %s%s WHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)"
        .formatted(
            DuckDbSql.name(table),
            lastRows(),
            sameKey(),
            set.isEmpty() ? "" : " WHEN MATCHED THEN UPDATE SET " + set,
            DuckDbSql.names(columns),
            each(columns, ", ", name -> "fresh." + name));
  }

  /// The last row of every key, as the table's collations tell keys apart. The staging table has
  /// none, so its keys are put behind no row of the table.
  private String lastRows() {
    String keys = DuckDbSql.names(key);
    String order = "row(" + stage.extraColumn("split") + ", " + stage.extraColumn("number") + ")";
    return ("(SELECT * FROM %1$s WHERE %2$s IN (SELECT max(place) FROM (SELECT %3$s, NULL AS place"
            + " FROM %4$s WHERE false UNION ALL SELECT %3$s, %2$s FROM %1$s) GROUP BY %3$s))")
        .formatted(TemporaryStaging.TABLE, order, keys, DuckDbSql.name(table));
  }

  private String sameKey() {
    return each(key, " AND ", name -> "old." + name + " = fresh." + name);
  }

  /// SQL of columns, by their names as SQL spells them.
  private static String each(List<String> names, String between, Function<String, String> sql) {
    return names.stream().map(DuckDbSql::name).map(sql).collect(joining(between));
  }
}
