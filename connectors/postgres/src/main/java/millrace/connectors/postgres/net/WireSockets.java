package millrace.connectors.postgres.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.SocketFactory;
import jdk.net.ExtendedSocketOptions;
import millrace.io.Wire;
import org.jspecify.annotations.Nullable;

/// Makes the sockets of the driver's connections, so that what the server sends can be read past
/// the driver: see {@link MessageInput}.
///
/// The driver makes a factory for each connection, from the name of this class and a text that we
/// chose, and asks it for one socket for each attempt. Any thread.
public final class WireSockets extends SocketFactory {

  private static final AtomicLong NUMBERS = new AtomicLong();

  /// A connection that is being opened.
  ///
  /// @param input what its last socket is read through
  /// @param wire counts what crosses it
  private record Opening(AtomicReference<@Nullable MessageInput> input, Wire wire) {

    Opening(Wire wire) {
      this(new AtomicReference<>(), wire);
    }
  }

  private static final Map<String, Opening> OPENING = new ConcurrentHashMap<>();

  /// A server's machine that has gone without a word is missed after two minutes, while systems
  /// wait for two hours: seconds of silence, then seconds between questions, and how many.
  private static final Map<SocketOption<Integer>, Integer> KEEP_ALIVE =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE,
          60,
          ExtendedSocketOptions.TCP_KEEPINTERVAL,
          10,
          ExtendedSocketOptions.TCP_KEEPCOUNT,
          6);

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
  /// @param address if it has a socket, the connection goes there, and if it has an address beside
  ///   the host's name, it goes there
  /// @param wire counts what crosses it
  static String opening(Address address, Wire wire) {
    Path file = address.socket();
    String to = file == null ? address.hostAddress() : file.toString();
    String name = "millrace-" + NUMBERS.incrementAndGet() + (to.isEmpty() ? "" : SEPARATOR + to);
    OPENING.put(name, new Opening(wire));
    return name;
  }

  /// The connection has been opened or has failed: what it reads from. Null if there is nothing, or
  /// if rows can't be seen in it.
  static @Nullable MessageInput opened(String connection) {
    Opening last = OPENING.remove(connection);
    MessageInput input = last == null ? null : last.input.get();
    return input != null && input.seesRows() ? input : null;
  }

  @Override
  public Socket createSocket() throws IOException {
    // The driver comes back for a socket to send a cancel request through; nobody counts that.
    Opening opening = OPENING.getOrDefault(connection, new Opening(new Wire()));
    opening.input.set(null);
    Streams streams = new Streams(opening.input, opening.wire.new Line());
    int separator = connection.indexOf(SEPARATOR);
    String to = separator < 0 ? "" : connection.substring(separator + 1);
    return to.startsWith("/") ? new ToFile(Path.of(to), streams) : new ToAddress(to, streams);
  }

  /// What a socket's streams go through. The driver asks for the stream to read from once, and
  /// whoever encrypts the connection once more.
  private record Streams(AtomicReference<@Nullable MessageInput> input, Wire.Line line) {

    MessageInput messages(InputStream stream) {
      MessageInput before = input.get();
      MessageInput messages = before == null ? new MessageInput(line.counted(stream)) : before;
      input.set(messages);
      return messages;
    }
  }

  private static final class ToAddress extends Socket {
    private final String instead;
    private final Streams streams;

    /// @param instead the address to connect to, whatever the driver says; empty for the driver's
    ToAddress(String instead, Streams streams) throws IOException {
      this.instead = instead;
      this.streams = streams;
      for (Map.Entry<SocketOption<Integer>, Integer> option : KEEP_ALIVE.entrySet()) {
        if (supportedOptions().contains(option.getKey())) {
          setOption(option.getKey(), option.getValue());
        }
      }
    }

    @Override
    public void connect(SocketAddress address, int timeoutMillis) throws IOException {
      boolean isOther = !instead.isEmpty() && address instanceof InetSocketAddress;
      super.connect(
          isOther
              ? new InetSocketAddress(
                  InetAddress.ofLiteral(instead), ((InetSocketAddress) address).getPort())
              : address,
          timeoutMillis);
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return streams.messages(super.getInputStream());
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return streams.line.counted(super.getOutputStream());
    }
  }

  private static final class ToFile extends UnixSocket {
    private final Streams streams;

    ToFile(Path file, Streams streams) throws IOException {
      super(file);
      this.streams = streams;
    }

    @Override
    public InputStream getInputStream() {
      return streams.messages(super.getInputStream());
    }

    @Override
    public OutputStream getOutputStream() {
      return streams.line.counted(super.getOutputStream());
    }
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
