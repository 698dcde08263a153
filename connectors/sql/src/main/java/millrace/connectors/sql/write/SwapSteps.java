package millrace.connectors.sql.write;

import java.util.List;
import java.util.function.Predicate;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Puts a staging table in the place of its target, by statements that commit by themselves. Any of
/// them may have been carried out before, by a run that was cut off.
///
/// @param replaces whether a table that is there goes; if not, the copy was to make it
/// @param begun whether the journal says that all rows were staged, so that statements may have
///   been carried out
/// @param exists whether there is a table
record SwapSteps(
    Dialect dialect,
    TableName target,
    TableName staging,
    boolean replaces,
    boolean begun,
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
    if (replaces || isDone() || !exists.test(target) || isHalfDone()) {
      return;
    }
    String name = target.name();
    throw begun
        ? new Fault.User(
            name
                + " has come into being since the rows for it were staged in "
                + staging.name()
                + ".",
            "Drop or rename " + name + ", and say --resume: the staged rows take its place.")
        : new Fault.User(
            name + " has come into being while rows were loaded for it.",
            "Say what to do with it: --mode append, truncate, replace or merge.");
  }

  /// Whether the table that the copy was to make is what statements of a swap have made of it that
  /// had not come to its end: it has the staging table's columns, and none of its rows or all.
  private boolean isHalfDone() {
    if (!begun || dialect.writes().swap(staging, target, null, old()).size() == 1) {
      return false;
    }
    TableInfo made = dialect.catalog().find(session, target);
    TableInfo staged = dialect.catalog().find(session, staging);
    return made != null
        && staged != null
        && names(made).equals(names(staged))
        && (rows(target) == 0 || rows(target) == rows(staging));
  }

  private static List<String> names(TableInfo table) {
    return table.columns().stream().map(TableInfo.ColumnInfo::name).toList();
  }

  private long rows(TableName table) {
    String count = "SELECT count(*) FROM " + table.sql(dialect.names());
    return session.query(count, row -> row.getLong(1)).getFirst();
  }

  /// Does what has not been done. As long as the staging table is there, that is all of it.
  void run() {
    if (isDone()) {
      return;
    }
    check();
    if (!replaces) {
      drop(target);
    }
    @Nullable TableName replaced = exists.test(target) ? target : null;
    if (replaced != null) {
      drop(old());
    }
    dialect.writes().swap(staging, target, replaced, old()).forEach(session::execute);
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
