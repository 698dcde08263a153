package millrace.connectors.postgres;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
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
///
/// @param tls the parameters for the driver that begin with `ssl`, under its own names
record Address(String host, int port, String database, String user, Map<String, String> tls) {

  private static final Pattern LOCATION =
      Pattern.compile(
          "//(?:(?<user>[^@/]*)@)?(?<host>\\[[^\\]]*\\]|[^:/@]*)(?::(?<port>[^/]*))?(?:/(?<db>.*))?");

  /// TLS parameters of a URL: psql's names, which are the driver's names too.
  static final List<String> TLS_PARAMETERS = List.of("sslmode", "sslrootcert", "sslcert", "sslkey");

  private static final List<String> TLS_MODES =
      List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

  Address {
    tls = Map.copyOf(tls);
  }

  /// Reads `//user@host:port/database`, any part of which may be missing.
  ///
  /// @param environment looks up an environment variable, null where it is not set
  /// @throws Fault.User where it is no such address
  static Address of(Endpoint endpoint, Function<String, @Nullable String> environment) {
    Matcher matcher = LOCATION.matcher(endpoint.location());
    if (!endpoint.location().isEmpty() && !matcher.matches()) {
      throw bad(endpoint);
    }
    boolean given = !endpoint.location().isEmpty();
    String host =
        first(given ? matcher.group("host") : null, environment.apply("PGHOST"), "localhost");
    String port = first(given ? matcher.group("port") : null, environment.apply("PGPORT"), "5432");
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
    return new Address(checkHost(host), port(endpoint, port), database, user, tls);
  }

  private static void fromEnvironment(
      Map<String, String> tls, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      tls.putIfAbsent(name, value);
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

  private static String checkHost(String host) {
    if (host.startsWith("/")) {
      throw new Fault.User(
          "The host " + host + " is a folder of local sockets, which the driver can't use.",
          "Name a host in the URL, such as postgresql://localhost/…, or set PGHOST to one.");
    }
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
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

  /// Where the server is, for messages.
  String server() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
