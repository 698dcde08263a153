package millrace.connectors.oracle.catalog;

import java.sql.CallableStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TypeTable;

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

  /// Why the server can't be asked to cut a table, as a clause; empty if it can. A standby keeps no
  /// tasks.
  static String whyNot(SqlSession session) {
    return session
        .query(
            "SELECT SYS_CONTEXT('USERENV', 'DATABASE_ROLE'), (SELECT count(*) FROM all_procedures"
                + " WHERE owner = 'SYS' AND object_name = 'DBMS_PARALLEL_EXECUTE' AND"
                + " procedure_name = 'CREATE_TASK') FROM DUAL",
            row ->
                "PHYSICAL STANDBY".equals(row.getString(1))
                    ? "a standby keeps no tasks of DBMS_PARALLEL_EXECUTE, which would cut it"
                    : row.getLong(2) == 0
                        ? "the user may not call what would cut it (GRANT EXECUTE ON"
                            + " DBMS_PARALLEL_EXECUTE TO the user)"
                        : "")
        .getFirst();
  }

  static Cut cut(TableName table, Dialect dialect) {
    TypeTable.Found rowid = dialect.types().find("ROWID");
    return new Cut(
        "ROWID",
        rowid,
        false,
        (session, wanted) -> starts(session, table, wanted.bytes()).stream(),
        "");
  }

  private static List<String> starts(SqlSession session, TableName table, long bytes) {
    String task = "MILLRACE_" + UUID.randomUUID().toString().substring(0, 18);
    long blocks = Math.max(1, bytes / BLOCK_BYTES);
    call(session, "BEGIN DBMS_PARALLEL_EXECUTE.CREATE_TASK(?); END;", task);
    try {
      call(
          session,
          "BEGIN DBMS_PARALLEL_EXECUTE.CREATE_CHUNKS_BY_ROWID(?, ?, ?, FALSE, "
              + blocks
              + "); END;",
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
      call(session, "BEGIN DBMS_PARALLEL_EXECUTE.DROP_TASK(?); END;", task);
    }
  }

  /// A text that sorts as the rowid does: its letters are digits in an order of their own.
  static String place(String rowid) {
    StringBuilder place = new StringBuilder();
    rowid.chars().forEach(letter -> place.append((char) ('0' + DIGITS.indexOf(letter))));
    return place.toString();
  }

  private static void call(SqlSession session, String block, String... texts) {
    session.run(connection -> {
      try (CallableStatement statement = connection.prepareCall(block)) {
        for (int i = 0; i < texts.length; i++) {
          statement.setString(i + 1, texts[i]);
        }
        session.runs(statement);
        return statement.execute();
      } catch (SQLException e) {
        throw session.fault(e);
      }
    });
  }
}
