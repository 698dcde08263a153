package millrace.testkit.oracle.engine;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import millrace.testkit.oracle.OraException;

/// States of the database that can be read again by their SCN.
///
/// Each that was asked for is kept by a transaction of H2's that sees it. The last ones are kept;
/// who comes too late hears that the snapshot is too old. Any thread may call it.
final class Snapshots implements AutoCloseable {

  private static final int MOST = 16;

  private final OraDatabase database;
  private final TreeMap<Long, State> states = new TreeMap<>();

  /// A connection that sees one state; who reads by it has the lock.
  ///
  /// @param time when its number was asked for last: Oracle's grows with the time, whether anybody
  ///   commits or not
  record State(Connection connection, ReentrantLock lock, Instant time) {}

  Snapshots(OraDatabase database) {
    this.database = database;
  }

  /// The SCN of the state that is there now, which can be read from now on.
  synchronized long take() throws SQLException {
    long scn = database.currentScn();
    State known = states.get(scn);
    if (known != null) {
      states.put(scn, new State(known.connection, known.lock, Instant.now()));
    } else {
      Connection connection = database.connect();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SNAPSHOT");
        statement.execute("SET TIME ZONE 'UTC'");
        statement.execute("SET SCHEMA_SEARCH_PATH ORA");
        // The transaction begins with what it reads first.
        statement.executeQuery("SELECT 1").close();
      }
      states.put(scn, new State(connection, new ReentrantLock(), Instant.now()));
      if (states.size() > MOST) {
        Map.Entry<Long, State> oldest = states.pollFirstEntry();
        oldest.getValue().connection().close();
      }
    }
    return scn;
  }

  /// The state of an SCN.
  ///
  /// @throws OraException ORA-01555 if it is not kept any more, ORA-08181 if it was never asked for
  synchronized State at(long scn) throws OraException {
    State state = states.get(scn);
    if (state != null) {
      return state;
    }
    if (!states.isEmpty() && scn < states.firstKey()) {
      throw new OraException(
          1555, "snapshot too old: rollback segment number with name \"\" too small");
    }
    throw new OraException(
        8181, "specified number is not a valid system change number, or nobody asked for it here");
  }

  @Override
  public synchronized void close() {
    for (State state : states.values()) {
      try {
        state.connection().close();
      } catch (SQLException _) {
        // The database goes down in any case.
        Thread.onSpinWait();
      }
    }
    states.clear();
  }
}
