package millrace.connectors.postgres;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.postgres.net.SessionSettings;
import millrace.fault.Fault;
import millrace.spi.Counters;
import millrace.spi.ServerWait;
import org.jspecify.annotations.Nullable;

/// What crosses the connections of one end, and the server's own cumulative statistics
/// (https://www.postgresql.org/docs/current/monitoring-stats.html), read on a connection aside.
///
/// The server adds up what a process did now and then, or if the process is requested to report it.
/// PostgreSQL 15 and later can be: a connection does so before it is closed, and the one that is
/// still open before a reading. Nothing is waited for: figures that would lack something are left
/// out.
///
/// If a lane needs that connection, nothing more is read.
public final class PostgresCounters implements Counters {

  private static final int WAL_SINCE = 140_000;
  private static final int IO_SINCE = 160_000;
  private static final int CHECKPOINTER_SINCE = 170_000;

  /// A statement that gives one row of counters.
  ///
  /// @param sinceVersion of the server that has it
  /// @param reported whether processes report what it counts now and then
  private record View(String group, Scope scope, int sinceVersion, boolean reported, String sql) {}

  private static final List<View> VIEWS =
      List.of(
          new View(
              "pg_stat_database",
              Scope.DATABASE,
              0,
              true,
              "SELECT * FROM pg_catalog.pg_stat_database"
                  + " WHERE datname = pg_catalog.current_database()"),
          new View(
              "pg_stat_wal", Scope.SERVER, WAL_SINCE, true, "SELECT * FROM pg_catalog.pg_stat_wal"),
          new View(
              "pg_stat_io",
              Scope.SERVER,
              IO_SINCE,
              true,
              "SELECT sum(reads) AS reads, sum(writes) AS writes, sum(writebacks) AS writebacks,"
                  + " sum(extends) AS extends, sum(hits) AS hits, sum(evictions) AS evictions,"
                  + " sum(fsyncs) AS fsyncs FROM pg_catalog.pg_stat_io"),
          new View(
              "pg_stat_bgwriter",
              Scope.SERVER,
              0,
              false,
              "SELECT * FROM pg_catalog.pg_stat_bgwriter"),
          new View(
              "pg_stat_checkpointer",
              Scope.SERVER,
              CHECKPOINTER_SINCE,
              false,
              "SELECT * FROM pg_catalog.pg_stat_checkpointer"));

  /// Numbers among them that do not count up.
  private static final Set<String> NO_COUNTERS = Set.of("datid", "numbackends");

  /// PostgreSQL itself warns of those that come within 30 s (checkpoint_warning).
  private static final Counters.Alarm EARLY_CHECKPOINTS =
      new Counters.Alarm(
          2,
          "checkpoints before their time",
          "mostly since the log had reached max_wal_size, and a larger max_wal_size would help");

  private static final Map<String, Counters.Alarm> ALARMS =
      Map.of(
          "pg_stat_bgwriter.checkpoints_req", EARLY_CHECKPOINTS,
          "pg_stat_checkpointer.num_requested", EARLY_CHECKPOINTS);

