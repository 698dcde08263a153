package millrace.endpoint;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Ends that are written as other programs write them: `host=h dbname=d password=p` (libpq),
/// `user/password@//host/service` (SQL*Plus) and `jdbc:…` of systems that have a URL here. They are
/// refused with the URL to write instead, and none of their text is repeated but what is known to
/// be no password.
final class ForeignUrl {

  /// Those that make no sense as the beginning of a file's name.
  private static final Set<String> ALONE =
      Set.of("host", "hostaddr", "dbname", "service", "password", "passfile");

  private static final String KEYS =
      "host|hostaddr|port|dbname|user|password|passfile|service|options|application_name"
          + "|connect_timeout|client_encoding|target_session_attrs|require_auth|channel_binding"
          + "|(?:ssl|gss|krb|keepalives|tcp_)\\w*";
  private static final Pattern KEY = Pattern.compile("(?i)(?:^|\\s)(" + KEYS + ")\\s*=");

  /// libpq's own rule: a value with blanks stands in single quotes, a backslash goes before a
  /// quote.
  private static final Pattern PAIR =
      Pattern.compile(
          "\\s*(\\w+)\\s*=\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|((?:[^\\s'\\\\]|\\\\.)*))(?=\\s|$)");

  private static final Pattern JDBC = Pattern.compile("(?is)\\s*jdbc:([a-z0-9]+):(.*)");
  private static final Pattern SERVER =
      Pattern.compile(
          "//((?:[\\w.-]*|\\[[0-9a-f:]+])(?::[0-9]+)?)/([\\w.%-]+)(?:\\?(.*))?", Pattern.DOTALL);

  /// Parameters that name no secret and that PostgreSQL's connector has under the same name.
  private static final List<String> PASSED =
      List.of(
          "service",
          "hostaddr",
          "options",
          "application_name",
          "connect_timeout",
          "target_session_attrs",
          "passfile",
          "sslmode",
          "sslrootcert",
          "sslcert",
          "sslkey",
          "sslnegotiation",
          "channel_binding",
          "require_auth");

  private static final Pattern SQLPLUS =
      Pattern.compile(
          "(?s)\\s*([^/\\s:@]+)/.*@(?://([\\w.-]+(?::[0-9]+)?)|([\\w.-]+:[0-9]+))/([\\w.$#-]+).*");

  /// What stands behind `jdbc:oracle:`: a user and a password if need be, then a service or a SID
  /// at a host, or a name of TNS.
  private static final Pattern ORACLE =
      Pattern.compile(
          "(?s)(?:thin|oci8?):(?:([^/@]*)/.*)?@(?:tcps?:)?(?://)?"
              + "(?:([\\w.-]+(?::[0-9]+)?)[/:]([\\w.$#-]+)|([\\w.$#-]+))(?:\\?[^@]*)?");

  private ForeignUrl() {}

  /// Refuses an end that is one.
  ///
  /// @throws Fault.User if it is
  static void refuse(String text) {
    Matcher jdbc = JDBC.matcher(text);
    if (jdbc.matches()) {
      Fault.User refused = jdbc(jdbc.group(1).toLowerCase(Locale.ROOT), jdbc.group(2));
      if (refused != null) {
        throw refused;
      }
    }
    Matcher sqlplus = SQLPLUS.matcher(text);
    if (sqlplus.matches()) {
      String host = sqlplus.group(2) == null ? sqlplus.group(3) : sqlplus.group(2);
      String user = sqlplus.group(1).matches("\\w+") ? sqlplus.group(1) : "user";
      throw fault(
          "An end is written as SQL*Plus has it, and Millrace takes URLs.",
          "oracle://" + user + "@" + host + "/" + sqlplus.group(4) + "?table=TABLE",
          "oracle://user@host:1521/service?table=TABLE");
    }
    if (isLibpq(text)) {
      throw fault(
          "An end is a connection string of libpq, and Millrace takes URLs.",
          libpq(text),
          "postgresql://user@host:5432/database?table=TABLE");
    }
  }

