package millrace.connectors.postgres.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;
import millrace.connectors.postgres.codec.BigEndian;
import millrace.connectors.postgres.codec.RowBuffer;

/// What the server sends, message by message, so that the rows of a COPY can be taken past the
/// driver, which makes an array of each.
///
/// The driver sees an ordinary stream, but no read goes beyond the end of a message. So when it has
/// read that a COPY begins, the rows are still here, and {@link #takeRows} has them at the price of
/// one copy; whatever is no row is left to the driver. A connection that turns out to be encrypted
/// is passed on as it comes, and {@link #seesRows} says so.
///
/// Messages: a type in one byte, then a length in 32 bits that counts itself and the body
/// (PostgreSQL's documentation, "Message Formats"). Before the first of them the server may answer
/// requests for encryption with single bytes: `N` for no, `S` or `G` for yes. One thread.
public final class MessageInput extends InputStream {

  private enum State {
    GREETING,
    MESSAGES,
    OPAQUE
  }

  /// More than Linux keeps under way from a server's socket of the file system (192 kB, unless its
  /// settings say otherwise), so that one read takes all of it: a server that waits for room goes
  /// on only once three quarters have been read (`unix_writable` in net/unix/af_unix.c). With half
  /// of this it stood still while we slept, and a table took up to a third longer.
  private static final int BUFFER_BYTES = 256 << 10;

  private static final int HEAD_BYTES = 5;

  /// More than is ever buffered.
  private static final int TRUSTED_BYTES = 1 << 20;

  /// A server sends every 8 KB by themselves, and who reads faster than it writes is woken for each
  /// of them, mostly in the place of the server if that is on this machine. So rows are awaited
  /// asleep until about so many have come: half of what the kernel holds for us meanwhile.
  private static final int BYTES_AT_ONCE = 96 << 10;

  private static final long NAP_NANOS_MAX = 1_000_000;

  private static final byte ROW = 'd';

  private final InputStream socket;
  private final long napNanosMax;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int end;
  private State state = State.GREETING;

  /// Bytes of the message under way that nobody has read yet, those of its head included.
  private long left;

  /// When the last bytes came, and how many nanoseconds after that there may be enough again.
  private long lastReadNanos = System.nanoTime();

  private long napNanos;

  MessageInput(InputStream socket) {
    this(socket, NAP_NANOS_MAX);
  }

  /// One that sleeps no longer than that; for tests, which have nothing to wait for.
  public MessageInput(InputStream socket, long napNanosMax) {
    this.socket = socket;
    this.napNanosMax = napNanosMax;
  }

  /// Whether messages can be told apart.
  public boolean seesRows() {
    return state == State.MESSAGES;
  }

  /// Takes rows as long as nothing else comes and the batch has room; waits for them.
  ///
  /// @param bodyBytesMin shorter messages are left to the driver
  public void takeRows(RowBuffer into, int bodyBytesMin) throws IOException {
    while (left == 0 && into.hasRoom()) {
      if (!awaitRows(HEAD_BYTES) || buffer[at] != ROW) {
        return;
      }
      int length = BigEndian.getInt(buffer, at + 1) - 4;
      if (length < bodyBytesMin) {
        return;
      }
      at += HEAD_BYTES;
      takeBody(into, length);
      into.add(length);
    }
  }

  /// Room for a long row is made as its bytes come: a length alone is only a promise.
  private void takeBody(RowBuffer into, int length) throws IOException {
    into.reserve(Math.min(length, TRUSTED_BYTES));
    int done = buffered(into.bytes, into.end, length);
    while (done < length) {
      into.reserve((int) Math.min(length, done + (long) Math.max(done, TRUSTED_BYTES)));
      int more;
      if (length - done >= BUFFER_BYTES) {
        int room = into.bytes.length - into.end - done;
        more = socket.read(into.bytes, into.end + done, Math.min(room, length - done));
      } else {
        more = awaitRows(1) ? buffered(into.bytes, into.end + done, length - done) : -1;
      }
      if (more < 0) {
        throw new EOFException("the connection ended within a row");
      }
      done += more;
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (state == State.OPAQUE) {
      return at < end ? buffered(into, from, length) : socket.read(into, from, length);
    }
    if (left == 0 && !begin()) {
      return at < end ? buffered(into, from, length) : -1;
    }
    if (at == end && !await(1)) {
      return -1;
    }
    int taken = buffered(into, from, (int) Math.min(length, left));
    left -= taken;
    return taken;
  }

  /// Looks at what comes next; false if the connection ends before a whole head of a message.
  private boolean begin() throws IOException {
    if (state == State.GREETING) {
      if (!await(1)) {
        return false;
      }
      switch (buffer[at]) {
        case 'N' -> {
          left = 1;
          return true;
        }
        case 'R', 'E', 'v' -> state = State.MESSAGES;
        default -> {
          state = State.OPAQUE;
          left = Long.MAX_VALUE;
          return true;
        }
      }
    }
    if (!await(HEAD_BYTES)) {
      return false;
    }
    left = 1L + BigEndian.getInt(buffer, at + 1);
    if (left < HEAD_BYTES) {
      throw new IOException("the server sent a message of " + (left - 1) + " bytes");
    }
    return true;
  }

  /// As {@link #await}, for rows.
  private boolean awaitRows(int bytes) throws IOException {
    if (end - at < bytes) {
      long due = lastReadNanos + napNanos - System.nanoTime();
      if (due > 0) {
        LockSupport.parkNanos(due);
      }
    }
    return await(bytes);
  }

  /// So many bytes have come since the last time; others will take as long.
  private void came(int bytes) {
    long now = System.nanoTime();
    napNanos = Math.min(napNanosMax, (now - lastReadNanos) * BYTES_AT_ONCE / Math.max(1, bytes));
    lastReadNanos = now;
  }

  /// Waits until that many bytes are there; false if the connection ends before. After a timeout it
  /// may be called again.
  private boolean await(int bytes) throws IOException {
    while (end - at < bytes) {
      if (buffer.length - at < HEAD_BYTES || at == end) {
        System.arraycopy(buffer, at, buffer, 0, end - at);
        end -= at;
        at = 0;
      }
      int more = socket.read(buffer, end, buffer.length - end);
      if (more < 0) {
        return false;
      }
      end += more;
      came(more);
    }
    return true;
  }

  private int buffered(byte[] into, int from, int length) {
    int taken = Math.min(length, end - at);
    System.arraycopy(buffer, at, into, from, taken);
    at += taken;
    return taken;
  }

  /// What can be read without waiting, of later messages too.
  @Override
  public int available() throws IOException {
    return end - at + socket.available();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
