package millrace.connectors.mariadb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Asks who holds the locks that our connections wait for.
final class MariaDbBlockers {

  private static final String HOLDER =
      "SELECT DISTINCT b.trx_mysql_thread_id, p.user, b.trx_started"
          + " FROM information_schema.innodb_trx b LEFT JOIN information_schema.processlist p"
          + " ON p.id = b.trx_mysql_thread_id ";

  /// Locks of rows.
  private static final String OF_ROWS_MARIADB =
      HOLDER
          + "JOIN information_schema.innodb_lock_waits w ON w.blocking_trx_id = b.trx_id"
          + " JOIN information_schema.innodb_trx r ON r.trx_id = w.requesting_trx_id"
          + " WHERE r.trx_mysql_thread_id IN (%s)";

  private static final String OF_ROWS_MYSQL =
      HOLDER
          + "JOIN performance_schema.data_lock_waits w"
          + " ON w.blocking_engine_transaction_id = b.trx_id"
          + " JOIN information_schema.innodb_trx r"
          + " ON r.trx_id = w.requesting_engine_transaction_id"
          + " WHERE r.trx_mysql_thread_id IN (%s)";

  /// MySQL tells who holds locks of tables.
  private static final String OF_TABLES_MYSQL =
      "SELECT DISTINCT t.processlist_id, t.processlist_user, x.trx_started"
          + " FROM performance_schema.metadata_locks w"
          + " JOIN performance_schema.threads o ON o.thread_id = w.owner_thread_id"
          + " JOIN performance_schema.metadata_locks g ON g.object_type = w.object_type"
          + " AND g.object_schema = w.object_schema AND g.object_name = w.object_name"
          + " AND g.lock_status = 'GRANTED' AND g.owner_thread_id <> w.owner_thread_id"
          + " JOIN performance_schema.threads t ON t.thread_id = g.owner_thread_id"
          + " LEFT JOIN information_schema.innodb_trx x"
          + " ON x.trx_mysql_thread_id = t.processlist_id"
          + " WHERE w.lock_status = 'PENDING' AND o.processlist_id IN (%1$s)"
          + " AND t.processlist_id NOT IN (%1$s)";

  /// MariaDB does not: one of the transactions that have changed something.
  private static final String OF_TABLES_MARIADB =
      HOLDER + "WHERE b.trx_rows_modified > 0 AND b.trx_mysql_thread_id NOT IN (%s) ORDER BY 3";

  private static final String STATES =
      "SELECT state FROM information_schema.processlist WHERE state LIKE 'Waiting for%lock%'"
          + " AND id IN (%s)";

  private MariaDbBlockers() {}

  /// What connections wait for, as the end of a sentence; null if for nobody.
  ///
  /// @param ours their numbers, with commas between them
  static @Nullable String waitsFor(Statement statement, String ours, boolean isMariaDb)
      throws SQLException {
    List<String> states = query(statement, STATES.replace("%s", ours));
    List<String> holders =
        query(statement, (isMariaDb ? OF_ROWS_MARIADB : OF_ROWS_MYSQL).formatted(ours));
    if (holders.isEmpty() && !states.isEmpty()) {
      holders = query(statement, (isMariaDb ? OF_TABLES_MARIADB : OF_TABLES_MYSQL).formatted(ours));
    }
    if (holders.isEmpty()) {
      return states.isEmpty() ? null : "a lock that others hold (" + states.getFirst() + ")";
    }
    return "a lock of "
        + String.join(isMariaDb && !states.isEmpty() ? " or of " : " and of ", holders);
  }

  /// Empty if the user may not ask for that.
  private static List<String> query(Statement statement, String sql) throws SQLException {
    List<String> found = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      boolean isState = rows.getMetaData().getColumnCount() == 1;
      while (rows.next()) {
        found.add(isState ? rows.getString(1) : words(rows));
      }
    } catch (java.sql.SQLSyntaxErrorException e) {
      LoggerFactory.getLogger(MariaDbBlockers.class).debug("no right to ask who blocks", e);
    }
    return found;
  }

  private static String words(ResultSet row) throws SQLException {
    String user = row.getString(2);
    String since = row.getString(3);
    return "the server's connection "
        + row.getString(1)
        + (user == null ? "" : " (user " + user + ")")
        + (since == null ? "" : ", whose transaction began at " + since + " UTC");
  }
}
