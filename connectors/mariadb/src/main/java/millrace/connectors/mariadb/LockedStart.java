package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;

/// Connections whose transactions see a table in one state. The servers have no snapshot that one
/// connection could take over from another. So one more connection locks the table against writers
/// while all of them begin, which takes milliseconds.
///
/// The lock waits until no open transaction has written to the table. Writers that come later wait
/// behind it, so it gives up after seconds, and tries again.
final class LockedStart implements SnapshotConnections {

  static final String BEGIN = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

  private final SqlDatabase database;
  private final List<SqlSession> sessions = new ArrayList<>();

  /// Begins the transactions.
  ///
  /// @param first is open, and has no transaction; it stays open
  /// @param lanes for how many lanes, at least 1
  /// @param table the table as SQL names it
  LockedStart(SqlDatabase database, SqlSession first, int lanes, String table) {
    this.database = database;
    sessions.add(first);
    try {
      while (sessions.size() < lanes) {
        sessions.add(first.additional(database));
      }
      try (SqlSession locker = first.additional(database)) {
        locked(locker, table, () -> sessions.forEach(session -> session.begin(BEGIN)));
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /// Does something while nobody writes to a table.
  ///
  /// @param locker locks it, and is of no use for anything else afterwards
  /// @param table as SQL names it; several with READ and a comma between them
  static void locked(SqlSession locker, String table, Runnable work) {
    locker.execute("SET SESSION lock_wait_timeout = 3");
    // Servers of long ago lock rows' tables only then.
    locker.execute("SET autocommit = 0");
    locker.execute("LOCK TABLES " + table + " READ");
    work.run();
    locker.execute("UNLOCK TABLES");
  }

  /// Why the table can't be locked, as the end of a sentence; empty if it can.
  ///
  /// @param session has no transaction
  static String refusal(SqlSession session, String table) {
    return session.run(connection -> {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET SESSION lock_wait_timeout = 1");
        session.runs(statement);
        return refusal(connection, statement, table);
      } finally {
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET SESSION lock_wait_timeout = DEFAULT");
        }
      }
    });
  }

  private static String refusal(Connection connection, Statement statement, String table)
      throws SQLException {
    try {
      statement.execute("LOCK TABLES " + table + " READ");
      statement.execute("UNLOCK TABLES");
      return "";
    } catch (SQLException e) {
      SqlFaults.Kind kind = MariaDbFaults.TABLE.kind(e);
      boolean isOver = kind == SqlFaults.Kind.UNREACHABLE || kind == SqlFaults.Kind.CANCELLED;
      if (connection.isClosed() || isOver) {
        throw e;
      }
      // Who has no right is told so before the wait.
      return kind == SqlFaults.Kind.LOCKED
          ? ""
          : "several connections see one state of a table only if the user may lock it (GRANT LOCK"
              + " TABLES): "
              + SqlFaults.firstLine(e.getMessage()).replaceFirst("^\\(conn[=:]\\d+\\) ", "");
    }
  }

  @Override
  public SqlSession lane(int number) {
    if (number >= sessions.size()) {
      throw Fault.Transient.endingRun(
          database.label() + " gives no more connections the state that the others see.",
          "Start again with as many --lanes as are needed.",
          null);
    }
    return sessions.get(number);
  }

  @Override
  public void close() {
    AtomicBoolean done = new AtomicBoolean();
    // They have read, and have nothing to undo: a server that takes long has gone silent.
    sessions.forEach(session -> session.cutUnless(done::get));
    try {
      sessions.getFirst().rollback();
      for (SqlSession other : sessions.subList(1, sessions.size())) {
        other.close();
      }
    } finally {
      done.set(true);
    }
  }
}
