package millrace.connectors.duckdb.read;

import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.SqlSession;

/// Where a file of Parquet has the pages of a column's values of a group of rows, as its footer
/// says.
///
/// @param path the column, and the fields within it
/// @param group number of the group of rows, from 0
/// @param from its first row, from 0
/// @param to the row after its last
/// @param offset the first byte of its first page
/// @param bytes how many bytes its pages have
/// @param values how many values its pages have
record ColumnPages(
    String path, long group, long from, long to, long offset, long bytes, long values) {

  private static final String BETWEEN = ", ";

  /// All of a file, in the order of its groups of rows.
  ///
  /// @param file as a pattern that fits it alone
  static List<ColumnPages> of(SqlSession session, String file) {
    return session.query(
        """
        SELECT path_in_schema, row_group_id, row_group_num_rows,
            sum(row_group_num_rows) OVER (PARTITION BY column_id ORDER BY row_group_id),
            if(dictionary_page_offset BETWEEN 4 AND data_page_offset,
                dictionary_page_offset, data_page_offset),
            total_compressed_size, num_values
        FROM parquet_metadata(?) ORDER BY row_group_id, column_id\
        """,
        row ->
            new ColumnPages(
                row.getString(1),
                row.getLong(2),
                row.getLong(4) - row.getLong(3),
                row.getLong(4),
                row.getLong(5),
                row.getLong(6),
                row.getLong(7)),
        file);
  }

  /// Whether they are of a column, whose name may itself hold what stands between names.
  boolean isOf(String column) {
    String start = column.toLowerCase(Locale.ROOT);
    String lowerCase = path.toLowerCase(Locale.ROOT);
    return lowerCase.equals(start) || lowerCase.startsWith(start + BETWEEN);
  }

  /// The column that they are of.
  String column() {
    int end = path.indexOf(BETWEEN);
    return end < 0 ? path : path.substring(0, end);
  }

  /// Where something is, for messages.
  ///
  /// @param what the page or pages
  /// @param at the byte, with what stands before it
  String where(String what, String at) {
    return String.format(
        Locale.ROOT,
        " in %s of column \"%s\" of rows %d to %d (row group %d, %s)",
        what,
        column(),
        from + 1,
        to,
        group + 1,
        at);
  }
}
