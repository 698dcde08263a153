package millrace.endpoint;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.io.DataFiles;
import millrace.io.store.FileLocation;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Option;
import millrace.spi.catalog.TablePattern;
import org.jspecify.annotations.Nullable;

/// Turns what a user writes for an end of a job into an {@link Endpoint}.
///
/// What other programs' strings for a server are is refused, see {@link ForeignUrl}, and so are
/// systems without a connector, see {@link ForeignSystem}. Then in this order: `-`; `scheme:…` of a
/// connector; `name:table`, `name?…` or a bare `name` of a connection; otherwise a path or glob,
/// which goes to the connector that claims its ending, or that of all files in it if it is a
/// folder, or is a plain file. A password is taken out of the text at once, and no message repeats
/// a URL that may hold one.
public final class Endpoints {

  /// Not at the blank before the next URL of a sentence.
  private static final String WITHIN = "(?!\\s[\\w+.-]+://)";

  /// A URL without a password that begins a message of a server, which may name a user as
  /// 'me'@'host'. There is no colon behind it that could begin a password.
  private static final String TELLS =
      "(?![^:@\\s]+@[^:@/\\s]+:\\d+(?:/[^:@\n]*)?: [^:\n]*(?:\n|$))";

  private static final Pattern SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+._-]+):(.*)", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

  /// The same if a bare word may be a parameter as well.
  private static final Pattern FIRST_OF_URL =
      Pattern.compile("\\?(?=[A-Za-z][A-Za-z0-9_-]*(=|&|$)|$)");

  private static final Pattern PASSWORD =
      Pattern.compile("[?&]password=", Pattern.CASE_INSENSITIVE);

  /// A `user:password@` that does not follow a `//`, or one that stands in no URL.
  private static final Pattern PASSWORD_ASTRAY =
      Pattern.compile("^/?[^/]+:[^/]*@|//[^/:]+:.*@", Pattern.DOTALL);

  static final String FILE = "file";

  private final List<Connector> connectors;
  private final FileEnds files;
  private final Map<String, Supplier<Connection>> connections = new TreeMap<>();

  /// @param connectors all that there are
  /// @param connections by name; case does not matter, and `-` is the same as `_`; only those that
  ///   are used are asked for, so that a broken one hurts nobody else
  public Endpoints(List<Connector> connectors, Map<String, Supplier<Connection>> connections) {
    this.connectors = List.copyOf(connectors);
    files = new FileEnds(this.connectors);
    connections.forEach((name, connection) -> this.connections.put(canonical(name), connection));
  }

  /// A file beside the ends of a copy, on this machine or in a store.
  ///
  /// @throws Fault.User if nothing can be written there
  public static FileLocation fileBeside(String text) {
    return FileEnds.beside(text);
  }

  /// Understands one end.
  ///
  /// @throws Fault.User if it can't be understood
  public Endpoint parse(String text) {
    if (text.isBlank()) {
      throw new Fault.User(
          "FROM or TO is empty.", "Write a path, a URL, `-` or the name of a connection.");
    }
    ForeignUrl.refuse(text);
    if (text.equals("-")) {
      return endpoint(FILE, "-", Parameters.none());
    }
    Endpoint named = named(text);
    if (named != null) {
      return named;
    }
    Matcher matcher = SCHEME.matcher(text);
    if (!matcher.matches()) {
      return files.parse(text);
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    if (isScheme(scheme)) {
      return url(scheme, matcher.group(2));
    }
    if (FileLocation.isInStore(text)) {
      return files.parse(text);
    }
    throw unknown(matcher.group(1));
  }

  /// Understands the end that rows go to. A folder means the file in it that has the name of the
  /// one that they come from, as `cp` has it; its connector is the one that claims that name.
  ///
  /// @param from where they come from; if that is not one file, a folder stays one
  /// @throws Fault.User if it can't be understood
  public Endpoint target(Endpoint from, String text) {
    Endpoint to = parse(text);
    String name = fileName(from);
    if (name == null || !isFolder(to)) {
      return to;
    }
    boolean saysSystem = SCHEME.matcher(text).matches() && !to.scheme().equals(FILE);
    String location = to.location().replaceFirst("/+$", "") + "/" + name;
    String scheme = files.schemeOf(FileLocation.of(location, to.parameters()));
    return saysSystem && !scheme.equals(to.scheme())
        ? to
        : new Endpoint(scheme, location, to.parameters(), to.secret());
  }

  private static boolean isFolder(Endpoint end) {
    try {
      return !end.isStandardStream()
          && (end.location().endsWith("/")
              || (!FileLocation.isInStore(end.location())
                  && Files.isDirectory(Path.of(end.location()))))
          && !end.location().startsWith("//");
    } catch (InvalidPathException _) {
      return false;
    }
  }

  /// The name of the file that an end is; null if it is none, or several, or a database.
  private static @Nullable String fileName(Endpoint end) {
    try {
      FileLocation location = FileLocation.of(end);
      Path path = location.path();
      // If there is none, that is what is to be said, and not that its target is a folder.
      boolean isFile =
          Files.isRegularFile(path)
              || (end.scheme().equals(FILE)
                  && !end.isStandardStream()
                  && !Files.exists(path)
                  && DataFiles.place(location).equals(path));
      boolean isDatabase =
          end.parameters().containsKey("table") || end.parameters().containsKey("query");
      return isFile && !isDatabase ? String.valueOf(path.getFileName()) : null;
    } catch (InvalidPathException _) {
      return null;
    }
  }

  /// Gives an endpoint those of the options that its connector knows and its URL does not set.
  public static Endpoint withOptions(
      Endpoint endpoint, Connector connector, Map<String, String> options) {
    Map<String, String> merged = new HashMap<>(endpoint.parameters());
    for (Option option : connector.options()) {
      String value = options.get(option.name());
      if (value != null) {
        merged.putIfAbsent(option.name(), value);
      }
    }
    return new Endpoint(endpoint.scheme(), endpoint.location(), merged, endpoint.secret());
  }

  private static Endpoint url(String scheme, String rest) {
    if (scheme.equals(FILE)) {
      return FileEnds.url(rest);
    }
    if (scheme.equals(JdbcUrl.SCHEME)) {
      return JdbcUrl.parse(rest);
    }
    return rest.startsWith("//") || PASSWORD.matcher(rest).find()
        ? endpointOf(scheme, rest, rest.indexOf('?'))
        : pathUrl(scheme, rest);
  }

  /// What stands in front of the parameters may be a path with a `?` in it, which is taken as it
  /// stands. If there is no such file, but one of the name that `%xx` spells, that one is meant.
  private static Endpoint pathUrl(String scheme, String rest) {
    Matcher matcher = FIRST_OF_URL.matcher(rest);
    int question = matcher.find() ? matcher.start() : -1;
    String spelled = question < 0 ? rest : rest.substring(0, question);
    String path = spelled;
    try {
      String decoded = Parameters.decode(spelled, "path");
      path = !exists(spelled) && exists(decoded) ? decoded : spelled;
    } catch (Fault.User _) {
      path = spelled;
    }
    return endpoint(
        scheme,
        path,
        question < 0 ? Parameters.none() : Parameters.parse(rest.substring(question + 1)));
  }

  private static boolean exists(String path) {
    try {
      return Files.exists(Path.of(path));
    } catch (InvalidPathException _) {
      return false;
    }
  }

  static Endpoint endpointOf(String scheme, String rest, int question) {
    String before = question < 0 ? rest : rest.substring(0, question);
    Parameters parameters =
        question < 0 ? Parameters.none() : Parameters.parse(rest.substring(question + 1));
    return endpoint(scheme, before, parameters);
  }

  static Endpoint endpoint(String scheme, String location, Parameters parameters) {
    if (!location.startsWith("//")) {
      if (PASSWORD_ASTRAY.matcher(location).find()) {
        throw Authority.malformed(scheme);
      }
      return new Endpoint(scheme, location, parameters.values(), parameters.password());
    }
    Authority authority = Authority.parse(scheme, location.substring(2));
    return new Endpoint(
        scheme,
        "//" + authority.withoutPassword(),
        parameters.values(),
        parameters.passwordOr(authority.password()));
  }

  /// The endpoint if the text begins with a connection's name, or null. A connector's scheme wins
  /// over a connection of the same name.
  private @Nullable Endpoint named(String text) {
    int end = 0;
    while (end < text.length() && ":?".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String name = text.substring(0, end);
    boolean colon = end < text.length() && text.charAt(end) == ':';
    Supplier<Connection> connection = connections.get(canonical(name));
    if (connection == null
        || !NAME.matcher(name).matches()
        || (colon && isScheme(name.toLowerCase(Locale.ROOT)))) {
      return null;
    }
    Connection known = connection.get();
    String rest = text.substring(end);
    if (!isScheme(schemeOf(known)) && FileLocation.isInStore(known.url())) {
      return files.below(known, rest);
    }
    Endpoint base = resolve(name, known);
    int question = rest.indexOf('?');
    Parameters requested =
        question < 0 ? Parameters.none() : Parameters.parse(rest.substring(question + 1));
    String table = rest.substring(0, question < 0 ? rest.length() : question);
    Map<String, String> merged = new HashMap<>(base.parameters());
    if (table.length() > 1) {
      merged.put("table", table.substring(1));
      merged.remove("query");
    }
    if (requested.values().containsKey("query")) {
      merged.remove("table");
    }
    merged.putAll(requested.values());
    merged.computeIfPresent("table", (_, written) -> inSchema(known.schema(), written));
    return new Endpoint(
        base.scheme(), base.location(), merged, requested.passwordOr(base.secret()));
  }

  private static String inSchema(String schema, String table) {
    return schema.isEmpty() || !TablePattern.parse(table).schema().isEmpty()
        ? table
        : schema + "." + table;
  }

  /// The schema of tables that are named without one; empty if the connection has none, or there is
  /// none of that name.
  public String schemaOf(String name) {
    Supplier<Connection> connection = connections.get(canonical(name));
    return connection == null ? "" : connection.get().schema();
  }

  /// Whether there is a connection of that name.
  public boolean hasConnection(String name) {
    return connections.containsKey(canonical(name));
  }

  private Endpoint resolve(String name, Connection connection) {
    Matcher matcher = SCHEME.matcher(connection.url());
    String scheme = schemeOf(connection);
    if (!matcher.matches() || !isScheme(scheme)) {
      ForeignSystem.refuse(scheme);
      throw new Fault.User(
          "The connection "
              + name
              + " ("
              + connection.origin()
              + ") is no URL of a system that"
              + " Millrace knows.",
          "Write for example postgresql://user@host/database. " + knownSchemes());
    }
    Endpoint plain = url(scheme, matcher.group(2));
    Map<String, String> merged = new HashMap<>(connection.parameters());
    merged.putAll(plain.parameters());
    return new Endpoint(
        plain.scheme(),
        plain.location(),
        merged,
        plain.secret().reveal() == null ? connection.secret() : plain.secret());
  }

  private static String schemeOf(Connection connection) {
    Matcher matcher = SCHEME.matcher(connection.url());
    return matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
  }

  private boolean isScheme(String scheme) {
    return connectors.stream().anyMatch(connector -> connector.schemes().contains(scheme));
  }

  private Fault.User unknown(String scheme) {
    ForeignSystem.refuse(scheme);
    String names =
        connections.isEmpty()
            ? "no connection is defined"
            : "connections are " + String.join(", ", connections.keySet());
    return new Fault.User(
        "'" + scheme + ":' is neither a system that Millrace knows nor a connection.",
        knownSchemes() + "; " + names + ". A file of that name is ./" + scheme + ":…");
  }

  private String knownSchemes() {
    List<String> schemes = new ArrayList<>();
    connectors.forEach(connector -> schemes.addAll(connector.schemes()));
    return "Systems are " + String.join(", ", schemes);
  }

  private static String canonical(String name) {
    return name.toLowerCase(Locale.ROOT).replace('-', '_');
  }

  /// Hides passwords in a text that may repeat URLs, for messages of libraries about arguments.
  public static String redact(String text) {
    return text.replaceAll(
            "(://" + TELLS + "(?:" + WITHIN + "[^:\n])*):(?:" + WITHIN + "[^\n])*@", "$1:***@")
        .replaceAll("(?i)([?&](?:ssl)?password=)[^&\\s'\"]*", "$1***")
        .replaceAll(
            "(?i)((?:^|[\\s;'\"])password\\s*=\\s*)('(?:[^'\\\\\n]|\\\\.)*'?|[^&;\\s'\"]*)",
            "$1***");
  }

  /// Hides as well what may be a password in an argument that is no URL, for messages that repeat
  /// nothing else: they may lose more than the password.
  public static String redactArguments(String text) {
    // Before all else: what follows may hold whatever the others go by.
    return redact(text.replaceAll("(?i)(password\\s*=)[^\n]*", "$1***"))
        .replaceAll("(?<![/:])/[^\n]*@(?=//|[\\w.-]+:[0-9])", "/***@")
        .replaceAll("(//[^:\n]*):[^\n]*@", "$1:***@")
        .replaceAll(":(?![\\s/*])[^\n]*@", ":***@");
  }
}
