package millrace.testkit.oracle.call;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// The message with which an answer ends: what became of the call.
final class EndOfCall {

  private static final int NO_MORE_ROWS = 1403;
  private static final int BATCH_ERRORS = 24381;
  private static final int WITH_SQL_TYPE = 14;
  private static final int NO_TABLE = 942;

  private final List<BatchError> batch = new ArrayList<>();
  private @Nullable String text;
  private int code;
  private int cursor;
  private int kind;
  private long rows;
  private int iterations;

  /// An error in one row of a batch.
  record BatchError(int row, OraException error) {}

  EndOfCall cursor(int id) {
    cursor = id;
    return this;
  }

  /// The kind of statement, by its number.
  EndOfCall kind(int number) {
    kind = number;
    return this;
  }

  /// How many rows were changed, or sent so far.
  EndOfCall rows(long count) {
    rows = count;
    return this;
  }

  /// How many rows of binds went well before an error.
  EndOfCall iterations(int count) {
    iterations = count;
    return this;
  }

  EndOfCall error(OraException e) {
    code = e.code();
    text = e.getMessage();
    return this;
  }

  EndOfCall noMoreRows() {
    return error(new OraException(NO_MORE_ROWS, "no data found"));
  }

  EndOfCall batchErrors(List<BatchError> errors) {
    batch.addAll(errors);
    return error(new OraException(BATCH_ERRORS, "error(s) in array DML"));
  }

  void write(TtcOutput out, CallContext context) {
    out.u1(TtcMessage.END_OF_CALL).ub(context.status(), context.nextCall(), rows);
    out.ub(Math.min(code, 0xFFFF), 0, 0, cursor, 0);
    out.u1(kind, 0, 0, 0, 0, 0);
    // No rowid, no error of the operating system.
    out.ub(0, 0).u1(0).ub(0, 0).ub(0);
    out.u1(0, context.sequence()).ub(0, iterations);
    out.ub(0);
    writeBatch(out);
    out.ub(code, rows);
    if (context.fieldVersion() >= WITH_SQL_TYPE) {
      out.ub(kind, 0);
    }
    if (text != null) {
      // Which table is not there, servers say since release 23.
      boolean isOlder = context.server().database().release() != OracleRelease.R23;
      String said = code == NO_TABLE && isOlder ? "ORA-00942: table or view does not exist" : text;
      out.clr((said + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /// The codes, then the row offsets, each packed into one byte string, then the texts.
  private void writeBatch(TtcOutput out) {
    int count = batch.size();
    if (count == 0) {
      out.ub(0, 0, 0);
      return;
    }
    TtcOutput codes = new TtcOutput();
    TtcOutput offsets = new TtcOutput();
    for (BatchError each : batch) {
      codes.ub(each.error().code());
      offsets.ub(each.row());
    }
    out.ub(count).clr(codes.toByteArray());
    out.ub(count).clr(offsets.toByteArray());
    out.ub(count).u1(1);
    for (BatchError each : batch) {
      out.dalc(String.valueOf(each.error().getMessage())).ub(0, 0);
    }
  }
}
