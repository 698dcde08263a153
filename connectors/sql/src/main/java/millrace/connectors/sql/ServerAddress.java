package millrace.connectors.sql;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;

/// Which server, database and user a URL names.
///
/// @param host name or address, without brackets
/// @param database empty if none is named
/// @param secret the password, or none
public record ServerAddress(String host, int port, String database, String user, Secret secret) {

  private static final Pattern LOCATION =
      Pattern.compile(
          "//(?:(?<user>[^@/]*)@)?(?<host>\\[[^]/]*]|[^:/@]*)(?::(?<port>[^/]*))?(?:/(?<database>[^/]*))?");

  /// What the name of a host never contains. A driver may take what follows for something else.
  private static final Pattern NO_HOST = Pattern.compile("[/?#&=;,()@\\\\\\s\\p{Cntrl}]");

  private static final int PORT_MAX = 65_535;

  /// What a URL leaves out.
  ///
  /// @param system how users call the system
  /// @param port the port that its servers listen on
  /// @param secret the password if neither the URL nor the connection has one
  public record Defaults(String system, int port, Secret secret) {}

  /// Reads `//user@host:port/database`, any part of which may be missing. What stands there as
  /// `%3A` and the like is decoded.
  ///
  /// @throws Fault.User if it is no such address
  public static ServerAddress of(Endpoint endpoint, Defaults defaults) {
    Matcher parts = LOCATION.matcher(endpoint.location());
    if (!parts.matches()) {
      throw bad(endpoint, defaults);
    }
    String host = or(parts.group("host"), "localhost");
    boolean inBrackets = host.startsWith("[");
    String bare = inBrackets ? host.substring(1, host.length() - 1) : host;
    if (NO_HOST.matcher(bare).find()) {
      throw bad(endpoint, defaults);
    }
    return new ServerAddress(
        bare,
        port(endpoint, parts.group("port"), defaults),
        or(parts.group("database"), ""),
        or(parts.group("user"), System.getProperty("user.name")),
        endpoint.secret().reveal() == null ? defaults.secret : endpoint.secret());
  }

  private static String or(@Nullable String part, String otherwise) {
    return part == null || part.isEmpty()
        ? otherwise
        : URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static int port(Endpoint endpoint, @Nullable String text, Defaults defaults) {
    if (text == null || text.isEmpty()) {
      return defaults.port;
    }
    int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
    if (port < 1 || port > PORT_MAX) {
      throw bad(endpoint, defaults);
    }
    return port;
  }

  private static Fault.User bad(Endpoint endpoint, Defaults defaults) {
    return new Fault.User(
        endpoint.label() + " is no address of a " + defaults.system + " server.",
        "Write " + endpoint.scheme() + "://user@host:" + defaults.port + "/database?table=orders.");
  }

  /// Where the server is, for messages.
  public String server() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
