package millrace.testkit.oracle.wire;

import java.io.IOException;

/// What a TNS packet is for: the fifth byte of its header.
public enum PacketType {
  CONNECT(1),
  ACCEPT(2),
  REFUSE(4),
  REDIRECT(5),
  DATA(6),
  RESEND(11),
  MARKER(12),
  CONTROL(14);

  private final int code;

  PacketType(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  static PacketType of(int code) throws IOException {
    for (PacketType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new IOException("a TNS packet of the unknown type " + code);
  }
}
