package millrace.testkit.oracle.dictionary;

import java.util.ArrayList;
import java.util.List;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.value.OraRowid;
import org.jspecify.annotations.Nullable;

/// Where rows lie: partitions as objects of their own, and the extents of what keeps rows.
final class ExtentViews {

  /// Oracle's first extents are of that size.
  private static final int BLOCKS = 8;

  private static final long BLOCK_BYTES = 8192;
  private static final long FILE = 4;

  private ExtentViews() {}

  /// The rows of `OBJECTS` for a table's partitions and subpartitions.
  static List<List<@Nullable Object>> parts(DictionaryContext context, OraTable table) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    Partitioning division = table.partitioning();
    if (division == null) {
      return rows;
    }
    List<String> leaves = division.leaves();
    for (String part : division.names()) {
      int leaf = leaves.indexOf(part);
      boolean isSub = leaf >= 0 && division.subpartitions() > 0;
      @Nullable Long object = leaf < 0 ? null : table.dataObjects().get(leaf);
      rows.add(
          TableViews.row(
              table.schema(),
              table.name(),
              part,
              object == null ? table.objectId() : object,
              object,
              isSub ? "TABLE SUBPARTITION" : "TABLE PARTITION",
              TableViews.now(context),
              "VALID",
              "N",
              "N",
              "N"));
    }
    return rows;
  }

  /// The extents of all tables. Each part of a divided table has room for the rows of all numbers.
  static List<List<@Nullable Object>> extents(DictionaryContext context) {
    return TableViews.each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          if (table.isView()) {
            return rows;
          }
          Partitioning division = table.partitioning();
          long count = context.lastRow(table) / OraRowid.ROWS_IN_BLOCK / BLOCKS + 1;
          if (division == null) {
            add(rows, table, null, "TABLE", count);
          } else {
            String type = division.subpartitions() > 0 ? "TABLE SUBPARTITION" : "TABLE PARTITION";
            division.leaves().forEach(leaf -> add(rows, table, leaf, type, count));
          }
          return rows;
        });
  }

  private static void add(
      List<List<@Nullable Object>> rows,
      OraTable table,
      @Nullable String part,
      String type,
      long count) {
    for (long i = 0; i < count; i++) {
      rows.add(
          TableViews.row(
              table.schema(),
              table.name(),
              part,
              type,
              i,
              FILE,
              OraRowid.FIRST_BLOCK + i * BLOCKS,
              BLOCKS * BLOCK_BYTES,
              (long) BLOCKS,
              FILE));
    }
  }
}
