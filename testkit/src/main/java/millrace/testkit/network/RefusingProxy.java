package millrace.testkit.network;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Stands between clients and an HTTP server on the loopback interface, and turns requests away in
/// the server's place, as a store does that limits how many it serves.
///
/// Any thread may call it. Closing it ends all connections.
public final class RefusingProxy implements AutoCloseable {

  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]+)");

  private static final Pattern EXPECT = Pattern.compile("(?i)\r\nexpect: *100-continue");

  private static final String REASON =
      "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>";

  private final ServerSocket listener;
  private final int serverPort;
  private final IntPredicate refuses;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  /// Begins to listen on a free port.
  ///
  /// @param refuses which requests are turned away, by their numbers from 0
  public RefusingProxy(int serverPort, IntPredicate refuses) {
    this.serverPort = serverPort;
    this.refuses = refuses;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("no port for the proxy", e);
    }
    Thread.ofPlatform().name("refusing-proxy").daemon().start(this::accept);
  }

  /// Where clients connect to.
  public int port() {
    return listener.getLocalPort();
  }

  /// How many requests came so far.
  public int requests() {
    return requests.get();
  }

  /// How many of them were turned away.
  public int refused() {
    return refused.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        Thread.ofVirtual().name("requests").start(() -> pass(client, server, true));
        Thread.ofVirtual().name("answers").start(() -> pass(server, client, false));
      } catch (IOException _) {
        // Closed, or a client that has gone before it was accepted.
        Thread.onSpinWait();
      }
    }
  }

  private void pass(Socket from, Socket to, boolean asks) {
    try (from;
        to;
        InputStream in = new BufferedInputStream(from.getInputStream())) {
      if (asks) {
        ask(in, from.getOutputStream(), to.getOutputStream());
      } else {
        in.transferTo(to.getOutputStream());
      }
    } catch (IOException _) {
      // One side has gone, and the other is told by that.
      Thread.onSpinWait();
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  /// Clients wait for an answer before they ask for more on the same connection.
  private void ask(InputStream in, OutputStream client, OutputStream server) throws IOException {
    for (byte[] head = head(in); head.length > 0; head = head(in)) {
      String text = new String(head, StandardCharsets.ISO_8859_1);
      Matcher length = LENGTH.matcher(text);
      long body = length.find() ? Long.parseLong(length.group(1)) : 0;
      if (refuses.test(requests.getAndIncrement())) {
        refused.incrementAndGet();
        // Who asks before sending a body does not send it then.
        boolean asksFirst = EXPECT.matcher(text).find();
        in.skipNBytes(asksFirst ? 0 : body);
        String reason = text.startsWith("HEAD") ? "" : REASON;
        String answer =
            "HTTP/1.1 503 Slow Down\r\nContent-Length: "
                + reason.length()
                + (asksFirst ? "\r\nConnection: close" : "")
                + "\r\n\r\n"
                + reason;
        client.write(answer.getBytes(StandardCharsets.ISO_8859_1));
        client.flush();
        if (asksFirst) {
          return;
        }
      } else {
        server.write(head);
        for (long left = body; left > 0; ) {
          byte[] piece = in.readNBytes((int) Math.min(left, 1 << 16));
          server.write(piece);
          left = piece.length == 0 ? 0 : left - piece.length;
        }
        server.flush();
      }
    }
  }

  /// A request up to the blank line; empty if no other comes.
  private static byte[] head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    for (int last = 0; last != 0x0d0a0d0a; ) {
      int next = in.read();
      if (next < 0) {
        return new byte[0];
      }
      head.write(next);
      last = last << 8 | next;
    }
    return head.toByteArray();
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket each : open) {
        each.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
