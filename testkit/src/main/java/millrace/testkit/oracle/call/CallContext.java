package millrace.testkit.oracle.call;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.PlannedFault.Effect;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.dictionary.SessionWait;
import millrace.testkit.oracle.engine.OraSession;
import millrace.testkit.oracle.wire.ClientGoneException;
import millrace.testkit.oracle.wire.TnsSocket;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// What the calls of one session share. The session's own thread uses it.
final class CallContext {

  private final ServerContext server;
  private final TnsSocket socket;
  private final TtcInput in;
  private final Map<Integer, ServerCursor> cursors = new HashMap<>();
  private final LobStore lobs = new LobStore();
  private ClientDialect dialect = ClientDialect.UNKNOWN;
  private @Nullable OraSession session;
  private int nextCursor = 1;
  private int sequence;
  private int calls;
  private boolean resetInstead;

  CallContext(ServerContext server, TnsSocket socket) {
    this.server = server;
    this.socket = socket;
    in = new TtcInput(socket);
  }

  ServerContext server() {
    return server;
  }

  TtcInput in() {
    return in;
  }

  LobStore lobs() {
    return lobs;
  }

  /// The session; only after the log-on.
  OraSession session() {
    OraSession open = session;
    if (open == null) {
      throw new IllegalStateException("nobody has logged on");
    }
    return open;
  }

  boolean isLoggedOn() {
    return session != null;
  }

  void logOn(OraSession opened) {
    session = opened;
  }

  /// How the client speaks; only after the handshake.
  ClientDialect dialect() {
    return dialect;
  }

  void setDialect(ClientDialect agreed) {
    dialect = agreed;
  }

  int fieldVersion() {
    return dialect.fieldVersion();
  }

  /// The number of the call that is answered next.
  void setSequence(int number) {
    sequence = number;
  }

  /// A cursor by its number; a new one for 0.
  ///
  /// @throws OraException ORA-01001 if there is none of that number
  ServerCursor cursor(int id) throws OraException {
    if (id == 0) {
      int fresh = nextCursor++;
      ServerCursor cursor = new ServerCursor(fresh);
      cursors.put(fresh, cursor);
      return cursor;
    }
    ServerCursor known = cursors.get(id);
    if (known == null) {
      throw new OraException(1001, "invalid cursor");
    }
    return known;
  }

  /// The number of the next new cursor, if a client's calls are known before they come.
  void setNextCursor(int number) {
    nextCursor = number;
  }

  void closeCursor(int id) {
    ServerCursor cursor = cursors.remove(id);
    if (cursor != null) {
      cursor.close();
    }
  }

  void closeCursors() {
    cursors.values().forEach(ServerCursor::close);
    cursors.clear();
  }

  void log(LogEvent event) {
    server.log().add(event);
  }

  /// Lets what is planned for this call happen.
  ///
  /// @param text the SQL, or the name of a table
  void fault(ServerCall call, String text) throws IOException, OraException {
    Effect effect = server.faults().take(call, text);
    switch (effect) {
      case null -> {}
      case Effect.Fail(int code, String message) -> throw new OraException(code, message);
      case Effect.ResetBefore() -> throw reset();
      case Effect.ResetAfter() -> resetInstead = true;
      case Effect.Delay(Duration time) -> {
        waits(call);
        try {
          Thread.sleep(time);
        } catch (InterruptedException _) {
          throw reset();
        } finally {
          setWait(SessionWait.NONE);
        }
      }
    }
  }

  /// What a server would say that waits in such a call.
  private void waits(ServerCall call) {
    setWait(
        switch (call) {
          case COMMIT -> new SessionWait("log file sync", "Commit", 0);
          case EXECUTE -> new SessionWait("db file sequential read", "User I/O", 0);
          case FETCH -> new SessionWait("db file scattered read", "User I/O", 0);
          case DIRECT_PATH_STREAM, DIRECT_PATH_FINISH ->
              new SessionWait("direct path write", "User I/O", 0);
          case LOGON, ROLLBACK, LOB_OPERATION, DIRECT_PATH_PREPARE -> SessionWait.NONE;
        });
  }

  private void setWait(SessionWait now) {
    OraSession open = session;
    if (open != null) {
      open.setWait(now);
    }
  }

  private ClientGoneException reset() {
    socket.reset();
    return new ClientGoneException("a fault was planned here");
  }

  /// Sends an answer that is complete.
  void reply(TtcOutput answer) throws IOException {
    if (resetInstead) {
      throw reset();
    }
    server.log().addRoundTrip();
    socket.reply(answer);
  }

  /// Ends the answer of a call, and sends it.
  void finish(TtcOutput answer, EndOfCall end) throws IOException {
    end.write(answer, this);
    reply(answer);
  }

  /// Answers a call that went well and returns nothing.
  void finish(TtcOutput answer) throws IOException {
    finish(answer, new EndOfCall());
  }

  /// Answers a call that failed.
  void fail(OraException e) throws IOException {
    finish(new TtcOutput(), new EndOfCall().error(e));
  }

  /// The short end of an answer, which says whether a transaction is open.
  void finishShort() throws IOException {
    reply(new TtcOutput().u1(TtcMessage.STATUS).ub(status(), nextCall()));
  }

  int status() {
    boolean open = session != null && session.isInTransaction();
    return 1 | (open ? 2 : 0);
  }

  int nextCall() {
    return ++calls & 0xFFFF;
  }

  int sequence() {
    return sequence;
  }
}
