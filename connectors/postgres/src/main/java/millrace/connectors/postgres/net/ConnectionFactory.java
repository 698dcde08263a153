package millrace.connectors.postgres.net;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.fault.Fault;
import millrace.io.Wire;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/// Opens the connections of one endpoint: looks the password up once, and asks for it at most once.
///
/// Any thread may connect.
public final class ConnectionFactory {

  /// One that an end keeps open all the time, and that of a lane.
  public static final int CONNECTIONS_MIN = 2;

  /// A network that has gone silent is a failure like others, which may be tried again.
  private static final int LOGIN_SECONDS_MAX = 60;

  /// For what somebody waits for who has stopped the copy.
  private static final int LAST_LOGIN_SECONDS_MAX = 10;

  /// A pooler that has no session left says nothing, and keeps waiting who comes.
  private static final int POOLER_SECONDS_MAX = 5;

  /// How often a pooler is asked whether it keeps sessions apart.
  private static final int POOLER_ROUNDS = 3;

  /// How long the server may take to be done with a connection that was closed.
  private static final Duration ROOM_WITHIN = Duration.ofSeconds(5);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  private final LibpqSettings settings;
  private final Address address;
  private final String tlsMode;
  private final SessionAttributes attributes;
  private final int timeoutSeconds;
  private final ConnectionRoom room;
  private final Endpoint database;
  private final @Nullable SpareSessions spares;
  private final Login login;
  private final Wire wire = new Wire();
  private final Set<Integer> backends = ConcurrentHashMap.newKeySet();
  private final Set<Integer> unreported = ConcurrentHashMap.newKeySet();
  private volatile boolean connected;
  private volatile boolean lasting;
  private volatile boolean crowded;

  /// For an end that shares the server's connections with no other.
  public ConnectionFactory(Endpoint endpoint, Function<String, @Nullable String> environment) {
    this(endpoint, environment, new ConnectionRoom());
  }

  public ConnectionFactory(
      Endpoint endpoint, Function<String, @Nullable String> environment, ConnectionRoom room) {
    this(endpoint, environment, room, null);
  }

  /// @param spares connections that other ends leave; null if there are none
  ConnectionFactory(
      Endpoint endpoint,
      Function<String, @Nullable String> environment,
      ConnectionRoom room,
      @Nullable SpareSessions spares) {
    this.room = room;
    this.spares = spares;
    database = LibpqSettings.ofConnection(endpoint);
    settings = LibpqSettings.of(endpoint, environment);
    address = Address.of(endpoint, settings);
    tlsMode = address.driverMode(environment);
    attributes = SessionAttributes.of(settings.get(LibpqParameter.SESSION_ATTRIBUTES));
    timeoutSeconds = settings.connectSeconds();
    if (settings.password().reveal() != null) {
      login = new Login(settings.password(), "");
    } else {
      PasswordFile.PasswordLookup found =
          PasswordFile.find(address, settings.get(LibpqParameter.PASSWORD_FILE), environment);
      login = new Login(found.secret(), found.warning());
    }
  }

  private ConnectionFactory(ConnectionFactory alike) {
    room = alike.room;
    spares = alike.spares;
    database = alike.database;
    settings = alike.settings;
    address = alike.address;
    tlsMode = alike.tlsMode;
    attributes = alike.attributes;
    timeoutSeconds = alike.timeoutSeconds;
    login = alike.login;
  }

  /// One for another end of the same database.
  ConnectionFactory forAnother() {
    return new ConnectionFactory(this);
  }

  public Address address() {
    return address;
  }

  /// Counts what crosses the connections, but for those opened {@link #aside}.
  public Wire wire() {
    return wire;
  }

  /// The numbers of the server's processes that served them.
  public Set<Integer> backends() {
    return Set.copyOf(backends);
  }

  /// Those of them that may still hold back what they have to add to the server's statistics.
  public Set<Integer> unreported() {
    return Set.copyOf(unreported);
  }

  /// A new connection with the settings that fix how values are spelled.
  ///
  /// @throws Fault if there is no server, no database, no right, or no password
  public Session connect() {
    Session spare = spares == null ? null : spares.take(database);
    connected |= spare != null;
    return spare == null ? ofCopy(loginSeconds()) : counted(spare);
  }

  /// Leaves work to the end of the job whose copies share connections to this database, see {@link
  /// AtEnd}.
  boolean atEnd(String what, Consumer<Session> work) {
    return spares != null && spares.atEnd(database, what, work);
  }

