package millrace.testkit.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;
import millrace.testkit.oracle.call.ClientSession;
import millrace.testkit.oracle.call.ServerContext;
import millrace.testkit.oracle.engine.Account;
import millrace.testkit.oracle.engine.OraDatabase;
import millrace.testkit.oracle.value.DatabaseCharset;

/// A stand-in for an Oracle server on a free port of the loopback interface, with a database of its
/// own in memory.
///
/// Any thread may call it. Closing it ends all sessions, and the database is gone.
public final class OracleServer implements AutoCloseable {

  private static final String SERVICE = "FREEPDB1";
  private static final String USER = "SCOTT";
  private static final String PASSWORD = "tiger";

  private final ServerSocket listener;
  private final boolean tls;
  private final OraDatabase database;
  private final ServerLog log = new ServerLog();
  private final ServerFaults faults = new ServerFaults();
  private final Set<ClientSession> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicLong sessionIds = new AtomicLong(OraDatabase.FIRST_SESSION);
  private volatile boolean refusing;

  private OracleServer(
      OracleRelease release, DatabaseCharset charset, ServerSocketFactory sockets) {
    tls = sockets instanceof SSLServerSocketFactory;
    database = new OraDatabase(release, charset);
    database.put(new Account(USER, PASSWORD, Account.State.OPEN));
    database.administer(USER);
    try {
      listener = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("no port for the stand-in of Oracle", e);
    }
    Thread.ofPlatform().name("oracle-listener").daemon().start(this::accept);
  }

  /// A server of the newest release.
  public static OracleServer start() {
    return start(OracleRelease.R23);
  }

  public static OracleServer start(OracleRelease release) {
    return new OracleServer(release, DatabaseCharset.AL32UTF8, ServerSocketFactory.getDefault());
  }

  /// A server of the newest release whose database has another character set.
  public static OracleServer start(DatabaseCharset charset) {
    return new OracleServer(OracleRelease.R23, charset, ServerSocketFactory.getDefault());
  }

  /// A server of the newest release to which clients connect by TLS.
  ///
  /// @param context its key and certificate
  public static OracleServer startWithTls(SSLContext context) {
    return new OracleServer(
        OracleRelease.R23, DatabaseCharset.AL32UTF8, context.getServerSocketFactory());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        if (refusing) {
          socket.setSoLinger(true, 0);
          socket.close();
          continue;
        }
        ServerContext context = new ServerContext(database, SERVICE, log, faults);
        ClientSession session = new ClientSession(context, socket, sessionIds.getAndIncrement());
        sessions.add(session);
        Thread.ofPlatform()
            .name("oracle-session")
            .daemon()
            .start(() -> {
              session.run();
              sessions.remove(session);
            });
      } catch (IOException _) {
        // Closed, or a client that has gone before it was accepted.
        Thread.onSpinWait();
      }
    }
  }

  public String host() {
    return listener.getInetAddress().getHostAddress();
  }

  public int port() {
    return listener.getLocalPort();
  }

  public String service() {
    return SERVICE;
  }

  /// As the JDBC driver takes it.
  public String url() {
    return "jdbc:oracle:thin:@"
        + (tls ? "tcps:" : "")
        + "//"
        + host()
        + ":"
        + port()
        + "/"
        + SERVICE;
  }

  /// The user who owns the tables of tests, and may do all with those of others.
  public String user() {
    return USER;
  }

  public String password() {
    return PASSWORD;
  }

  /// The database was made by an older release, and was never told that it may use what is new.
  public void setCompatible(String version) {
    database.catalog().setCompatible(version);
  }

  /// What clients did so far.
  public ServerLog log() {
    return log;
  }

  /// What is to go wrong.
  public ServerFaults faults() {
    return faults;
  }

  /// Makes another user with an empty schema, or changes what becomes of one's log-on. He may make
  /// tables in it, and do with those of others what was granted to him.
  public void put(Account account) {
    database.put(account);
  }

  /// Lets a user log on as another one.
  public void letProxy(String client, String proxy) {
    database.letProxy(client, proxy);
  }

  /// Opens a view to everybody, such as `DBA_EXTENTS`.
  public void grant(String view) {
    database.grant(view);
  }

  /// Closes a view to everybody, as most users find the V$ views: ORA-00942. They are open here
  /// until then; {@link #grant} opens it again.
  public void revoke(String view) {
    database.revoke(view);
  }

  /// Rows that are inserted or loaded into tables of that name are counted and thrown away from now
  /// on: what is left to be measured is the way to the server.
  public void discardRowsOf(String table) {
    database.discard(table);
  }

  /// Opens the database for reading only, as a snapshot or a refreshable clone is (ORA-16000), or
  /// for writing again.
  public void setReadOnly(boolean now) {
    database.setReadOnly(now);
  }

  /// How long after a DDL, a GRANT or a TRUNCATE a table can't be read as of an SCN (ORA-01466): 3
  /// seconds, as on a server, if nobody says otherwise.
  public void setScnGrain(Duration grain) {
    database.setScnGrain(grain);
  }

  /// Resets the connections of all sessions; their transactions are rolled back.
  public void killSessions() {
    sessions.forEach(ClientSession::kill);
  }

  /// Numbers sessions from the first again, spread over instances as those of a cluster (RAC): each
  /// instance has sessions of the same numbers, and its views show its own alone.
  public void renumberSessions(int instances) {
    database.renumber(instances, sessionIds.get());
  }

  /// Resets new connections as they come from now on, or no longer.
  public void refuse(boolean refuse) {
    refusing = refuse;
  }

  /// How many clients are connected.
  public int sessions() {
    return sessions.size();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    killSessions();
    database.close();
  }
}
