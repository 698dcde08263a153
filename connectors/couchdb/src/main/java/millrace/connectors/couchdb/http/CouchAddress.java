package millrace.connectors.couchdb.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;

/// Which server, database and user.
///
/// @param encrypted whether it is reached by TLS
/// @param host name or address, without brackets
/// @param path what stands before the database if a proxy adds it, with slashes at both ends
/// @param database its name, decoded
/// @param user empty if there is none
public record CouchAddress(
    boolean encrypted,
    String host,
    int port,
    String path,
    String database,
    String user,
    Secret password) {

  public static final String PLAIN_SCHEME = "couchdb";
  public static final String TLS_SCHEME = "couchdbs";

  private static final int PLAIN_PORT = 5984;
  private static final int TLS_PORT = 6984;

  private static final Pattern LOCATION =
      Pattern.compile(
          "//(?:(?<user>[^@/]*)@)?(?<host>\\[[0-9A-Fa-f:.]+\\]|[^:/@\\[\\]\\s\\p{Cntrl}]+)"
              + "(?::(?<port>[0-9]{1,5}))?(?<path>/(?:[^/?]+/)*)(?<db>[^/?]+)/?");

  /// Reads `//user@host:port/database`.
  ///
  /// @param environment looks up an environment variable, null if it is not set
  /// @throws Fault.User if it is no such address
  public static CouchAddress of(Endpoint endpoint, Function<String, @Nullable String> environment) {
    Matcher matcher = LOCATION.matcher(endpoint.location());
    if (!matcher.matches()) {
      throw bad(endpoint);
    }
    boolean encrypted = endpoint.scheme().equals(TLS_SCHEME);
    String port = matcher.group("port");
    int number = port == null ? (encrypted ? TLS_PORT : PLAIN_PORT) : Integer.parseInt(port);
    String database = decoded(matcher.group("db"), endpoint);
    boolean reserved = database.startsWith("_") && !database.equals("_users");
    if (number < 1 || number > 65_535 || reserved || database.indexOf('\0') >= 0) {
      throw bad(endpoint);
    }
    String host = matcher.group("host");
    CouchAddress address =
        new CouchAddress(
            encrypted,
            host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
            number,
            matcher.group("path"),
            database,
            first(decoded(matcher.group("user"), endpoint), environment.apply("COUCHDB_USER")),
            password(endpoint, environment));
    address.checkHost(endpoint);
    return address;
  }

  private static Secret password(
      Endpoint endpoint, Function<String, @Nullable String> environment) {
    String inEnvironment = environment.apply("COUCHDB_PASSWORD");
    if (endpoint.secret().reveal() != null || inEnvironment == null || inEnvironment.isEmpty()) {
      return endpoint.secret();
    }
    return Secret.of(inEnvironment);
  }

  private void checkHost(Endpoint endpoint) {
    try {
      if (new URI(url("")).getHost() == null) {
        throw bad(endpoint);
      }
    } catch (URISyntaxException _) {
      throw bad(endpoint);
    }
  }

  private static String first(String one, @Nullable String other) {
    return one.isEmpty() && other != null ? other : one;
  }

  private static String decoded(@Nullable String text, Endpoint endpoint) {
    if (text == null) {
      return "";
    }
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw bad(endpoint);
    }
  }

  /// A text as part of a path or a query.
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Fault.User bad(Endpoint endpoint) {
    return new Fault.User(
        endpoint.label().replaceAll("\\p{Cntrl}", "?") + " is no address of a CouchDB database.",
        "Write couchdb://user@host:5984/database, or couchdbs:// for TLS.");
  }

  /// The URL of something on the server, database included if it is of one.
  public String url(String rest) {
    String name = host.contains(":") ? "[" + host + "]" : host;
    return (encrypted ? "https://" : "http://") + name + ":" + port + path + rest;
  }

  /// The URL of something in the database; of the database itself if that is empty.
  public String databaseUrl(String rest) {
    return url(encoded(database) + (rest.isEmpty() ? "" : "/" + rest));
  }

  /// Where the server is, for messages.
  public String server() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
