package millrace.connectors.stores.google;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What fake-gcs-server lacks: stands in front of one, gives tokens to those who log in, asks for
/// them, and refuses what it is told to refuse as Google does.
///
/// Any thread may call it.
final class GoogleGate implements AutoCloseable {

  static final String SECRET = "gEhEiM-of+the/tests0123456789abcdefghijk";

  /// What is answered to some requests.
  ///
  /// @param path a part of theirs, after the method and a blank
  /// @param isDone whether it is done all the same
  private record Refusal(
      String path, boolean isDone, int status, String reason, AtomicInteger times) {}

  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final String store;
  private final AtomicInteger tokens = new AtomicInteger();
  private final AtomicReference<@Nullable Refusal> refusal = new AtomicReference<>();
  private volatile String valid = "";
  private volatile boolean isLocked;

  GoogleGate(int storePort) throws IOException {
    store = "http://127.0.0.1:" + storePort;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(workers);
    server.start();
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /// What `gcloud auth application-default login` writes into its file.
  String login() {
    return """
    {"type": "authorized_user", "client_id": "tests", "client_secret": "%1$s",
     "refresh_token": "%1$s", "token_uri": "%2$s/token"}
    """
        .formatted(SECRET, endpoint());
  }

  /// How many tokens it has given.
  int tokens() {
    return tokens.get();
  }

  /// The token that is valid so far is so no more.
  void expire() {
    valid = "";
  }

  /// Whether it gives no more tokens.
  void lock(boolean locked) {
    isLocked = locked;
  }

  /// Refuses the next of those requests.
  void refuse(String path, int status, String reason, int times) {
    refusal.set(new Refusal(path, false, status, reason, new AtomicInteger(times)));
  }

  /// Does the next such request, and answers as if it had been refused.
  void doAndRefuse(String path, int status, String reason) {
    refusal.set(new Refusal(path, true, status, reason, new AtomicInteger(1)));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
      @Nullable Refusal refused = due(request);
      if (request.equals("POST /token")) {
        token(exchange);
      } else if (!("Bearer " + valid)
          .equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        error(exchange, 401, "authError");
      } else if (refused != null && !refused.isDone) {
        error(exchange, refused.status, refused.reason);
      } else {
        HttpResponse<byte[]> done = forward(exchange, body);
        if (refused != null) {
          error(exchange, refused.status, refused.reason);
        } else {
          for (String each : List.of("Content-Type", "Content-Range", "X-Goog-Generation")) {
            done.headers()
                .firstValue(each)
                .ifPresent(value -> exchange.getResponseHeaders().add(each, value));
          }
          send(exchange, done.statusCode(), done.body());
        }
      }
    }
  }

  private @Nullable Refusal due(String request) {
    @Nullable Refusal next = refusal.get();
    return next != null && request.contains(next.path) && next.times.getAndDecrement() > 0
        ? next
        : null;
  }

  private void token(HttpExchange exchange) throws IOException {
    if (isLocked) {
      send(exchange, 400, "{\"error\": \"invalid_grant\"}".getBytes(UTF_8));
      return;
    }
    valid = "token-" + tokens.incrementAndGet();
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    send(
        exchange,
        200,
        "{\"access_token\": \"%s\", \"expires_in\": 3600, \"token_type\": \"Bearer\"}"
            .formatted(valid)
            .getBytes(UTF_8));
  }

  private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(store + exchange.getRequestURI()))
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    for (String each : List.of("Content-Type", "Range")) {
      @Nullable String value = exchange.getRequestHeaders().getFirst(each);
      if (value != null) {
        request.header(each, value);
      }
    }
    try {
      return client.send(request.build(), BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void error(HttpExchange exchange, int status, String reason) throws IOException {
    send(
        exchange,
        status,
        """
        {"error": {"code": %1$d, "message": "It says %2$s.",
          "errors": [{"domain": "global", "reason": "%2$s", "message": "It says %2$s."}]}}
        """
            .formatted(status, reason)
            .getBytes(UTF_8));
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    workers.close();
    client.close();
  }
}
