package millrace.connectors.sqlite;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.Snapshot;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;

/// Connections whose transactions read one state of a file.
///
/// With a rollback journal the first of them keeps others from committing. With a write-ahead log
/// others may commit at any time, so a connection beside them looks whether anybody has while they
/// began. If so, they begin anew.
final class SqliteSnapshot implements Snapshot {

  private static final int TRIES = 50;

  private final SqlDatabase database;
  private final SqlSession watch;
  private final List<SqlSession> sessions = new ArrayList<>();
  private final long version;

  SqliteSnapshot(SqlDatabase database, SqlSession first, int lanes) {
    this.database = database;
    watch = SqlSession.open(database, false);
    sessions.add(first);
    while (sessions.size() < lanes) {
      sessions.add(SqlSession.open(database, false));
    }
    for (int i = 0; i < TRIES; i++) {
      long before = version();
      sessions.forEach(SqliteSnapshot::begin);
      if (version() == before) {
        version = before;
        return;
      }
      sessions.forEach(SqlSession::rollback);
    }
    close();
    throw changed();
  }

  private long version() {
    return watch.query("PRAGMA data_version", row -> row.getLong(1)).getFirst();
  }

  private static void begin(SqlSession session) {
    session.begin("BEGIN");
    session.query("SELECT count(*) FROM sqlite_schema", row -> row.getLong(1));
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
      SqlSession session = SqlSession.open(database, false);
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