  private int loginSeconds() {
    return timeoutSeconds > 0 ? timeoutSeconds : LOGIN_SECONDS_MAX;
  }

  /// The same to undo what a copy did that has failed or was stopped: gives up soon.
  ///
  /// @param last the connection that is still open, and is closed if the server allows no other
  public Session connectToUndo(Session last) {
    try {
      return ofCopy(LAST_LOGIN_SECONDS_MAX);
    } catch (Fault.Transient e) {
      if (!PostgresFaults.isFull(e)) {
        throw e;
      }
      last.close();
      return onceThereIsRoom(LAST_LOGIN_SECONDS_MAX);
    }
  }

  /// Sees to it that the server may allow the end that has that connection as many as it needs.
  ///
  /// @throws Fault.User if it never does
  public void need(Session open, int connections) {
    room.need(open, address, connections);
  }

  /// A connection of this end keeps what is read as it is, until {@link #readsNoMore} or its end.
  public void reads(Session keeper) {
    room.reads(keeper, address);
  }

  public void readsNoMore(Session keeper) {
    room.readsNoMore(keeper);
  }

  /// Whether that process of this server keeps something as it is for a source of this copy.
  boolean isReadBy(int process) {
    return room.isReadBy(address, process);
  }

  /// What only counts or paces gives way.
  private Session ofCopy(int secondsMax) {
    try {
      return counted(connect(wire, secondsMax));
    } catch (Fault.Transient e) {
      crowded |= lasting && PostgresFaults.isUnanswered(e);
      if (!(crowded || PostgresFaults.isFull(e)) || !room.takeBack()) {
        throw e;
      }
      return onceThereIsRoom(secondsMax);
    }
  }

