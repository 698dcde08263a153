package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import millrace.connectors.oracle.ViewReader.Row;
import millrace.spi.Counters;
import millrace.spi.ServerWait;

/// What the driver counts, and the server, which is asked on a connection aside: V$SESSTAT of the
/// sessions of this end alone, and of the whole server latches, checkpoints and switches of the
/// log.
///
/// A session's figures are read when it ends, since the server forgets them then. Each view that
/// the user may not see is named with the GRANT that opens it.
final class OracleCounters implements Counters {

  private static final String OF_SESSIONS = "V$SESSTAT";

  /// Names of what counts up for a session, by V$STATNAME, in the order in which they are shown.
  private static final List<String> SESSION_NAMES =
      List.of(
          "SQL*Net roundtrips to/from client",
          "bytes sent via SQL*Net to client",
          "bytes received via SQL*Net from client",
          "execute count",
          "user calls",
          "user commits",
          "user rollbacks",
          "parse count (total)",
          "parse count (hard)",
          "redo size",
          "redo entries",
          "redo synch writes",
          "undo change vector size",
          "db block changes",
          "db block gets",
          "db block gets from cache",
          "consistent gets",
          "session logical reads",
          "physical reads",
          "physical reads direct",
          "physical writes direct",
          "physical writes direct (lob)",
          "physical write total bytes",
          "redo size for direct writes",
          "table scan rows gotten",
          "lob reads",
          "lob writes",
          "enqueue waits",
          "CPU used by this session",
          "DB time");

  private static final List<String> SERVER_NAMES =
      List.of(
          "background checkpoints started",
          "background checkpoints completed",
          "DBWR checkpoints",
          "DBWR undo block writes",
          "redo log space requests");

  private static final List<String> LATCHES =
      List.of("cache buffers chains", "checkpoint queue latch", "redo allocation", "shared pool");

  /// Figures of the whole server.
  ///
  /// @param view which may be closed to the user
  /// @param sql gives names and values
  private record View(String view, String sql) {}

  private static final List<View> OF_SERVER =
      List.of(
          new View(
              "V$LATCH",
              "SELECT name, gets, 0 FROM v$latch WHERE name IN (" + quoted(LATCHES) + ")"),
          new View(
              "V$SYSSTAT",
              "SELECT name, value, 0 FROM v$sysstat WHERE name IN (" + quoted(SERVER_NAMES) + ")"),
          // No statistic counts them: each gives the log the next number.
          new View("V$THREAD", "SELECT 'log switches', SUM(sequence#), 0 FROM v$thread"));

  private final OracleConnections connections;
  private final ViewReader views;
  private final Map<String, Long> ended = new TreeMap<>();
  private final Set<OracleSession> lost = new LinkedHashSet<>();

  OracleCounters(OracleConnections connections) {
    this.connections = connections;
    views = ViewReader.open(connections);
    connections.watchEnds(this::ends);
  }

  private static String quoted(List<String> names) {
    return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
  }

  @Override
  public synchronized Reading read() {
    List<Count> counts = new ArrayList<>(connections.counts().counts());
    if (!views.whyNot().isEmpty()) {
      return new Reading(counts, List.of(views.whyNot()));
    }
    Map<String, Long> counters = new TreeMap<>(ended);
    Set<OracleSession> open = connections.sessions();
    List<Row> rows = ofSessions(open);
    rows.forEach(row -> counters.merge(row.name(), row.value(), Long::sum));
    open.stream()
        .filter(each ->
            rows.stream().noneMatch(row -> row.id() == 1_000_000 * each.sid() + each.serial()))
        .forEach(lost::add);
    for (String name : SESSION_NAMES) {
      Long value = counters.get(name);
      if (value != null) {
        counts.add(new Count(OF_SESSIONS, name, Scope.RUN, value));
      }
    }
    for (View view : OF_SERVER) {
      for (Row row : views.rows(view.view, List.of(), view.sql)) {
        counts.add(new Count(view.view, row.name(), Scope.SERVER, row.value()));
      }
    }
    return new Reading(counts, missing());
  }

  private List<String> missing() {
    List<String> missing = new ArrayList<>(views.missing());
    if (!lost.isEmpty() && !views.isClosed(OF_SESSIONS)) {
      missing.add(
          OF_SESSIONS
              + ": what sessions did that ended before they could be asked, or are on another"
              + " instance than the one that is asked ("
              + lost.stream()
                  .map(each -> each.sid() + " of instance " + each.instance())
                  .collect(Collectors.joining(", "))
              + ")");
    }
    return missing;
  }

  private List<Row> ofSessions(Set<OracleSession> sessions) {
    if (sessions.isEmpty()) {
      return List.of();
    }
    String sql =
        "SELECT n.name, s.value, 1000000 * v.sid + v.serial# FROM v$sesstat s JOIN v$statname n"
            + " ON n.statistic# = s.statistic# JOIN v$session v ON v.sid = s.sid WHERE n.name IN ("
            + quoted(SESSION_NAMES)
            + ") AND "
            + OracleSession.among(sessions, "v");
    return views.rows(OF_SESSIONS, List.of("V$STATNAME", OracleWaits.VIEW), sql);
  }

  /// A lane's thread is about to close a connection.
  private synchronized void ends(OracleSession session) {
    List<Row> rows = ofSessions(Set.of(session));
    rows.forEach(row -> ended.merge(row.name(), row.value(), Long::sum));
    if (rows.isEmpty()) {
      lost.add(session);
    }
  }

  @Override
  public synchronized List<ServerWait> waits() {
    Connection aside = views.connection();
    Set<OracleSession> sessions = connections.sessions();
    if (aside == null || sessions.isEmpty() || views.isClosed(OracleWaits.VIEW)) {
      return List.of();
    }
    try {
      return OracleWaits.of(aside, sessions);
    } catch (SQLException e) {
      if (views.isClosedBy(OracleWaits.VIEW, e)) {
        return List.of();
      }
      throw OracleFaults.TABLE.of(e, "what the server waits for");
    }
  }

  @Override
  public void close() {
    connections.watchEnds(_ -> {});
    synchronized (this) {
      views.close();
    }
  }
}
