package millrace.testkit.oracle.engine;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.rules.BindValues;
import millrace.testkit.oracle.rules.H2Errors;
import millrace.testkit.oracle.rules.IndexState;
import millrace.testkit.oracle.rules.ResultColumns;
import millrace.testkit.oracle.rules.RowRules;
import millrace.testkit.oracle.rules.TableLocks;
import millrace.testkit.oracle.sql.BindUse;
import millrace.testkit.oracle.sql.ParsedSql;
import millrace.testkit.oracle.sql.SnapshotClause;
import millrace.testkit.oracle.sql.SqlTranslator;
import millrace.testkit.oracle.sql.StatementKind;
import millrace.testkit.oracle.sql.TranslatedSql;
import millrace.testkit.oracle.value.ColumnSpec;
import millrace.testkit.oracle.value.TtcType;
import org.jspecify.annotations.Nullable;

/// A query or DML, ready to be executed with binds of certain types.
public final class CompiledStatement implements AutoCloseable {

  private final OraSession session;

  private final ParsedSql parsed;
  private final List<TtcType> bindTypes;
  private final TranslatedSql translated;
  private final PreparedStatement statement;

  private CompiledStatement(
      OraSession session, ParsedSql parsed, List<TtcType> bindTypes, TranslatedSql translated)
      throws SQLException {
    this.session = session;
    this.parsed = parsed;
    this.bindTypes = bindTypes;
    this.translated = translated;
    statement = session.connection().prepareStatement(translated.text());
  }

  static CompiledStatement of(OraSession session, ParsedSql parsed, List<TtcType> bindTypes)
      throws OraException {
    TranslatedSql translated = SqlTranslator.translate(parsed, session.names(), bindTypes);
    try {
      CompiledStatement compiled = new CompiledStatement(session, parsed, bindTypes, translated);
      if (isSubquery(parsed)) {
        for (ColumnSpec column : compiled.columns()) {
          checkNotLong(column);
        }
      }
      return compiled;
    } catch (SQLException e) {
      throw H2Errors.of(e, parsed.sql(), translated.target(), false);
    }
  }

  /// Whether it is good for binds of those types, too.
  public boolean takes(List<TtcType> types) {
    return bindTypes.equals(types);
  }

  /// The table that it writes to; null for a query.
  public @Nullable OraTable target() {
    return translated.target();
  }

  /// Oracle makes a subquery of a query with FETCH FIRST or an OFFSET.
  private static boolean isSubquery(ParsedSql parsed) {
    return parsed.isQuery() && parsed.tokens().stream().anyMatch(token -> token.is("FETCH"));
  }

  /// A column of LONG may not be in a subquery.
  static void checkNotLong(ColumnSpec column) throws OraException {
    if (column.type() == TtcType.LONG || column.type() == TtcType.LONG_RAW) {
      throw new OraException(997, "illegal use of LONG datatype");
    }
  }

