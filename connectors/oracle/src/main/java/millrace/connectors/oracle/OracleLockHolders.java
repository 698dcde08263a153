package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Finds out who holds the locks that our sessions wait for, by V$SESSION, on a connection of its
/// own that is opened when it is first asked. Any thread.
final class OracleLockHolders implements AutoCloseable {

  private final OracleConnections connections;
  private @Nullable Connection aside;
  private boolean over;

  OracleLockHolders(OracleConnections connections) {
    this.connections = connections;
  }

  /// What our sessions wait for, as the end of a sentence; null if for nobody, or the user may not
  /// ask.
  synchronized @Nullable String waitsFor() {
    String ours =
        connections.sessions().stream().map(String::valueOf).collect(Collectors.joining(", "));
    if (over || ours.isEmpty()) {
      return null;
    }
    try {
      Connection open = aside == null ? connections.aside() : aside;
      aside = open;
      List<String> holders = holders(open, ours);
      return holders.isEmpty() ? null : "a lock of " + String.join(" and of ", holders);
    } catch (SQLException | Fault e) {
      LoggerFactory.getLogger(OracleLockHolders.class).debug("the server can't say who blocks", e);
      over = true;
      return null;
    }
  }

  private static List<String> holders(Connection open, String ours) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = open.createStatement()) {
      statement.setQueryTimeout(ViewReader.ANSWER_SECONDS_MAX);
      ResultSet rows =
          statement.executeQuery(
              "SELECT DISTINCT b.sid, b.username, b.program FROM v$session s JOIN v$session b"
                  + " ON b.sid = s.blocking_session WHERE s.sid IN ("
                  + ours
                  + ") ORDER BY b.sid");
      while (rows.next()) {
        String user = rows.getString(2);
        String program = rows.getString(3);
        found.add(
            "the server's session "
                + rows.getLong(1)
                + (user == null ? "" : " (user " + user)
                + (user == null || program == null ? "" : ", " + program.strip())
                + (user == null ? "" : ")"));
      }
    }
    return found;
  }

  /// What waits, which tells who holds the lock if that is known.
  ///
  /// @param own what tells otherwise, and is stopped
  Blockable beside(Blockable own) {
    return new Blockable() {
      @Override
      public @Nullable String waitsFor() {
        String holder = OracleLockHolders.this.waitsFor();
        return holder == null ? own.waitsFor() : holder;
      }

      @Override
      public void cancel() {
        own.cancel();
      }
    };
  }

  @Override
  public synchronized void close() {
    over = true;
    try (Connection _ = aside) {
      aside = null;
    } catch (SQLException e) {
      LoggerFactory.getLogger(OracleLockHolders.class).debug("not closed", e);
    }
  }
}
