package millrace.testkit.oracle.call;

import java.util.List;
import millrace.testkit.oracle.engine.CompiledStatement;
import millrace.testkit.oracle.engine.OraCursor;
import millrace.testkit.oracle.sql.ParsedSql;
import millrace.testkit.oracle.sql.StatementKind;
import millrace.testkit.oracle.value.BindType;
import millrace.testkit.oracle.value.ColumnSpec;
import org.jspecify.annotations.Nullable;

/// A cursor: a statement, how its binds and its columns are described, and where its rows stand.
final class ServerCursor implements AutoCloseable {

  private final int id;
  private List<BindType> binds = List.of();
  private List<BindType> defines = List.of();
  private @Nullable ParsedSql parsed;
  private @Nullable CompiledStatement compiled;
  private @Nullable OraCursor rows;
  private long sent;

  ServerCursor(int id) {
    this.id = id;
  }

  int id() {
    return id;
  }

  /// Takes another statement.
  void parse(ParsedSql statement) {
    close();
    parsed = statement;
    binds = List.of();
    defines = List.of();
  }

  /// The statement; only after the first execution.
  ParsedSql parsed() {
    ParsedSql statement = parsed;
    if (statement == null) {
      throw new IllegalStateException("the cursor " + id + " has no statement");
    }
    return statement;
  }

  /// Whether the statement is PL/SQL; false if it has none yet.
  boolean isBlock() {
    return parsed != null && parsed.kind() == StatementKind.BLOCK;
  }

  List<BindType> binds() {
    return binds;
  }

  void setBinds(List<BindType> described) {
    binds = described;
  }

  List<BindType> defines() {
    return defines;
  }

  void setDefines(List<BindType> described) {
    defines = described;
  }

  @Nullable CompiledStatement compiled() {
    return compiled;
  }

  void setCompiled(CompiledStatement statement) {
    closeCompiled();
    compiled = statement;
  }

  @Nullable OraCursor rows() {
    return rows;
  }

  void setRows(OraCursor opened) {
    rows = opened;
    sent = 0;
  }

  /// How many rows were sent so far.
  long sent() {
    return sent;
  }

  void addSent(int count) {
    sent += count;
  }

  /// How a column is to be sent, if the client said so.
  @Nullable BindType define(int column) {
    return column < defines.size() ? defines.get(column) : null;
  }

  List<ColumnSpec> columns() {
    return rows == null ? List.of() : rows.columns();
  }

  private void closeCompiled() {
    if (rows != null) {
      rows.close();
      rows = null;
    }
    if (compiled != null) {
      compiled.close();
      compiled = null;
    }
  }

  @Override
  public void close() {
    closeCompiled();
  }
}
