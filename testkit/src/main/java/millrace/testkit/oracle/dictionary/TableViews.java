package millrace.testkit.oracle.dictionary;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraKind;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.OraType;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.ColumnSpec;
import org.jspecify.annotations.Nullable;

/// Views of tables, columns, sequences and objects, without `ALL_` before their names.
final class TableViews {

  private TableViews() {}

  static Map<String, ViewDefinition> all() {
    Map<String, ViewDefinition> views = new HashMap<>();
    put(
        views,
        "TABLES",
        "OWNER",
        "TOWNER,TTABLE_NAME,TTABLESPACE_NAME,TSTATUS,NNUM_ROWS,NBLOCKS,NAVG_ROW_LEN,DLAST_ANALYZED,"
            + "TPARTITIONED,TTEMPORARY,TIOT_TYPE,TNESTED,TLOGGING,TDEGREE,TCOMPRESSION,TEXTERNAL,"
            + "TCLUSTER_NAME",
        TableViews::tables);
    String columns =
        "TOWNER,TTABLE_NAME,TCOLUMN_NAME,TDATA_TYPE,TDATA_TYPE_OWNER,NDATA_LENGTH,NDATA_PRECISION,"
            + "NDATA_SCALE,TNULLABLE,NCOLUMN_ID,NDEFAULT_LENGTH,LDATA_DEFAULT,NCHAR_LENGTH,TCHAR_USED,"
            + "TCHARACTER_SET_NAME,TIDENTITY_COLUMN,TDEFAULT_ON_NULL,NNUM_DISTINCT,NNUM_NULLS";
    put(views, "TAB_COLUMNS", "OWNER", columns, TableViews::visibleColumns);
    put(
        views,
        "TAB_COLS",
        "OWNER",
        columns + ",THIDDEN_COLUMN,TVIRTUAL_COLUMN,TUSER_GENERATED,NINTERNAL_COLUMN_ID",
        TableViews::allColumns);
    put(
        views,
        "TAB_IDENTITY_COLS",
        "OWNER",
        "TOWNER,TTABLE_NAME,TCOLUMN_NAME,TGENERATION_TYPE,TSEQUENCE_NAME,LIDENTITY_OPTIONS",
        TableViews::identities);
    put(
        views,
        "LOBS",
        "OWNER",
        "TOWNER,TTABLE_NAME,TCOLUMN_NAME,TSEGMENT_NAME,NCHUNK,TCACHE,TLOGGING,TIN_ROW,TSECUREFILE",
        TableViews::lobs);
    put(
        views,
        "TAB_STATISTICS",
        "OWNER",
        "TOWNER,TTABLE_NAME,TPARTITION_NAME,NNUM_ROWS,NBLOCKS,NAVG_ROW_LEN,DLAST_ANALYZED,TSTALE_STATS",
        TableViews::statistics);
    put(
        views,
        "TAB_COMMENTS",
        "OWNER",
        "TOWNER,TTABLE_NAME,TTABLE_TYPE,LCOMMENTS",
        TableViews::tableComments);
    put(
        views,
        "COL_COMMENTS",
        "OWNER",
        "TOWNER,TTABLE_NAME,TCOLUMN_NAME,LCOMMENTS",
        TableViews::columnComments);
    put(
        views,
        "TAB_PRIVS",
        "TABLE_SCHEMA",
        "TTABLE_SCHEMA,TTABLE_NAME,TGRANTEE,TPRIVILEGE",
        TableViews::grants);
    return views;
  }

  static void put(
      Map<String, ViewDefinition> views,
      String name,
      @Nullable String owner,
      String columns,
      Function<DictionaryContext, List<List<@Nullable Object>>> source) {
    views.put(name, new ViewDefinition(List.of(columns.split(",")), owner, source));
  }

  static List<@Nullable Object> row(@Nullable Object... values) {
    return new ArrayList<@Nullable Object>(Arrays.asList(values));
  }

  /// The rows that each table gives.
  static List<List<@Nullable Object>> each(
      DictionaryContext context, Function<OraTable, List<List<@Nullable Object>>> rows) {
    List<List<@Nullable Object>> all = new ArrayList<>();
    context.catalog().tables().forEach(table -> all.addAll(rows.apply(table)));
    return all;
  }

  private static List<List<@Nullable Object>> tables(DictionaryContext context) {
    return each(
        context,
        table -> {
          if (table.isView()) {
            return List.of();
          }
          OraTable.Statistics found = table.statistics();
          return List.of(
              row(
                  table.schema(),
                  table.name(),
                  "USERS",
                  "VALID",
                  found == null ? null : found.rows(),
                  found == null ? null : found.blocks(),
                  found == null ? null : found.averageRowBytes(),
                  found == null ? null : now(context),
                  table.partitioning() == null ? "NO" : "YES",
                  table.isTemporary() ? "Y" : "N",
                  table.isIndex() ? "IOT" : null,
                  "NO",
                  table.partitioning() != null ? null : table.isUnlogged() ? "NO" : "YES",
                  "1",
                  "DISABLED",
                  "NO",
                  table.cluster()));
        });
  }

  static LocalDateTime now(DictionaryContext context) {
    return LocalDateTime.ofInstant(context.started(), ZoneOffset.UTC).withNano(0);
  }

  private static List<List<@Nullable Object>> visibleColumns(DictionaryContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (List<@Nullable Object> row : allColumns(context)) {
      if (row.get(9) != null) {
        rows.add(row.subList(0, row.size() - 4));
      }
    }
    return rows;
  }

