package millrace.connectors.oracle;

import millrace.connectors.sql.write.SqlTarget;
import millrace.spi.HasCounters;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Target;
import org.jspecify.annotations.Nullable;

/// A table of a server, open for writing, with the server's counters.
///
/// @param rows the table; it is closed with the target, as connections and locks are
record OracleTarget(SqlTarget rows, OracleConnections connections, OracleLocks locks)
    implements Target, HasCounters {

  @Override
  public DescribedTarget describe() {
    return rows.describe();
  }

  @Override
  public OracleCounters counters() {
    return new OracleCounters(connections);
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type.isInstance(this) ? type.cast(this) : rows.capability(type);
  }

  @Override
  public void close() {
    try (OracleConnections _ = connections;
        OracleLocks _ = locks) {
      rows.close();
    }
  }
}
