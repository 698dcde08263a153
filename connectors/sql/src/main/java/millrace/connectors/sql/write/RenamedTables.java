package millrace.connectors.sql.write;

import java.util.List;
import java.util.function.Predicate;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;

/// Puts a staging table in the place of its target where what changes names commits. Each step may
/// have been done before, by a run that was killed.
///
/// @param exists whether there is a table
record RenamedTables(
    Dialect dialect,
    SqlSession session,
    Predicate<TableName> exists,
    TableName target,
    Known known) {

  /// What the journal keeps of it.
  ///
  /// @param staging the name of the staging table
  /// @param replaces whether a table that is there goes
  /// @param again the statements that make its indexes and triggers again
  /// @param rows how many the run has written
  record Known(String staging, boolean replaces, List<String> again, long rows) {}

  private TableName staging() {
    return target.beside(known.staging);
  }

  /// What keeps the steps from being done now, as a sentence without its end; empty if nothing
  /// does.
  String change() {
    boolean isThere = exists.test(target);
    if (!exists.test(staging())) {
      return isThere ? "" : target.name() + " is not there any more";
    }
    return known.rows > 0 && !holdsRows(staging())
        ? "its staging table is empty"
        : isThere && !known.replaces ? target.name() + " is another table by now" : "";
  }

  /// Does what has not been done. The old table stays if that fails.
  void run() {
    TableName old = SqlLoad.old(dialect, target);
    if (exists.test(staging())) {
      checkHasRows(staging());
      boolean goes = known.replaces && exists.test(target);
      if (goes) {
        drop(old);
        rename(target, old);
      }
      try {
        takeName();
      } catch (Fault e) {
        if (goes) {
          rename(old, target);
        }
        throw e;
      }
    }
    if (known.replaces) {
      drop(old);
      makeAgain();
    }
  }

  /// If nothing keeps the same copy from running twice at once, another one may have made the
  /// staging table anew since the rows were committed.
  ///
  /// @throws Fault.External if the rows are gone
  private void checkHasRows(TableName table) {
    if (known.rows > 0 && !holdsRows(table)) {
      throw new Fault.External(
          "The rows for "
              + target.name()
              + " are gone from their staging table: the same copy is being run by somebody else.",
          "Wait for its end, or stop it. Then start again.",
          null);
    }
  }

  private boolean holdsRows(TableName table) {
    return SqlJournal.holdsRows(session, table.sql(dialect.names()), dialect.statements().anyRow());
  }

  /// A table that has no rows is the other copy's, and goes back to it.
  private void takeName() {
    rename(staging(), target);
    try {
      checkHasRows(target);
    } catch (Fault.External e) {
      rename(target, staging());
      throw e;
    }
  }

  private void rename(TableName from, TableName to) {
    String rename = dialect.statements().tables().rename();
    session.execute(rename.formatted(from.sql(dialect.names()), dialect.names().quoted(to.name())));
  }

  private void drop(TableName table) {
    if (exists.test(table)) {
      session.execute("DROP TABLE " + table.sql(dialect.names()));
    }
  }

  private void makeAgain() {
    TableInfo now = known.again.isEmpty() ? null : dialect.catalog().find(session, target);
    if (now == null) {
      return;
    }
    List<String> made = now.definition().besides().stream().map(TableInfo.Beside::make).toList();
    known.again.stream().filter(make -> !made.contains(make)).forEach(session::execute);
  }
}
