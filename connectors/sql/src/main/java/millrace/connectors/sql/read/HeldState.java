package millrace.connectors.sql.read;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import org.slf4j.LoggerFactory;

/// One state of a database that a job holds, by connections whose transactions all see it. The
/// sources of the job borrow them, one for each lane, and give them back. Any thread.
public final class HeldState implements AutoCloseable {

  private final String identity;
  private final Deque<SqlSession> free = new ArrayDeque<>();
  private final List<String> afterRead;
  private final Runnable release;

  /// @param identity what tells whether the database is the same later, asked before it was opened;
  ///   empty if nothing does
  /// @param begun connections whose transactions see the state
  /// @param afterRead statements after which one of them is as it was when it began
  /// @param release closes them
  public HeldState(
      String identity, List<SqlSession> begun, List<String> afterRead, Runnable release) {
    this.identity = identity;
    this.afterRead = List.copyOf(afterRead);
    this.release = release;
    free.addAll(begun);
  }

  /// What tells whether the database is the same later; empty if nothing does.
  public String identity() {
    return identity;
  }

  /// Connections for the lanes of a source.
  ///
  /// @param first the source's own connection, which tells what they wait for
  public SnapshotConnections borrow(SqlDatabase database, SqlSession first) {
    return new Borrowed(database, first);
  }

  private synchronized SqlSession take(String label) {
    SqlSession session = free.poll();
    if (session == null) {
      throw Fault.Transient.endingRun(
          label + " has no more connections that see the state that the job reads.",
          "Start again with as many --lanes as are needed.",
          null);
    }
    return session;
  }

  private synchronized void giveBack(SqlSession session) {
    free.add(session);
  }

  @Override
  public void close() {
    release.run();
  }

  /// Those of one source.
  private final class Borrowed implements SnapshotConnections {
    private final SqlDatabase database;
    private final SqlSession first;
    private final Map<Integer, SqlSession> lanes = new HashMap<>();
    private final List<SqlSession> taken = new ArrayList<>();

    Borrowed(SqlDatabase database, SqlSession first) {
      this.database = database;
      this.first = first;
    }

    @Override
    public synchronized SqlSession lane(int number) {
      SqlSession known = lanes.get(number);
      if (known == null) {
        SqlSession held = take(database.label());
        taken.add(held);
        known = first.reading(held.run(connection -> connection), database);
        lanes.put(number, known);
      }
      return known;
    }

    /// One that does not answer any more is of no use to others.
    @Override
    public synchronized void close() {
      lanes.clear();
      for (SqlSession held : taken) {
        try {
          held.run(this::asItWas);
          giveBack(held);
        } catch (Fault e) {
          LoggerFactory.getLogger(HeldState.class).debug("a connection is lost", e);
        }
      }
      taken.clear();
    }

    private boolean asItWas(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        for (String sql : afterRead) {
          statement.execute(sql);
        }
      }
      return true;
    }
  }
}