  private static boolean isLibpq(String text) {
    Matcher key = KEY.matcher(text);
    if (!key.find() || !text.substring(0, key.start()).isBlank()) {
      return false;
    }
    boolean isFile =
        !key.group(1).equalsIgnoreCase("password") && text.indexOf('/', key.end()) > key.end();
    return (ALONE.contains(key.group(1).toLowerCase(Locale.ROOT)) && !isFile) || key.find();
  }

  /// Null if it is not of a system that has URLs here.
  private static Fault.@Nullable User jdbc(String system, String rest) {
    String what = "An end is a URL of JDBC, and Millrace has URLs of its own.";
    return switch (system) {
      case "postgresql" ->
          fault(what, ofServer(rest), "postgresql://user@host:5432/database?table=TABLE");
      case "duckdb" ->
          fault(
              what,
              rest.matches("[\\w./-]+") ? "duckdb:" + rest + "?table=TABLE" : null,
              "duckdb:file.db?table=TABLE");
      case "oracle" -> fault(what, ofOracle(rest), "oracle://user@host:1521/service?table=TABLE");
      default -> null;
    };
  }

  private static @Nullable String ofOracle(String rest) {
    Matcher parts = ORACLE.matcher(rest);
    if (!parts.matches()) {
      return null;
    }
    String named = parts.group(1);
    String user = named != null && named.matches("\\w+") ? named : "user";
    return parts.group(4) == null
        ? "oracle://" + user + "@" + parts.group(2) + "/" + parts.group(3) + "?table=TABLE"
        : "oracle://" + user + "@?tns=" + parts.group(4) + "&table=TABLE";
  }

  /// @param url what to write instead, or null if that is not sure
  private static Fault.User fault(String what, @Nullable String url, String example) {
    return new Fault.User(
        what,
        (url == null ? "Write it so:" : "Write it as:")
            + "\n    '"
            + (url == null ? example : url)
            + "'\n"
            + "  A password goes into "
            + (example.startsWith("postgresql:") ? "PGPASSWORD, ~/.pgpass or " : "")
            + "a connection, not into the command.");
  }

  private static @Nullable String libpq(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    Matcher pair = PAIR.matcher(text);
    int end = 0;
    while (pair.find() && pair.start() == end) {
      String value = pair.group(2) == null ? pair.group(3) : pair.group(2);
      pairs.put(pair.group(1).toLowerCase(Locale.ROOT), value.replaceAll("\\\\(.)", "$1"));
      end = pair.end();
    }
    return text.substring(end).isBlank() ? url(pairs) : null;
  }

  private static @Nullable String ofServer(String rest) {
    Matcher server = SERVER.matcher(rest);
    if (!server.matches()) {
      return null;
    }
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : server.group(3) == null ? new String[0] : server.group(3).split("&", -1)) {
      String[] both = pair.split("=", 2);
      pairs.put(both[0].toLowerCase(Locale.ROOT), both.length < 2 ? "" : both[1]);
    }
    String user = pairs.getOrDefault("user", "");
    return url(user.isEmpty() ? "" : user + "@", server.group(1), server.group(2), pairs);
  }

  /// Null if a part may be more than it says: libpq takes a whole URL as `dbname`.
  private static @Nullable String url(Map<String, String> pairs) {
    String user = pairs.getOrDefault("user", "");
    String port = pairs.getOrDefault("port", "");
    String host = pairs.getOrDefault("host", "");
    String database = pairs.getOrDefault("dbname", user);
    if (!Stream.of(user, port, host, database).allMatch(part -> part.matches("[\\w ./-]*"))) {
      return null;
    }
    Map<String, String> values = new LinkedHashMap<>(pairs);
    values.replaceAll((_, value) -> encoded(value).replace("%2F", "/").replace("%3D", "="));
    return url(
        user.isEmpty() ? "" : encoded(user) + "@",
        encoded(host) + (port.isEmpty() ? "" : ":" + port),
        encoded(database),
        values);
  }

  private static String url(String user, String host, String database, Map<String, String> pairs) {
    Stream<String> passed =
        PASSED.stream().filter(pairs::containsKey).map(name -> name + "=" + pairs.get(name));
    return "postgresql://"
        + user
        + host
        + "/"
        + database
        + Stream.concat(Stream.of("?table=TABLE"), passed).collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