  private static List<List<@Nullable Object>> columns(DictionaryContext context) {
    return each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraColumn column : table.columns()) {
            rows.add(column(table, column, rows.size() + 1));
          }
          return rows;
        });
  }

  private static List<@Nullable Object> column(OraTable table, OraColumn column, long number) {
    OraType type = column.type();
    boolean digits = type.kind() == OraKind.NUMBER && type.scale() != ColumnSpec.FLOATING;
    boolean floating = type.kind() == OraKind.FLOAT;
    boolean time =
        type.kind().name().startsWith("TIMESTAMP") || type.kind().name().startsWith("INTERVAL");
    String text = column.defaultText();
    Long chars = type.kind().isShortText() ? (long) type.spec("", true).chars() : 0L;
    String charset =
        switch (type.kind().form()) {
          case NONE -> null;
          case DATABASE -> "CHAR_CS";
          case NATIONAL -> "NCHAR_CS";
        };
    boolean used = type.kind().isShortText();
    return row(
        table.schema(),
        table.name(),
        column.name(),
        type.dictionaryName(),
        null,
        (long) type.bytes(),
        digits ? type.dictionaryPrecision() : floating ? (long) type.precision() : null,
        digits || time ? (long) type.scale() : null,
        column.nullable() ? "Y" : "N",
        number,
        text == null ? null : (long) text.length(),
        text,
        chars,
        !used ? null : type.inChars() || type.kind().form() == CharForm.NATIONAL ? "C" : "B",
        charset,
        column.generation().isIdentity() ? "YES" : "NO",
        column.generation().name().endsWith("ON_NULL") ? "YES" : "NO",
        null,
        null);
  }

  private static List<List<@Nullable Object>> allColumns(DictionaryContext context) {
    List<List<@Nullable Object>> rows = columns(context);
    for (List<@Nullable Object> row : rows) {
      OraTable table =
          context.catalog().table(String.valueOf(row.get(0)), String.valueOf(row.get(1)));
      OraColumn column = table == null ? null : table.column(String.valueOf(row.get(2)));
      boolean virtual = column != null && column.generation() == OraColumn.Generation.VIRTUAL;
      boolean hidden = column != null && column.invisible();
      row.addAll(Arrays.asList(hidden ? "YES" : "NO", virtual ? "YES" : "NO", "YES", row.get(9)));
      row.set(9, hidden ? null : row.get(9));
    }
    return rows;
  }

  private static List<List<@Nullable Object>> identities(DictionaryContext context) {
    return each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraColumn column : table.columns()) {
            if (column.generation().isIdentity()) {
              boolean always = column.generation() == OraColumn.Generation.IDENTITY_ALWAYS;
              rows.add(
                  row(
                      table.schema(),
                      table.name(),
                      column.name(),
                      always ? "ALWAYS" : "BY DEFAULT",
                      "ISEQ$$_" + table.objectId(),
                      identityOptions(column)));
            }
          }
          return rows;
        });
  }

  /// As the dictionary spells what the DDL said.
  private static String identityOptions(OraColumn column) {
    return "START WITH: 1, INCREMENT BY: "
        + column.increment()
        + ", MAX_VALUE: 9999999999999999999999999999, MIN_VALUE: 1, CYCLE_FLAG: N, CACHE_SIZE: 20,"
        + " ORDER_FLAG: N, SCALE_FLAG: N, EXTEND_FLAG: N, SESSION_FLAG: N, KEEP_VALUE: N";
  }

  /// Each table has a row, with or without a comment.
  private static List<List<@Nullable Object>> tableComments(DictionaryContext context) {
    return each(
        context,
        table ->
            List.of(
                row(
                    table.schema(),
                    table.name(),
                    table.isView() ? "VIEW" : "TABLE",
                    table.comment().isEmpty() ? null : table.comment())));
  }

  private static List<List<@Nullable Object>> grants(DictionaryContext context) {
    return each(
        context,
        table ->
            table.grants().stream()
                .map(grant -> row(table.schema(), table.name(), grant.get(1), grant.get(0)))
                .toList());
  }

  private static List<List<@Nullable Object>> columnComments(DictionaryContext context) {
    return each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraColumn column : table.columns()) {
            rows.add(
                row(
                    table.schema(),
                    table.name(),
                    column.name(),
                    table.columnComments().get(column.name())));
          }
          return rows;
        });
  }

  private static List<List<@Nullable Object>> lobs(DictionaryContext context) {
    return each(
        context,
        table -> {
          List<List<@Nullable Object>> rows = new ArrayList<>();
          for (OraColumn column : table.columns()) {
            if (column.type().kind().isLob() && !table.isView()) {
              rows.add(
                  row(
                      table.schema(),
                      table.name(),
                      column.name(),
                      "SYS_LOB" + table.objectId() + "C" + rows.size() + "$$",
                      8192L,
                      "NO",
                      "YES",
                      "YES",
                      "YES"));
            }
          }
          return rows;
        });
  }

  private static List<List<@Nullable Object>> statistics(DictionaryContext context) {
    return each(
        context,
        table -> {
          OraTable.Statistics found = table.statistics();
          if (table.isView()) {
            return List.of();
          }
          return List.of(
              found == null
                  ? row(table.schema(), table.name(), null, null, null, null, null, null)
                  : row(
                      table.schema(),
                      table.name(),
                      null,
                      found.rows(),
                      found.blocks(),
                      found.averageRowBytes(),
                      now(context),
                      "NO"));
        });
  }
}
