package millrace.testkit.oracle.call;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Locale;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;

/// Calls that come in front of another one and have no answer of their own.
final class Piggybacks {

  private final CallContext context;
  private final TtcInput in;

  Piggybacks(CallContext context) {
    this.context = context;
    in = context.in();
  }

  void run(TtcFunction function) throws IOException, BreakException {
    switch (function) {
      case CLOSE_CURSORS -> closeCursors();
      case CANCEL_CURSORS -> cursorIds();
      case LOB_OPERATION -> new LobCall(context).free();
      case SET_SCHEMA -> setSchema();
      case END_TO_END -> endToEnd();
      case CLIENT_STATISTICS -> {
        in.pointer();
        int length = in.ub();
        in.ub();
        in.skip(length);
      }
      default -> throw new IOException("the piggyback " + function + " is not known");
    }
  }

  private long[] cursorIds() throws IOException, BreakException {
    in.pointer();
    return in.ubs(in.ub());
  }

  private void closeCursors() throws IOException, BreakException {
    long[] ids = cursorIds();
    for (long id : ids) {
      context.closeCursor((int) id);
    }
    context.log(new LogEvent.CursorsClosed(context.session().id(), ids.length));
  }

  private void setSchema() throws IOException, BreakException {
    in.pointer();
    String name = text(in.ub());
    String schema = name.startsWith("\"") ? name.replace("\"", "") : name.toUpperCase(Locale.ROOT);
    try {
      if (context.server().database().catalog().schemas().contains(schema)) {
        context.session().useSchema(schema);
      }
    } catch (SQLException e) {
      throw new IOException("the schema can't be changed", e);
    }
  }

  /// Client id, module, action, context, client info and more: lengths first, then all texts.
  private void endToEnd() throws IOException, BreakException {
    in.skip(2);
    in.ub();
    int[] lengths = new int[8];
    for (int i = 0; i < lengths.length; i++) {
      if (i == 4) {
        in.u1();
        in.ub();
      }
      in.pointer();
      lengths[i] = in.ub();
    }
    String[] texts = new String[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      texts[i] = text(lengths[i]);
    }
    context.session().setModule(texts[1], texts[2]);
  }

  private String text(int length) throws IOException, BreakException {
    return length == 0 ? "" : context.dialect().text(in, length);
  }
}
