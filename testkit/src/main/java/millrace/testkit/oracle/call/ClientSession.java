package millrace.testkit.oracle.call;

import java.io.IOException;
import java.net.Socket;
import java.sql.SQLException;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.dictionary.SessionFigures;
import millrace.testkit.oracle.engine.OraSession;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TnsSocket;
import millrace.testkit.oracle.wire.TrafficCounter;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// One client from its CONNECT to its end. A thread of its own runs it; any may kill it.
public final class ClientSession implements Runnable {

  /// Calls have a token from this version of TTC's fields on.
  private static final int WITH_TOKEN = 18;

  private static final System.Logger LOG = System.getLogger(ClientSession.class.getName());

  private final ServerContext server;
  private final TnsSocket socket;
  private final CallContext context;
  private final SessionFigures figures;
  private final long id;
  private final LogonCall logon;
  private final Piggybacks piggybacks;
  private final StatementCall statements;
  private final DirectPathCall directPath;
  private volatile @Nullable OraSession session;
  private boolean inCall;
  private boolean brokenLate;
  private boolean over;

  /// @param id the session's number
  public ClientSession(ServerContext server, Socket accepted, long id) throws IOException {
    this.server = server;
    this.id = id;
    TrafficCounter traffic = new TrafficCounter();
    figures = new SessionFigures(traffic);
    socket = new TnsSocket(accepted, traffic);
    context = new CallContext(server, socket);
    logon = new LogonCall(context, id, figures);
    piggybacks = new Piggybacks(context);
    statements = new StatementCall(context);
    directPath = new DirectPathCall(context);
  }

  /// Ends the connection as a crash would.
  public void kill() {
    socket.reset();
  }

  @Override
  public void run() {
    try {
      OracleRelease release = server.database().release();
      Handshake handshake =
          new Handshake(socket, server.service(), release, server.database().charset());
      handshake.connect(this::onBreak);
      context.setDialect(handshake.negotiate(context.in()));
      serve();
    } catch (IOException | BreakException e) {
      LOG.log(System.Logger.Level.DEBUG, "session " + id + " is over", e);
    } finally {
      socket.close();
      end();
    }
  }

  /// Carries out the calls of a client that is past its log-on, as one has been recorded.
  ///
  /// @param dialect how it speaks
  /// @param user who it is
  void replay(ClientDialect dialect, String user) {
    try {
      socket.begin(TnsSocket.DEFAULT_SDU, this::onBreak);
      context.setDialect(dialect);
      OraSession open = server.database().open(id, user, figures);
      context.logOn(open);
      session = open;
      serve();
    } catch (IOException | SQLException e) {
      LOG.log(System.Logger.Level.DEBUG, "replay " + id + " is over", e);
    } finally {
      socket.close();
      end();
    }
  }

  CallContext context() {
    return context;
  }

  private void serve() throws IOException {
    while (!over) {
      next();
    }
  }

  private void end() {
    context.closeCursors();
    OraSession open = session;
    if (open == null) {
      return;
    }
    open.close();
    if (!over) {
      context.log(new LogEvent.Lost(id));
    }
  }

  /// Called on the thread that reads packets.
  private void onBreak() {
    OraSession open = session;
    if (open != null) {
      open.cancel();
    }
  }

  private void next() throws IOException {
    try {
      message();
    } catch (BreakException _) {
      onLateBreak();
    }
    inCall = false;
  }

  private void message() throws IOException, BreakException {
    TtcInput in = context.in();
    int message = in.u1();
    inCall = true;
    if (message != TtcMessage.FUNCTION && message != TtcMessage.PIGGYBACK) {
      throw new IOException("the message " + message + " is not known");
    }
    int code = in.u1();
    int sequence = in.u1();
    if (context.fieldVersion() >= WITH_TOKEN) {
      in.ub();
    }
    TtcFunction function = TtcFunction.of(code);
    if (function == null) {
      unknown(code, sequence);
      return;
    }
    if (message == TtcMessage.PIGGYBACK) {
      piggybacks.run(function);
      return;
    }
    context.setSequence(sequence);
    if (brokenLate && function == TtcFunction.PING) {
      brokenLate = false;
      context.fail(cancelled());
      return;
    }
    carryOut(function);
  }

