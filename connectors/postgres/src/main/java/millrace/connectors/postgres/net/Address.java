package millrace.connectors.postgres.net;

import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import org.jspecify.annotations.Nullable;

/// Which server, database and user; what is not given comes from a service and the environment, as
/// with psql. If nothing names a host, a server of this machine is reached through its socket, if
/// it has one in the usual folder.
///
/// @param host name or address, or the folder of the server's socket if it begins with a slash
/// @param hostAddress the address that is connected to, whatever the host's name leads to; empty if
///   the name is looked up
/// @param tls the parameters for the driver about TLS and how to log in, under its own names
public record Address(
    String host,
    String hostAddress,
    int port,
    String database,
    String user,
    Map<String, String> tls) {

  /// What the name of a host never contains. In the driver's URL such a character would begin
  /// something else: another host, another database, a parameter that turns TLS off.
  private static final Pattern NO_HOST = Pattern.compile("[/?#&=;@\\\\\\s\\p{Cntrl}]");

  private static final String LOCALHOST = "localhost";

  private static final List<String> USUAL_FOLDERS = List.of("/var/run/postgresql", "/tmp");

  private static final List<String> TLS_MODES =
      List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

  public Address {
    tls = Map.copyOf(tls);
  }

  /// A host whose address is looked up.
  public Address(String host, int port, String database, String user, Map<String, String> tls) {
    this(host, "", port, database, user, tls);
  }

  /// libpq's parameters of a URL that are no options of the connector.
  public static List<Option> urlOptions() {
    return LibpqParameter.ALL.stream()
        .filter(each -> !each.keyword().isEmpty())
        .map(each -> new Option(each.option(), "As in libpq.", ""))
        .toList();
  }

  /// Reads `//user@host:port/database`, any part of which may be missing.
  ///
  /// @param environment looks up an environment variable, null if it is not set
  /// @throws Fault.User if it is no such address
  public static Address of(Endpoint endpoint, Function<String, @Nullable String> environment) {
    return of(endpoint, LibpqSettings.of(endpoint, environment));
  }

  static Address of(Endpoint endpoint, LibpqSettings settings) {
    String ports = or(settings.get(LibpqParameter.PORT), "5432");
    checkOne(ports);
    int port = port(endpoint, ports);
    String hostAddress = settings.get(LibpqParameter.HOST_ADDRESS);
    checkAddress(hostAddress);
    String host =
        or(settings.get(LibpqParameter.HOST), hostAddress.isEmpty() ? usual(port) : hostAddress);
    checkHost(host);
    String user = or(settings.get(LibpqParameter.USER), System.getProperty("user.name"));
    String database = or(settings.get(LibpqParameter.DATABASE), user);
    return new Address(withoutBrackets(host), hostAddress, port, database, user, tls(settings));
  }

  private static Map<String, String> tls(LibpqSettings settings) {
    Map<String, String> tls = new TreeMap<>(settings.driver());
    boolean requires = settings.get(LibpqParameter.REQUIRE_TLS_VARIABLE).startsWith("1");
    String mode = or(settings.get(LibpqParameter.TLS_MODE), requires ? "require" : "prefer");
    checkMode(mode);
    String authorities = settings.get(LibpqParameter.TLS_AUTHORITIES);
    if (authorities.equals("system")) {
      throw new Fault.User(
          "sslrootcert=system asks for the system's certificates, and Millrace takes a file.",
          "Name the file, such as sslrootcert=/etc/ssl/certs/ca-certificates.crt with"
              + " sslmode=verify-full.");
    }
    tls.put("sslmode", mode);
    if (!authorities.isEmpty()) {
      tls.put("sslrootcert", authorities);
    }
    return tls;
  }

  private static String or(String text, String otherwise) {
    return text.isEmpty() ? otherwise : text;
  }

  /// The driver would take a list, and might give each connection of one copy another server.
  private static void checkOne(String hostsOrPorts) {
    if (hostsOrPorts.contains(",")) {
      throw new Fault.User(
          "Several PostgreSQL servers are named at once ("
              + hostsOrPorts.replaceAll("\\p{Cntrl}", "?")
              + "), and a copy has one at each end.",
          "Name the one to read from or to write to, or an address that leads to it.");
    }
  }

  private static void checkHost(String host) {
    if (host.startsWith("/")) {
      return;
    }
    checkOne(host);
    if (NO_HOST.matcher(host).find()) {
      throw new Fault.User(
          "There can be no host named '" + host.replaceAll("\\p{Cntrl}", "?") + "'.",
          "Write its name or address, or the folder of a socket with %2F in front.");
    }
  }

  private static void checkAddress(String hostAddress) {
    checkOne(hostAddress);
    if (!hostAddress.isEmpty() && !isLiteral(hostAddress)) {
      throw new Fault.User(
          "There is no network address '" + hostAddress.replaceAll("\\p{Cntrl}", "?") + "'.",
          "hostaddr and PGHOSTADDR are an IPv4 or IPv6 address; a name goes into host.");
    }
  }

  private static boolean isLiteral(String address) {
    try {
      return InetAddress.ofLiteral(address) != null;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static void checkMode(String mode) {
    if (!TLS_MODES.contains(mode)) {
      throw new Fault.User(
          "There is no sslmode=" + mode + ".",
          (Nearest.hint(mode, TLS_MODES) + " It is one of " + String.join(", ", TLS_MODES) + ".")
              .strip());
    }
  }

  /// A part of a URL before its `?`, where a `+` is a plus.
  static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  /// Debian's folder of sockets, then PostgreSQL's own, then the network.
  private static String usual(int port) {
    return USUAL_FOLDERS.stream()
        .filter(folder -> Files.exists(socket(folder, port)))
        .findFirst()
        .orElse(LOCALHOST);
  }

  private static Path socket(String folder, int port) {
    return Path.of(folder, ".s.PGSQL." + port);
  }

  private static int port(Endpoint endpoint, String text) {
    try {
      int port = Integer.parseInt(text);
      if (port > 0 && port < 65_536) {
        return port;
      }
    } catch (NumberFormatException _) {
      throw bad(endpoint);
    }
    throw bad(endpoint);
  }

  static Fault.User bad(Endpoint endpoint) {
    return new Fault.User(
        endpoint.label() + " is no address of a PostgreSQL server.",
        "Write postgresql://user@host:5432/database?table=schema.table.");
  }

  /// The server's socket, or null if it is reached through the network.
  @Nullable Path socket() {
    return host.startsWith("/") && hostAddress.isEmpty() ? socket(host, port) : null;
  }

  /// The host as the network knows it; a server with a socket is on this machine.
  public String networkHost() {
    return hostAddress.isEmpty() ? namedHost() : hostAddress;
  }

  private String namedHost() {
    return host.startsWith("/") ? LOCALHOST : host;
  }

  /// The mode of TLS for the driver. As with libpq, who requires TLS and has a file of authorities
  /// wants the server's certificate checked.
  ///
  /// @param environment for the user's folder
  String driverMode(Function<String, @Nullable String> environment) {
    if (socket() != null) {
      // As libpq does: nobody listens between two processes of one machine.
      return "disable";
    }
    String mode = tls.getOrDefault("sslmode", "prefer");
    String named = tls.get("sslrootcert");
    Path file =
        named == null
            ? PasswordFile.home(environment).resolve(".postgresql/root.crt")
            : Path.of(named);
    return mode.equals("require") && Files.exists(file) ? "verify-ca" : mode;
  }

  /// Where the server is, for messages.
  public String server() {
    return at(host)
        + (hostAddress.isEmpty() || hostAddress.equals(host) ? "" : " (" + hostAddress + ")");
  }

  /// Where the driver is told that the server is; the name is what its certificate must have.
  String networkServer() {
    return at(namedHost());
  }

  private String at(String where) {
    return (where.contains(":") ? "[" + where + "]" : where) + ":" + port;
  }
}
