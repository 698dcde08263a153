package millrace.connectors.oracle;

import static java.util.stream.Collectors.toSet;

import millrace.connectors.sql.LockHolders;
import millrace.connectors.sql.ServerEnd;
import millrace.spi.Blockable;
import millrace.spi.HasCounters;

/// The server's counters, and who holds locks.
///
/// @param connections the end's, which are closed with it
/// @param holders tells who holds the locks that the connections wait for
record OracleEnd(OracleConnections connections, LockHolders holders)
    implements ServerEnd, HasCounters {

  OracleEnd(OracleConnections connections) {
    this(
        connections,
        new LockHolders(
            () -> connections.sessions().stream().map(OracleSession::sid).collect(toSet()),
            connections::aside,
            (statement, _) -> OracleWaits.holders(statement, connections.sessions())));
  }

  @Override
  public OracleCounters counters() {
    return new OracleCounters(connections);
  }

  @Override
  public Blockable waiting(Blockable blockable) {
    return holders.alongside(blockable);
  }

  @Override
  public void close() {
    try (OracleConnections _ = connections) {
      holders.close();
    }
  }
}
