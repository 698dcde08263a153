package millrace.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A web server of a folder, by the JDK's own, on a port of the loopback interface. Stopped by
/// whoever started it.
public final class WebServer implements AutoCloseable {

  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]+)-([0-9]+)");

  private final Path folder;
  private final boolean ranges;
  private final HttpServer server;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger breaks = new AtomicInteger();

  /// @param ranges whether it gives parts of files
  public WebServer(Path folder, boolean ranges) throws IOException {
    this.folder = folder;
    this.ranges = ranges;
    server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), ServerPorts.free()), 0);
    server.createContext("/", this::answer);
    server.setExecutor(workers);
    server.start();
  }

  /// Where a file is, by its name in the folder.
  public String url(String name) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
  }

  /// How many requests it has answered.
  public int requests() {
    return requests.get();
  }

  /// From now on that many requests are answered with 503.
  public void refuse(int times) {
    refusals.set(times);
  }

  /// From now on that many answers break off in the middle.
  public void breakOff(int times) {
    breaks.set(times);
  }

  private static boolean takes(AtomicInteger times) {
    return times.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    try (exchange) {
      Path file = folder.resolve(exchange.getRequestURI().getPath().substring(1));
      if (takes(refusals)) {
        exchange.sendResponseHeaders(503, -1);
      } else if (Files.isRegularFile(file)) {
        send(exchange, file);
      } else {
        exchange.sendResponseHeaders(404, -1);
      }
    }
  }

  private void send(HttpExchange exchange, Path file) throws IOException {
    long size = Files.size(file);
    exchange
        .getResponseHeaders()
        .add(
            "Last-Modified",
            DateTimeFormatter.RFC_1123_DATE_TIME.format(
                Files.getLastModifiedTime(file).toInstant().atZone(ZoneOffset.UTC)));
    String requested = exchange.getRequestHeaders().getFirst("Range");
    Matcher range = RANGE.matcher(requested == null || !ranges ? "" : requested);
    boolean isPart = range.matches();
    long from = isPart ? Long.parseLong(range.group(1)) : 0;
    long to = isPart ? Math.min(size, Long.parseLong(range.group(2)) + 1) : size;
    if (isPart && from >= size) {
      exchange.getResponseHeaders().add("Content-Range", "bytes */" + size);
      exchange.sendResponseHeaders(416, -1);
      return;
    }
    if (isPart) {
      exchange
          .getResponseHeaders()
          .add("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + size);
    }
    exchange.sendResponseHeaders(isPart ? 206 : 200, to == from ? -1 : to - from);
    boolean breaks = to - from > 1 && takes(this.breaks);
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(from);
      OutputStream out = exchange.getResponseBody();
      long left = breaks ? (to - from) / 2 : to - from;
      byte[] buffer = new byte[1 << 16];
      while (left > 0) {
        int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        out.write(buffer, 0, count);
        left -= count;
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    workers.close();
  }
}
