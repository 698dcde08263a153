package millrace.testkit.oracle.call;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.engine.CompiledStatement;
import millrace.testkit.oracle.engine.OraSession;
import millrace.testkit.oracle.engine.OutBinds;
import millrace.testkit.oracle.sql.ParsedSql;
import millrace.testkit.oracle.sql.StatementKind;
import millrace.testkit.oracle.value.BindType;
import millrace.testkit.oracle.value.ColumnSpec;
import millrace.testkit.oracle.value.TtcType;
import millrace.testkit.oracle.wire.BreakException;
import millrace.testkit.oracle.wire.TtcInput;
import millrace.testkit.oracle.wire.TtcOutput;
import org.jspecify.annotations.Nullable;

/// The calls that execute statements and fetch rows.
final class StatementCall {

  private final CallContext context;
  private final RowWriter writer;
  private final BindReader binds;

  StatementCall(CallContext context) {
    this.context = context;
    writer = new RowWriter(context);
    binds = new BindReader(context);
  }

  /// Executes a statement, parses one, or fetches rows in another way.
  void execute() throws IOException, BreakException, OraException {
    TtcInput in = context.in();
    ExecuteRequest request = ExecuteRequest.read(in, context.dialect());
    // What belongs to the call is read to its end before anything of it can fail.
    List<BindType> bindTypes = binds.types(request.binds());
    List<BindType> defines = binds.types(request.defines());
    ServerCursor cursor = context.cursor(request.cursor());
    OraException wrong = null;
    if (request.sql() != null) {
      try {
        cursor.parse(ParsedSql.of(request.sql()));
      } catch (OraException e) {
        wrong = e;
      }
    }
    if (!bindTypes.isEmpty()) {
      cursor.setBinds(bindTypes);
    }
    if (!defines.isEmpty()) {
      cursor.setDefines(defines);
    }
    boolean once = wrong != null || cursor.parsed().isQuery();
    List<List<@Nullable Object>> rows =
        cursor.binds().isEmpty() || !request.executes()
            ? List.of()
            : binds.rows(cursor, once ? 1 : request.iterations());
    if (wrong != null) {
      throw wrong;
    }
    run(cursor, request, rows);
  }

  /// Executes a statement again.
  ///
  /// @param fetch whether rows are to come with the answer
  void again(boolean fetch) throws IOException, BreakException, OraException {
    long[] values = context.in().ubs(4);
    ServerCursor cursor = context.cursor((int) values[0]);
    int count = (int) values[1];
    List<List<@Nullable Object>> rows =
        cursor.binds().isEmpty()
            ? List.of()
            : binds.rows(cursor, cursor.parsed().isQuery() ? 1 : count);
    run(cursor, ExecuteRequest.again(cursor.id(), count, fetch), rows);
  }

  /// Tells what a statement would return, before its first execution.
  void describe() throws IOException, BreakException, OraException {
    TtcInput in = context.in();
    in.u1();
    in.ub();
    in.pointer();
    int length = in.ub();
    in.ub();
    in.skip(2);
    String sql = context.dialect().text(in, length);
    TtcOutput out = new TtcOutput();
    ParsedSql parsed = ParsedSql.of(sql);
    List<TtcType> unknown = Collections.nCopies(parsed.tokens().size(), TtcType.VARCHAR);
    try (CompiledStatement statement = context.session().compile(parsed, unknown)) {
      List<ColumnSpec> columns = statement.columns();
      out.u1(TtcMessage.PARAMETERS).ub(columns.size());
      DescribeWriter.columns(out, columns, context.dialect());
    }
    context.finish(out);
  }

  void fetch() throws IOException, BreakException, OraException {
    long[] values = context.in().ubs(2);
    ServerCursor cursor = context.cursor((int) values[0]);
    context.fault(ServerCall.FETCH, cursor.parsed().sql());
    writer.send(new TtcOutput(), cursor, (int) values[1], 0);
  }

  private void run(ServerCursor cursor, ExecuteRequest request, List<List<@Nullable Object>> rows)
      throws IOException, OraException {
    ParsedSql parsed = cursor.parsed();
    if (request.executes()) {
      context.fault(ServerCall.EXECUTE, parsed.sql());
    }
    if (parsed.isQuery()) {
      query(cursor, request, rows);
    } else if (!request.executes()) {
      answer(cursor, new TtcOutput(), 0);
    } else if (parsed.kind().isDml()) {
      new ArrayDml(context, cursor, request).run(rows);
    } else {
      other(cursor, request, rows);
    }
  }

