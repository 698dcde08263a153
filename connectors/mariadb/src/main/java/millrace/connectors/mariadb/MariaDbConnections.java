package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import millrace.connectors.sql.ServerAddress;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.Driver;

/// Opens the connections of one endpoint, with the settings that let all values through unchanged.
///
/// Any thread may connect.
final class MariaDbConnections implements AutoCloseable {

  private static final int PORT = 3306;
  private static final int CONNECT_MILLIS_MAX = 30_000;
  private static final int ASIDE_MILLIS_MAX = 10_000;

  private static final String PREFERRED = "preferred";

  /// The modes of MySQL's own clients, and what the driver calls them.
  private static final Map<String, String> MODES =
      Map.of(
          "disabled",
          "disable",
          PREFERRED,
          "trust",
          "required",
          "trust",
          "verify-ca",
          "verify-ca",
          "verify-identity",
          "verify-full");

  /// Each server runs what stands in the comments that are for it. Nothing ends a session that
  /// waits for a slow target, and no value is cut, rounded or replaced: 0 in a numbered column
  /// stays 0.
  private static final List<String> SETTINGS =
      List.of(
          "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
          "SET SESSION sql_mode = 'STRICT_ALL_TABLES,STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO,"
              + "ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00',"
              + " wait_timeout = 2147483, net_write_timeout = 2147483, net_read_timeout = 2147483"
              + "/*M!100101 , max_statement_time = 0 */"
              + "/*!50708 , max_execution_time = 0 */"
              + "/*!80000 , information_schema_stats_expiry = 0 */");

  static final List<Option> OPTIONS =
      List.of(
          new Option(
              "ssl-mode",
              "disabled, preferred (the default), required, verify-ca or verify-identity.",
              "verify-identity"),
          new Option(
              "ssl-ca",
              "Certificates to trust for verify-ca and verify-identity; Java's own if not given.",
              "/etc/ssl/db-ca.pem"),
          Option.flag(
              "get-server-public-key",
              "Without TLS, asks the server for the key that a password is encrypted with."));

  private final ServerAddress address;
  private final String mode;
  private final String authorities;
  private final boolean asksForKey;
  private final Set<Long> threads = ConcurrentHashMap.newKeySet();
  private volatile boolean lacksTls;

  /// Statements with their values have fewer bytes; 0 if no session has said so yet.
  private volatile int packetMax;

  private @Nullable Connection spare;
  private volatile @Nullable ServerTraits traits;

  MariaDbConnections(Endpoint endpoint, Function<String, @Nullable String> environment) {
    address = address(endpoint, environment);
    mode = endpoint.text("ssl-mode").orElse(PREFERRED).toLowerCase(Locale.ROOT).replace('_', '-');
    if (!MODES.containsKey(mode)) {
      List<String> modes = MODES.keySet().stream().sorted().toList();
      throw new Fault.User(
          "There is no ssl-mode=" + mode.replaceAll("\\p{Cntrl}", "?") + ".",
          (Nearest.hint(mode, modes) + " It is one of " + String.join(", ", modes) + ".").strip());
    }
    authorities = endpoint.text("ssl-ca").orElse("");
    asksForKey = endpoint.flag("get-server-public-key", false);
  }

  static ServerAddress address(Endpoint endpoint, Function<String, @Nullable String> environment) {
    String password = environment.apply("MYSQL_PWD");
    Secret secret = password == null ? Secret.NONE : Secret.of(password);
    return ServerAddress.of(endpoint, new ServerAddress.Defaults("MariaDB or MySQL", PORT, secret));
  }

  ServerAddress address() {
    return address;
  }

  /// What decides how the server is spoken to. Connects if nobody has yet.
  ///
  /// @throws Fault if there is no server, no database, no right, or no password
  synchronized ServerTraits traits() {
    ServerTraits found = traits;
    if (found == null) {
      try {
        Connection connection = dial(false);
        spare = connection;
        found = ServerTraits.of(connection);
        try (Statement statement = connection.createStatement()) {
          packetMax = packetMax(statement);
        }
        answersWithin(connection, 0);
        traits = found;
      } catch (SQLException e) {
        throw MariaDbFaults.connecting(e, address, mode);
      }
    }
    return found;
  }

  /// Opens a connection for one thread, or gives the one that {@link #traits} has opened.
  ///
  /// @param writes whether rows will be written through it
  /// @throws Fault if there is no server, no database, no right, or no password
  Connection open(boolean writes) {
    return open(writes, 0);
  }

  /// Opens one that moves no rows, whose server has some seconds for each answer.
  Connection aside() {
    return open(false, ASIDE_MILLIS_MAX);
  }

