package millrace.connectors.sql.write;

import java.util.List;
import millrace.connectors.sql.MergeTables;
import millrace.connectors.sql.MergeTables.MergeStatements;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.Writes.Equality;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.MergeSteps;

/// How rows that wait in a staging table are merged into theirs, within a transaction: the last of
/// every key updates the rows that have it, or is inserted. A unique index on the key is not
/// needed.
///
/// @param rows those that wait
public record Merge(MergeTables tables, StagedRows rows) {

  /// Looks up how a table tells values apart.
  ///
  /// @param there the target
  /// @param order the column of the staging table that grows in the order of the source
  public static Merge of(StagedRows rows, TableName target, TableInfo there, String order) {
    SqlLoad plan = rows.plan();
    Names names = plan.dialect().names();
    List<TableInfo.ColumnInfo> key = plan.key().stream().map(there::column).toList();
    Equality equality = plan.dialect().writes().equality(rows.session(), target, there, key);
    List<MergeTables.MergeColumn> others =
        plan.columns().names().stream()
            .filter(name -> !plan.key().contains(name))
            .map(name ->
                new MergeTables.MergeColumn(names.quoted(name), equality.same().apply(name)))
            .toList();
    List<MergeTables.MergeColumn> keys =
        plan.key().stream()
            .map(name ->
                new MergeTables.MergeColumn(
                    names.quoted(name), equality.key().get(plan.key().indexOf(name))))
            .toList();
    MergeTables tables =
        new MergeTables(
            target.sql(names), rows.staged().sql(names), keys, others, names.quoted(order));
    return new Merge(tables, rows);
  }

  /// What a merge did.
  ///
  /// @param inserted rows that were
  /// @param ignored rows that the table left out without an error
  public record Done(MergeCounts counts, long inserted, long ignored) {}

  private record MatchCounts(long keys, long changed, long rows) {}

  /// Does it.
  ///
  /// @throws millrace.fault.Fault.Data if the table refuses a row, with its place and its key
  public Done run() {
    SqlLoad plan = rows.plan();
    SqlSession session = rows.session();
    MergeStatements statements = plan.dialect().writes().merge(tables);
    long superseded = session.update(statements.dropSuperseded());
    MergeSteps steps = plan.landing().steps();
    long deleted = steps.deletes() ? session.update(tables.deleteGone()) : 0;
    if (!steps.inserts()) {
      return new Done(new MergeCounts(0, 0, 0, superseded).deleting(deleted), 0, 0);
    }
    long keys = rows.count("SELECT count(*) FROM " + tables.staging());
    MatchCounts found =
        session
            .query(
                tables.count(),
                row -> new MatchCounts(row.getLong(1), row.getLong(2), row.getLong(3)))
            .getFirst();
    long changed = steps.updates() ? found.changed : 0;
    long updated = changed == 0 ? 0 : updated(statements, changed, found.rows);
    String order = "fresh." + tables.order();
    long inserted =
        keys == found.keys
            ? 0
            : rows.change(among -> statements.insert().apply(among.apply(order)));
    long ignored = (keys - found.keys - inserted) + (changed - updated);
    MergeCounts counts =
        new MergeCounts(inserted, updated, found.keys - changed, superseded).deleting(deleted);
    return new Done(counts, inserted, ignored);
  }

  /// Updates rows. Returns how many of their keys that were; triggers may leave some out.
  private long updated(MergeStatements statements, long keys, long differing) {
    String order = "fresh." + tables.order();
    long done = rows.change(among -> statements.update().apply(among.apply(order)));
    return differing == done ? keys : Math.min(keys, done);
  }
}
