package millrace.connectors.oracle;

import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;

/// How much of a LOB comes with its row. What is longer costs a round trip for each value.
///
/// The driver's usual size is far too small for some tables. A larger one takes memory: rows of a
/// fetch, times the size. So it is made of how long LOBs are on average. That is asked of the first
/// rows, not of statistics: they count no more than the locator of a LOB that lies apart.
final class OracleLobs {

  /// The driver's usual size, in characters of a CLOB and bytes of a BLOB.
  static final int USUAL = 32_768;

  private static final int SAMPLE_ROWS = 200;

  /// About how many bytes readers fetch at once.
  private static final long FETCH_BYTES = 2L << 20;

  /// So many characters, of two bytes each, LOBs of one fetch may have.
  private static final long MEMORY_CHARACTERS = 8L << 20;

  private OracleLobs() {}

  /// Has the connection of a session fetch so much of LOBs with their rows, from its next statement
  /// on.
  static void fetchAlong(SqlSession session, int size) {
    session.run(connection -> {
      if (connection instanceof StatisticsOnClose counted) {
        counted.fetchOfLobs(size);
      }
      return size;
    });
  }

  /// How much is worth to be fetched along of a table's LOBs.
  static int size(SqlSession session, TableName table, Names names) {
    List<String> columns =
        session.query(
            "SELECT column_name FROM all_tab_columns WHERE owner = ? AND table_name = ?"
                + " AND data_type IN ('CLOB', 'NCLOB', 'BLOB')",
            row -> row.getString(1),
            table.schema(),
            table.name());
    if (columns.isEmpty()) {
      return USUAL;
    }
    String lengths =
        columns.stream()
            .map(names::quoted)
            .map("NVL(DBMS_LOB.GETLENGTH(%s), 0)"::formatted)
            .collect(Collectors.joining(" + "));
    long average =
        session
            .query(
                "SELECT NVL(ROUND(AVG(%s)), 0) FROM %s WHERE ROWNUM <= %d"
                    .formatted(lengths, table.sql(names), SAMPLE_ROWS),
                row -> row.getLong(1))
            .getFirst();
    return size(average, columns.size());
  }

  /// @param average how long all LOBs of a row are together
  /// @param columns how many there are
  static int size(long average, int columns) {
    long rows = Math.max(1, FETCH_BYTES / Math.max(1, average));
    return (int) Math.max(USUAL, MEMORY_CHARACTERS / (rows * columns));
  }
}