  /// What it returns, without executing it.
  public List<ColumnSpec> columns() throws OraException {
    try {
      ResultSetMetaData meta = statement.getMetaData();
      return meta == null ? List.of() : ResultColumns.describe(meta, session.database().catalog());
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  /// Executes a query.
  public OraCursor query(List<@Nullable Object> binds) throws OraException {
    session.figures().executions().increment();
    session.checkNotAppended(translated.tables());
    try {
      SnapshotClause snapshot = translated.snapshot();
      if (snapshot != null) {
        return queryAt(snapshot, binds);
      }
      OraCursor cursor = cursor(run(statement, binds));
      if (translated.forUpdate()) {
        session.setDirty();
      }
      return cursor;
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private OraCursor cursor(ResultSet rows) throws SQLException {
    List<ColumnSpec> columns =
        ResultColumns.describe(rows.getMetaData(), session.database().catalog());
    return new OraCursor(session, parsed.sql(), columns, rows);
  }

  private OraCursor queryAt(SnapshotClause clause, List<@Nullable Object> binds)
      throws SQLException, OraException {
    Long scn = clause.scn();
    long wanted = scn == null ? ((Number) required(binds, clause.bind())).longValue() : scn;
    if (translated.tables().stream().anyMatch(OraTable::isExternal)) {
      throw new OraException(8188, "flashback query is not supported for external tables");
    }
    Snapshots.State state = session.database().snapshots().at(wanted);
    checkUnchanged(state);
    Connection connection = state.connection();
    state.lock().lock();
    try {
      // The rows are in memory when it returns, so the lock need not last.
      PreparedStatement past = connection.prepareStatement(translated.text());
      past.closeOnCompletion();
      return cursor(run(past, binds));
    } finally {
      state.lock().unlock();
    }
  }

  /// A table can't be read as of a time before its last DDL, or so soon behind it.
  private void checkUnchanged(Snapshots.State state) throws OraException {
    for (OraTable table : translated.tables()) {
      if (state.time().isBefore(table.lastDdl().plus(session.database().scnGrain()))) {
        throw new OraException(1466, "unable to read data - table definition has changed");
      }
    }
  }

  private static Object required(List<@Nullable Object> binds, int index) throws OraException {
    Object value = index < binds.size() ? binds.get(index) : null;
    if (value == null) {
      throw new OraException(8181, "specified number is not a valid system change number");
    }
    return value;
  }

  private ResultSet run(PreparedStatement with, List<@Nullable Object> binds)
      throws SQLException, OraException {
    set(with, binds);
    begin(with);
    try {
      return with.executeQuery();
    } finally {
      session.setRunning(null);
    }
  }

  /// Executes DML once.
  ///
  /// @return how many rows it changed
  public long update(List<@Nullable Object> binds) throws OraException {
    OraTable target = translated.target();
    boolean insert = parsed.kind() == StatementKind.INSERT;
    if (insert && target != null && session.database().discards(target)) {
      return 1;
    }
    session.database().checkWritable();
    lockTarget();
    try {
      set(statement, binds);
      begin(statement);
      RowRules.expect(translated.part());
      long count = statement.executeLargeUpdate();
      session.setDirty();
      session.figures().rowsWritten().add(count);
      return count;
    } catch (SQLException e) {
      throw failure(e);
    } finally {
      RowRules.expect(null);
      session.setRunning(null);
    }
  }

  private boolean isAppend() {
    return translated.append() && parsed.kind() == StatementKind.INSERT;
  }

  private void lockTarget() throws OraException {
    OraTable target = translated.target();
    if (target == null) {
      return;
    }
    if (target.isExternal()) {
      throw new OraException(30657, "operation not supported on external organized table");
    }
    TableLocks.Mode mode = isAppend() ? TableLocks.Mode.EXCLUSIVE : TableLocks.Mode.ROWS;
    String part = isAppend() ? translated.part() : null;
    if (part == null) {
      session.lock(target, mode, OraSession.LOCK_SECONDS);
    } else {
      session.lockPart(target, part, mode, OraSession.LOCK_SECONDS);
    }
    IndexState.check(target);
  }

  /// To be called before the first execution of a call: what a direct path insert has added may not
  /// be looked at before the commit, but one call adds many rows.
  public void beginCall() throws OraException {
    session.figures().executions().increment();
    session.figures().writes().increment();
    session.checkNotAppended(translated.tables());
  }

  /// To be called after the last execution of a call.
  public void endCall() {
    OraTable target = translated.target();
    if (isAppend() && target != null) {
      session.setAppended(target);
    }
  }

  private void begin(PreparedStatement with) throws OraException {
    if (session.isCancelled()) {
      throw H2Errors.cancelled();
    }
    session.setRunning(with);
  }

  private void set(PreparedStatement with, List<@Nullable Object> binds)
      throws SQLException, OraException {
    List<BindUse> uses = translated.uses();
    for (int i = 0; i < uses.size(); i++) {
      BindUse use = uses.get(i);
      if (use.bind() >= binds.size()) {
        throw new OraException(1008, "not all variables bound");
      }
      BindValues.set(with, i + 1, binds.get(use.bind()), use.column(), session.settings().zone);
    }
  }

  private OraException failure(SQLException e) {
    boolean update = parsed.kind() == StatementKind.UPDATE;
    return H2Errors.of(e, parsed.sql(), translated.target(), update);
  }

  @Override
  public void close() {
    try {
      statement.close();
    } catch (SQLException _) {
      // Its connection is gone, and the statement with it.
      Thread.onSpinWait();
    }
  }
}
