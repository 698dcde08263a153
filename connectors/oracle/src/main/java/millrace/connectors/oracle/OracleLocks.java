package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import millrace.fault.Fault;
import millrace.io.Digest;
import org.slf4j.LoggerFactory;

/// Locks by name, each a row of the table `MILLRACE_LOCK` in the user's schema that a connection of
/// its own holds: the server lets go of it when that ends. The server's own locks by name
/// (DBMS_LOCK) would need a right that few users have.
///
/// Any thread may call it.
final class OracleLocks implements AutoCloseable {

  private static final String TABLE = "MILLRACE_LOCK";
  private static final int SECONDS_TO_ANSWER = 5;
  private static final int TWICE = 1;
  private static final int EXISTS = 955;

  private final OracleConnections connections;
  private final Map<String, Connection> held = new HashMap<>();

  OracleLocks(OracleConnections connections) {
    this.connections = connections;
  }

  /// Takes a lock, or has it already.
  ///
  /// @return whether nobody else has it
  synchronized boolean lock(String name, Duration wait) {
    try {
      Connection before = held.get(name);
      if (before != null && before.isValid(SECONDS_TO_ANSWER)) {
        return true;
      }
      Connection holder = connections.open(wait);
      if (take(holder, key(name), wait)) {
        held.put(name, holder);
        return true;
      }
      holder.close();
      return false;
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  private static boolean take(Connection holder, String key, Duration wait) throws SQLException {
    holder.setAutoCommit(false);
    String sql = "SELECT name FROM " + TABLE + " WHERE name = ? FOR UPDATE WAIT ";
    while (true) {
      put(holder, key);
      try (PreparedStatement select = holder.prepareStatement(sql + wait.toSeconds())) {
        select.setString(1, key);
        try (ResultSet row = select.executeQuery()) {
          if (row.next()) {
            return true;
          }
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
  private static void put(Connection holder, String key) throws SQLException {
    try (PreparedStatement insert =
        holder.prepareStatement("INSERT INTO " + TABLE + " (name) VALUES (?)")) {
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

  private static void make(Connection holder) throws SQLException {
    try (Statement statement = holder.createStatement()) {
      statement.execute("CREATE TABLE " + TABLE + " (name VARCHAR2(100) PRIMARY KEY)");
    } catch (SQLException e) {
      if (e.getErrorCode() != EXISTS) {
        throw e;
      }
    }
  }

  private static String key(String name) {
    return Digest.of(name).hex();
  }

  synchronized void unlock(String name) {
    Connection holder = held.remove(name);
    if (holder == null) {
      return;
    }
    try (holder;
        PreparedStatement delete =
            holder.prepareStatement("DELETE FROM " + TABLE + " WHERE name = ?")) {
      delete.setString(1, key(name));
      delete.executeUpdate();
      holder.commit();
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  /// Whether nobody else has it.
  synchronized boolean isFree(String name) {
    if (held.containsKey(name)) {
      return true;
    }
    String sql = "SELECT name FROM " + TABLE + " WHERE name = ? FOR UPDATE NOWAIT";
    try (Connection asks = connections.open(Duration.ZERO)) {
      asks.setAutoCommit(false);
      try (PreparedStatement select = asks.prepareStatement(sql)) {
        select.setString(1, key(name));
        select.executeQuery().close();
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
    return OracleFaults.TABLE.of(e, connections.address().server() + " table " + TABLE);
  }

  /// Lets go of all.
  @Override
  public synchronized void close() {
    for (Map.Entry<String, Connection> each : Map.copyOf(held).entrySet()) {
      try {
        unlock(each.getKey());
      } catch (Fault e) {
        // The connection is lost, and the lock with it.
        LoggerFactory.getLogger(OracleLocks.class).debug("not unlocked", e);
      }
    }
  }
}
