package millrace.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/// What the JVM is shown when the launcher has it make the cache for later starts: the demo, a copy
/// from a file into a file, one over HTTP between two databases of a stand-in for CouchDB, and the
/// report of that.
///
/// Without the third, a start that copies a small database takes a fifth more processor time.
final class Training {

  private static final String ROWS = "20000";

  private static final int DOCUMENTS = 4_000;

  private static final byte[] TEXT = "x".repeat(1_900).getBytes(StandardCharsets.US_ASCII);

  /// Documents that a copy writes for itself, by their paths.
  private static final Map<String, byte[]> LOCAL = new ConcurrentHashMap<>();

  private static final Predicate<String> OF_SERVERS =
      Pattern.compile(
              "(millrace/connectors/.*"
                  + "|org/postgresql/[^/]*"
                  + "|org/postgresql/(core|copy|hostchooser|jdbc|util|gss|geometric)/.*"
                  + "|org/mariadb/jdbc/.*)\\.class")
          .asMatchPredicate();

  private Training() {}

  /// The launcher starts it in the place of `Millrace`.
  public static void main(String[] args) throws IOException {
    Console console = Console.ofProcess();
    Stop stop = new Stop();
    stop.install(console);
    int code = Millrace.run(new String[] {"demo", "--rows", ROWS}, console, stop);
    code = Math.max(code, files(console, stop));
    load();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      server.setExecutor(threads);
      server.createContext("/", Training::answer);
      server.start();
      String url = "couchdb://localhost:" + server.getAddress().getPort() + "/";
      String[] copy = {"copy", url + "from", url + "to", "--resume"};
      code = Math.max(code, Millrace.run(copy, console, stop));
      server.stop(0);
      String[] report = {"runs", "last"};
      System.exit(stop.ended(Math.max(code, Millrace.run(report, console, stop))));
    }
  }

  /// A file is copied twice: into one that is new, and in the place of one that is there.
  private static int files(Console console, Stop stop) throws IOException {
    Path folder = Files.createTempDirectory("millrace-training");
    Path from = Files.writeString(folder.resolve("from.csv"), "number,text\n1,x\n2,y\n");
    Path to = folder.resolve("to.csv");
    String[] copy = {"copy", from.toString(), to.toString(), "--mode=replace"};
    int code = Millrace.run(copy, console, stop);
    code = Math.max(code, Millrace.run(copy, console, stop));
    Files.delete(from);
    Files.delete(to);
    Files.delete(folder);
    return code;
  }

  /// Loads what copies with servers load, none of which is at hand here: all classes of the
  /// connectors, and of the drivers those packages that each copy needs.
  private static void load() throws IOException {
    for (String jar : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      try (JarFile file = new JarFile(jar)) {
        file.stream().map(JarEntry::getName).filter(OF_SERVERS).forEach(Training::load);
      }
    }
  }

  private static void load(String file) {
    String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
    try {
      Class.forName(name, false, Training.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      // Some parts of drivers are for libraries that we do without.
      System.err.println(name + " is left out: " + e);
    }
  }

  /// Of CouchDB's API what a copy needs; of what is written to it, only what a copy reads again is
  /// kept.
  private static void answer(HttpExchange exchange) throws IOException {
    byte[] sent = exchange.getRequestBody().readAllBytes();
    String[] path = exchange.getRequestURI().getPath().split("/", 3);
    String rest = path.length > 2 ? path[2] : "";
    boolean isRead = path[1].equals("from");
    boolean asks = exchange.getRequestMethod().equals("GET");
    byte[] body =
        switch (rest) {
          case "" -> bytes("{\"couchdb\":\"\",\"version\":\"3\",\"doc_count\":" + DOCUMENTS + "}");
          case "_all_docs" -> page(query(exchange.getRequestURI().getRawQuery()));
          case "_security" -> bytes("{}");
          case "_bulk_docs" -> bytes("[]");
          default -> bytes("{\"ok\":true,\"rev\":\"0-1\"}");
        };
    if (rest.startsWith("_local/") && asks) {
      body = LOCAL.getOrDefault(rest, body);
    } else if (rest.startsWith("_local/")) {
      LOCAL.put(rest, sent);
    }
    // There is no database to write to yet, and nothing to go on with.
    boolean isMissing = asks && !isRead && !path[1].isEmpty() && !LOCAL.containsKey(rest);
    // Pages come in chunks, whose number nobody knows beforehand.
    int length = rest.equals("_all_docs") ? 0 : body.length;
    exchange.sendResponseHeaders(isMissing ? 404 : 200, length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new HashMap<>();
    for (String part : raw.split("&", -1)) {
      String[] pair = part.split("=", 2);
      query.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
    }
    return query;
  }

  private static byte[] page(Map<String, String> query) {
    String first = query.getOrDefault("startkey", "").replaceAll("[^0-9]", "");
    int from = first.isEmpty() ? 0 : Integer.parseInt(first);
    from += Integer.parseInt(query.getOrDefault("skip", "0"));
    int to = Math.min(DOCUMENTS, from + Integer.parseInt(query.getOrDefault("limit", "1")));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(bytes("{\"total_rows\":" + DOCUMENTS + ",\"rows\":[\n"));
    for (int i = from; i < to; i++) {
      String id = "\"d%06d\"".formatted(i);
      out.writeBytes(bytes((i > from ? ",\n" : "") + "{\"id\":" + id + ",\"key\":" + id));
      if (query.containsKey("include_docs")) {
        out.writeBytes(bytes(",\"doc\":{\"_id\":" + id + ",\"_rev\":\"1-a\",\"number\":" + i));
        out.writeBytes(bytes(",\"text\":\""));
        out.writeBytes(TEXT);
        out.writeBytes(bytes("\"}"));
      }
      out.write('}');
    }
    out.writeBytes(bytes("\n]}"));
    return out.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
