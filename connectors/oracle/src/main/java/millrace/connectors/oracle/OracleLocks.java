package millrace.connectors.oracle;

import java.time.Duration;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.LockTable;
import millrace.connectors.sql.Locks.LockingRead;

/// Locks by name are rows of a table in the user's own schema: the server's own (DBMS_LOCK) would
/// need a right that few users have.
final class OracleLocks {

  /// Rows that others have inserted and not committed can't be waited for but by a lock.
  private static final LockTable.RowLock WORDS =
      new LockTable.RowLock(
          "FOR UPDATE NOWAIT",
          "FOR UPDATE WAIT %d",
          new LockingRead("LOCK TABLE %s IN EXCLUSIVE MODE", ""),
          "The administrator or a limit of idle time (IDLE_TIME) may have ended the session.");

  private OracleLocks() {}

  /// @param pause until the server is asked again
  static LockTable of(OracleConnections connections, Duration pause) {
    OracleTraits traits = connections.traits();
    Dialect.Profile profile = OracleDialect.profile(traits, OracleOptions.USUAL);
    return new LockTable(
        profile, WORDS, traits.user(), connections.address().server(), connections::open, pause);
  }
}
