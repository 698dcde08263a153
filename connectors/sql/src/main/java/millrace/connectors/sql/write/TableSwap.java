package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.data.TableComments;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Puts a staging table in the place of its target, by statements that commit by themselves. Any of
/// them may have been carried out before, by a run that was cut off.
///
/// @param exists whether there is a table
/// @param begun whether the journal says that all rows were staged, so that statements may have
///   been carried out
record TableSwap(
    Dialect dialect,
    SqlSession session,
    Predicate<TableName> exists,
    TableName target,
    TableName staging,
    Known known,
    boolean begun) {

  /// What the journal keeps of it.
  ///
  /// @param staging the name of the staging table
  /// @param replaces whether a table that is there goes; if not, the copy was to make it
  /// @param again the statements that make its indexes and triggers again
  /// @param rows how many the run has written if no receipts tell; else 0
  record Known(String staging, boolean replaces, List<String> again, long rows) {}

  private TableName old() {
    return SqlLoad.old(dialect, target);
  }

  /// Whether names have been changed already.
  private boolean isDone() {
    return !exists.test(staging);
  }

  /// What keeps the steps from being done now, as a sentence without its end; empty if nothing
  /// does.
  String change() {
    if (isDone()) {
      return exists.test(target) ? "" : target.name() + " is not there any more";
    }
    return isLost(staging)
        ? "its staging table is empty"
        : isTaken() ? target.name() + " is another table by now" : "";
  }

  /// Whether somebody else has made the table that the copy was to make.
  private boolean isTaken() {
    return !known.replaces && !isDone() && exists.test(target) && !isHalfDone();
  }

  /// Whether the table that the copy was to make is what statements of a swap have made of it that
  /// had not come to its end: it has the staging table's columns, and none of its rows or all.
  private boolean isHalfDone() {
    if (!begun || statements(null).size() == 1) {
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
    return session.query("SELECT count(*) FROM " + sql(table), row -> row.getLong(1)).getFirst();
  }

  /// @throws Fault.User if somebody else has made the table that the copy was to make
  void check() {
    if (!isTaken()) {
      return;
    }
    String name = target.name();
    throw begun
        ? new Fault.User(
            name
                + " has come into being since the rows for it were staged in "
                + known.staging
                + ".",
            "Drop or rename " + name + ", and say --resume: the staged rows take its place.")
        : new Fault.User(
            name + " has come into being while rows were loaded for it.",
            "Say what to do with it: --mode append, truncate, replace or merge.");
  }

  /// Does what has not been done. As long as the staging table is there, that is all of it. The old
  /// table stays if that fails.
  void run() {
    if (!isDone()) {
      check();
      checkHasRows(staging);
      if (begun && !known.replaces && statements(null).size() > 1) {
        // What is half done. Before statements have begun, it would be somebody else's.
        drop(target);
      }
      @Nullable TableName replaced = known.replaces && exists.test(target) ? target : null;
      if (replaced != null) {
        drop(old());
      }
      try {
        statements(replaced).forEach(session::execute);
        checkTaken();
      } catch (Fault e) {
        // At a server it can be resumed.
        if (replaced != null && dialect.locks() == null && !exists.test(target)) {
          session.execute(rename(old(), target));
        }
        throw e;
      }
    }
    if (known.replaces && dialect.locks() == null) {
      // Nothing tells of it any more once the run is complete.
      drop(old());
      makeAgain();
    }
  }

  private List<String> statements(@Nullable TableName replaced) {
    return dialect.statements().tables().rename().isEmpty()
        ? copying(replaced)
        : dialect.writes().swap(staging, target, replaced, old());
  }

  /// Makes a table like the staging table, which goes last: another run can do all of it once more.
  private List<String> copying(@Nullable TableName replaced) {
    Names names = dialect.names();
    TableInfo staged = Objects.requireNonNull(dialect.catalog().find(session, staging));
    List<String> lines = new ArrayList<>();
    for (TableInfo.ColumnInfo column : staged.columns()) {
      String required = column.nullable() ? "" : " NOT NULL";
      lines.add(names.quoted(column.name()) + " " + column.declared() + required);
    }
    if (!staged.key().isEmpty()) {
      lines.add("PRIMARY KEY (" + names.quoted(staged.key()) + ")");
    }
    String create = dialect.statements().tables().create();
    List<String> all = new ArrayList<>();
    if (replaced != null) {
      all.add("DROP TABLE " + sql(target));
    }
    all.add(create.formatted(sql(target), String.join(", ", lines)));
    TableComments comments = dialect.catalog().comments(session, staging);
    all.addAll(dialect.writes().commentStyle().statements(sql(target), names, comments));
    all.add("INSERT INTO %s SELECT * FROM %s".formatted(sql(target), sql(staging)));
    all.add("DROP TABLE " + sql(staging));
    return all;
  }

  /// A table that has no rows is another copy's, and goes back to it.
  private void checkTaken() {
    try {
      checkHasRows(target);
    } catch (Fault.External e) {
      session.execute(rename(target, staging));
      throw e;
    }
  }

  /// If nothing keeps the same copy from running twice at once, another one may have made the
  /// staging table anew since the rows were committed.
  ///
  /// @throws Fault.External if the rows are gone
  private void checkHasRows(TableName table) {
    if (isLost(table)) {
      throw new Fault.External(
          "The rows for "
              + target.name()
              + " are gone from their staging table: the same copy is being run by somebody else.",
          "Wait for its end, or stop it. Then start again.",
          null);
    }
  }

  private boolean isLost(TableName table) {
    return known.rows > 0
        && !SqlJournal.holdsRows(session, sql(table), dialect.statements().anyRow());
  }

  private String sql(TableName table) {
    return table.sql(dialect.names());
  }

  private String rename(TableName from, TableName to) {
    String rename = dialect.statements().tables().rename();
    return rename.formatted(sql(from), dialect.names().quoted(to.name()));
  }

  private void drop(TableName table) {
    if (exists.test(table)) {
      session.execute("DROP TABLE " + sql(table));
    }
  }

  private void makeAgain() {
    TableInfo now = dialect.catalog().find(session, target);
    if (now == null) {
      return;
    }
    List<String> made =
        now.definition().dependentObjects().stream().map(TableInfo.DependentObject::make).toList();
    known.again.stream().filter(make -> !made.contains(make)).forEach(session::execute);
  }

  /// Drops what is not needed any more.
  void clear() {
    drop(staging);
    drop(old());
  }
}
