package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import millrace.connectors.sql.MergeTables.MergeColumn;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements.Merging;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.spi.write.MergeCounts;

/// Rows of a merge in one transaction: they wait in a table of this connection.
///
/// @param places where the rows stood in the source
record StagedMerge(SqlLoad plan, SqlSession session, Merge merge, StagedPlaces places) {

  /// The table that writers fill.
  static final TableName STAGED = SqlLoad.MERGE_STAGING;

  /// Makes the table, within the transaction.
  static StagedMerge begin(SqlLoad plan, SqlSession session) {
    TableInfo there =
        plan.makes() ? plan.dialect().catalog().find(session, plan.changed()) : plan.found();
    StagedPlaces places = new StagedPlaces();
    Merge merge =
        Merge.of(
            new StagedRows(plan, session, STAGED, places),
            plan.changed(),
            Objects.requireNonNull(there, "a merge has a table"),
            StagedPlaces.ORDER);
    StagedMerge staged = new StagedMerge(plan, session, merge, places);
    staged.create();
    return staged;
  }

  /// Its columns take values as those of the target do.
  private void create() {
    Names names = plan.dialect().names();
    List<String> columns =
        new ArrayList<>(plan.columns().names().stream().map(names::quoted).toList());
    StagedPlaces.COLUMNS.forEach(name -> columns.add("CAST(0 AS BIGINT) AS " + names.quoted(name)));
    String none =
        "SELECT %s FROM %s WHERE 1 = 0"
            .formatted(String.join(", ", columns), plan.changed().sql(names));
    Merging merging = plan.dialect().statements().merging();
    session.execute(merging.make().formatted(STAGED.sql(names), none));
    if (merging.indexed()) {
      List<String> keys =
          new ArrayList<>(merge.tables().key().stream().map(MergeColumn::compared).toList());
      keys.add(merge.tables().order());
      session.execute(
          "CREATE INDEX %s_key ON %s (%s)"
              .formatted(STAGED.name(), STAGED.sql(names), String.join(", ", keys)));
    }
  }

  void drop() {
    session.execute("DROP TABLE " + STAGED.sql(plan.dialect().names()));
  }

  /// Does it, within the transaction.
  ///
  /// @param taken is told what the table took and what it left out
  /// @throws millrace.fault.Fault.Data if the table refuses a row, with its place and its key
  MergeCounts run(TakenRows taken) {
    Merge.Done done = merge.run();
    taken.add(done.inserted(), done.ignored());
    return done.counts();
  }
}
