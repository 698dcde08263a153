package millrace.testkit.oracle.call;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;

/// How a client speaks: Oracle's own ones spell a few fields in two ways, and a server tells them
/// apart by the name that they give.
///
/// @param jdbc the JDBC driver, not the thin client of python-oracledb and its like
/// @param fieldVersion the version of TTC's fields that client and server have agreed on
record ClientDialect(boolean jdbc, int fieldVersion) {

  /// What is spoken before anybody has said who it is.
  static final ClientDialect UNKNOWN = new ClientDialect(true, 0);

  /// A text whose length came before.
  String text(TtcInput in, int length) throws IOException, BreakException {
    byte[] bytes = jdbc ? in.bytes(length) : in.clr();
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  void skipScale(TtcInput in) throws IOException, BreakException {
    if (jdbc) {
      in.ub();
    } else {
      in.u1();
    }
  }

  void scale(TtcOutput out, int scale) {
    if (jdbc) {
      out.ub(scale);
    } else {
      out.u1(scale);
    }
  }
}
