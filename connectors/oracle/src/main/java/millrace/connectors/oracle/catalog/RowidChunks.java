package millrace.connectors.oracle.catalog;

import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.Cut.RangeSize;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;

/// Cuts a table by where its rows lie: each range of rowids is read from its own blocks, and no
/// index is needed.
///
/// The server itself cuts it (DBMS_PARALLEL_EXECUTE), for which no right is needed beyond reading
/// the table. Rows that come later lie in the last range, or in one of the others.
final class RowidChunks {

  private static final long BLOCK_BYTES = 8_192;

  private static final String DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  private RowidChunks() {}

  /// Why the server does not cut tables for this user, as a clause; empty if it does. Only a try
  /// tells: the package may be taken from PUBLIC, and a database that is read only keeps no task.
  static String whyNot(SqlSession session) {
    try {
      String task = task();
      call(session, "CREATE_TASK(?); DBMS_PARALLEL_EXECUTE.DROP_TASK(?)", task, task);
      return "";
    } catch (Fault.User | Fault.Data | Fault.External e) {
      return whyNot(e);
    }
  }

  private static String whyNot(Fault e) {
    return "the server does not cut it (the user needs EXECUTE ON DBMS_PARALLEL_EXECUTE): "
        + e.clause().replaceFirst("^.*?: (?=ORA-|PLS-)", "");
  }

  /// By extents, or all in one range, if the server fails at it.
  static List<String> starts(SqlSession session, TableName table, RangeSize wanted) {
    try {
      return chunks(session, table, wanted.bytes());
    } catch (Fault.User | Fault.Data | Fault.External e) {
      boolean areSeen = TableExtents.areSeen(session);
      String how = areSeen ? "by its extents: " : "by one lane: ";
      wanted.notes().accept("The table was read " + how + whyNot(e) + ".");
      return areSeen ? TableExtents.starts(session, table, wanted.bytes()) : List.of();
    }
  }

  private static List<String> chunks(SqlSession session, TableName table, long bytes) {
    String task = task();
    long blocks = Math.max(1, bytes / BLOCK_BYTES);
    call(session, "CREATE_TASK(?)", task);
    try {
      call(
          session,
          "CREATE_CHUNKS_BY_ROWID(?, ?, ?, FALSE, " + blocks + ")",
          task,
          table.schema(),
          table.name());
      List<String> starts =
          session.query(
              "SELECT start_rowid FROM user_parallel_execute_chunks WHERE task_name = ?",
              row -> row.getString(1),
              task);
      // The first range has no lower bound.
      return starts.stream().sorted(Comparator.comparing(RowidChunks::place)).skip(1).toList();
    } finally {
      call(session, "DROP_TASK(?)", task);
    }
  }

  private static String task() {
    return "MILLRACE_" + UUID.randomUUID().toString().substring(0, 18);
  }

  /// A text that sorts as the rowid does: its letters are digits in an order of their own.
  static String place(String rowid) {
    StringBuilder place = new StringBuilder();
    rowid.chars().forEach(letter -> place.append((char) ('0' + DIGITS.indexOf(letter))));
    return place.toString();
  }

  private static void call(SqlSession session, String procedures, String... texts) {
    session.update("BEGIN DBMS_PARALLEL_EXECUTE." + procedures + "; END;", texts);
  }
}
