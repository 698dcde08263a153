package millrace.testkit.oracle.engine;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.rules.H2Errors;
import millrace.testkit.oracle.rules.ResultColumns;
import millrace.testkit.oracle.value.ColumnSpec;
import org.jspecify.annotations.Nullable;

/// The rows of a query, from the first to the last. The session's own thread reads them.
public final class OraCursor implements AutoCloseable {

  private final OraSession session;
  private final String sql;
  private final List<ColumnSpec> columns;
  private final ResultSet rows;

  OraCursor(OraSession session, String sql, List<ColumnSpec> columns, ResultSet rows) {
    this.session = session;
    this.sql = sql;
    this.columns = columns;
    this.rows = rows;
  }

  public List<ColumnSpec> columns() {
    return columns;
  }

  /// The next row; null behind the last.
  public @Nullable Object @Nullable [] next() throws OraException {
    try {
      if (!rows.next()) {
        return null;
      }
      session.figures().rowsFetched().increment();
      return ResultColumns.read(rows, columns);
    } catch (SQLException e) {
      throw H2Errors.of(e, sql, null, false);
    }
  }

  @Override
  public void close() {
    try {
      rows.close();
    } catch (SQLException _) {
      // Its connection is gone, and the rows with it.
      Thread.onSpinWait();
    }
  }
}
