package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.io.Digest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Locks by name, each a row of the table `MILLRACE_LOCK` in the user's own schema that a
/// connection of its own holds: the server lets go of it when that ends. The server's own locks by
/// name (DBMS_LOCK) would need a right that few users have.
///
/// Such a connection does nothing for as long as a load takes, and servers and firewalls end those
/// that are idle. So the server is asked now and then, and a lock that is lost is taken again.
///
/// Any thread may call it.
final class OracleLocks implements Locks, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OracleLocks.class);
  private static final String TABLE = "MILLRACE_LOCK";
  static final Duration USUAL_PAUSE = Duration.ofSeconds(30);
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final int ANSWER_MILLIS_MAX = 10_000;
  private static final int TWICE = 1;
  private static final int EXISTS = 955;

  private final OracleConnections connections;
  private final String table;
  private final Duration pause;
  private final Map<String, Connection> held = new HashMap<>();
  private @Nullable Thread watch;
  private volatile boolean lost;

  /// @param pause until the server is asked again
  OracleLocks(OracleConnections connections, Duration pause) {
    this.connections = connections;
    this.pause = pause;
    OracleTraits traits = connections.traits();
    table = traits.names().quoted(traits.user()) + "." + TABLE;
  }

  /// Rows that others have inserted and not committed can't be waited for but by a lock.
  @Override
  public LockingRead lockingRead(TableName locked) {
    String name = locked.sql(connections.traits().names());
    return new LockingRead("LOCK TABLE " + name + " IN EXCLUSIVE MODE", "");
  }

  /// Takes a lock, or has it already.
  @Override
  public boolean lock(SqlSession session, String name, Duration wait) {
    return lock(name, wait);
  }

  synchronized boolean lock(String name, Duration wait) {
    try {
      Connection before = held.get(name);
      if (before != null && isHeld(before, name)) {
        return true;
      }
      Connection holder = connections.open(wait);
      if (take(holder, key(name), wait)) {
        holder.setNetworkTimeout(Runnable::run, ANSWER_MILLIS_MAX);
        held.put(name, holder);
        if (watch == null) {
          watch = Thread.ofPlatform().name("oracle-locks").daemon().start(this::watch);
        }
        return true;
      }
      holder.close();
      return false;
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  private boolean isHeld(Connection holder, String name) {
    try {
      return has(holder, key(name), "NOWAIT");
    } catch (SQLException e) {
      LOG.debug("lock {} is lost", name, e);
      return false;
    }
  }

  /// Takes a row, or has it already. Returns whether it is there.
  private boolean has(Connection by, String key, String wait) throws SQLException {
    String sql = "SELECT name FROM " + table + " WHERE name = ? FOR UPDATE ";
    try (PreparedStatement select = by.prepareStatement(sql + wait)) {
      select.setString(1, key);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  private void watch() {
    try {
      while (!lost) {
        Thread.sleep(pause);
        refresh();
      }
    } catch (InterruptedException _) {
      LOG.debug("locks are looked after no more");
    }
  }

  private synchronized void refresh() {
    for (String name : Set.copyOf(held.keySet())) {
      try {
        if (!lock(name, WAIT)) {
          lost = true;
        }
      } catch (Fault e) {
        // The lanes notice it, too, and the next look tries again.
        LOG.debug("lock {} is not looked after", name, e);
      }
    }
  }

  @Override
  public void check(boolean asks) {
    if (asks) {
      refresh();
    }
    if (lost) {
      throw Fault.Transient.endingRun(
          connections.address().server()
              + ": the session that held the copy's lock has ended, and somebody else has taken the"
              + " lock.",
          "See who runs the same copy, and compare both ends with millrace verify. The"
              + " administrator or a limit of idle time (IDLE_TIME) may have ended the session.",
          null);
    }
  }

  private boolean take(Connection holder, String key, Duration wait) throws SQLException {
    holder.setAutoCommit(false);
    while (true) {
      put(holder, key);
      try {
        if (has(holder, key, "WAIT " + wait.toSeconds())) {
          return true;
        }
      } catch (SQLException e) {
        if (OracleFaults.TABLE.isLock(e)) {
          return false;
        }
        throw e;
      }
      // Whoever had it has taken the row away.
    }
  }

  /// The row has to be there before somebody can hold it.
  private void put(Connection holder, String key) throws SQLException {
    try (PreparedStatement insert =
        holder.prepareStatement("INSERT INTO " + table + " (name) VALUES (?)")) {
      insert.setString(1, key);
      insert.executeUpdate();
      holder.commit();
    } catch (SQLException e) {
      holder.rollback();
      if (e.getErrorCode() == OracleFaults.NO_TABLE) {
        make(holder);
        put(holder, key);
      } else if (e.getErrorCode() != TWICE) {
        throw e;
      }
    }
  }

  private void make(Connection holder) throws SQLException {
    try (Statement statement = holder.createStatement()) {
      statement.execute("CREATE TABLE " + table + " (name VARCHAR2(100) PRIMARY KEY)");
    } catch (SQLException e) {
      if (e.getErrorCode() != EXISTS) {
        throw e;
      }
    }
  }

  private static String key(String name) {
    return Digest.of(name).hex();
  }

  @Override
  public void unlock(SqlSession session, String name) {
    unlock(name);
  }

  synchronized void unlock(String name) {
    Connection holder = held.remove(name);
    if (holder == null) {
      return;
    }
    try (holder;
        PreparedStatement delete =
            holder.prepareStatement("DELETE FROM " + table + " WHERE name = ?")) {
      delete.setString(1, key(name));
      delete.executeUpdate();
      holder.commit();
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  @Override
  public boolean isFree(SqlSession session, String name) {
    return isFree(name);
  }

  synchronized boolean isFree(String name) {
    if (held.containsKey(name)) {
      return true;
    }
    try (Connection asks = connections.open(Duration.ZERO)) {
      asks.setAutoCommit(false);
      try {
        has(asks, key(name), "NOWAIT");
        return true;
      } catch (SQLException e) {
        if (e.getErrorCode() == OracleFaults.NO_TABLE) {
          return true;
        }
        if (OracleFaults.TABLE.isLock(e)) {
          return false;
        }
        throw e;
      } finally {
        asks.rollback();
      }
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  private Fault fault(SQLException e) {
    return OracleFaults.of(connections.traits())
        .of(e, connections.address().server() + " table " + TABLE);
  }

  /// Lets go of all.
  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.interrupt();
    }
    for (Map.Entry<String, Connection> each : Map.copyOf(held).entrySet()) {
      try {
        unlock(each.getKey());
      } catch (Fault e) {
        // The connection is lost, and the lock with it.
        LOG.debug("not unlocked", e);
      }
    }
  }
}