  /// Nobody waits for figures of a network that has gone silent.
  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);

  private static final String GIVEN_WAY =
      "the server's counters and waits: the server allows few connections, and a lane needed the"
          + " one that asks for them";

  private static final String REPORTED = "pg_stat_database, pg_stat_wal and pg_stat_io: ";

  private static final String OLD =
      "pg_stat_database and pg_stat_wal: only PostgreSQL 15 and later says in time what a"
          + " connection did";

  private static final String LATE =
      REPORTED + "the server has not yet added up what a connection did that was lost or stopped";

  private static final String STATEMENTS = "pg_stat_statements";

  private final ConnectionFactory connectionFactory;
  private final Session open;
  private @Nullable Session aside;
  private @Nullable PostgresWaits waits;
  private String whyNot = "";

  /// Why what processes report lacks something; empty if it does not.
  private String unreported = "";

  /// @param open the connection that the end keeps open while it is counted
  public PostgresCounters(ConnectionFactory connectionFactory, Session open) {
    this.connectionFactory = connectionFactory;
    this.open = open;
    try {
      aside = connectionFactory.aside();
    } catch (Fault e) {
      whyNot = "the server's counters: " + e.clause();
    }
  }

  @Override
  public Reading read() {
    List<Count> counts = new ArrayList<>(connectionFactory.wire().counts());
    Session from = aside;
    if (from == null) {
      return new Reading(counts, List.of(whyNot));
    }
    List<String> missing = new ArrayList<>();
    from.within(ANSWERS_WITHIN, () -> read(from, counts, missing));
    if (from.isTakenAway()) {
      return new Reading(connectionFactory.wire().counts(), List.of(GIVEN_WAY));
    }
    return new Reading(counts, missing);
  }

  @Override
  public List<ServerWait> waits() {
    Session from = aside;
    Set<Integer> pids = connectionFactory.backends();
    if (from == null || pids.isEmpty()) {
      return List.of();
    }
    List<ServerWait> seen = new ArrayList<>();
    from.within(
        ANSWERS_WITHIN,
        () -> {
          PostgresWaits requested = waits == null ? new PostgresWaits(from, open.process()) : waits;
          waits = requested;
          seen.addAll(requested.of(pids));
        });
    return seen;
  }

  private void read(Session from, List<Count> counts, List<String> missing) {
    endWaits(missing);
    report(from);
    if (!unreported.isEmpty()) {
      missing.add(unreported);
    }
    Stream.concat(VIEWS.stream(), statements(from, missing).stream())
        .filter(view -> from.version() >= view.sinceVersion())
        .filter(view -> unreported.isEmpty() || !view.reported())
        .forEach(view -> read(from, view, counts, missing));
  }

  private static void read(Session from, View view, List<Count> counts, List<String> missing) {
    try {
      from.query(view.sql(), row -> counts(view, row)).forEach(counts::addAll);
    } catch (Fault e) {
      missing.add(view.group() + ": " + e.clause());
    }
  }

  /// The columns that are numbers; times are milliseconds there.
  private static List<Count> counts(View view, ResultSet row) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    List<Count> counts = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      boolean isNumber =
          switch (columns.getColumnType(i)) {
            case Types.BIGINT, Types.INTEGER, Types.DOUBLE, Types.NUMERIC -> true;
            default -> false;
          };
      String name = columns.getColumnLabel(i);
      if (isNumber && !NO_COUNTERS.contains(name)) {
        counts.add(
            new Count(
                view.group(),
                name,
                view.scope(),
                Math.round(row.getDouble(i)),
                ALARMS.get(view.group() + "." + name)));
      }
    }
    return counts;
  }

  /// The extension that counts statements, in whatever schema, if it is there.
  private static List<View> statements(Session from, List<String> missing) {
    try {
      return from.query(
          "SELECT n.nspname FROM pg_catalog.pg_extension e"
              + " JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = ?",
          row ->
              new View(
                  STATEMENTS,
                  Scope.DATABASE,
                  0,
                  false,
                  "SELECT sum(calls) AS calls, sum(rows) AS rows FROM "
                      + PostgresSql.name(row.getString(1))
                      + "."
                      + STATEMENTS
                      + " WHERE query NOT LIKE '%"
                      + PostgresWaits.FUNCTION
                      + "%' AND dbid = (SELECT oid FROM pg_catalog.pg_database"
                      + " WHERE datname = pg_catalog.current_database())"),
          STATEMENTS);
    } catch (Fault e) {
      missing.add(STATEMENTS + ": " + e.clause());
      return List.of();
    }
  }

  private void endWaits(List<String> missing) {
    PostgresWaits requested = waits;
    waits = null;
    try {
      if (requested != null) {
        requested.end();
      }
    } catch (Fault e) {
      missing.add("what the server's processes wait for: " + e.clause());
    }
  }

  /// Has the processes of the open connection and of this one report what they did, and finds out
  /// whether all others have.
  private void report(Session looking) {
    if (looking.version() < SessionSettings.REPORTS_SINCE) {
      unreported = OLD;
      return;
    }
    try {
      if (!open.isInTransaction() && !open.isCancelled() && !open.isClosed()) {
        open.within(ANSWERS_WITHIN, () -> open.execute("SELECT " + SessionSettings.REPORT));
      }
      looking.execute("SELECT " + SessionSettings.REPORT);
      if (isUnreported(looking)) {
        unreported = LATE;
      }
    } catch (Fault e) {
      unreported = REPORTED + e.clause();
    }
  }

  /// Whether there is still a process of a connection that was lost or stopped: it reports last.
  private boolean isUnreported(Session looking) {
    String others =
        connectionFactory.unreported().stream()
            .filter(pid -> pid != open.process())
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    return !others.isEmpty()
        && looking.one(
            "SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE pid IN (" + others + ")",
            row -> row.getInt(1) > 0);
  }

  @Override
  public void close() {
    if (aside != null) {
      aside.close();
    }
  }
}
