package millrace.testkit.oracle;

import java.util.List;
import millrace.testkit.oracle.value.TtcType;
import org.jspecify.annotations.Nullable;

/// Something that a client did, in the order in which the server did it.
public sealed interface LogEvent {

  /// The session's number, as V$SESSION shows it; 0 before the log-on.
  long session();

  record LoggedOn(long session, String user) implements LogEvent {}

  record LogonRefused(long session, String user, int code) implements LogEvent {}

  /// A statement was executed once for each row of binds.
  ///
  /// @param bindTypes as the client described them
  /// @param first the first row of binds, in the order of the types; empty once the log is long
  /// @param executions how many rows of binds came with it; 1 if it has none
  /// @param rows how many rows DML changed
  /// @param error the code of the error in which it ended; 0 if it did not
  record Executed(
      long session,
      String sql,
      List<TtcType> bindTypes,
      List<@Nullable Object> first,
      int executions,
      long rows,
      int error)
      implements LogEvent {

    Executed withoutValues() {
      return new Executed(session, sql, bindTypes, List.of(), executions, rows, error);
    }
  }

  /// Rows of a query were sent, with its execution or by a fetch.
  record Fetched(long session, String sql, int rows) implements LogEvent {}

  record Committed(long session) implements LogEvent {}

  record RolledBack(long session) implements LogEvent {}

  /// A direct path load begins.
  ///
  /// @param options numbers of the inputs that are not as always, and of keywords, such as
  ///   `PARALLEL`
  record DirectPathPrepared(
      long session,
      String table,
      @Nullable String partition,
      List<String> columns,
      List<String> options)
      implements LogEvent {}

  /// A part of a direct path load came.
  ///
  /// @param stream the bytes as they came; empty once the log is full
  record DirectPathStreamed(long session, String table, byte[] stream, int bytes, long rows)
      implements LogEvent {}

  record DirectPathFinished(long session, String table, long rows) implements LogEvent {}

  record DirectPathAborted(long session, String table) implements LogEvent {}

  /// A LOB was read, written, made or freed.
  ///
  /// @param operation the number of the operation
  record LobOperation(long session, int operation, long amount) implements LogEvent {}

  record CursorsClosed(long session, int count) implements LogEvent {}

  record Cancelled(long session) implements LogEvent {}

  record LoggedOff(long session) implements LogEvent {}

  /// The socket was closed or reset without a log-off.
  record Lost(long session) implements LogEvent {}
}
