package millrace.connectors.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/// Makes the sockets of the driver's connections, so that what the server sends can be read past
/// the driver: see {@link MessageInput}.
///
/// The driver makes a factory for each connection, from the name of this class and a text that we
/// chose, and asks it for one socket for each attempt. Any thread.
public final class WireSockets extends SocketFactory {

  private static final AtomicLong NUMBERS = new AtomicLong();

  /// The connections that are being opened, and the last socket of each.
  private static final Map<String, AtomicReference<@Nullable WireSocket>> OPENING =
      new ConcurrentHashMap<>();

  private final String connection;

  /// Called by the driver.
  ///
  /// @param connection the name of the connection, from {@link #opening}
  public WireSockets(String connection) {
    this.connection = connection;
  }

  /// A name for a connection that is about to be opened; {@link #opened} must follow.
  static String opening() {
    String name = "millrace-" + NUMBERS.incrementAndGet();
    OPENING.put(name, new AtomicReference<>());
    return name;
  }

  /// The connection has been opened or has failed: what it reads from. Null where there is nothing,
  /// or where rows can't be seen in it.
  static @Nullable MessageInput opened(String connection) {
    AtomicReference<@Nullable WireSocket> last = OPENING.remove(connection);
    WireSocket socket = last == null ? null : last.get();
    MessageInput input = socket == null ? null : socket.input;
    return input != null && input.seesRows() ? input : null;
  }

  private static final class WireSocket extends Socket {
    private @Nullable MessageInput input;

    @Override
    public synchronized InputStream getInputStream() throws IOException {
      if (input == null) {
        input = new MessageInput(super.getInputStream());
      }
      return input;
    }
  }

  @Override
  public Socket createSocket() {
    WireSocket socket = new WireSocket();
    AtomicReference<@Nullable WireSocket> last = OPENING.get(connection);
    if (last != null) {
      last.set(socket);
    }
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw unused();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
    throw unused();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw unused();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
    throw unused();
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("the driver connects its sockets by itself");
  }
}
