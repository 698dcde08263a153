package millrace.connectors.duckdb.read;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.duckdb.DuckDbCatalog;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.data.Column;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.read.Selection;
import millrace.spi.read.Split;
import millrace.spi.read.SqlWords;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// The rows that are selected from a table, a query or Parquet files.
///
/// @param label how the source is named in errors
/// @param relation what they are selected from
/// @param columns those that are wanted, in order
/// @param selection which rows are wanted
/// @param bytesPerRow about how many bytes a row has, in the measure in which readers count
record SelectedRows(
    String label,
    QuerySource relation,
    List<ColumnInfo> columns,
    Selection selection,
    long bytesPerRow) {

  private static final int SAMPLE_ROWS = 2048;
  private static final int FIXED_BYTES = 8;

  /// More rows than any split or batch has, so that sums stay in range.
  private static final long ROWS_MAX = 1L << 40;

  private static final int BATCH_ROWS_MAX = 1 << 20;

  SelectedRows {
    columns = List.copyOf(columns);
  }

  /// Looks at the relation.
  ///
  /// @throws Fault.User if it has not all that is selected
  static SelectedRows of(
      String label, QuerySource relation, Selection selection, SqlSession session) {
    List<ColumnInfo> columns = selected(label, relation.found(), selection);
    SelectedRows rows =
        new SelectedRows(
            label, relation, columns, selection, bytesPerRow(relation, columns, session));
    String where = rows.where();
    if (where != null) {
      rows.checkCondition(session, where);
    }
    return rows;
  }

  private static List<ColumnInfo> selected(String label, TableInfo found, Selection selection) {
    List<String> known = found.columns().stream().map(ColumnInfo::name).toList();
    return Selection.positions(label, selection.columns(), known).stream()
        .map(found.columns()::get)
        .toList();
  }

  /// By the first rows.
  private static long bytesPerRow(
      QuerySource relation, List<ColumnInfo> columns, SqlSession session) {
    List<String> texts =
        columns.stream().filter(SelectedRows::isText).map(c -> relation.column(c.name())).toList();
    long fixed = FIXED_BYTES * (long) (columns.size() - texts.size());
    if (texts.isEmpty() || relation instanceof QuerySource.Query) {
      return Math.max(1, fixed + FIXED_BYTES * 2L * texts.size());
    }
    String lengths =
        texts.stream()
            .map(name -> "coalesce(strlen(CAST(" + name + " AS VARCHAR)), 0)")
            .collect(Collectors.joining(" + "));
    return Math.max(
        1,
        fixed
            + DuckDbCatalog.number(
                session,
                "SELECT CAST(avg("
                    + lengths
                    + ") AS BIGINT) FROM (SELECT "
                    + String.join(", ", texts)
                    + " FROM "
                    + relation.from()
                    + " LIMIT "
                    + SAMPLE_ROWS
                    + ")"));
  }

  private static boolean isText(ColumnInfo column) {
    return DuckDbTypes.reading(column.declared()).type().layout() == Type.Layout.BYTES;
  }

  /// Has DuckDB look at the condition before anything is touched.
  ///
  /// By itself as well, so that it does not end the parentheses that it stands in otherwise.
  private void checkCondition(SqlSession session, String where) {
    String all = "SELECT 1 FROM " + relation.from() + " WHERE ";
    DuckDbCatalog.describe(session, all + "(" + where + "\n)");
    DuckDbCatalog.describe(session, all + where + "\n");
  }

  /// What is wanted of the rows; null if that is all.
  private @Nullable String where() {
    return selection.condition(
        new SqlWords(
            relation::column,
            relation.from(),
            SqlWords.Moments.STANDARD.zoned("TIMESTAMPTZ '%s+00'")));
  }

  /// The columns as readers give them.
  Schema schema() {
    List<Column> described = columns.stream().map(DuckDbTypes::column).toList();
    List<String> names = described.stream().map(Column::name).toList();
    List<String> key = relation.found().key();
    return new Schema(described, names.containsAll(key) ? key : List.of());
  }

  /// How each column lies in the result.
  List<ResultEncoding> fetches() {
    return columns.stream().map(c -> DuckDbTypes.reading(c.declared()).fetch()).toList();
  }

  /// Why it is read as one; empty if it is not.
  String whyOneReader() {
    return selection.limit() != Long.MAX_VALUE
        ? "a limit is one query"
        : selection.oneQuery().isEmpty() ? relation.whyOneReader() : selection.oneQuery();
  }

  /// About how many there are, or -1 if only reading them would tell.
  long count(SqlSession session) {
    return selection.filters() ? -1 : relation.rows(session);
  }

  /// The pieces that they are read in, each of about so many bytes.
  List<QuerySource.Piece> pieces(SqlSession session, long bytesEach) {
    return whyOneReader().isEmpty()
        ? relation.pieces(session, Math.clamp(bytesEach / bytesPerRow, 1, ROWS_MAX))
        : List.of(new QuerySource.Piece(label, 0, Long.MAX_VALUE));
  }

  /// The statement that selects a split.
  String sql(Split split) {
    String values =
        columns.stream()
            .map(c ->
                String.format(DuckDbTypes.reading(c.declared()).sql(), relation.column(c.name())))
            .collect(Collectors.joining(", "));
    QuerySource.RowSelection part = relation.part(split.resource(), split.from(), split.to());
    List<String> conditions = new ArrayList<>();
    if (!part.condition().isEmpty() && whyOneReader().isEmpty()) {
      conditions.add(part.condition());
    }
    String where = where();
    if (where != null) {
      conditions.add("(" + where + "\n)");
    }
    return "SELECT "
        + values
        + " FROM "
        + (whyOneReader().isEmpty() ? part.from() : relation.from())
        + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
        + (selection.limit() == Long.MAX_VALUE ? "" : " LIMIT " + selection.limit());
  }

  /// How many rows a batch holds.
  ///
  /// @param readUnit what the user asked for, or null
  int batchRows(@Nullable Amount readUnit) {
    return readUnit == null
        ? ColumnsPool.rowsFor(schema())
        : Math.clamp(readUnit.rows(bytesPerRow), 1, BATCH_ROWS_MAX);
  }
}
