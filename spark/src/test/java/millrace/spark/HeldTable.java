package millrace.spark;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import millrace.testkit.PostgresServer;

/// A table of PostgreSQL that lets some rows wait as long as a test wants, so that the test knows
/// what is under way when it strikes: a trigger waits for a lock that the test holds.
final class HeldTable implements AutoCloseable {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final int LOCK = 4711;

  private final PostgresServer server;
  private final String database;
  private final Connection holder;

  /// Makes the table, and holds the rows of a condition from now on.
  ///
  /// @param which of the column NEW.id
  HeldTable(PostgresServer server, String which) throws SQLException {
    this.server = server;
    database = server.newDatabase();
    server.execute(
        database,
        "CREATE TABLE t (id bigint NOT NULL, name text, x numeric(18,1))",
        """
        CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_advisory_lock_shared(%1$d), pg_advisory_unlock_shared(%1$d);
          RETURN NEW;
        END $$\
        """
            .formatted(LOCK));
    holdRows(which);
    holder = server.connect(database);
    hold();
  }

  /// From now on those rows wait, while rows are held.
  void holdRows(String which) {
    server.execute(
        database,
        "CREATE OR REPLACE TRIGGER held BEFORE INSERT ON t FOR EACH ROW WHEN ("
            + which
            + ") EXECUTE FUNCTION held()");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = holder.createStatement()) {
      statement.execute(sql);
    }
  }

  /// Rows are held from now on.
  void hold() throws SQLException {
    run("SELECT pg_advisory_lock(" + LOCK + ")");
  }

  /// Rows that wait go on.
  void release() throws SQLException {
    run("SELECT pg_advisory_unlock(" + LOCK + ")");
  }

  String database() {
    return database;
  }

  /// What a user calls it.
  String url() {
    return server.url(database) + "?table=t";
  }

  /// Waits until so many connections wait with a row.
  ///
  /// @return the ports at their clients
  List<Integer> awaitHeld(int connections, LaunchedCopy copy) throws SQLException {
    while (true) {
      List<Integer> waiting = waiting("objid = " + LOCK);
      if (waiting.size() >= connections) {
        return waiting;
      }
      look(copy);
    }
  }

  /// Waits until a connection waits for another lock, that of the transaction of an earlier attempt
  /// at its split; or until the copy has ended without.
  void awaitAnotherAttempt(LaunchedCopy copy) throws SQLException {
    while (copy.isAlive() && waiting("objid <> " + LOCK).isEmpty()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static void look(LaunchedCopy copy) {
    if (!copy.isAlive()) {
      throw new AssertionError("the copy has ended: " + copy.said());
    }
    LockSupport.parkNanos(LOOK_NANOS);
  }

  private List<Integer> waiting(String lock) throws SQLException {
    List<Integer> ports = new ArrayList<>();
    try (Statement statement = holder.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                SELECT client_port FROM pg_locks JOIN pg_stat_activity USING (pid)
                WHERE locktype = 'advisory' AND NOT granted AND %s
                  AND pg_locks.database =
                    (SELECT oid FROM pg_database WHERE datname = current_database())
                """
                    .formatted(lock))) {
      while (rows.next()) {
        ports.add(rows.getInt(1));
      }
    }
    return ports;
  }

  /// What a query finds, its columns with a bar between them.
  String one(String query) throws SQLException {
    try (Statement statement = holder.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      List<String> columns = new ArrayList<>();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        columns.add(row.getString(i));
      }
      return String.join("|", columns);
    }
  }

  /// How many rows are committed.
  long rows() throws SQLException {
    return Long.parseLong(one("SELECT count(*) FROM t"));
  }

  @Override
  public void close() throws SQLException {
    holder.close();
  }
}
