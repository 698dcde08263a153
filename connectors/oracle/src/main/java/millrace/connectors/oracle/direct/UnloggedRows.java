package millrace.connectors.oracle.direct;

import java.util.List;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.fault.Fault;
import millrace.spi.write.Landing;

/// Rows that direct path leaves out of the redo log, so that neither a restore nor a standby has
/// them.
final class UnloggedRows {

  private static final String OF_TABLE =
      "SELECT 1 FROM (SELECT owner, table_name, logging, tablespace_name FROM all_tables"
          + " UNION ALL SELECT table_owner, table_name, logging, tablespace_name"
          + " FROM all_tab_partitions"
          + " UNION ALL SELECT table_owner, table_name, logging, tablespace_name"
          + " FROM all_tab_subpartitions) t"
          + " LEFT JOIN user_tablespaces s ON s.tablespace_name = t.tablespace_name"
          + " WHERE t.owner = ? AND t.table_name = ? AND t.logging = 'NO'"
          + " AND (s.force_logging IS NULL OR s.force_logging = 'NO') AND ROWNUM = 1";

  /// A new table is as its tablespace is.
  private static final String OF_NEW =
      "SELECT 1 FROM user_users u JOIN user_tablespaces s"
          + " ON s.tablespace_name = u.default_tablespace"
          + " WHERE u.username = ? AND s.logging = 'NOLOGGING' AND s.force_logging = 'NO'";

  private UnloggedRows() {}

  /// What the user should know of it; nothing if all rows are logged. Staged rows that are inserted
  /// are.
  static List<String> notes(SqlLoad load, SqlSession session) {
    TableName table = load.table();
    boolean isNew = load.makes() || load.landing().place() == Landing.Place.SWAP;
    boolean isUnlogged =
        !load.landing().addsStaged()
            && !(isNew
                    ? session.query(OF_NEW, row -> row.getInt(1), table.schema())
                    : session.query(OF_TABLE, row -> row.getInt(1), table.schema(), table.name()))
                .isEmpty();
    return isUnlogged && !isForced(session)
        ? List.of(
            (isNew ? "the tablespace" : "the table, or a partition of it,")
                + " is NOLOGGING: rows that go by direct path are in no backup of before and on no"
                + " standby, unless the database has FORCE LOGGING. Back its files up after the"
                + " copy")
        : List.of();
  }

  private static boolean isForced(SqlSession session) {
    try {
      return session
          .query("SELECT force_logging FROM v$database", row -> row.getString(1))
          .contains("YES");
    } catch (Fault.User _) {
      return false;
    }
  }
}
