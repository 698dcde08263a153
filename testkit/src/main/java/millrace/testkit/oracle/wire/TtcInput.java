package millrace.testkit.oracle.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads what a client calls: a stream of bytes that takes the next packet when it runs dry.
///
/// A call may go on over the end of a packet at any byte. One thread uses it.
public final class TtcInput {

  private static final int FLAG_BYTES = 2;
  private static final int CHUNKED = 0xFE;
  private static final int NEGATIVE = 0x80;

  private final TnsSocket socket;
  private byte[] packet = new byte[0];
  private int at;

  public TtcInput(TnsSocket socket) {
    this.socket = socket;
  }

  /// Whether all that has arrived so far is read.
  public boolean isDrained() {
    return at == packet.length;
  }

  /// Forgets the rest of the packet, as a break asks for.
  public void discard() {
    at = packet.length;
  }

  public int u1() throws IOException, BreakException {
    if (at == packet.length) {
      fill();
    }
    return packet[at++] & 0xFF;
  }

  /// A byte that says whether something follows.
  public boolean pointer() throws IOException, BreakException {
    return u1() != 0;
  }

  /// An unsigned or signed integer with its length before it.
  public long ubLong() throws IOException, BreakException {
    int head = u1();
    int length = head & ~NEGATIVE;
    if (length > Long.BYTES) {
      throw new IOException("an integer of " + length + " bytes: the call is out of step");
    }
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = value << 8 | u1();
    }
    return (head & NEGATIVE) == 0 ? value : -value;
  }

  public int ub() throws IOException, BreakException {
    return (int) ubLong();
  }

  /// So many integers.
  public long[] ubs(int count) throws IOException, BreakException {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = ubLong();
    }
    return values;
  }

  public void skip(int count) throws IOException, BreakException {
    for (int i = 0; i < count; i++) {
      u1();
    }
  }

  public byte[] bytes(int count) throws IOException, BreakException {
    byte[] bytes = new byte[count];
    int done = 0;
    while (done < count) {
      if (at == packet.length) {
        fill();
      }
      int part = Math.min(count - done, packet.length - at);
      System.arraycopy(packet, at, bytes, done, part);
      done += part;
      at += part;
    }
    return bytes;
  }

  /// A byte string with its length, in chunks if it is long; null if it is empty.
  public byte @Nullable [] clr() throws IOException, BreakException {
    int length = u1();
    if (length == 0 || length == 0xFF) {
      return null;
    }
    if (length != CHUNKED) {
      return bytes(length);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int chunk = ub(); chunk != 0; chunk = ub()) {
      all.write(bytes(chunk));
    }
    return all.toByteArray();
  }

  /// A length, and the byte string if that is not 0.
  public byte @Nullable [] dalc() throws IOException, BreakException {
    return ub() == 0 ? null : clr();
  }

  /// Takes the break that has ended a call; it is the next packet.
  public void skipBreak() throws IOException {
    at = packet.length;
    socket.skipBreak();
  }

  private void fill() throws IOException, BreakException {
    while (true) {
      TnsPacket next = socket.take();
      if (next.isGoodbye()) {
        throw new ClientGoneException("the client has said goodbye");
      }
      if (next.isBreak()) {
        throw new BreakException();
      }
      if (next.type() == PacketType.DATA && next.body().length > FLAG_BYTES) {
        packet = next.body();
        at = FLAG_BYTES;
        return;
      }
    }
  }
}
