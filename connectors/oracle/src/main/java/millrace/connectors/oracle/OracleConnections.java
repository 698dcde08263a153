package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import oracle.jdbc.OracleConnection;
import oracle.jdbc.TraceEventListener;
import oracle.jdbc.pool.OracleDataSource;
import org.jspecify.annotations.Nullable;

/// Opens the connections of one endpoint, with the settings that let all values through unchanged.
///
/// Any thread may connect.
final class OracleConnections implements AutoCloseable {

  private static final int CONNECT_MILLIS_MAX = 30_000;
  private static final int ASIDE_MILLIS_MAX = 10_000;

  /// Nothing depends on the user's language or zone, and what is dropped is gone.
  private static final String SETTINGS =
      "ALTER SESSION SET TIME_ZONE = '+00:00' NLS_LANGUAGE = 'AMERICAN' NLS_TERRITORY = 'AMERICA'"
          + " NLS_NUMERIC_CHARACTERS = '.,' NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS'"
          + " NLS_TIMESTAMP_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF'"
          + " NLS_TIMESTAMP_TZ_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FFTZH:TZM' NLS_SORT = 'BINARY'"
          + " NLS_COMP = 'BINARY' NLS_LENGTH_SEMANTICS = 'BYTE' RECYCLEBIN = OFF";

  private static final TraceEventListener NOBODY = (_, _, _) -> null;

  static final List<Option> OPTIONS =
      List.of(
          new Option("tns", "a name of tnsnames.ora instead of host, port and service.", "PROD"),
          new Option(
              "tns-admin",
              "the folder of tnsnames.ora and sqlnet.ora; TNS_ADMIN if not given.",
              "/etc/oracle"),
          new Option("wallet", "the folder of a wallet, for TLS or for its user.", "/etc/wallet"),
          Option.flag("tls", "Connects by TLS (TCPS); the port is 2484 then if none is named."),
          new Option("proxy-for", "the user as whom the named user acts as a proxy.", "app"));

  private final OracleAddress address;
  private final Properties properties;
  private final Set<OracleSession> sessions = ConcurrentHashMap.newKeySet();
  private final DriverCounts counts = new DriverCounts();
  private volatile Consumer<OracleSession> ends = _ -> {};
  private @Nullable Connection spare;
  private @Nullable OracleTraits traits;

  OracleConnections(Endpoint endpoint, Function<String, @Nullable String> environment) {
    address = OracleAddress.of(endpoint, environment);
    properties = properties(endpoint, environment);
  }

  private Properties properties(Endpoint endpoint, Function<String, @Nullable String> environment) {
    Properties settings = new Properties();
    String user = OracleAddress.namedUser(endpoint);
    String proxied = endpoint.text("proxy-for").orElse("");
    boolean walletNames = user == null && endpoint.text("wallet").isPresent();
    if (!walletNames) {
      String name = address.at().user();
      settings.setProperty("user", proxied.isEmpty() ? name : name + "[" + proxied + "]");
      String password = address.at().secret().reveal();
      settings.setProperty("password", password == null ? "" : password);
    }
    for (Map.Entry<String, String> file : OracleAddress.files(endpoint, environment).entrySet()) {
      if (!file.getValue().isEmpty()) {
        settings.setProperty(file.getKey(), file.getValue());
      }
    }
    // The zone of this machine is no business of the server's, which may not know its name.
    settings.setProperty("oracle.jdbc.timezoneAsRegion", "false");
    String connecting = String.valueOf(CONNECT_MILLIS_MAX);
    settings.setProperty("oracle.net.CONNECT_TIMEOUT", connecting);
    // What comes behind the network's connection; the connection's own limit takes its place.
    settings.setProperty("oracle.jdbc.ReadTimeout", connecting);
    // Some sessions are idle for as long as a load takes, and firewalls drop those.
    settings.setProperty("oracle.net.keepAlive", "true");
    settings.setProperty("oracle.jdbc.implicitStatementCacheSize", "20");
    settings.setProperty("v$session.program", "millrace");
    return settings;
  }

  OracleAddress address() {
    return address;
  }

  /// What decides how the server is spoken to. Connects if nobody has yet.
  ///
  /// @throws Fault if there is no server, no service, no right, or no password
  synchronized OracleTraits traits() {
    OracleTraits found = traits;
    if (found == null) {
      try {
        Connection connection = dial();
        spare = connection;
        found = OracleTraits.of(connection);
        answersWithin(connection, 0);
        traits = found;
      } catch (SQLException e) {
        throw OracleFaults.connecting(e, address);
      }
    }
    return found;
  }

  /// Opens a connection for one thread, or gives the one that {@link #traits} has opened.
  ///
  /// @throws Fault if there is no server, no service, no right, or no password
  Connection open() {
    return openWithin(0);
  }

  /// The same for one whose server has some seconds for each answer.
  ///
  /// @param longer how much more it may take
  Connection open(Duration longer) {
    return openWithin(Math.toIntExact(longer.plusMillis(ASIDE_MILLIS_MAX).toMillis()));
  }

  private Connection openWithin(int answerMillis) {
    Connection first = takeSpare();
    try {
      return answersWithin(first == null ? dial() : first, answerMillis);
    } catch (SQLException e) {
      throw OracleFaults.connecting(e, address);
    }
  }

  private synchronized @Nullable Connection takeSpare() {
    Connection first = spare;
    spare = null;
    return first;
  }

  /// The sessions that are open.
  Set<OracleSession> sessions() {
    return Set.copyOf(sessions);
  }

  /// What the driver counts on the connections of the copy.
  DriverCounts counts() {
    return counts;
  }

  /// From now on it is told of each session, by the thread that closes it, before that ends.
  void watchEnds(Consumer<OracleSession> watcher) {
    ends = watcher;
  }

  /// Opens a connection that is none of the copy's own, whose server has some seconds for each
  /// answer.
  ///
  /// @throws Fault as {@link #open} does
  Connection aside() {
    try {
      return answersWithin(connect(NOBODY), ASIDE_MILLIS_MAX);
    } catch (SQLException e) {
      throw OracleFaults.connecting(e, address);
    }
  }

  private Connection dial() throws SQLException {
    DriverCounts.Line line = counts.line();
    OracleConnection connection = connect(line);
    line.opened(connection);
    OracleSession session = OracleSession.of(connection);
    sessions.add(session);
    return new StatisticsOnClose(
        connection,
        () -> {
          ends.accept(session);
          sessions.remove(session);
        });
  }

  /// @param millis 0 for any time
  private static Connection answersWithin(Connection connection, int millis) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, millis);
    return connection;
  }

  private OracleConnection connect(TraceEventListener listener) throws SQLException {
    OracleDataSource driver = new OracleDataSource();
    driver.setURL(address.url());
    driver.setConnectionProperties(properties);
    OracleConnection connection =
        driver.createConnectionBuilder().traceEventListener(listener).build();
    answersWithin(connection, CONNECT_MILLIS_MAX);
    try (Statement statement = connection.createStatement()) {
      statement.execute(SETTINGS);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  /// Closes what nobody has taken.
  @Override
  public void close() {
    try (Connection unused = takeSpare()) {
      if (unused != null) {
        unused.clearWarnings();
      }
    } catch (SQLException e) {
      throw OracleFaults.TABLE.of(e, address.server());
    }
  }
}
