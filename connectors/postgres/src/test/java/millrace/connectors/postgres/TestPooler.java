package millrace.connectors.postgres;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Stands in for a connection pooler: logs in by itself, tells its clients process numbers of its
/// own, and hands statements over to one session of the server that all clients share, or to one
/// for each client, who waits if there are no more. It knows statements and queries, no COPY.
public final class TestPooler implements AutoCloseable {

  private static final int SSL_REQUEST = 80_877_103;
  private static final int VERSION = 3 << 16;

  private final ServerSocket listener;
  private final TestDatabase database;
  private final boolean shares;
  private final Semaphore free;
  private @Nullable ServerSession shared;

  /// @param shares whether all clients have one session
  public TestPooler(TestDatabase database, boolean shares) throws IOException {
    this(database, shares, Integer.MAX_VALUE);
  }

  /// @param clientsMax how many are served at a time
  public TestPooler(TestDatabase database, boolean shares, int clientsMax) throws IOException {
    this.database = database;
    this.shares = shares;
    free = new Semaphore(clientsMax);
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.ofPlatform().daemon().start(() -> serve(client));
      } catch (SocketException _) {
        // Closed.
      } catch (IOException e) {
        throw new AssertionError("the pooler fails", e);
      }
    }
  }

  private synchronized ServerSession session() throws IOException {
    if (!shares) {
      return new ServerSession(database);
    }
    if (shared == null) {
      shared = new ServerSession(database);
    }
    return shared;
  }

  private void serve(Socket socket) {
    free.acquireUninterruptibly();
    try (socket) {
      ServerSession session = session();
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      int length = in.readInt();
      if (in.readInt() == SSL_REQUEST) {
        out.write('N');
        length = in.readInt();
        in.readInt();
      }
      in.skipNBytes(length - 2L * Integer.BYTES);
      out.write(session.welcome);
      for (Message one = Message.read(in); one.type != 'X'; one = Message.read(in)) {
        session.handOver(one, out);
      }
    } catch (EOFException | SocketException _) {
      // The client has gone.
    } catch (IOException e) {
      throw new AssertionError("the pooler fails", e);
    } finally {
      free.release();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private record Message(byte type, byte[] body) {

    static Message read(DataInputStream in) throws IOException {
      byte type = in.readByte();
      byte[] body = new byte[in.readInt() - Integer.BYTES];
      in.readFully(body);
      return new Message(type, body);
    }

    void write(DataOutputStream out) throws IOException {
      ByteBuffer whole = ByteBuffer.allocate(1 + Integer.BYTES + body.length);
      out.write(whole.put(type).putInt(body.length + Integer.BYTES).put(body).array());
    }
  }

  /// A session of the server that the pooler has begun.
  private static final class ServerSession {

    private final DataInputStream in;
    private final DataOutputStream out;

    /// What the server said when it began, for the clients.
    private final byte[] welcome;

    // Lives as long as the test server.
    @SuppressWarnings("resource")
    ServerSession(TestDatabase database) throws IOException {
      Socket socket = new Socket(database.server.host(), database.server.port());
      in = new DataInputStream(socket.getInputStream());
      out = new DataOutputStream(socket.getOutputStream());
      byte[] who =
          ("user\0postgres\0database\0" + database.name + "\0\0").getBytes(StandardCharsets.UTF_8);
      out.writeInt(2 * Integer.BYTES + who.length);
      out.writeInt(VERSION);
      out.write(who);
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      answer(new DataOutputStream(said));
      welcome = said.toByteArray();
    }

    synchronized void handOver(Message message, DataOutputStream client) throws IOException {
      message.write(out);
      if (message.type == 'Q' || message.type == 'S') {
        answer(client);
      }
    }

    /// Passes on what the server says until it is ready for more.
    private void answer(DataOutputStream client) throws IOException {
      Message one;
      do {
        one = Message.read(in);
        if (one.type == 'K') {
          one.body[0] ^= 0x40;
        }
        one.write(client);
      } while (one.type != 'Z');
    }
  }
}
