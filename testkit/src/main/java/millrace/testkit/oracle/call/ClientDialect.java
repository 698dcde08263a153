package millrace.testkit.oracle.call;

import java.io.IOException;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.DatabaseCharset;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;

/// How a client speaks: Oracle's own ones spell a few fields in two ways, and a server tells them
/// apart by the name that they give.
///
/// @param jdbc the JDBC driver, not the thin client of python-oracledb and its like
/// @param fieldVersion the version of TTC's fields that client and server have agreed on
/// @param charset the database's, in which the client sends and gets texts
record ClientDialect(boolean jdbc, int fieldVersion, DatabaseCharset charset) {

  /// What is spoken before anybody has said who it is.
  static final ClientDialect UNKNOWN = new ClientDialect(true, 0, DatabaseCharset.AL32UTF8);

  /// A text whose length came before.
  String text(TtcInput in, int length) throws IOException, BreakException {
    byte[] bytes = jdbc ? in.bytes(length) : in.clr();
    return bytes == null ? "" : new String(bytes, charset.of(CharForm.DATABASE));
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
