package millrace.connectors.mariadb;

import millrace.connectors.sql.LockHolders;
import millrace.connectors.sql.ServerEnd;
import millrace.spi.Blockable;
import millrace.spi.HasCounters;

/// The server's counters, and others that hold locks.
///
/// @param connections the end's, which are closed with it
/// @param holders tells who holds the locks that the connections wait for
record MariaDbEnd(MariaDbConnections connections, LockHolders holders)
    implements ServerEnd, HasCounters {

  MariaDbEnd(MariaDbConnections connections) {
    this(
        connections,
        new LockHolders(
            connections::threads,
            connections::aside,
            (statement, ours) ->
                MariaDbBlockers.waitsFor(statement, ours, connections.traits().isMariaDb())));
  }

  @Override
  public MariaDbCounters counters() {
    return new MariaDbCounters(connections);
  }

  @Override
  public Blockable waiting(Blockable blockable) {
    return holders.alongside(blockable);
  }

  @Override
  public void close() {
    try (MariaDbConnections _ = connections) {
      holders.close();
    }
  }
}
