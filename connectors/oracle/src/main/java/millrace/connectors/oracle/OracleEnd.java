package millrace.connectors.oracle;

import millrace.connectors.sql.ServerEnd;
import millrace.spi.HasCounters;
import org.jspecify.annotations.Nullable;

/// The server's counters, and the locks of a target.
///
/// @param connections the end's, which are closed with it
/// @param locks the target's; null if it is a source
record OracleEnd(OracleConnections connections, @Nullable OracleLocks locks)
    implements ServerEnd, HasCounters {

  @Override
  public OracleCounters counters() {
    return new OracleCounters(connections);
  }

  @Override
  public void close() {
    try (OracleConnections _ = connections) {
      if (locks != null) {
        locks.close();
      }
    }
  }
}
