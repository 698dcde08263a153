package millrace.testkit.oracle.dictionary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import millrace.testkit.oracle.catalog.OraIndex;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Partitioning;
import org.jspecify.annotations.Nullable;

/// Views of partitions, without `ALL_` before their names.
final class PartitionViews {
  private PartitionViews() {}

  static Map<String, ViewDefinition> all() {
    Map<String, ViewDefinition> views = new HashMap<>();
    TableViews.put(
        views,
        "PART_TABLES",
        "OWNER",
        "TOWNER,TTABLE_NAME,TPARTITIONING_TYPE,TSUBPARTITIONING_TYPE,NPARTITION_COUNT,"
            + "NPARTITIONING_KEY_COUNT,TINTERVAL",
        PartitionViews::tables);
    TableViews.put(
        views,
        "TAB_PARTITIONS",
        "TABLE_OWNER",
        "TTABLE_OWNER,TTABLE_NAME,TPARTITION_NAME,NSUBPARTITION_COUNT,LHIGH_VALUE,"
            + "NPARTITION_POSITION,NNUM_ROWS,NBLOCKS,TCOMPOSITE,TLOGGING,TTABLESPACE_NAME",
        PartitionViews::partitions);
    TableViews.put(
        views,
        "TAB_SUBPARTITIONS",
        "TABLE_OWNER",
        "TTABLE_OWNER,TTABLE_NAME,TPARTITION_NAME,TSUBPARTITION_NAME,NSUBPARTITION_POSITION,"
            + "NNUM_ROWS,NBLOCKS,TLOGGING,TTABLESPACE_NAME",
        PartitionViews::subpartitions);
    TableViews.put(
        views,
        "PART_KEY_COLUMNS",
        "OWNER",
        "TOWNER,TNAME,TOBJECT_TYPE,TCOLUMN_NAME,NCOLUMN_POSITION",
        PartitionViews::keys);
    TableViews.put(
        views,
        "IND_PARTITIONS",
        "INDEX_OWNER",
        "TINDEX_OWNER,TINDEX_NAME,TPARTITION_NAME,NPARTITION_POSITION,TCOMPOSITE,TSTATUS",
        PartitionViews::indexPartitions);
    TableViews.put(
        views,
        "IND_SUBPARTITIONS",
        "INDEX_OWNER",
        "TINDEX_OWNER,TINDEX_NAME,TPARTITION_NAME,TSUBPARTITION_NAME,NSUBPARTITION_POSITION,"
            + "TSTATUS",
        PartitionViews::indexSubpartitions);
    return views;
  }

  private static List<OraIndex> local(OraTable table) {
    return table.indexes().stream().filter(OraIndex::local).toList();
  }

  private static String status(OraIndex index, String part) {
    return index.after().contains(part) ? "UNUSABLE" : "USABLE";
  }

  private static List<List<@Nullable Object>> indexPartitions(DictionaryContext context) {
    return divided(
        context,
        (rows, each) -> {
          boolean composite = each.division().subpartitions() > 0;
          for (OraIndex index : local(each.table())) {
            long position = 1;
            for (Partitioning.Part part : each.division().partitions()) {
              rows.add(
                  TableViews.row(
                      each.table().schema(),
                      index.name(),
                      part.name(),
                      position++,
                      composite ? "YES" : "NO",
                      composite ? "N/A" : status(index, part.name())));
            }
          }
        });
  }

  private static List<List<@Nullable Object>> indexSubpartitions(DictionaryContext context) {
    return divided(
        context,
        (rows, each) -> {
          for (OraIndex index : local(each.table())) {
            for (Partitioning.Part part : each.division().partitions()) {
              for (int i = 0; i < each.division().subpartitions(); i++) {
                String name = Partitioning.subName(part.name(), i);
                rows.add(
                    TableViews.row(
                        each.table().schema(),
                        index.name(),
                        part.name(),
                        name,
                        i + 1L,
                        status(index, name)));
              }
            }
          }
        });
  }

  private static List<List<@Nullable Object>> divided(
      DictionaryContext context, BiConsumer<List<List<@Nullable Object>>, Divided> add) {
    return TableViews.each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          Partitioning division = table.partitioning();
          if (division != null) {
            add.accept(rows, new Divided(table, division));
          }
          return rows;
        });
  }

  private record Divided(OraTable table, Partitioning division) {}

  private static List<List<@Nullable Object>> tables(DictionaryContext context) {
    return divided(
        context,
        (rows, each) ->
            rows.add(
                TableViews.row(
                    each.table().schema(),
                    each.table().name(),
                    each.division().method().name(),
                    each.division().subColumns().isEmpty() ? "NONE" : "HASH",
                    (long) each.division().partitions().size(),
                    (long) each.division().columns().size(),
                    null)));
  }

  private static List<List<@Nullable Object>> partitions(DictionaryContext context) {
    return divided(
        context,
        (rows, each) -> {
          for (Partitioning.Part part : each.division().partitions()) {
            rows.add(
                TableViews.row(
                    each.table().schema(),
                    each.table().name(),
                    part.name(),
                    (long) each.division().subpartitions(),
                    part.bound().isEmpty() ? null : part.bound(),
                    rows.size() + 1L,
                    each.table().rowsOf(part.name()),
                    null,
                    each.division().subColumns().isEmpty() ? "NO" : "YES",
                    each.division().subColumns().isEmpty() ? logging(each.table()) : "NONE",
                    "USERS"));
          }
        });
  }

  private static List<List<@Nullable Object>> subpartitions(DictionaryContext context) {
    return divided(
        context,
        (rows, each) -> {
          for (Partitioning.Part part : each.division().partitions()) {
            for (int i = 0; i < each.division().subpartitions(); i++) {
              rows.add(
                  TableViews.row(
                      each.table().schema(),
                      each.table().name(),
                      part.name(),
                      Partitioning.subName(part.name(), i),
                      i + 1L,
                      each.table().rowsOf(Partitioning.subName(part.name(), i)),
                      null,
                      logging(each.table()),
                      "USERS"));
            }
          }
        });
  }

  private static String logging(OraTable table) {
    return table.isUnlogged() ? "NO" : "YES";
  }

  private static List<List<@Nullable Object>> keys(DictionaryContext context) {
    return divided(
        context,
        (rows, each) -> {
          for (String column : each.division().columns()) {
            rows.add(
                TableViews.row(
                    each.table().schema(), each.table().name(), "TABLE", column, rows.size() + 1L));
          }
        });
  }
}
