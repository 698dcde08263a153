package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import org.jspecify.annotations.Nullable;

/// Connections that read a table as it was at one moment, by its number (SCN): no transaction stays
/// open, and more connections can join at any time.
final class ScnSnapshot implements SnapshotConnections {

  /// The first that the user may ask gives the number.
  private static final List<String> NUMBER_NOW =
      List.of(
          "SELECT DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER FROM DUAL",
          "SELECT current_scn FROM v$database");

  private final SqlDatabase database;
  private final String asOf;
  private final List<@Nullable SqlSession> sessions = new ArrayList<>();

  /// @param first is open; it stays open
  ScnSnapshot(SqlDatabase database, SqlSession first) {
    this.database = database;
    sessions.add(first);
    asOf = " AS OF SCN " + first.run(ScnSnapshot::now);
  }

  private static long now(Connection connection) throws SQLException {
    @Nullable SQLException refused = null;
    for (String query : NUMBER_NOW) {
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(query)) {
        row.next();
        return row.getLong(1);
      } catch (SQLException e) {
        if (OracleFaults.TABLE.kind(e) != SqlFaults.Kind.USER) {
          throw e;
        }
        refused = e;
      }
    }
    throw refused == null ? new SQLException("no query gives the SCN") : refused;
  }

  /// Why a table can't be read as of a moment, as the end of a sentence; empty if it can.
  ///
  /// @param table as SQL names it
  static String refusal(SqlSession session, String table) {
    return session.run(connection -> {
      long scn;
      try {
        scn = now(connection);
      } catch (SQLException e) {
        return told(e, "GRANT EXECUTE ON DBMS_FLASHBACK TO the user");
      }
      try (Statement statement = connection.createStatement()) {
        statement
            .executeQuery("SELECT 1 FROM " + table + " AS OF SCN " + scn + " WHERE ROWNUM = 1")
            .close();
        return "";
      } catch (SQLException e) {
        return told(e, "GRANT FLASHBACK ON " + table + " TO the user");
      }
    });
  }

  private static String told(SQLException e, String grant) throws SQLException {
    if (OracleFaults.TABLE.kind(e) != SqlFaults.Kind.USER) {
      throw e;
    }
    return "several connections see one state only if the user may read as of one ("
        + grant
        + "): "
        + OracleFaults.TABLE.sentence(e).replaceFirst("\\.$", "");
  }

  @Override
  public String asOf() {
    return asOf;
  }

  @Override
  public synchronized SqlSession lane(int number) {
    while (sessions.size() <= number) {
      sessions.add(null);
    }
    SqlSession known = sessions.get(number);
    if (known == null) {
      known = java.util.Objects.requireNonNull(sessions.getFirst()).beside(database);
      sessions.set(number, known);
    }
    return known;
  }

  @Override
  public synchronized void close() {
    for (SqlSession other : sessions.subList(1, sessions.size())) {
      if (other != null) {
        other.close();
      }
    }
  }
}
