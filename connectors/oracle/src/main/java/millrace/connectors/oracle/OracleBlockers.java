package millrace.connectors.oracle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks who holds the locks that our sessions wait for, by V$SESSION.
final class OracleBlockers {

  private OracleBlockers() {}

  /// What sessions wait for, as the end of a sentence; null if for nobody.
  ///
  /// @param ours their numbers, with commas between them
  static @Nullable String waitsFor(Statement statement, String ours) throws SQLException {
    List<String> holders = new ArrayList<>();
    ResultSet rows =
        statement.executeQuery(
            "SELECT DISTINCT b.sid, b.username, b.program FROM v$session s JOIN v$session b"
                + " ON b.sid = s.blocking_session WHERE s.sid IN ("
                + ours
                + ") ORDER BY b.sid");
    while (rows.next()) {
      String user = rows.getString(2);
      String program = rows.getString(3);
      holders.add(
          "the server's session "
              + rows.getLong(1)
              + (user == null ? "" : " (user " + user)
              + (user == null || program == null ? "" : ", " + program.strip())
              + (user == null ? "" : ")"));
    }
    return holders.isEmpty() ? null : "a lock of " + String.join(" and of ", holders);
  }
}
