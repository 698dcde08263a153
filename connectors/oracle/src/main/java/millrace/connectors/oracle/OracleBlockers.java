package millrace.connectors.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Asks who holds the locks that our sessions wait for, by V$SESSION.
final class OracleBlockers {

  private OracleBlockers() {}

  /// What sessions wait for, as the end of a sentence; null if for nobody. Those of other instances
  /// than the one that is asked are left out.
  static @Nullable String waitsFor(Statement statement, Set<OracleSession> ours)
      throws SQLException {
    long instance = OracleSession.of(statement.getConnection()).instance();
    Set<OracleSession> here = OracleSession.of(instance, ours);
    if (here.isEmpty()) {
      return null;
    }
    List<String> holders = new ArrayList<>();
    ResultSet rows =
        statement.executeQuery(
            "SELECT DISTINCT s.blocking_session, s.blocking_instance, b.username, b.program FROM"
                + " v$session s LEFT JOIN v$session b ON b.sid = s.blocking_session AND"
                + " s.blocking_instance = "
                + instance
                + " WHERE s.blocking_session IS NOT NULL AND "
                + OracleSession.among(here, "s")
                + " ORDER BY 1");
    while (rows.next()) {
      String user = rows.getString(3);
      String program = rows.getString(4);
      boolean isFar = rows.getLong(2) != instance;
      holders.add(
          "the server's session "
              + rows.getLong(1)
              + (isFar ? " of instance " + rows.getLong(2) : "")
              + (user == null ? "" : " (user " + user)
              + (user == null || program == null ? "" : ", " + program.strip())
              + (user == null ? "" : ")"));
    }
    return holders.isEmpty() ? null : "a lock of " + String.join(" and of ", holders);
  }
}
