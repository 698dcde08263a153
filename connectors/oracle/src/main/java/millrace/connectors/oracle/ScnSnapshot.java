package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
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

  /// How the server refuses a table of which a DDL came after the state, or just before it: it
  /// knows when a state was no finer than to some seconds.
  private static final int JUST_CHANGED = 1466;

  /// So many seconds are waited for a state that the server takes for one after the DDL.
  private static final int WAITS = 10;

  private final SqlDatabase database;
  private final int lobSize;
  private final String asOf;
  private final SqlSession first;
  private final Map<Integer, SqlSession> others = new HashMap<>();

  /// @param first is open; it stays open
  /// @param scn the number of the state; {@link #NOW} to ask for it
  /// @param lobSize how much of a LOB comes with its row
  ScnSnapshot(SqlDatabase database, SqlSession first, long scn, int lobSize) {
    this.database = database;
    this.lobSize = lobSize;
    OracleLobs.fetchAlong(first, lobSize);
    this.first = first;
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
      AtomicLong moment = new AtomicLong(NOW);
      List<String> why = new ArrayList<>();
      for (String table : tables) {
        // A later state will do as well for those that were looked at before.
        why.add(
            table.isEmpty()
                ? "a query reads its own state"
                : refusal(session, connection, table, moment, WAITS));
      }
      List<@Nullable Endpoint> reading = new ArrayList<>();
      for (int i = 0; i < ends.size(); i++) {
        Endpoint end = ends.get(i);
        boolean isReported = end.text(NUMBER).isPresent();
        reading.add(
            !why.get(i).isEmpty() ? null : isReported ? end : end.with(NUMBER, moment.toString()));
      }
      why.removeIf(String::isEmpty);
      return new Held(reading, why.isEmpty() ? "" : why.getFirst(), () -> {});
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
    int waits = scn == NOW ? WAITS : 0;
    return session.run(
        connection -> refusal(session, connection, table, new AtomicLong(scn), waits));
  }

  /// The same.
  ///
  /// @param moment is asked for anew as often as may be waited while a DDL is too near
  private static String refusal(
      SqlSession session, Connection connection, String table, AtomicLong moment, int waits)
      throws SQLException {
    for (int waited = 0; ; waited++) {
      String grant = "EXECUTE ON DBMS_FLASHBACK";
      try (Statement statement = connection.createStatement()) {
        if (moment.get() == NOW || waited > 0) {
          moment.set(now(connection));
        }
        grant = "FLASHBACK ON " + table;
        String from = " FROM " + table + clause(moment.get());
        statement.executeQuery("SELECT 1" + from + " WHERE ROWNUM = 1").close();
        return "";
      } catch (SQLException e) {
        if (e.getErrorCode() != JUST_CHANGED || waits == 0) {
          return explained(e, grant);
        }
        if (waited == waits) {
          return "for %d s a DDL on %s was too near to read it as of a moment (a GRANT and a TRUNCATE are DDL, too): %s"
              .formatted(waits, table, sentence(e));
        }
      }
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
      session.stopIfCancelled();
    }
  }

  private static String explained(SQLException e, String grant) throws SQLException {
    if (OracleFaults.TABLE.kind(e) != SqlFaults.Kind.USER) {
      throw e;
    }
    return "several connections see one state only if the user may read as of one (GRANT %s TO the user): %s"
        .formatted(grant, sentence(e));
  }

  private static String sentence(SQLException e) {
    return OracleFaults.TABLE.sentence(e).replaceFirst("\\.$", "");
  }

  @Override
  public String asOf() {
    return asOf;
  }

  @Override
  public synchronized SqlSession lane(int number) {
    return number == 0
        ? first
        : others.computeIfAbsent(
            number,
            _ -> {
              SqlSession other = first.additional(database);
              OracleLobs.fetchAlong(other, lobSize);
              return other;
            });
  }

  @Override
  public synchronized void close() {
    others.values().forEach(SqlSession::close);
  }
}