  private Connection open(boolean writes, int answerMillis) {
    Connection first = writes ? null : takeSpare();
    try {
      return answersWithin(first == null ? dial(writes) : first, answerMillis);
    } catch (SQLException e) {
      throw MariaDbFaults.connecting(e, address, mode);
    }
  }

  /// @param millis 0 for any time
  private static Connection answersWithin(Connection connection, int millis) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, millis);
    return connection;
  }

  private synchronized @Nullable Connection takeSpare() {
    Connection first = spare;
    spare = null;
    return first;
  }

  /// The server's numbers of the connections that were opened.
  Set<Long> threads() {
    return Set.copyOf(threads);
  }

  /// Connects; the server has a limit for its answers. The database is no part of the driver's URL,
  /// in which its name could be taken for other settings.
  private Connection dial(boolean writes) throws SQLException {
    Connection connection = answersWithin(encrypted(writes), CONNECT_MILLIS_MAX);
    try (Statement statement = connection.createStatement()) {
      if (!address.database().isEmpty()) {
        connection.setCatalog(address.database());
      }
      for (String setting : SETTINGS) {
        statement.execute(setting);
      }
      if (writes) {
        if (isOutdated(connection, statement)) {
          connection.close();
          return dial(true);
        }
        // Lanes that insert beside each other must not lock what lies between their rows.
        statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
      }
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    threads.add(connection.unwrap(org.mariadb.jdbc.Connection.class).getThreadId());
    return connection;
  }

  /// Whether the driver was told another limit than the session's, which stays as the server's was
  /// when it began. Sessions to come are told this one.
  private boolean isOutdated(Connection connection, Statement statement) throws SQLException {
    packetMax = packetMax(statement);
    return PacketParameters.bytesMax(connection) != packetMax;
  }

  private static int packetMax(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery("SELECT GREATEST(@@max_allowed_packet, @@net_buffer_length)")) {
      row.next();
      return row.getInt(1);
    }
  }

  /// As MySQL's own clients do, goes on without TLS if the server has none and nobody asks for it.
  /// The driver has no mode for that.
  private Connection encrypted(boolean writes) throws SQLException {
    String driverMode = lacksTls ? "disable" : MODES.getOrDefault(mode, mode);
    try {
      return connect(properties(writes, driverMode));
    } catch (SQLException e) {
      boolean hasNone = String.valueOf(e.getMessage()).contains("ssl not enabled in the server");
      if (!hasNone || lacksTls || !mode.equals(PREFERRED)) {
        throw e;
      }
      lacksTls = true;
      return connect(properties(writes, "disable"));
    }
  }

  private Connection connect(Properties properties) throws SQLException {
    Connection connection =
        new Driver().connect("jdbc:mariadb://" + address.server() + "/", properties);
    if (connection == null) {
      throw new Fault.Bug("the driver does not know its own URL", null);
    }
    return connection;
  }

  private Properties properties(boolean writes, String driverMode) {
    Properties properties = new Properties();
    properties.setProperty("user", address.user());
    String password = address.secret().reveal();
    if (password != null) {
      properties.setProperty("password", password);
    }
    properties.setProperty("sslMode", driverMode);
    if (!authorities.isEmpty()) {
      properties.setProperty("serverSslCert", authorities);
    }
    properties.setProperty("allowPublicKeyRetrieval", Boolean.toString(asksForKey));
    properties.setProperty("permitRedirect", "false");
    properties.setProperty("connectTimeout", Integer.toString(CONNECT_MILLIS_MAX));
    properties.setProperty("connectionAttributes", "program_name:millrace");
    // Only so FLOAT comes with all its digits.
    properties.setProperty("useServerPrepStmts", "true");
    properties.setProperty("tinyInt1isBit", "false");
    properties.setProperty("transformedBitIsBoolean", "false");
    properties.setProperty("yearIsDateType", "false");
    properties.setProperty("uuidAsString", "true");
    properties.setProperty("allowLocalInfile", Boolean.toString(writes));
    if (writes && packetMax > 0) {
      // By this the driver cuts batches. Rows that are longer never come to it: PacketParameters.
      // It takes no answers that are longer either, so that who reads does not tell it.
      properties.setProperty("maxAllowedPacket", Integer.toString(packetMax));
    }
    return properties;
  }

  /// Closes what nobody has taken.
  @Override
  public void close() {
    try (Connection unused = takeSpare()) {
      if (unused != null) {
        threads.clear();
      }
    } catch (SQLException e) {
      throw MariaDbFaults.TABLE.of(e, address.server());
    }
  }
}
