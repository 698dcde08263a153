package millrace.connectors.oracle;

import millrace.connectors.sql.write.SqlTarget;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Target;
import org.jspecify.annotations.Nullable;

/// A table of a server, open for writing.
///
/// @param rows the table; it is closed with the target, as connections and locks are
record OracleTarget(SqlTarget rows, OracleConnections connections, OracleLocks locks)
    implements Target {

  @Override
  public DescribedTarget describe() {
    return rows.describe();
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return rows.capability(type);
  }

  @Override
  public void close() {
    try (OracleConnections _ = connections;
        OracleLocks _ = locks) {
      rows.close();
    }
  }
}
