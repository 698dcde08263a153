package millrace.connectors.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.ServerDialect.MergeStatements;
import millrace.connectors.sql.ServerDialect.MergeTables;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Filled;
import millrace.connectors.sql.TableName;

/// The statements by which Oracle is written to.
final class OracleWriting {

  private OracleWriting() {}

  /// NOT NULL comes along with a column, but not with an expression.
  ///
  /// @param more names and types of further columns
  static String stage(
      Names names, TableName staging, TableName like, List<ColumnInfo> columns, List<String> more) {
    List<String> selected = new ArrayList<>();
    for (ColumnInfo column : columns) {
      String name = names.quoted(column.name());
      boolean isFilled = column.filled() == Filled.IF_NULL;
      selected.add(isFilled ? "CASE WHEN 1 = 0 THEN %1$s END AS %1$s".formatted(name) : name);
    }
    for (String each : more) {
      int type = each.lastIndexOf(' ');
      selected.add("CAST(NULL AS" + each.substring(type) + ") AS " + each.substring(0, type));
    }
    return "CREATE TABLE %s AS SELECT %s FROM %s WHERE 1 = 0"
        .formatted(staging.sql(names), String.join(", ", selected), like.sql(names));
  }

  /// Keys are compared as Oracle compares them, by their bytes; the rest by the equality of the
  /// tables.
  static MergeStatements merge(MergeTables tables) {
    String sameKey = each(tables.key(), name -> "old." + name + " = fresh." + name, " AND ");
    String differ =
        each(tables.others(), name -> "NOT (" + tables.same(name, "old.", "fresh.") + ")", " OR ");
    String joined =
        "%s fresh JOIN %s old ON %s".formatted(tables.staging(), tables.target(), sameKey);
    String partner = "EXISTS (SELECT 1 FROM %s old WHERE %s".formatted(tables.target(), sameKey);
    List<String> all = Stream.concat(tables.key().stream(), tables.others().stream()).toList();
    return new MergeStatements(
        "DELETE FROM %1$s fresh WHERE EXISTS (SELECT 1 FROM %1$s later WHERE %3$s AND later.%2$s > fresh.%2$s)"
            .formatted(
                tables.staging(),
                tables.order(),
                each(tables.key(), name -> "later." + name + " = fresh." + name, " AND ")),
        "SELECT count(DISTINCT fresh.%s) FROM %s".formatted(tables.order(), joined),
        "SELECT count(DISTINCT fresh.%s) FROM %s WHERE %s"
            .formatted(tables.order(), joined, differ),
        among ->
            "MERGE INTO %s old USING (SELECT fresh.* FROM %s fresh WHERE %s AND (%s))%s) fresh ON (%s) WHEN MATCHED THEN UPDATE SET %s"
                .formatted(
                    tables.target(),
                    tables.staging(),
                    partner,
                    differ,
                    among,
                    sameKey,
                    each(tables.others(), name -> "old." + name + " = fresh." + name, ", ")),
        among ->
            "INSERT INTO %s (%s) SELECT %s FROM %s fresh WHERE NOT %s)%s"
                .formatted(
                    tables.target(),
                    String.join(", ", all),
                    each(all, "fresh."::concat, ", "),
                    tables.staging(),
                    partner,
                    among));
  }

  private static String each(List<String> columns, UnaryOperator<String> sql, String between) {
    return columns.stream().map(sql).collect(Collectors.joining(between));
  }
}
