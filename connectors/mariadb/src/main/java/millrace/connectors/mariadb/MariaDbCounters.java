package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Counters;
import org.jspecify.annotations.Nullable;

/// The server's own counters, by SHOW GLOBAL STATUS, read on a connection aside. Those of a session
/// are added to the server's when they are asked for, so that nothing has to settle first.
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

  private @Nullable Connection aside;
  private String whyNot = "";

  MariaDbCounters(MariaDbConnections connections) {
    try {
      aside = connections.open(false);
    } catch (Fault e) {
      whyNot = "the server's counters: " + e.clause();
    }
  }

  @Override
  public Reading read() {
    Connection open = aside;
    List<Count> counts = new ArrayList<>();
    if (open == null) {
      return new Reading(counts, List.of(whyNot));
    }
    try (Statement statement = open.createStatement()) {
      statement.setQueryTimeout(ANSWER_SECONDS_MAX);
      ResultSet rows = statement.executeQuery("SHOW GLOBAL STATUS");
      while (rows.next()) {
        String name = rows.getString(1);
        String value = rows.getString(2);
        if (COUNTS.matcher(name).matches() && value.matches("\\d{1,18}")) {
          counts.add(new Count("status", name, Scope.SERVER, Long.parseLong(value)));
        }
      }
      return new Reading(counts, List.of());
    } catch (SQLException e) {
      return new Reading(
          counts,
          List.of(
              "the server's counters: "
                  + MariaDbFaults.TABLE.of(e, "SHOW GLOBAL STATUS").clause()));
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
