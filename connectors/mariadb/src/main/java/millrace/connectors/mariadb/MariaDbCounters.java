package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Counters;
import millrace.spi.ServerWait;
import org.jspecify.annotations.Nullable;

/// The server's own counters, by SHOW GLOBAL STATUS, read on a connection aside. Those of a session
/// are added to the server's when they are asked for, so that nothing has to settle first. What
/// that connection itself has counted is taken off.
final class MariaDbCounters implements Counters {

  private static final int ANSWER_SECONDS_MAX = 5;

  /// Names of what counts up; the rest are sizes, ages and settings.
  private static final Pattern COUNTS =
      Pattern.compile(
          "Bytes_(received|sent)|Com_(commit|delete|insert|load|replace|rollback|select|update)"
              + "|Created_tmp_(disk_)?tables|Handler_(commit|delete|read_.*|rollback|update|write)"
              + "|Innodb_buffer_pool_(read_requests|reads|wait_free|write_requests)"
              + "|Innodb_data_(fsyncs|read|reads|writes|written)"
              + "|Innodb_(log_waits|log_write_requests|log_writes|os_log_written|dblwr_writes)"
              + "|Innodb_pages_(created|read|written)|Innodb_row_lock_(time|waits)"
              + "|Innodb_rows_(deleted|inserted|read|updated)"
              + "|Select_(full_join|scan)|Sort_(merge_passes|rows|scan)|Table_locks_waited"
              + "|Aria_pagecache_(reads|writes)|Key_(reads|writes)");

  /// Those that the server counts for each session.
  private static final Pattern OF_SESSIONS =
      Pattern.compile("(Bytes|Com|Created|Handler|Select|Sort)_.*");

  private final MariaDbConnections connections;
  private @Nullable Connection aside;
  private @Nullable MariaDbWaits waits;
  private String whyNot = "";

  MariaDbCounters(MariaDbConnections connections) {
    this.connections = connections;
    try {
      aside = connections.aside();
    } catch (Fault e) {
      whyNot = "the server's counters: " + e.clause();
    }
  }

  @Override
  public Reading read() {
    Connection open = aside;
    if (open == null) {
      return new Reading(List.of(), List.of(whyNot));
    }
    try (Statement statement = open.createStatement()) {
      statement.setQueryTimeout(ANSWER_SECONDS_MAX);
      Map<String, Long> ours = counts(statement, "SHOW SESSION STATUS");
      ours.keySet().removeIf(name -> !OF_SESSIONS.matcher(name).matches());
      List<Count> counts = new ArrayList<>();
      counts(statement, "SHOW GLOBAL STATUS")
          .forEach((name, value) ->
              counts.add(
                  new Count("status", name, Scope.SERVER, value - ours.getOrDefault(name, 0L))));
      return new Reading(counts, List.of());
    } catch (SQLException e) {
      return new Reading(
          List.of(),
          List.of(
              "the server's counters: "
                  + MariaDbFaults.TABLE.of(e, "SHOW GLOBAL STATUS").clause()));
    }
  }

  private static Map<String, Long> counts(Statement statement, String sql) throws SQLException {
    Map<String, Long> counts = new LinkedHashMap<>();
    ResultSet rows = statement.executeQuery(sql);
    while (rows.next()) {
      String name = rows.getString(1);
      String value = rows.getString(2);
      if (COUNTS.matcher(name).matches() && value.matches("\\d{1,18}")) {
        counts.put(name, Long.parseLong(value));
      }
    }
    return counts;
  }

  @Override
  public List<ServerWait> waits() {
    Connection open = aside;
    Set<Long> threads = connections.threads();
    if (open == null || threads.isEmpty()) {
      return List.of();
    }
    try {
      MariaDbWaits requested = waits == null ? new MariaDbWaits(open, ANSWER_SECONDS_MAX) : waits;
      waits = requested;
      return requested.of(threads);
    } catch (SQLException e) {
      throw MariaDbFaults.TABLE.of(e, "what the server waits for");
    }
  }

  @Override
  public void close() {
    try (Connection _ = aside) {
      aside = null;
    } catch (SQLException e) {
      org.slf4j.LoggerFactory.getLogger(MariaDbCounters.class).debug("not closed", e);
    }
  }
}
