package millrace.testkit.oracle.call;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.DatabaseCharset;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.ClientGoneException;
import millrace.testkit.oracle.wire.PacketType;
import millrace.testkit.oracle.wire.TnsPacket;
import millrace.testkit.oracle.wire.TnsSocket;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;

/// What comes before the log-on: the TNS connect, and the agreement about protocol and data types.
///
/// Out-of-band breaks, encryption, fast authentication and end-of-response flags are not offered.
final class Handshake {

  /// The version that the ACCEPT names: the first without what is not offered here.
  private static final int TNS_VERSION = 318;

  private static final int NO_SUCH_SERVICE = 12514;
  private static final int HEADER_BYTES = 8;

  /// Where the version of TTC's fields stands in the capabilities.
  private static final int FIELD_VERSION = 7;

  private static final int LARGEST_SDU = 2 << 20;
  private static final Pattern SERVICE =
      Pattern.compile("SERVICE_NAME=([^)]*)\\)", Pattern.CASE_INSENSITIVE);

  private final TnsSocket socket;
  private final String service;
  private final OracleRelease release;
  private final DatabaseCharset databaseCharset;

  Handshake(
      TnsSocket socket, String service, OracleRelease release, DatabaseCharset databaseCharset) {
    this.socket = socket;
    this.service = service;
    this.release = release;
    this.databaseCharset = databaseCharset;
  }

  /// Answers the CONNECT.
  ///
  /// @param onBreak what to do when a break arrives later
  /// @throws ClientGoneException if the service is another one: the client has been told so
  void connect(Runnable onBreak) throws IOException {
    TnsPacket connect = socket.first();
    if (connect.type() != PacketType.CONNECT) {
      throw new IOException("a CONNECT was expected, not a " + connect.type());
    }
    ByteBuffer body = ByteBuffer.wrap(connect.body());
    int length = body.getShort(16);
    int from = body.getShort(18) - HEADER_BYTES;
    byte[] descriptor = Arrays.copyOfRange(connect.body(), from, connect.body().length);
    if (descriptor.length < length) {
      // A long descriptor follows in a packet of its own, behind two bytes of flags.
      byte[] more = socket.first().body();
      descriptor = Arrays.copyOfRange(more, 2, more.length);
    }
    Matcher requested = SERVICE.matcher(new String(descriptor, StandardCharsets.UTF_8));
    if (requested.find() && !requested.group(1).equalsIgnoreCase(service)) {
      refuse(NO_SUCH_SERVICE);
      throw new ClientGoneException("the client asked for the service " + requested.group(1));
    }
    int sdu = Math.min(Math.max(body.getInt(50), 512), LARGEST_SDU);
    socket.send(PacketType.ACCEPT, accept(sdu));
    socket.begin(sdu, onBreak);
  }

  private void refuse(int code) throws IOException {
    String text =
        "(DESCRIPTION=(TMP=)(VSNNUM=318767104)(ERR=%d)(ERROR_STACK=(ERROR=(CODE=%d)(EMFI=4))))"
            .formatted(code, code);
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer body = ByteBuffer.allocate(4 + bytes.length);
    body.putShort((short) 0x2200).putShort((short) bytes.length).put(bytes);
    socket.send(PacketType.REFUSE, body.array());
  }

  private static byte[] accept(int sdu) {
    int bytes = 37;
    ByteBuffer body = ByteBuffer.allocate(bytes);
    body.putShort((short) TNS_VERSION).position(8);
    body.putShort((short) 1).putShort((short) 0).putShort((short) (bytes + HEADER_BYTES));
    // No encryption is negotiated.
    body.put((byte) 0xC5).position(24);
    body.putInt(sdu).putInt(sdu);
    return body.array();
  }

  /// Agrees about the protocol, then about the data types.
  ///
  /// @return how the client speaks
  ClientDialect negotiate(TtcInput in) throws IOException, BreakException {
    expect(in, TtcMessage.PROTOCOL);
    // The versions that the client speaks, then its name.
    text(in);
    String client = text(in);
    socket.reply(protocol());
    expect(in, TtcMessage.DATA_TYPES);
    in.skip(5);
    byte[] compiled = in.clr();
    byte[] runtime = in.clr();
    TtcOutput types = new TtcOutput().u1(TtcMessage.DATA_TYPES);
    if (runtime != null && (runtime[1] & 1) != 0) {
      types.raw(in.bytes(15));
    }
    skipTypes(in);
    // No type of the client's is converted: an empty list.
    socket.reply(types.u1(0, 0));
    int offered =
        compiled == null || compiled.length <= FIELD_VERSION ? 0 : compiled[FIELD_VERSION];
    return new ClientDialect(
        client.startsWith("Java"), Math.min(offered, release.fieldVersion()), databaseCharset);
  }

  /// The list of the client's types: type, conversion and, if there is one, representation.
  private static void skipTypes(TtcInput in) throws IOException, BreakException {
    for (int type = u2(in); type != 0; type = u2(in)) {
      int conversion = u2(in);
      if (conversion != 0) {
        in.skip(4);
      }
    }
  }

  private static int u2(TtcInput in) throws IOException, BreakException {
    int high = in.u1();
    return high << 8 | in.u1();
  }

  /// Bytes that end with a zero.
  private static String text(TtcInput in) throws IOException, BreakException {
    StringBuilder text = new StringBuilder();
    for (int next = in.u1(); next != 0; next = in.u1()) {
      text.append((char) next);
    }
    return text.toString();
  }

  private TtcOutput protocol() {
    byte[] formats = new byte[11];
    formats[9] = (byte) (CharForm.NATIONAL.charsetId() >>> 8);
    formats[10] = (byte) CharForm.NATIONAL.charsetId();
    int charset = databaseCharset.id(CharForm.DATABASE);
    return new TtcOutput()
        .u1(TtcMessage.PROTOCOL, 6, 0)
        .raw("x86_64/Linux 2.4.xx")
        .u1(0, charset & 0xFF, charset >>> 8, 1, 0, 0, 0, formats.length)
        .raw(formats)
        .clr(compileCapabilities())
        .clr(new byte[] {2, 1, 0, 1, 0x18, 0, 0x77});
  }

  /// What the driver looks at: kinds of log-on, the fields' version, the status at the end of
  /// calls, LOBs with their first part, types of two bytes, and lengths of chunks as integers.
  private byte[] compileCapabilities() {
    byte[] bytes = new byte[42];
    bytes[0] = 6;
    bytes[4] = 0x6F;
    bytes[FIELD_VERSION] = (byte) release.fieldVersion();
    bytes[15] = 1;
    bytes[23] = (byte) 0xFF;
    bytes[27] = 1;
    bytes[37] = 0x20;
    return bytes;
  }

  private static void expect(TtcInput in, int message) throws IOException, BreakException {
    int found = in.u1();
    if (found != message) {
      throw new IOException("the message " + message + " was expected, not " + found);
    }
  }
}
