package millrace.online.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import millrace.fault.Fault;

/// Serves a run's page on this machine while the run goes on: `/` the page, `/report.json` what it
/// shows, `/metrics` for Prometheus.
///
/// It listens on 127.0.0.1 only. The supplier is asked once for each request, on any thread, also
/// by several at a time.
public final class LivePage implements AutoCloseable {

  private static final String HTML = "text/html; charset=utf-8";
  private static final String JSON = "application/json";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String PLAIN = "text/plain; charset=utf-8";

  /// A page asks each second: one that has not asked for so long is closed.
  private static final long WATCHED_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long LAST_LOOK_MILLIS = 2000;

  private static final Pattern OURS = Pattern.compile("(localhost|127\\.0\\.0\\.1)(:[0-9]+)?");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Supplier<OnlineReport> report;

  /// Open until a page has seen how the run ended.
  private final CountDownLatch endSeen = new CountDownLatch(1);

  /// When a page asked last, by the clock of nanoseconds.
  private volatile long lastAsked = System.nanoTime() - WATCHED_NANOS;

  private LivePage(HttpServer server, Supplier<OnlineReport> report) {
    this.server = server;
    this.report = report;
  }

  /// Begins to serve.
  ///
  /// @param port of 127.0.0.1; 0 for any that is free
  /// @throws Fault.User if the port is taken
  public static LivePage serve(int port, Supplier<OnlineReport> report) {
    try {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
      LivePage page = new LivePage(HttpServer.create(address, 0), report);
      page.server.setExecutor(page.threads);
      page.server.createContext("/", page::answer);
      page.server.start();
      return page;
    } catch (IOException e) {
      throw new Fault.User(
          "Port " + port + " of 127.0.0.1 can't be opened: " + e.getMessage() + ".",
          "Name another port, or 0 for any that is free.",
          e);
    }
  }

  /// Where a browser finds the page.
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  /// Stops serving. If a browser watches and the run has ended, it waits until the browser has seen
  /// how, for two seconds at most.
  @Override
  public void close() {
    try {
      if (isWatched() && ended(report.get())) {
        endSeen.await(LAST_LOOK_MILLIS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.stop(0);
      threads.shutdownNow();
    }
  }

  private boolean isWatched() {
    return System.nanoTime() - lastAsked < WATCHED_NANOS;
  }

  private static boolean ended(OnlineReport report) {
    return report.outcome().state() != OnlineReport.State.RUNNING;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!Set.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
        send(exchange, 405, PLAIN, "Only GET is answered.\n");
      } else if (!isOurs(exchange)) {
        send(exchange, 403, PLAIN, "Ask for " + uri() + ".\n");
      } else {
        answerPath(exchange);
      }
    }
  }

  private void answerPath(HttpExchange exchange) throws IOException {
    try {
      switch (exchange.getRequestURI().getPath()) {
        case "/" -> send(exchange, 200, HTML, OnlinePage.live(report.get()));
        case "/report.json" -> sendReport(exchange);
        case "/metrics" -> send(exchange, 200, METRICS, OnlineMetrics.of(report.get()));
        default -> send(exchange, 404, PLAIN, "There are /, /report.json and /metrics.\n");
      }
    } catch (RuntimeException e) {
      send(exchange, 500, PLAIN, "The report can't be made: " + e.getMessage() + "\n");
    }
  }

  private void sendReport(HttpExchange exchange) throws IOException {
    OnlineReport current = report.get();
    // The page asks for what it can draw; programs get every second.
    boolean byPage = "for=page".equals(exchange.getRequestURI().getQuery());
    send(
        exchange,
        200,
        JSON,
        OnlineJson.of(current, byPage ? OnlinePage.POINTS : Integer.MAX_VALUE).toString());
    if (byPage) {
      lastAsked = System.nanoTime();
      if (ended(current)) {
        endSeen.countDown();
      }
    }
  }

  /// Another site's script could reach this server under a name of its own that leads to 127.0.0.1:
  /// the browser then names that site as the host. The port may be that of a tunnel.
  private static boolean isOurs(HttpExchange exchange) {
    String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
    return OURS.matcher(host).matches();
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
    } else {
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }
}
