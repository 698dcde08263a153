package millrace.connectors.oracle;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Stands between a client and a server on the loopback interface, and keeps what the client sends.
final class WireTap implements AutoCloseable {

  private final ServerSocket listener;
  private final int server;
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  WireTap(int server) throws IOException {
    this.server = server;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  void clear() {
    synchronized (sent) {
      sent.reset();
    }
  }

  /// What has come since it was cleared. What a client has got an answer to is in it.
  byte[] sent() {
    synchronized (sent) {
      return sent.toByteArray();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket after = new Socket(InetAddress.getLoopbackAddress(), server);
        Thread.ofPlatform().daemon().start(() -> pass(client, after, true));
        Thread.ofPlatform().daemon().start(() -> pass(after, client, false));
      } catch (IOException _) {
        // Closed.
        Thread.onSpinWait();
      }
    }
  }

  private void pass(Socket from, Socket to, boolean kept) {
    byte[] bytes = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        if (kept) {
          synchronized (sent) {
            sent.write(bytes, 0, count);
          }
        }
        out.write(bytes, 0, count);
      }
    } catch (IOException _) {
      // One of them has gone: so is the other.
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