  /// What was sent with it can't be read; it ends with its packet.
  private void unknown(int code, int sequence) throws IOException {
    context.in().discard();
    context.setSequence(sequence);
    context.fail(
        new OraException(
            3115, "unsupported network datatype: the stand-in does not know the call " + code));
  }

  private void carryOut(TtcFunction function) throws IOException, BreakException {
    long start = System.nanoTime();
    figures.userCalls().increment();
    OraSession open = session;
    if (open != null) {
      open.setActive(true);
    }
    try {
      call(function);
    } catch (OraException e) {
      if (e.code() == cancelled().code()) {
        socket.sendBreakAndReset();
        context.log(new LogEvent.Cancelled(id));
        context.in().skipBreak();
      }
      context.fail(e);
    } catch (RuntimeException e) {
      // A fault of the stand-in's: the client hears of it instead of a lost connection.
      LOG.log(System.Logger.Level.ERROR, "session " + id + " fails at " + function, e);
      context.fail(new OraException(600, "internal error code, arguments: [" + e + "]", e));
    } finally {
      if (open != null) {
        open.setActive(false);
      }
      figures.busyNanos().add(System.nanoTime() - start);
    }
  }

  private void call(TtcFunction function) throws IOException, BreakException, OraException {
    switch (function) {
      case AUTH_ONE -> logon.one();
      case AUTH_TWO -> {
        logon.two();
        session = context.session();
      }
      case EXECUTE -> statements.execute();
      case REEXECUTE -> statements.again(false);
      case REEXECUTE_AND_FETCH -> statements.again(true);
      case DESCRIBE -> statements.describe();
      case FETCH -> statements.fetch();
      case COMMIT, ROLLBACK -> endTransaction(function == TtcFunction.COMMIT);
      case PING -> context.finishShort();
      case VERSION -> version();
      case LOB_OPERATION -> new LobCall(context).run();
      case DIRECT_PATH_PREPARE -> directPath.prepare();
      case DIRECT_PATH_STREAM -> directPath.stream();
      case DIRECT_PATH_OPERATION -> directPath.operate();
      case LOGOFF -> logOff();
      case CLOSE_CURSORS, CANCEL_CURSORS, END_TO_END, SET_SCHEMA, CLIENT_STATISTICS ->
          throw new OraException(3115, "unsupported network datatype or representation");
    }
  }

  private void endTransaction(boolean commit) throws IOException, OraException {
    context.fault(commit ? ServerCall.COMMIT : ServerCall.ROLLBACK, "");
    if (commit) {
      context.session().commit();
      context.log(new LogEvent.Committed(id));
    } else {
      context.session().rollback();
      context.log(new LogEvent.RolledBack(id));
    }
    context.finishShort();
  }

  private void version() throws IOException, BreakException {
    TtcInput in = context.in();
    in.pointer();
    in.ub();
    in.skip(2);
    in.ub();
    OracleRelease release = server.database().release();
    String text = release.banner() + "\nVersion " + release.fullVersion();
    TtcOutput out = new TtcOutput().u1(TtcMessage.PARAMETERS).ub(text.length()).raw(text);
    context.finish(out.ub(release.versionWord()));
  }

  /// An open transaction is committed, as Oracle does when a client leaves in order.
  private void logOff() throws IOException, OraException {
    OraSession open = context.session();
    if (open.load() == null) {
      open.commit();
    }
    context.log(new LogEvent.LoggedOff(id));
    context.finishShort();
    over = true;
  }

  /// A break that stands between the bytes of a call ends it; one that comes behind the answer
  /// makes the ping fail that the driver sends behind it.
  private void onLateBreak() throws IOException {
    socket.sendBreakAndReset();
    if (!inCall && context.in().isDrained()) {
      brokenLate = true;
      return;
    }
    context.in().discard();
    context.fail(cancelled());
  }

  private static OraException cancelled() {
    return new OraException(1013, "user requested cancel of current operation");
  }
}
