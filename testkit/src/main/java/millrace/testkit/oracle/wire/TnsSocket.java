package millrace.testkit.oracle.wire;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// TNS packets over one socket.
///
/// A thread of its own reads them ahead, so that a break is noticed while a call is carried out.
/// One other thread takes packets and sends answers. Any thread may close it.
public final class TnsSocket implements AutoCloseable {

  /// The largest packet that is offered to clients who do not ask for another.
  public static final int DEFAULT_SDU = 8192;

  private static final int HEADER_BYTES = 8;
  private static final int PACKETS_AHEAD = 64;
  private static final TnsPacket END = new TnsPacket(PacketType.CONTROL, new byte[0]);

  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final TrafficCounter traffic;
  private final BlockingQueue<TnsPacket> packets = new ArrayBlockingQueue<>(PACKETS_AHEAD);
  private volatile Runnable onBreak = () -> {};
  private volatile boolean longHeaders;
  private volatile boolean closed;
  private int sdu = DEFAULT_SDU;

  public TnsSocket(Socket socket, TrafficCounter traffic) throws IOException {
    this.socket = socket;
    this.traffic = traffic;
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 << 10));
    out = socket.getOutputStream();
  }

  /// Reads the first packet, before packets are read ahead.
  public TnsPacket first() throws IOException {
    return read();
  }

  /// From now on lengths in headers have four bytes, as after an ACCEPT, and packets are read
  /// ahead.
  ///
  /// @param sdu bytes of the largest packet
  /// @param onBreak what to do at once when a break arrives; called on the reading thread
  public void begin(int sdu, Runnable onBreak) {
    this.sdu = sdu;
    this.onBreak = onBreak;
    longHeaders = true;
    Thread.ofVirtual().name("tns-reader").start(this::readAhead);
  }

  /// The next packet; waits for it.
  TnsPacket take() throws IOException {
    TnsPacket packet;
    try {
      packet = packets.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClientGoneException("interrupted while waiting for the client");
    }
    // What was read before the connection was killed is not carried out any more.
    if (closed || packet.equals(END)) {
      packets.offer(END);
      throw new ClientGoneException("the client has closed its socket");
    }
    return packet;
  }

  /// Takes the break that is the next packet, if it is one.
  void skipBreak() {
    TnsPacket next = packets.peek();
    if (next != null && next.isBreak()) {
      packets.poll();
    }
  }

  private void readAhead() {
    try {
      while (true) {
        TnsPacket packet = read();
        packets.put(packet);
        if (packet.isBreak()) {
          onBreak.run();
        }
      }
    } catch (IOException | InterruptedException _) {
      // The session's thread finds the end in the queue, behind what arrived before it.
      onBreak.run();
      leaveEnd();
    }
  }

  private void leaveEnd() {
    try {
      packets.put(END);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private TnsPacket read() throws IOException {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException _) {
      throw new ClientGoneException("the client has closed its socket");
    }
    if (!longHeaders) {
      length >>>= 16;
    }
    PacketType type = PacketType.of(in.readUnsignedByte());
    in.skipNBytes(HEADER_BYTES - Integer.BYTES - 1);
    byte[] body = new byte[length - HEADER_BYTES];
    in.readFully(body);
    traffic.received().addAndGet(length);
    return new TnsPacket(type, body);
  }

  /// Sends one packet.
  public void send(PacketType type, byte... body) throws IOException {
    byte[] packet = new byte[HEADER_BYTES + body.length];
    System.arraycopy(body, 0, packet, HEADER_BYTES, body.length);
    write(packet, type, packet.length);
  }

  /// Sends an answer, cut into DATA packets.
  public void reply(TtcOutput answer) throws IOException {
    int flags = Short.BYTES;
    int room = sdu - HEADER_BYTES - flags;
    byte[] packet = new byte[Math.min(sdu, HEADER_BYTES + flags + answer.size())];
    int from = 0;
    do {
      int count = Math.min(room, answer.size() - from);
      answer.copy(from, packet, HEADER_BYTES + flags, count);
      write(packet, PacketType.DATA, HEADER_BYTES + flags + count);
      from += count;
    } while (from < answer.size());
    traffic.roundTrips().incrementAndGet();
  }

  private void write(byte[] packet, PacketType type, int length) throws IOException {
    int header = longHeaders ? length : length << 16;
    packet[0] = (byte) (header >>> 24);
    packet[1] = (byte) (header >>> 16);
    packet[2] = (byte) (header >>> 8);
    packet[3] = (byte) header;
    packet[4] = (byte) type.code();
    traffic.sent().addAndGet(length);
    out.write(packet, 0, length);
  }

  /// Tells the client that what it broke off is over: a break and a reset.
  public void sendBreakAndReset() throws IOException {
    send(PacketType.MARKER, (byte) 1, (byte) 0, (byte) 1);
    send(PacketType.MARKER, (byte) 1, (byte) 0, (byte) 2);
  }

  /// Ends the connection in the way of a crash: the client sees it reset.
  public void reset() {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException _) {
      // It is closed already; closing again does no harm.
    }
    close();
  }

  @Override
  public void close() {
    closed = true;
    // The reading thread may be waiting for room.
    packets.clear();
    try {
      socket.close();
    } catch (IOException _) {
      // Nothing is left to be saved on it.
    }
  }
}
