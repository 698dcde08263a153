package millrace.testkit.oracle.wire;

/// One TNS packet without its header of eight bytes.
///
/// @param body what follows the header; the packet owns it
public record TnsPacket(PacketType type, byte[] body) {

  private static final int END_OF_FILE = 0x0040;
  private static final int FLAG_BYTES = 2;
  private static final int RESET = 2;

  /// Whether the client says with it that it leaves: a DATA packet without data.
  boolean isGoodbye() {
    return type == PacketType.DATA
        && body.length == FLAG_BYTES
        && ((((body[0] & 0xFF) << 8) | (body[1] & 0xFF)) & END_OF_FILE) != 0;
  }

  /// Whether it asks to break off what is under way. A reset does not: it answers our own markers.
  boolean isBreak() {
    return type == PacketType.MARKER && body.length > 2 && body[2] != RESET;
  }
}
