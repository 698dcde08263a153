package millrace.testkit.server;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/// Ports for servers that tests start.
public final class ServerPorts {

  private static final int FIRST = 10_000;

  /// Linux gives ports from here on to the connections of clients, by default.
  private static final int FIRST_OF_CLIENTS = 32_768;

  private ServerPorts() {}

  /// A free port of the loopback interface, below those of clients. So no client takes it before
  /// the server is there, or while the server is killed. Any thread.
  public static int free() throws IOException {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, FIRST_OF_CLIENTS);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException _) {
        // Another server has it.
      }
    }
  }
}
