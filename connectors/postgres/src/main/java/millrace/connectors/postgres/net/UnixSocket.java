package millrace.connectors.postgres.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/// A socket of this machine's file system, for a driver that knows sockets of networks only: it
/// connects to its file whatever address it is told. The server need not know a password if it can
/// ask the system who connects, and no byte goes through the network's layers.
///
/// One thread reads and writes; any may close.
class UnixSocket extends Socket {

  /// What may be under way to the server. Linux wakes a waiting sender when three quarters of it
  /// have been read (`unix_writable` in net/unix/af_unix.c), and of what it would choose by itself
  /// the rest is less than one piece of 48 kB: the server ran dry each time.
  private static final int SEND_BYTES = 256 << 10;

  private final Path file;
  private final SocketChannel channel;
  private final InputStream input = new Input();
  private final OutputStream output = new Output();
  private int timeoutMillis;

  UnixSocket(Path file) throws IOException {
    this.file = file;
    channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BYTES);
  }

  @Override
  public void connect(SocketAddress ignored, int timeout) throws IOException {
    try {
      channel.connect(UnixDomainSocketAddress.of(file));
    } catch (SocketException e) {
      ConnectException refused = new ConnectException(file + ": " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  @Override
  public boolean isConnected() {
    return channel.isConnected();
  }

  @Override
  public boolean isClosed() {
    return !channel.isOpen();
  }

  @Override
  public InputStream getInputStream() {
    return input;
  }

  @Override
  public OutputStream getOutputStream() {
    return output;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  @Override
  public void setSoTimeout(int millis) {
    timeoutMillis = millis;
  }

  @Override
  public int getSoTimeout() {
    return timeoutMillis;
  }

  /// There is nothing to delay.
  @Override
  public void setTcpNoDelay(boolean on) {}

  /// There is nothing that could be lost on the way.
  @Override
  public void setKeepAlive(boolean on) {}

  @Override
  public int getSendBufferSize() throws SocketException {
    return size(StandardSocketOptions.SO_SNDBUF);
  }

  @Override
  public int getReceiveBufferSize() throws SocketException {
    return size(StandardSocketOptions.SO_RCVBUF);
  }

  private int size(SocketOption<Integer> option) throws SocketException {
    try {
      return channel.getOption(option);
    } catch (IOException e) {
      throw new SocketException(e.getMessage(), e);
    }
  }

  /// Waits for bytes; false if none came in time.
  private boolean awaitReadable(int millis) throws IOException {
    channel.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      return selector.select(millis) > 0;
    } finally {
      channel.configureBlocking(true);
    }
  }

  private final class Input extends InputStream {

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (timeoutMillis > 0 && !awaitReadable(timeoutMillis)) {
        throw new SocketTimeoutException("nothing came within " + timeoutMillis + " ms");
      }
      return channel.read(ByteBuffer.wrap(into, from, length));
    }
  }

  private final class Output extends OutputStream {

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] from, int start, int length) throws IOException {
      ByteBuffer bytes = ByteBuffer.wrap(from, start, length);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }
}
