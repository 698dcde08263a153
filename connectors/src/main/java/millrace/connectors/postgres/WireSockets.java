package millrace.connectors.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
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

  /// The connections that are being opened, and what the last socket of each is read through.
  private static final Map<String, AtomicReference<@Nullable MessageInput>> OPENING =
      new ConcurrentHashMap<>();

  private static final char SEPARATOR = ':';

  private final String connection;

  /// Called by the driver.
  ///
  /// @param connection the name of the connection, from {@link #opening}
  public WireSockets(String connection) {
    this.connection = connection;
  }

  /// A name for a connection that is about to be opened; {@link #opened} must follow.
  ///
  /// @param file the socket of this machine that it goes to, or null where it goes to an address
  static String opening(@Nullable Path file) {
    String name =
        "millrace-" + NUMBERS.incrementAndGet() + (file == null ? "" : SEPARATOR + file.toString());
    OPENING.put(name, new AtomicReference<>());
    return name;
  }

  /// The connection has been opened or has failed: what it reads from. Null where there is nothing,
  /// or where rows can't be seen in it.
  static @Nullable MessageInput opened(String connection) {
    AtomicReference<@Nullable MessageInput> last = OPENING.remove(connection);
    MessageInput input = last == null ? null : last.get();
    return input != null && input.seesRows() ? input : null;
  }

  @Override
  public Socket createSocket() throws IOException {
    AtomicReference<@Nullable MessageInput> input =
        OPENING.getOrDefault(connection, new AtomicReference<>());
    input.set(null);
    int separator = connection.indexOf(SEPARATOR);
    return separator < 0
        ? new ToAddress(input)
        : new ToFile(Path.of(connection.substring(separator + 1)), input);
  }

  private static final class ToAddress extends Socket {
    private final AtomicReference<@Nullable MessageInput> input;

    ToAddress(AtomicReference<@Nullable MessageInput> input) {
      this.input = input;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return messages(input, super.getInputStream());
    }
  }

  private static final class ToFile extends UnixSocket {
    private final AtomicReference<@Nullable MessageInput> input;

    ToFile(Path file, AtomicReference<@Nullable MessageInput> input) throws IOException {
      super(file);
      this.input = input;
    }

    @Override
    public InputStream getInputStream() {
      return messages(input, super.getInputStream());
    }
  }

  /// The driver asks for the stream once, and whoever encrypts the connection once more.
  private static MessageInput messages(
      AtomicReference<@Nullable MessageInput> input, InputStream stream) {
    MessageInput before = input.get();
    MessageInput messages = before == null ? new MessageInput(stream) : before;
    input.set(messages);
    return messages;
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
