package millrace.connectors.mariadb;

import millrace.connectors.sql.write.SqlTarget;
import millrace.spi.Blockable;
import millrace.spi.HasCounters;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Target;
import org.jspecify.annotations.Nullable;

/// A table of the server, open for writing, with the server's counters.
final class MariaDbTarget implements Target, HasCounters {

  private final SqlTarget rows;
  private final MariaDbConnections connections;
  private final LockHolders holders;

  /// @param rows the table; it is closed with the target, as the connections are
  MariaDbTarget(SqlTarget rows, MariaDbConnections connections) {
    this.rows = rows;
    this.connections = connections;
    holders = new LockHolders(connections);
  }

  @Override
  public DescribedTarget describe() {
    return rows.describe();
  }

  @Override
  public MariaDbCounters counters() {
    return new MariaDbCounters(connections);
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    if (type == Blockable.class) {
      return type.cast(holders.beside(Blockable.of(rows)));
    }
    return type.isInstance(this) ? type.cast(this) : rows.capability(type);
  }

  @Override
  public void close() {
    try (MariaDbConnections _ = connections;
        LockHolders _ = holders) {
      rows.close();
    }
  }
}
