package millrace.connectors.postgres.net;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// Which server, database and user; what is not given comes from the environment, as with psql.
/// Where nothing names a host, a server of this machine is reached through its socket, if it has
/// one where it usually is.
///
/// @param host name or address, or the folder of the server's socket where it begins with a slash
/// @param tls the parameters for the driver that begin with `ssl`, under its own names
public record Address(
    String host, int port, String database, String user, Map<String, String> tls) {

  private static final Pattern LOCATION =
      Pattern.compile(
          "//(?:(?<user>[^@/]*)@)?(?<host>\\[[^\\]]*\\]|[^:/@]*)(?::(?<port>[^/]*))?(?:/(?<db>.*))?");

  /// What the name of a host never contains. In the driver's URL such a character would begin
  /// something else: another host, another database, a parameter that turns TLS off.
  private static final Pattern NO_HOST = Pattern.compile("[/?#&=;@\\\\\\s\\p{Cntrl}]");

  private static final String LOCALHOST = "localhost";

  private static final List<String> USUAL_FOLDERS = List.of("/var/run/postgresql", "/tmp");

  /// TLS parameters of a URL: psql's names, which are the driver's names too.
  static final List<String> TLS_PARAMETERS = List.of("sslmode", "sslrootcert", "sslcert", "sslkey");

  private static final List<String> TLS_MODES =
      List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

  public Address {
    tls = Map.copyOf(tls);
  }

  /// Reads `//user@host:port/database`, any part of which may be missing.
  ///
  /// @param environment looks up an environment variable, null where it is not set
  /// @throws Fault.User where it is no such address
  public static Address of(Endpoint endpoint, Function<String, @Nullable String> environment) {
    Matcher matcher = LOCATION.matcher(endpoint.location());
    if (!endpoint.location().isEmpty() && !matcher.matches()) {
      throw bad(endpoint);
    }
    boolean given = !endpoint.location().isEmpty();
    String ports = first(given ? matcher.group("port") : null, environment.apply("PGPORT"), "5432");
    checkOne(ports);
    int port = port(endpoint, ports);
    String host =
        first(given ? matcher.group("host") : null, environment.apply("PGHOST"), usual(port));
    String user =
        first(
            given ? matcher.group("user") : null,
            environment.apply("PGUSER"),
            System.getProperty("user.name"));
    String database =
        first(given ? matcher.group("db") : null, environment.apply("PGDATABASE"), user);
    Map<String, String> tls = new TreeMap<>();
    for (String name : TLS_PARAMETERS) {
      endpoint.text(name).ifPresent(value -> tls.put(name, value));
    }
    fromEnvironment(tls, "sslmode", environment.apply("PGSSLMODE"));
    fromEnvironment(tls, "sslrootcert", environment.apply("PGSSLROOTCERT"));
    tls.putIfAbsent("sslmode", "prefer");
    checkMode(String.valueOf(tls.get("sslmode")));
    checkHost(host);
    return new Address(withoutBrackets(host), port, database, user, tls);
  }

  private static void fromEnvironment(
      Map<String, String> tls, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      tls.putIfAbsent(name, value);
    }
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

  private static void checkMode(String mode) {
    if (!TLS_MODES.contains(mode)) {
      throw new Fault.User(
          "There is no sslmode=" + mode + ".",
          (Nearest.hint(mode, TLS_MODES) + " It is one of " + String.join(", ", TLS_MODES) + ".")
              .strip());
    }
  }

  private static String first(
      @Nullable String inUrl, @Nullable String inEnvironment, String otherwise) {
    if (inUrl != null && !inUrl.isEmpty()) {
      return URLDecoder.decode(inUrl.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
    return inEnvironment == null || inEnvironment.isEmpty() ? otherwise : inEnvironment;
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

  private static Fault.User bad(Endpoint endpoint) {
    return new Fault.User(
        endpoint.label() + " is no address of a PostgreSQL server.",
        "Write postgresql://user@host:5432/database?table=schema.table.");
  }

  /// The server's socket, or null where it is reached through the network.
  @Nullable Path socket() {
    return host.startsWith("/") ? socket(host, port) : null;
  }

  /// The host as the network knows it; a server with a socket is on this machine.
  public String networkHost() {
    return host.startsWith("/") ? LOCALHOST : host;
  }

  /// Where the server is, for messages.
  public String server() {
    return at(host);
  }

  /// Where the driver is told that the server is.
  String networkServer() {
    return at(networkHost());
  }

  private String at(String where) {
    return (where.contains(":") ? "[" + where + "]" : where) + ":" + port;
  }
}
