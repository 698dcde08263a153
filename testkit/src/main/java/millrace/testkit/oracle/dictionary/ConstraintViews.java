package millrace.testkit.oracle.dictionary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.testkit.oracle.catalog.OraConstraint;
import millrace.testkit.oracle.catalog.OraIndex;
import millrace.testkit.oracle.catalog.OraTable;
import org.jspecify.annotations.Nullable;

/// Views of constraints and indexes, without `ALL_` before their names.
final class ConstraintViews {
  private ConstraintViews() {}

  static Map<String, ViewDefinition> all() {
    Map<String, ViewDefinition> views = new HashMap<>();
    TableViews.put(
        views,
        "CONSTRAINTS",
        "OWNER",
        "TOWNER,TCONSTRAINT_NAME,TCONSTRAINT_TYPE,TTABLE_NAME,LSEARCH_CONDITION,LSEARCH_CONDITION_VC,"
            + "TR_OWNER,TR_CONSTRAINT_NAME,TDELETE_RULE,TSTATUS,TDEFERRABLE,TDEFERRED,TVALIDATED,"
            + "TGENERATED,TINDEX_OWNER,TINDEX_NAME",
        ConstraintViews::constraints);
    TableViews.put(
        views,
        "CONS_COLUMNS",
        "OWNER",
        "TOWNER,TCONSTRAINT_NAME,TTABLE_NAME,TCOLUMN_NAME,NPOSITION",
        ConstraintViews::constraintColumns);
    TableViews.put(
        views,
        "INDEXES",
        "OWNER",
        "TOWNER,TINDEX_NAME,TINDEX_TYPE,TTABLE_OWNER,TTABLE_NAME,TTABLE_TYPE,TUNIQUENESS,TSTATUS,"
            + "TPARTITIONED,TVISIBILITY,TGENERATED,NNUM_ROWS,NDISTINCT_KEYS,TLOGGING",
        ConstraintViews::indexes);
    TableViews.put(
        views,
        "IND_COLUMNS",
        "INDEX_OWNER",
        "TINDEX_OWNER,TINDEX_NAME,TTABLE_OWNER,TTABLE_NAME,TCOLUMN_NAME,NCOLUMN_POSITION,"
            + "NCOLUMN_LENGTH,TDESCEND",
        ConstraintViews::indexColumns);
    TableViews.put(
        views,
        "IND_EXPRESSIONS",
        "INDEX_OWNER",
        "TINDEX_OWNER,TINDEX_NAME,TTABLE_OWNER,TTABLE_NAME,LCOLUMN_EXPRESSION,NCOLUMN_POSITION",
        ConstraintViews::indexExpressions);
    return views;
  }

  private static List<List<@Nullable Object>> constraints(DictionaryContext context) {
    return TableViews.each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraConstraint each : table.constraints()) {
            OraConstraint.Reference reference = each.reference();
            boolean key = each.kind().isKey();
            rows.add(
                TableViews.row(
                    table.schema(),
                    each.name(),
                    String.valueOf(each.kind().letter()),
                    table.name(),
                    each.text(),
                    each.text(),
                    reference == null ? null : reference.schema(),
                    reference == null ? null : reference.constraint(),
                    reference == null ? null : reference.deleteRule(),
                    each.enabled() ? "ENABLED" : "DISABLED",
                    "NOT DEFERRABLE",
                    "IMMEDIATE",
                    each.enabled() ? "VALIDATED" : "NOT VALIDATED",
                    each.name().startsWith("SYS_C") ? "GENERATED NAME" : "USER NAME",
                    key ? table.schema() : null,
                    key ? each.name() : null));
          }
          return rows;
        });
  }

  private static List<List<@Nullable Object>> constraintColumns(DictionaryContext context) {
    return TableViews.each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraConstraint each : table.constraints()) {
            long position = 1;
            for (String column : each.columns()) {
              boolean check = each.kind() == OraConstraint.Kind.CHECK;
              rows.add(
                  TableViews.row(
                      table.schema(),
                      each.name(),
                      table.name(),
                      column,
                      check ? null : position++));
            }
          }
          return rows;
        });
  }

  private static List<List<@Nullable Object>> indexes(DictionaryContext context) {
    return TableViews.each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraIndex index : table.indexes()) {
            rows.add(
                TableViews.row(
                    table.schema(),
                    index.name(),
                    type(table, index),
                    table.schema(),
                    table.name(),
                    "TABLE",
                    index.unique() ? "UNIQUE" : "NONUNIQUE",
                    index.local() ? "N/A" : index.usable() ? "VALID" : "UNUSABLE",
                    index.local() ? "YES" : "NO",
                    "VISIBLE",
                    index.name().startsWith("SYS_") ? "Y" : "N",
                    null,
                    null,
                    "YES"));
          }
          return rows;
        });
  }

  /// Whether it is a column as it is: one whose greatest values come first is an expression, too.
  private static boolean isPlain(OraTable table, OraIndex index, String column) {
    return table.column(column) != null && !index.falling().contains(column);
  }

  private static String type(OraTable table, OraIndex index) {
    OraConstraint key = table.constraint(index.name());
    boolean isPlain = index.columns().stream().allMatch(name -> isPlain(table, index, name));
    return table.isIndex() && key != null && key.kind() == OraConstraint.Kind.PRIMARY_KEY
        ? "IOT - TOP"
        : isPlain ? "NORMAL" : "FUNCTION-BASED NORMAL";
  }

  private static List<List<@Nullable Object>> indexColumns(DictionaryContext context) {
    return TableViews.each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraIndex index : table.indexes()) {
            long position = 1;
            for (String column : index.columns()) {
              String name =
                  isPlain(table, index, column)
                      ? column
                      : String.format(
                          Locale.ROOT, "SYS_NC%05d$", table.columns().size() + position);
              rows.add(
                  TableViews.row(
                      table.schema(),
                      index.name(),
                      table.schema(),
                      table.name(),
                      name,
                      position++,
                      length(table, column),
                      index.falling().contains(column) ? "DESC" : "ASC"));
            }
          }
          return rows;
        });
  }

  private static long length(OraTable table, String column) {
    return table.columns().stream()
        .filter(each -> each.name().equals(column))
        .mapToLong(each -> each.type().bytes())
        .findFirst()
        .orElse(0);
  }

  private static List<List<@Nullable Object>> indexExpressions(DictionaryContext context) {
    return TableViews.each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraIndex index : table.indexes()) {
            for (int i = 0; i < index.columns().size(); i++) {
              String expression = index.columns().get(i);
              if (!isPlain(table, index, expression)) {
                boolean isColumn = table.column(expression) != null;
                rows.add(
                    TableViews.row(
                        table.schema(),
                        index.name(),
                        table.schema(),
                        table.name(),
                        isColumn ? "\"" + expression + "\"" : expression,
                        i + 1L));
              }
            }
          }
          return rows;
        });
  }
}
