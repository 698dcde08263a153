package millrace.testkit.oracle.call;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.engine.DirectPathLoad;
import millrace.testkit.oracle.sql.StatementKind;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// The three calls of a direct path load: prepare, stream, and finish or abort.
final class DirectPathCall {

  private static final int TABLE = 1;
  private static final int PARTITION = 2;
  private static final int SCHEMA = 3;
  private static final int COLUMN = 4;
  private static final int ABORT = 1;
  private static final int FINISH = 2;
  private static final int CURSOR = 1;
  private static final int INPUT_PARALLEL = 4;
  private static final int INPUT_SKIP_MAINTENANCE = 6;

  /// Names of the inputs, by their numbers; those without a name are always the same.
  private static final List<String> INPUTS =
      List.of(
          "",
          "",
          "",
          "NOLOG",
          "PARALLEL",
          "SKIP_UNUSABLE_INDEX",
          "SKIP_INDEX_MAINT",
          "",
          "STORAGE_INIT",
          "STORAGE_NEXT");

  private static final long[] OUTPUTS = {
    400, 400, 0x10000, CURSOR, 1, 0, 0, 0x20, 0x16, 0, 0, 0, 0, 0, 1
  };

  private final CallContext context;
  private @Nullable DirectPathStream stream;

  DirectPathCall(CallContext context) {
    this.context = context;
  }

  void prepare() throws IOException, BreakException, OraException {
    TtcInput in = context.in();
    in.ub();
    in.pointer();
    int keywords = in.ub();
    in.pointer();
    int inputs = in.ub();
    in.skip(6);
    String schema = "";
    String table = "";
    String partition = null;
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < keywords; i++) {
      byte[] first = in.dalc();
      byte[] second = in.dalc();
      byte[] bytes = second == null ? first : second;
      String value = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
      switch (in.ub()) {
        case SCHEMA -> schema = unquoted(value);
        case TABLE -> table = unquoted(value);
        case PARTITION -> partition = unquoted(value);
        case COLUMN -> columns.add(unquoted(value));
        default -> {
          // A file for parallel loads: there are none here.
        }
      }
    }
    long[] values = in.ubs(inputs);
    context.fault(ServerCall.DIRECT_PATH_PREPARE, table);
    context.log(
        new LogEvent.DirectPathPrepared(
            context.session().id(), table, partition, columns, options(values)));
    boolean parallel = values[INPUT_PARALLEL] != 0;
    boolean skip = values[INPUT_SKIP_MAINTENANCE] != 0;
    DirectPathLoad load =
        context
            .session()
            .openLoad(
                new DirectPathLoad.Request(schema, table, partition, columns, parallel, skip));
    stream = new DirectPathStream(load, context.dialect().charset());
    TtcOutput out = new TtcOutput().u1(TtcMessage.PARAMETERS).ub(columns.size());
    DescribeWriter.columns(out, load.columns(), context.dialect());
    out.ub(0, OUTPUTS.length).ub(OUTPUTS);
    context.finish(out, end().cursor(CURSOR));
  }

  private static EndOfCall end() {
    return new EndOfCall().kind(StatementKind.INSERT.code());
  }

  /// As in SQL: a name without quotes is in capitals.
  private static String unquoted(String name) {
    return name.startsWith("\"") && name.endsWith("\"")
        ? name.substring(1, name.length() - 1)
        : name.toUpperCase(Locale.ROOT);
  }

  private static List<String> options(long[] inputs) {
    List<String> options = new ArrayList<>();
    for (int i = 0; i < Math.min(inputs.length, INPUTS.size()); i++) {
      if (inputs[i] != 0 && !INPUTS.get(i).isEmpty()) {
        options.add(INPUTS.get(i));
      }
    }
    return options;
  }

  private DirectPathStream open() throws OraException {
    DirectPathStream open = stream;
    if (open == null || context.session().load() == null) {
      throw new OraException(1001, "invalid cursor");
    }
    return open;
  }

  void stream() throws IOException, BreakException, OraException {
    TtcInput in = context.in();
    in.ub();
    in.pointer();
    int length = in.ub();
    in.ub();
    in.pointer();
    int inputs = in.ub();
    in.skip(2);
    byte[] bytes = in.bytes(length);
    in.ubs(inputs);
    DirectPathStream open = open();
    DirectPathLoad load = open.load();
    context.fault(ServerCall.DIRECT_PATH_STREAM, load.table().name());
    long before = load.rows();
    context.session().figures().directBytes().add(length);
    try {
      open.take(bytes);
    } finally {
      context.log(
          new LogEvent.DirectPathStreamed(
              context.session().id(),
              load.table().name(),
              context.server().log().stream(bytes),
              length,
              load.rows() - before));
    }
    TtcOutput out = new TtcOutput().u1(TtcMessage.PARAMETERS).ub(0);
    context.finish(out, end().cursor(CURSOR).rows(load.rows() - before));
  }

  void operate() throws IOException, BreakException, OraException {
    TtcInput in = context.in();
    int operation = in.ub();
    in.ub();
    in.pointer();
    int inputs = in.ub();
    in.skip(2);
    in.ubs(inputs);
    long session = context.session().id();
    long rows = 0;
    if (operation == ABORT && context.session().load() == null) {
      // The load is over already, by an error.
      stream = null;
    } else {
      DirectPathLoad load = open().load();
      String table = load.table().name();
      if (operation == FINISH) {
        context.fault(ServerCall.DIRECT_PATH_FINISH, table);
        load.finish();
        rows = load.rows();
        context.log(new LogEvent.DirectPathFinished(session, table, load.rows()));
      } else {
        load.abort();
        context.log(new LogEvent.DirectPathAborted(session, table));
      }
      stream = null;
    }
    TtcOutput out = new TtcOutput().u1(TtcMessage.PARAMETERS).ub(0);
    context.finish(out, end().rows(rows));
  }
}
