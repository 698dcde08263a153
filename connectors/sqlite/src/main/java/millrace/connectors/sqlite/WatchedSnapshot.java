package millrace.connectors.sqlite;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;

/// Connections whose transactions read one state, found out by looking.
///
/// Others may commit while the transactions begin, one after the other. So a connection beside them
/// asks before and after for a number that every commit changes. If it has changed, they all begin
/// anew.
final class WatchedSnapshot implements SnapshotConnections {

  private static final int TRIES = 50;

  private final SqlDatabase database;
  private final SqlSession watch;
  private final List<SqlSession> sessions = new ArrayList<>();
  private final long version;

  /// Begins the transactions.
  ///
  /// @param first is open, and has no transaction; it stays open
  /// @param lanes for how many lanes, at least 1
  WatchedSnapshot(SqlDatabase database, SqlSession first, int lanes) {
    this.database = database;
    watch = first.additional(database);
    sessions.add(first);
    try {
      while (sessions.size() < lanes) {
        sessions.add(first.additional(database));
      }
      version = beginAll();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /// Begins all transactions in one state, and gives the number of that.
  private long beginAll() {
    for (int i = 0; i < TRIES; i++) {
      long before = version();
      sessions.forEach(this::begin);
      if (version() == before) {
        return before;
      }
      sessions.forEach(SqlSession::rollback);
    }
    throw changed();
  }

  private long version() {
    return watch.query("PRAGMA data_version", row -> row.getLong(1)).getFirst();
  }

  private void begin(SqlSession session) {
    session.begin("BEGIN");
    // A transaction takes the state that it sees with its first query.
    session.query("SELECT count(*) FROM sqlite_schema", row -> row.getObject(1));
  }

  private Fault changed() {
    return Fault.Transient.endingRun(
        database.label() + " is written to all the time, so that no two lanes see the same rows.",
        "Try again later, or read on one lane.",
        null);
  }

  /// A run that goes on with another may have more lanes than that had.
  @Override
  public synchronized SqlSession lane(int number) {
    while (sessions.size() <= number) {
      SqlSession session = sessions.getFirst().additional(database);
      sessions.add(session);
      begin(session);
      if (version() != version) {
        throw changed();
      }
    }
    return sessions.get(number);
  }

  @Override
  public synchronized void close() {
    sessions.getFirst().rollback();
    for (SqlSession other : sessions.subList(1, sessions.size())) {
      other.close();
    }
    watch.close();
  }
}