  private CompiledStatement compiled(ServerCursor cursor) throws OraException {
    List<TtcType> types = cursor.binds().stream().map(BindType::type).toList();
    CompiledStatement known = cursor.compiled();
    if (known != null && known.takes(types)) {
      return known;
    }
    CompiledStatement fresh = context.session().compile(cursor.parsed(), types);
    cursor.setCompiled(fresh);
    return fresh;
  }

  private void query(ServerCursor cursor, ExecuteRequest request, List<List<@Nullable Object>> rows)
      throws IOException, OraException {
    TtcOutput out = new TtcOutput();
    boolean parses = request.sql() != null;
    if (!request.executes() && parses) {
      describeOnly(cursor, out);
      return;
    }
    if (request.executes()) {
      open(cursor, rows);
    }
    List<ColumnSpec> columns = cursor.columns();
    if (parses) {
      DescribeWriter.describe(out, columns, context.dialect());
    }
    boolean lobs =
        columns.stream()
            .anyMatch(column -> column.type().hasLocator() || column.type().comesLast());
    boolean wanted = request.fetches() || (request.executes() && request.prefetch() > 0);
    if (wanted && (!lobs || !parses || !cursor.defines().isEmpty())) {
      int most = Math.max(request.prefetch(), request.iterations());
      writer.send(out, cursor, most, request.executes() ? 1 : 0);
    } else {
      answer(cursor, out, 0);
    }
  }

  private void open(ServerCursor cursor, List<List<@Nullable Object>> rows) throws OraException {
    int error = 0;
    List<@Nullable Object> values = rows.isEmpty() ? List.of() : rows.getFirst();
    try {
      ArrayDml.checkDecoded(values);
      cursor.setRows(compiled(cursor).query(values));
    } catch (OraException e) {
      error = e.code();
      throw e;
    } finally {
      log(cursor, values, error);
    }
  }

  /// Tells what a query would return: its binds are texts until others are described.
  private void describeOnly(ServerCursor cursor, TtcOutput out) throws IOException, OraException {
    ParsedSql parsed = cursor.parsed();
    List<TtcType> unknown = Collections.nCopies(parsed.tokens().size(), TtcType.VARCHAR);
    try (CompiledStatement statement = context.session().compile(parsed, unknown)) {
      DescribeWriter.describe(out, statement.columns(), context.dialect());
    }
    answer(cursor, out, 0);
  }

  /// DDL, blocks, and statements about the session.
  private void other(ServerCursor cursor, ExecuteRequest request, List<List<@Nullable Object>> rows)
      throws IOException, OraException {
    OraSession session = context.session();
    List<@Nullable Object> values = rows.isEmpty() ? List.of() : rows.getFirst();
    OutBinds outBinds;
    int error = 0;
    try {
      ArrayDml.checkDecoded(values);
      outBinds = session.execute(cursor.parsed(), values);
      if (request.commits()) {
        session.commit();
      }
    } catch (OraException e) {
      error = e.code();
      throw e;
    } finally {
      log(cursor, values, error);
    }
    TtcOutput out = new TtcOutput();
    if (cursor.parsed().kind() == StatementKind.BLOCK && !cursor.binds().isEmpty()) {
      outBinds(out, cursor, outBinds);
    }
    answer(cursor, out, cursor.parsed().kind() == StatementKind.BLOCK ? 1 : 0);
  }

  /// The direction of each bind, then the values of those that come out.
  private void outBinds(TtcOutput out, ServerCursor cursor, OutBinds values) {
    List<BindType> types = cursor.binds();
    out.u1(TtcMessage.BIND_DIRECTIONS, 5).ub(types.size(), 0, 1, 0, 0, 0);
    for (int i = 0; i < types.size(); i++) {
      out.u1(values.values().containsKey(i) ? 16 : 32);
    }
    if (values.values().isEmpty()) {
      return;
    }
    out.u1(TtcMessage.ROW_DATA);
    for (int i = 0; i < types.size(); i++) {
      Object value = values.values().get(i);
      if (value != null) {
        BindType type = types.get(i);
        ColumnSpec column =
            new ColumnSpec("", type.type(), type.form(), type.size(), 0, 0, type.chars(), true);
        writer.value(out, column, null, value);
        out.ub(0);
      }
    }
  }

  private void answer(ServerCursor cursor, TtcOutput out, long rows) throws IOException {
    RowWriter.parameters(out, cursor);
    int kind = cursor.parsed().kind().code();
    context.finish(out, new EndOfCall().cursor(cursor.id()).kind(kind).rows(rows).iterations(1));
  }

  private void log(ServerCursor cursor, List<@Nullable Object> values, int error) {
    List<TtcType> types = new ArrayList<>();
    cursor.binds().forEach(bind -> types.add(bind.type()));
    context.log(
        new LogEvent.Executed(
            context.session().id(), cursor.parsed().sql(), types, values, 1, 0, error));
  }
}
