package millrace.connectors.sql.write;

import java.util.function.Predicate;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Puts a staging table in the place of its target, by statements that commit by themselves. Any of
/// them may have been carried out before, by a run that was cut off.
///
/// @param replaces whether a table that is there goes; if not, the copy was to make it
/// @param exists whether there is a table
record SwapSteps(
    ServerDialect dialect,
    TableName target,
    TableName staging,
    boolean replaces,
    Predicate<TableName> exists,
    SqlSession session) {

  private TableName old() {
    return SqlLoad.old(dialect, target);
  }

  /// Whether names have been changed already.
  private boolean isDone() {
    return !exists.test(staging);
  }

  /// @throws Fault.User if somebody else has made the table that the copy was to make
  void check() {
    if (!replaces && !isDone() && exists.test(target)) {
      throw new Fault.User(
          target.name() + " has come into being while rows were loaded for it.",
          "Say what to do with it: --mode append, truncate, replace or merge.");
    }
  }

  /// Does what has not been done.
  void run() {
    if (isDone()) {
      return;
    }
    check();
    @Nullable TableName replaced = exists.test(target) ? target : null;
    if (replaced != null) {
      drop(old());
    }
    dialect.swap(staging, target, replaced, old()).forEach(session::execute);
  }

  /// Drops what is not needed any more.
  void clear() {
    drop(staging);
    drop(old());
  }

  private void drop(TableName table) {
    if (exists.test(table)) {
      session.execute("DROP TABLE " + table.sql(dialect.names()));
    }
  }
}
