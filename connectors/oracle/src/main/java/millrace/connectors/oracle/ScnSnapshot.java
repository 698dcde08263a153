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
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.catalog.SharedSnapshot.Held;
import org.jspecify.annotations.Nullable;

/// Connections that read a table as it was at one moment, by its number (SCN): no transaction stays
/// open, and more connections can join at any time.
final class ScnSnapshot implements SnapshotConnections {

  /// The parameter that tells a source the number of the state that it reads.
  static final String NUMBER = "scn";

  /// No number is told: the state is that of now.
  static final long NOW = -1;

  /// The first that the user may ask gives the number.
  private static final List<String> NUMBER_NOW =
      List.of(
          "SELECT DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER FROM DUAL",
          "SELECT current_scn FROM v$database");

  private final SqlDatabase database;
  private final int lobSize;
  private final String asOf;
  private final List<@Nullable SqlSession> sessions = new ArrayList<>();

  /// @param first is open; it stays open
  /// @param scn the number of the state; {@link #NOW} to ask for it
  /// @param lobSize how much of a LOB comes with its row
  ScnSnapshot(SqlDatabase database, SqlSession first, long scn, int lobSize) {
    this.database = database;
    this.lobSize = lobSize;
    OracleLobs.fetchAlong(first, lobSize);
    sessions.add(first);
    asOf = clause(scn == NOW ? first.run(ScnSnapshot::now) : scn);
  }

  private static String clause(long scn) {
    return " AS OF SCN " + scn;
  }

  /// The number that the user gives.
  ///
  /// @throws Fault.User if it is none, or a query is read
  static long given(Endpoint endpoint) {
    String text = endpoint.text(NUMBER).orElse("");
    if (text.isEmpty()) {
      return NOW;
    }
    if (!text.matches("\\d{1,18}") || endpoint.text("query").isPresent()) {
      throw new Fault.User(
          endpoint.label() + ": scn=" + text.replaceAll("\\p{Cntrl}", "?") + " can't be read.",
          "Write the number of a state, and name a table. In a query, write AS OF SCN behind each"
              + " table.");
    }
    return Long.parseLong(text);
  }

  /// The state as it is now, for several tables.
  ///
  /// @param tables what each end names as SQL has it; empty if it names no table
  static Held take(SqlSession session, List<Endpoint> ends, List<String> tables) {
    return session.run(connection -> {
      long scn;
      try {
        scn = now(connection);
      } catch (SQLException e) {
        return Held.none(ends, told(e, "GRANT EXECUTE ON DBMS_FLASHBACK TO the user"));
      }
      List<@Nullable Endpoint> reading = new ArrayList<>();
      String whyNot = "";
      for (int i = 0; i < ends.size(); i++) {
        Endpoint end = ends.get(i);
        String why =
            tables.get(i).isEmpty()
                ? "a query reads its own state"
                : refusal(connection, tables.get(i), scn);
        whyNot = whyNot.isEmpty() ? why : whyNot;
        boolean isTold = end.text(NUMBER).isPresent();
        reading.add(!why.isEmpty() ? null : isTold ? end : end.with(NUMBER, Long.toString(scn)));
      }
      return new Held(reading, whyNot, () -> {});
    });
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
  /// @param scn the moment; {@link #NOW} to ask for its number
  static String refusal(SqlSession session, String table, long scn) {
    return session.run(connection -> {
      long asked;
      try {
        asked = scn == NOW ? now(connection) : scn;
      } catch (SQLException e) {
        return told(e, "GRANT EXECUTE ON DBMS_FLASHBACK TO the user");
      }
      return refusal(connection, table, asked);
    });
  }

  private static String refusal(Connection connection, String table, long scn) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT 1 FROM " + table + clause(scn) + " WHERE ROWNUM = 1").close();
      return "";
    } catch (SQLException e) {
      return told(e, "GRANT FLASHBACK ON " + table + " TO the user");
    }
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
      OracleLobs.fetchAlong(known, lobSize);
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
