package millrace.connectors.couchdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import org.jspecify.annotations.Nullable;

/// A server with CouchDB's API (express-pouchdb on Node) in a process of its own, or the real
/// CouchDB that MILLRACE_TEST_COUCHDB names (`http://user:password@host:5984`).
final class CouchServer implements AutoCloseable {

  private static final Path SOURCES = Path.of("src", "test", "couchdb");
  private static final Path INSTALLED = Path.of("target", "couchdb").toAbsolutePath();
  private static final String NAME = "admin";
  private static final String WORD = "secret";

  private static @Nullable CouchServer shared;

  private final @Nullable Process process;
  private final String scheme;
  private final String host;
  private final int port;
  private final String user;
  private final String password;

  /// The databases that tests have asked for.
  private final Set<String> named = ConcurrentHashMap.newKeySet();

  private CouchServer(
      @Nullable Process process,
      String scheme,
      String host,
      int port,
      String user,
      String password) {
    this.process = process;
    this.scheme = scheme;
    this.host = host;
    this.port = port;
    this.user = user;
    this.password = password;
  }

  /// The server that all tests of this JVM use; it ends with it.
  static synchronized CouchServer shared() {
    CouchServer server = shared;
    if (server == null) {
      String real = System.getenv("MILLRACE_TEST_COUCHDB");
      server = real == null || real.isEmpty() ? start(Map.of()) : at(URI.create(real));
      shared = server;
    }
    return server;
  }

  private static CouchServer at(URI real) {
    String[] user = real.getUserInfo().split(":", 2);
    String scheme = real.getScheme().equals("https") ? "couchdbs" : "couchdb";
    CouchServer server =
        new CouchServer(null, scheme, real.getHost(), real.getPort(), user[0], user[1]);
    Runtime.getRuntime().addShutdownHook(new Thread(server::removeAll));
    return server;
  }

  /// A server that speaks TLS with that key and certificate, both PEM files.
  static CouchServer withTls(Path key, Path certificate) {
    return start(Map.of("TLS_KEY", key.toString(), "TLS_CERT", certificate.toString()));
  }

  private static CouchServer start(Map<String, String> environment) {
    install();
    ProcessBuilder builder =
        new ProcessBuilder("node", INSTALLED.resolve("server.js").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .directory(INSTALLED.toFile());
    builder.environment().putAll(environment);
    builder.environment().putAll(Map.of("ADMIN", NAME, "PASSWORD", WORD, "PORT", "0"));
    try {
      Process process = builder.start();
      BufferedReader said =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String port = said.readLine();
      if (port == null) {
        throw new AssertionError("the server ended at once; is there a Node 18 or later?");
      }
      String scheme = environment.isEmpty() ? "couchdb" : "couchdbs";
      return new CouchServer(process, scheme, "localhost", Integer.parseInt(port), NAME, WORD);
    } catch (IOException e) {
      throw new UncheckedIOException("node does not start", e);
    }
  }

  /// Installs what the lock file says, once for each version of it. Other processes of the tests
  /// wait meanwhile.
  private static synchronized void install() {
    try {
      Files.createDirectories(INSTALLED);
      try (FileChannel one =
              FileChannel.open(
                  INSTALLED.resolve("one-at-a-time"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = one.lock()) {
        installAlone();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the test server can't be installed", e);
    }
  }

  private static void installAlone() throws IOException {
    try {
      Path lock = INSTALLED.resolve("package-lock.json");
      Path wanted = SOURCES.resolve("package-lock.json");
      boolean same = Files.exists(lock) && Files.mismatch(lock, wanted) < 0;
      for (String file : List.of("package.json", ".npmrc", "server.js")) {
        Files.copy(
            SOURCES.resolve(file), INSTALLED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
      if (same) {
        return;
      }
      Path installing = INSTALLED.resolve("package-lock.json");
      Files.copy(wanted, installing, StandardCopyOption.REPLACE_EXISTING);
      Process npm =
          new ProcessBuilder("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
              .directory(INSTALLED.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (npm.waitFor() != 0) {
        Files.delete(installing);
        throw new AssertionError("npm ci fails: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while npm ran", e);
    }
  }

  /// A server that goes on has no use for what tests have made there.
  private void removeAll() {
    CouchConnector connector = new CouchConnector();
    List.copyOf(named).forEach(name -> connector.discard(database(name)));
  }

  /// A database of that name, addressed with these parameters.
  Endpoint database(String name, Map<String, String> parameters) {
    named.add(name);
    String location = "//" + user + "@" + host + ":" + port + "/" + name;
    return new Endpoint(scheme, location, new HashMap<>(parameters), Secret.of(password));
  }

  Endpoint database(String name) {
    return database(name, Map.of());
  }

  /// All documents of a database, as the server answers a plain GET.
  JsonNode documents(String name) throws IOException, InterruptedException {
    String path = "/" + name + "/_all_docs?include_docs=true&endkey=%22%EF%BF%B0%22";
    String login = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
    HttpRequest get =
        HttpRequest.newBuilder(
                URI.create(scheme.replace("couchdb", "http") + "://" + host + ":" + port + path))
            .header("Authorization", "Basic " + login)
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return new ObjectMapper().readTree(client.send(get, BodyHandlers.ofByteArray()).body());
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() {
    Process running = process;
    if (running != null) {
      running.destroy();
      try {
        if (!running.waitFor(10, TimeUnit.SECONDS)) {
          running.destroyForcibly();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
