package millrace.connectors.sql.sink;

import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements.Savepoints;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.connectors.sql.types.TypeTable;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// One lane's part of a load, for its sink.
///
/// @param filled the table that rows go into if it has keys or indexes already; null if it has none
/// @param session the lane's connection
/// @param places where rows of a merge note where they stood; null of other loads
/// @param undoes whether rows are undone with their transaction
public record LaneLoad(
    SqlLoad plan,
    @Nullable TableInfo filled,
    SqlSession session,
    @Nullable StagedPlaces places,
    boolean undoes,
    WriteContext context) {

  /// What hands rows over.
  ///
  /// @param types how values are handed over
  public RowBinder binder(TypeTable types) {
    return new RowBinder(plan, places, context, types);
  }

  /// What undoes a part of a transaction; if there is nothing, the first row that is refused ends
  /// the copy.
  public Savepoints savepoints() {
    return undoes ? plan.dialect().statements().savepoints() : Savepoints.NONE;
  }
}
