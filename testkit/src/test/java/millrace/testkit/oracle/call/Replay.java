package millrace.testkit.oracle.call;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.ServerFaults;
import millrace.testkit.oracle.ServerLog;
import millrace.testkit.oracle.engine.Account;
import millrace.testkit.oracle.engine.OraDatabase;
import millrace.testkit.oracle.value.DatabaseCharset;

/// Sends the recorded packets of a client to a session of the stand-in, one call after the other.
final class Replay implements AutoCloseable {

  private static final int DATA = 6;
  private static final int HEADER_BYTES = 8;
  private static final int FLAG_BYTES = 2;
  private static final String USER = "PYTHONTEST";

  private final OraDatabase database = new OraDatabase(OracleRelease.R23, DatabaseCharset.AL32UTF8);
  private final Socket client;
  private final ClientSession session;
  private final Thread thread;
  private final int fieldVersion;
  private final List<byte[][]> locators = new ArrayList<>();
  private long[] sizes = {};
  private long[] recordedSizes = {};

  /// A call and the recorded answer to it.
  ///
  /// @param request a whole packet
  /// @param answer the bytes of all packets, without headers and flags
  record Exchange(byte[] request, byte[] answer) {

    /// The last function of the request: those before it are piggybacks.
    TtcFunction function() {
      int code = request[functionAt() + 1] & 0xFF;
      return Objects.requireNonNull(TtcFunction.of(code), "no call that the stand-in knows");
    }

    private int functionAt() {
      int at = HEADER_BYTES + FLAG_BYTES;
      // Piggybacks of recorded calls close cursors: number, token, pointer, count, numbers.
      while (request[at] == TtcMessage.PIGGYBACK) {
        at += 3 + 1 + 1;
        int count = request[at + 1];
        at += 2;
        for (int i = 0; i < count; i++) {
          at += 1 + request[at];
        }
      }
      return at;
    }
  }

  /// What was answered to a call.
  record Answered(TtcFunction function, List<String> recorded, List<String> found) {}

  Replay(int fieldVersion) throws IOException {
    this.fieldVersion = fieldVersion;
    database.put(new Account(USER, "none", Account.State.OPEN));
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      client = new Socket(listener.getInetAddress(), listener.getLocalPort());
      client.setSoTimeout(20_000);
      ServerContext context =
          new ServerContext(database, "FREEPDB1", new ServerLog(), new ServerFaults());
      session = new ClientSession(context, listener.accept(), 101);
    }
    ClientDialect dialect = new ClientDialect(false, fieldVersion, DatabaseCharset.AL32UTF8);
    thread = Thread.ofPlatform().daemon().start(() -> session.replay(dialect, USER));
  }

  /// The calls of a recording that come behind the log-on.
  static List<Exchange> exchanges(List<String> lines) {
    List<Exchange> all = new ArrayList<>();
    byte[] request = new byte[0];
    byte[] answer = new byte[0];
    for (String line : lines) {
      byte[] packet = HexFormat.of().parseHex(line.substring(2).strip());
      if (line.startsWith("C ")) {
        add(all, request, answer);
        request = packet;
        answer = new byte[0];
      } else if (packet.length > HEADER_BYTES) {
        // A header may stand on a line of its own, and the rest of its packet on the next one.
        boolean headed = packet[4] == DATA && length(packet) == packet.length;
        int from = (headed ? HEADER_BYTES : 0) + FLAG_BYTES;
        int before = answer.length;
        answer = Arrays.copyOf(answer, before + packet.length - from);
        System.arraycopy(packet, from, answer, before, packet.length - from);
      }
    }
    add(all, request, answer);
    return all;
  }

  private static int length(byte[] packet) {
    return (packet[0] & 0xFF) << 24
        | (packet[1] & 0xFF) << 16
        | (packet[2] & 0xFF) << 8
        | (packet[3] & 0xFF);
  }

  /// What comes before the log-on has ended is not kept: connects, and messages that are no calls.
  private static void add(List<Exchange> all, byte[] request, byte[] answer) {
    int at = HEADER_BYTES + FLAG_BYTES;
    boolean call =
        request.length > at + 1
            && request[4] == DATA
            && length(request) == request.length
            && (request[at] == TtcMessage.FUNCTION || request[at] == TtcMessage.PIGGYBACK);
    if (call && request[at + 1] != 0x73) {
      all.add(new Exchange(request, answer));
    }
  }

  /// Sends a call; what it answers is read to its last byte, and so is what was recorded.
  Answered call(Exchange exchange) throws IOException {
    TtcFunction function = exchange.function();
    int operation = function == TtcFunction.LOB_OPERATION ? lobOperation(exchange) : 0;
    AnswerReader recorded =
        new AnswerReader(exchange.answer(), fieldVersion, function, operation, recordedSizes);
    List<String> expected = recorded.read();
    recordedSizes = recorded.sizes();
    if (recorded.cursor() != 0) {
      session.context().setNextCursor(recorded.cursor());
    }
    client.getOutputStream().write(withOurLocators(exchange.request()));
    byte[] answer = new byte[0];
    DataInputStream in = new DataInputStream(client.getInputStream());
    while (true) {
      int length = in.readInt() - HEADER_BYTES;
      in.skipNBytes(HEADER_BYTES - Integer.BYTES + FLAG_BYTES);
      byte[] more = in.readNBytes(length - FLAG_BYTES);
      int before = answer.length;
      answer = Arrays.copyOf(answer, before + more.length);
      System.arraycopy(more, 0, answer, before, more.length);
      try {
        AnswerReader ours = new AnswerReader(answer, fieldVersion, function, operation, sizes);
        List<String> found = ours.read();
        sizes = ours.sizes();
        if (ours.locator().length > 0) {
          locators.add(new byte[][] {recorded.locator(), ours.locator()});
        }
        return new Answered(function, expected, found);
      } catch (AnswerReader.IncompleteException _) {
        // The rest comes in another packet.
      }
    }
  }

  /// The operation stands behind nine numbers and pointers of one byte or with their length.
  private int lobOperation(Exchange exchange) {
    byte[] request = exchange.request();
    int at = exchange.functionAt() + 3 + (fieldVersion >= 18 ? 1 : 0);
    at += 1 + 1 + request[at + 1];
    at += 1 + 1 + request[at + 1];
    at += 2 + 3;
    int value = 0;
    for (int i = 1; i <= request[at]; i++) {
      value = value << 8 | (request[at + i] & 0xFF);
    }
    return value;
  }

  /// A client names a LOB by what the server told it: each server has its own.
  private byte[] withOurLocators(byte[] request) {
    byte[] changed = request.clone();
    for (byte[][] pair : locators) {
      for (int at = 0; at + pair[0].length <= changed.length; at++) {
        if (Arrays.equals(changed, at, at + pair[0].length, pair[0], 0, pair[0].length)) {
          System.arraycopy(pair[1], 0, changed, at, pair[0].length);
        }
      }
    }
    return changed;
  }

  /// Whether all that was sent has been read; only if all calls were answered.
  boolean isDrained() {
    return session.context().in().isDrained();
  }

  @Override
  public void close() throws IOException {
    client.close();
    try {
      thread.join(10_000);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    database.close();
  }
}
