import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.Provider;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import millrace.cli.Millrace;

/// What the JVM is shown when the launcher has it make the cache for later starts: the demo, a copy
/// over HTTP between two databases of a stand-in for CouchDB, and the report of that.
///
/// Without the second, a start that copies a small database takes a fifth more processor time.
///
/// It is no part of the program. The cache is good for one class path only, so this class has to be
/// loaded from beside it. Java's keytool does that with providers, and loads little else.
public final class Training extends Provider {

  private static final long serialVersionUID = 1;

  private static final String ROWS = "1000000";

  private static final int DOCUMENTS = 4_000;

  private static final byte[] TEXT = "x".repeat(1_900).getBytes(StandardCharsets.US_ASCII);

  /// Documents that a copy writes for itself, by their paths.
  private static final Map<String, byte[]> LOCAL = new ConcurrentHashMap<>();

  /// Called by keytool, which the launcher starts; ends the process.
  public Training() throws IOException {
    super("Training", "1", "");
    int code = Millrace.run(new String[] {"demo", "--rows", ROWS});
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      server.setExecutor(threads);
      server.createContext("/", Training::answer);
      server.start();
      String url = "couchdb://localhost:" + server.getAddress().getPort() + "/";
      String[] copy = {"copy", url + "from", url + "to", "--resume"};
      code = Math.max(code, Millrace.run(copy));
      server.stop(0);
      String[] report = {"runs", "last"};
      System.exit(Math.max(code, Millrace.run(report)));
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