  private Session onceThereIsRoom(int secondsMax) {
    long end = System.nanoTime() + ROOM_WITHIN.toNanos();
    while (true) {
      try {
        return counted(connect(wire, secondsMax));
      } catch (Fault.Transient e) {
        if (!PostgresFaults.isFull(e) || System.nanoTime() - end > 0) {
          throw e;
        }
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  private Session counted(Session session) {
    session.whenClosed(wire, this::leave);
    backends.add(session.process());
    unreported.add(session.process());
    return session;
  }

  /// Leaves a connection that was closed to another end, or ends it.
  private void leave(Session closed) {
    boolean asNew = closed.forget();
    if (asNew) {
      unreported.remove(closed.process());
    }
    if (!asNew || spares == null || !spares.leave(database, closed)) {
      closed.end();
    }
  }

  /// The same for a connection that moves no rows. It is taken away again, at any moment, if the
  /// server allows none for what does.
  ///
  /// @throws Fault.Transient also if a pooler had no session for a lane
  public Session aside() {
    if (crowded) {
      throw noSession(null);
    }
    Session aside = room.lend(connect(new Wire(), loginSeconds()));
    if (crowded) {
      aside.close();
      throw noSession(null);
    }
    return aside;
  }

  /// Whether a failure to connect tells of a server that does not answer, and not of a pooler that
  /// has no session left.
  boolean isSilence(Fault connecting) {
    return !lasting && PostgresFaults.isSilence(connecting);
  }

  private Session connect(Wire counter, int secondsMax) {
    try {
      return open(counter, secondsMax);
    } catch (SQLException e) {
      if (!PostgresFaults.wantsPassword(e) || !login.asksNow(address)) {
        throw connecting(e);
      }
      try {
        return open(counter, secondsMax);
      } catch (SQLException again) {
        throw connecting(again);
      }
    }
  }

  private Fault connecting(SQLException e) {
    return lasting && PostgresFaults.isUnanswered(e)
        ? noSession(e)
        : PostgresFaults.connecting(e, address, connected);
  }

  private Fault.Transient noSession(@Nullable SQLException e) {
    return new Fault.Transient(
        address.server() + " is a connection pooler and has no session left.",
        "Each end needs "
            + CONNECTIONS_MIN
            + " at a time: enlarge the pool (PgBouncer: default_pool_size), or try again when"
            + " others need fewer.",
        0,
        e);
  }

  private Session open(Wire counter, int secondsMax) throws SQLException {
    int seconds = lasting ? POOLER_SECONDS_MAX : secondsMax;
    Session session = dial(counter, seconds);
    try {
      session.answersWithin(Duration.ofSeconds(seconds));
      if (session.askProcess() != session.driver().getBackendPID() && !lasting) {
        checkLasting(session, counter);
      }
      session.prepare();
      attributes.check(session, address);
      session.answersWithin(Duration.ZERO);
    } catch (SQLException | RuntimeException e) {
      session.close();
      throw e;
    }
    connected = true;
    return session;
  }

  /// Sees to it that a pooler between us and the server gives each connection a session of its own:
  /// otherwise settings and locks would be another's by the next statement, and snapshots gone.
  ///
  /// Two connections that ask in turn, the second and then the first twice, are each served by one
  /// process and not by the same one; whatever a pooler's order is, one that shares its sessions
  /// can't keep to that unless others who use it take turns just so.
  private void checkLasting(Session first, Wire counter) throws SQLException {
    int process = first.process();
    try (Session second = second(counter)) {
      second.answersWithin(Duration.ofSeconds(POOLER_SECONDS_MAX));
      int other = second.askProcess();
      for (int i = 0; i < POOLER_ROUNDS; i++) {
        if (process == other
            || second.askProcess() != other
            || first.askProcess() != process
            || first.askProcess() != process
            || second.askProcess() != other) {
          throw new Fault.User(
              address.server()
                  + " is a connection pooler that shares the server's sessions: it may give every"
                  + " transaction another one, without the settings and locks of the one before.",
              "Connect to the server itself, or to a pool that keeps a session for each connection"
                  + " (PgBouncer: pool_mode=session).");
        }
      }
    }
    lasting = true;
  }

  private Session second(Wire counter) throws SQLException {
    try {
      return dial(counter, POOLER_SECONDS_MAX);
    } catch (SQLException e) {
      if (PostgresFaults.isUnanswered(e)) {
        throw noSession(e);
      }
      throw e;
    }
  }

  private Session dial(Wire counter, int secondsMax) throws SQLException {
    String name = WireSockets.opening(address, counter);
    Connection connection;
    MessageInput input;
    try {
      connection = new Driver().connect(url(), properties(name, secondsMax));
    } finally {
      input = WireSockets.opened(name);
    }
    if (connection == null) {
      throw new Fault.Bug("the driver does not know its own URL", null);
    }
    return new Session(connection, input, counter);
  }

  /// The address stands in the URL, because the driver takes what a URL leaves out from the user's
  /// name before it looks at the properties.
  private String url() {
    String database = URLEncoder.encode(address.database(), StandardCharsets.UTF_8);
    return "jdbc:postgresql://" + address.networkServer() + "/" + database.replace("+", "%20");
  }

  private Properties properties(String connection, int secondsMax) {
    Properties properties = new Properties();
    properties.setProperty("user", address.user());
    // Never absent: the driver would read ~/.pgpass by itself, without a look at its permissions.
    String password = login.secret().reveal();
    properties.setProperty("password", password == null ? "" : password);
    properties.setProperty("ApplicationName", applicationName());
    String options = options();
    if (!options.isEmpty()) {
      properties.setProperty("options", options);
    }
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("socketFactory", WireSockets.class.getName());
    properties.setProperty("socketFactoryArg", connection);
    properties.setProperty("loginTimeout", Integer.toString(secondsMax));
    if (timeoutSeconds > 0) {
      properties.setProperty("connectTimeout", Integer.toString(secondsMax));
    }
    properties.setProperty("cancelSignalTimeout", "10");
    // Poolers do not keep prepared statements.
    properties.setProperty("prepareThreshold", "0");
    address.tls().forEach(properties::setProperty);
    properties.setProperty("sslmode", tlsMode);
    return properties;
  }

  private String applicationName() {
    String name = settings.get(LibpqParameter.APPLICATION_NAME);
    String otherwise = settings.get(LibpqParameter.FALLBACK_NAME);
    return !name.isEmpty() ? name : otherwise.isEmpty() ? "millrace" : otherwise;
  }

  /// What the server is told when the connection begins. The session's own settings come after it,
  /// and win.
  private String options() {
    String geqo = settings.get(LibpqParameter.GENETIC_PLANS_VARIABLE);
    String options = settings.get(LibpqParameter.OPTIONS);
    return geqo.isEmpty() || geqo.equalsIgnoreCase("default")
        ? options
        : (options + " -c geqo=" + geqo.replaceAll("([\\\\\\s])", "\\\\$1")).strip();
  }
}
