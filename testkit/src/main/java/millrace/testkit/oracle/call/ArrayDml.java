package millrace.testkit.oracle.call;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.engine.CompiledStatement;
import millrace.testkit.oracle.engine.OraSession;
import millrace.testkit.oracle.value.BindType;
import millrace.testkit.oracle.value.TtcType;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// Executes DML once for each row of binds. Rows before one that fails stay in the transaction.
final class ArrayDml {

  private final CallContext context;
  private final ServerCursor cursor;
  private final ExecuteRequest request;
  private final List<TtcType> types;
  private final List<Long> counts = new ArrayList<>();
  private final List<EndOfCall.BatchError> errors = new ArrayList<>();
  private long changed;

  ArrayDml(CallContext context, ServerCursor cursor, ExecuteRequest request) {
    this.context = context;
    this.cursor = cursor;
    this.request = request;
    types = cursor.binds().stream().map(BindType::type).toList();
  }

  void run(List<List<@Nullable Object>> rows) throws IOException, OraException {
    OraSession session = context.session();
    List<List<@Nullable Object>> all =
        types.isEmpty()
            ? Collections.nCopies(Math.max(1, request.iterations()), List.<@Nullable Object>of())
            : rows;
    OraException failure = null;
    try {
      CompiledStatement statement = compiled(session);
      statement.beginCall();
      failure = execute(statement, all);
      statement.endCall();
      if (failure == null && request.commits()) {
        session.commit();
      }
    } catch (OraException e) {
      failure = e;
    }
    int error = failure == null ? 0 : failure.code();
    String sql = cursor.parsed().sql();
    List<@Nullable Object> first = all.isEmpty() ? List.of() : all.getFirst();
    context.log(new LogEvent.Executed(session.id(), sql, types, first, all.size(), changed, error));
    answer(failure);
  }

  private CompiledStatement compiled(OraSession session) throws OraException {
    CompiledStatement known = cursor.compiled();
    if (known != null && known.takes(types)) {
      return known;
    }
    CompiledStatement fresh = session.compile(cursor.parsed(), types);
    cursor.setCompiled(fresh);
    return fresh;
  }

  /// The error that ends the call; null if there is none.
  private @Nullable OraException execute(
      CompiledStatement statement, List<List<@Nullable Object>> rows) {
    boolean keepsGoing = request.keepsGoing() && rows.size() > 1;
    for (int i = 0; i < rows.size(); i++) {
      try {
        checkDecoded(rows.get(i));
        long count = statement.update(rows.get(i));
        changed += count;
        counts.add(count);
      } catch (OraException e) {
        if (!keepsGoing) {
          return e;
        }
        errors.add(new EndOfCall.BatchError(i, e));
        counts.add(0L);
      }
    }
    return null;
  }

  /// A value whose bytes made no sense came as the error that it is.
  static void checkDecoded(List<@Nullable Object> values) throws OraException {
    for (Object value : values) {
      if (value instanceof OraException error) {
        throw error;
      }
    }
  }

  private void answer(@Nullable OraException failure) throws IOException {
    TtcOutput out = new TtcOutput();
    EndOfCall end =
        new EndOfCall().cursor(cursor.id()).kind(cursor.parsed().kind().code()).rows(changed);
    if (failure != null) {
      context.finish(out, end.error(failure).rows(counts.size()).iterations(counts.size()));
      return;
    }
    RowWriter.parameters(out, cursor);
    if (request.countsWanted()) {
      out.ub(counts.size());
      counts.forEach(out::ub);
    }
    end.iterations(counts.size());
    context.finish(out, errors.isEmpty() ? end : end.batchErrors(errors));
  }
}
