package millrace.connectors.mariadb;

import millrace.connectors.sql.read.SqlSource;
import millrace.spi.Blockable;
import millrace.spi.HasCounters;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Source;
import org.jspecify.annotations.Nullable;

/// A table, a view or a query of a server, with what only a server has: counters, and others that
/// hold locks.
final class MariaDbSource implements Source, HasCounters {

  private final SqlSource rows;
  private final MariaDbConnections connections;
  private final LockHolders holders;

  MariaDbSource(SqlSource rows, MariaDbConnections connections) {
    this.rows = rows;
    this.connections = connections;
    holders = new LockHolders(connections);
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    return rows.describe(columnRequest);
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
