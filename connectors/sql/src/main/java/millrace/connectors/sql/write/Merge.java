package millrace.connectors.sql.write;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.spi.write.MergeCounts;

/// How staged rows are merged into their table, in SQL that every database has: the last of every
/// key updates the rows that have it, or is inserted. A unique index on the key is not needed.
record Merge(LoadPlan plan) {

  /// Does it, within the transaction.
  MergeCounts run(SqlSession session) {
    Names names = plan.dialect().names();
    String staged = plan.filled().sql(names);
    String order = names.quoted(LoadPlan.ORDER);
    String keys = names.quoted(plan.key());
    long superseded =
        session.update(
            "DELETE FROM %s WHERE %s < (SELECT max(later.%s) FROM %s later WHERE %s)"
                .formatted(staged, order, order, staged, keyOf("later", plan.filled().name())));
    MergeCounts counts = counts(session, superseded);
    List<String> others =
        plan.columns().names().stream().filter(name -> !plan.key().contains(name)).toList();
    String table = plan.table().sql(names);
    if (!others.isEmpty() && counts.updated() > 0) {
      session.update(
          "UPDATE %s SET (%s) = (SELECT %s FROM %s fresh WHERE %s) WHERE (%s) IN (SELECT %s FROM %s)"
              .formatted(
                  table,
                  names.quoted(others),
                  each(others, ", ", "fresh.%1$s"::formatted),
                  staged,
                  keyOf("fresh", plan.table().name()),
                  keys,
                  keys,
                  staged));
    }
    if (counts.inserted() > 0) {
      List<String> all = plan.columns().names();
      session.update(
          "INSERT INTO %s (%s) SELECT %s FROM %s fresh LEFT JOIN %s old ON %s WHERE old.%s IS NULL"
              .formatted(
                  table,
                  names.quoted(all),
                  each(all, ", ", "fresh.%1$s"::formatted),
                  staged,
                  table,
                  sameKey(),
                  names.quoted(plan.key().getFirst())));
    }
    return counts;
  }

  private MergeCounts counts(SqlSession session, long superseded) {
    Names names = plan.dialect().names();
    String key = names.quoted(plan.key().getFirst());
    String same =
        each(
            plan.columns().names(),
            " AND ",
            name ->
                "(old.%1$s = fresh.%1$s OR (old.%1$s IS NULL AND fresh.%1$s IS NULL))"
                    .formatted(name));
    return session
        .query(
            ("SELECT count(*), sum(is_new), sum(is_same) FROM (SELECT fresh.%1$s,"
                    + " max(CASE WHEN old.%2$s IS NULL THEN 1 ELSE 0 END) is_new,"
                    + " min(CASE WHEN old.%2$s IS NOT NULL AND %3$s THEN 1 ELSE 0 END) is_same"
                    + " FROM %4$s fresh LEFT JOIN %5$s old ON %6$s GROUP BY fresh.%1$s) keys")
                .formatted(
                    names.quoted(LoadPlan.ORDER),
                    key,
                    same,
                    plan.filled().sql(names),
                    plan.table().sql(names),
                    sameKey()),
            row -> {
              long all = row.getLong(1);
              long inserted = row.getLong(2);
              long unchanged = row.getLong(3);
              return new MergeCounts(inserted, all - inserted - unchanged, unchanged, superseded);
            })
        .getFirst();
  }

  /// Whether a row of an alias has the key of the row of a table.
  private String keyOf(String alias, String table) {
    String of = plan.dialect().names().quoted(table);
    return each(plan.key(), " AND ", name -> alias + "." + name + " = " + of + "." + name);
  }

  private String sameKey() {
    return each(plan.key(), " AND ", "old.%1$s = fresh.%1$s"::formatted);
  }

  /// SQL of columns, by their names as SQL spells them.
  private String each(List<String> columns, String between, Function<String, String> sql) {
    Names names = plan.dialect().names();
    return columns.stream().map(names::quoted).map(sql).collect(Collectors.joining(between));
  }
}
