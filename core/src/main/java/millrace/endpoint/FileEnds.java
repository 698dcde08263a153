package millrace.endpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.io.DataFiles;
import millrace.io.store.FileLocation;
import millrace.io.store.StoreOptions;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;

/// Turns what a user writes for files into an {@link Endpoint}: paths and globs of this machine,
/// and URLs of stores.
///
/// @param connectors all that there are
record FileEnds(List<Connector> connectors) {

  /// Where a path's parameters begin: a `?` alone may be part of a glob.
  private static final Pattern FIRST_PARAMETER = Pattern.compile("\\?(?=[A-Za-z][A-Za-z0-9_-]*=)");

  /// `file:///a/b.csv`, `file://localhost/a/b.csv` and `file:b.csv` are paths.
  static Endpoint url(String rest) {
    String path = rest;
    if (path.startsWith("//")) {
      int slash = path.indexOf('/', 2);
      String host = slash < 0 ? path.substring(2) : path.substring(2, slash);
      if (slash < 0 || !(host.isEmpty() || host.equals("localhost"))) {
        throw new Fault.User(
            "A file: URL with a host names no file of this machine.",
            "Write file:///path/to/file, or the path alone.");
      }
      path = path.substring(slash);
    }
    return plainFile(Endpoints.FILE, path);
  }

  /// A file beside the ends of a copy. Of a store's URL parameters say how it is reached.
  ///
  /// @throws Fault.User if nothing can be written there
  static FileLocation beside(String text) {
    FileLocation.checkNoKey(text);
    Matcher matcher = FIRST_PARAMETER.matcher(text);
    boolean hasParameters = FileLocation.isInStore(text) && matcher.find();
    FileLocation location =
        hasParameters
            ? FileLocation.of(
                text.substring(0, matcher.start()),
                Parameters.parse(text.substring(matcher.start() + 1)).values())
            : FileLocation.of(text, Map.of());
    location.checkWritten();
    return location;
  }

  /// Understands files below a connection that is a store's URL.
  ///
  /// @param rest what stands behind its name: `:in/*.csv`, `?delimiter=;` or nothing
  Endpoint below(Connection connection, String rest) {
    Endpoint base = parse(connection.url());
    String location = base.location().replaceFirst("/+$", "");
    Endpoint end =
        parse(rest.startsWith(":") ? location + "/" + rest.substring(1) : location + rest);
    Map<String, String> merged = new HashMap<>(connection.parameters());
    merged.putAll(base.parameters());
    merged.putAll(end.parameters());
    return new Endpoint(end.scheme(), end.location(), merged, base.secret());
  }

  /// What stands behind the question mark of a web server's URL is the server's, and may sign it.
  private Endpoint web(String text) {
    int question = text.indexOf('?');
    String location = question < 0 ? text : text.substring(0, question);
    Endpoint file = Endpoints.endpoint(Endpoints.FILE, location, Parameters.none());
    String scheme = schemeOf(FileLocation.of(file));
    refuseDatabase(scheme, location);
    return new Endpoint(
        scheme,
        location,
        Map.of(),
        question < 0 ? Secret.NONE : Secret.of(text.substring(question + 1)));
  }

  /// Understands a path, a glob, or the URL of a store.
  ///
  /// @throws Fault.User if it is what can't be opened in a store
  Endpoint parse(String text) {
    FileLocation.checkNoKey(text);
    if (FileLocation.isOnWeb(text)) {
      return web(text);
    }
    Matcher matcher = FIRST_PARAMETER.matcher(text);
    String path = matcher.find() ? text.substring(0, matcher.start()) : text;
    Endpoint file = plainFile(Endpoints.FILE, text);
    String scheme = schemeOf(FileLocation.of(path, file.parameters()));
    refuseDatabase(scheme, path);
    return new Endpoint(scheme, file.location(), file.parameters(), file.secret());
  }

  private void refuseDatabase(String scheme, String path) {
    boolean readsStores =
        connectors.stream()
            .filter(connector -> connector.schemes().contains(scheme))
            .anyMatch(connector -> connector.options().containsAll(StoreOptions.ALL));
    if (FileLocation.isInStore(path) && !readsStores) {
      throw new Fault.User(
          path + " is a database (" + scheme + "), which can't be opened in a store.",
          "Fetch the file to this machine first, and name it there.");
    }
  }

  private static Endpoint plainFile(String scheme, String text) {
    Matcher matcher = FIRST_PARAMETER.matcher(text);
    return Endpoints.endpointOf(scheme, text, matcher.find() ? matcher.start() : -1);
  }

  /// The scheme of the connector that claims the ending of a location's files.
  String schemeOf(FileLocation location) {
    List<String> names = names(location);
    for (Connector connector : connectors) {
      if (names.stream()
          .allMatch(name -> connector.fileEndings().stream().anyMatch(name::endsWith))) {
        return connector.schemes().getFirst();
      }
    }
    return Endpoints.FILE;
  }

  /// The names of a folder's files, or that of the path itself, in lower case.
  private static List<String> names(FileLocation location) {
    String path = location.text();
    List<Path> files = List.of();
    try {
      // A store is asked only about what is written as a folder.
      if (location.isInStore() ? path.endsWith("/") : Files.isDirectory(location.path())) {
        files = DataFiles.in(location.path());
      }
    } catch (IOException | InvalidPathException _) {
      // The connector that opens it says so, in the words of what it was opened for.
      files = List.of();
    }
    return files.isEmpty()
        ? List.of(path.toLowerCase(Locale.ROOT))
        : files.stream().map(file -> file.toString().toLowerCase(Locale.ROOT)).toList();
  }
}
