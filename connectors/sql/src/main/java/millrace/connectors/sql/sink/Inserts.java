package millrace.connectors.sql.sink;

import millrace.connectors.sql.TableInfo;
import millrace.spi.LaneLimit;
import org.jspecify.annotations.Nullable;

/// Rows are inserted in batches, which every database can.
///
/// @param limit how many sessions can insert at once
public record Inserts(LaneLimit limit) implements LoadMethod {

  /// By any number of sessions.
  public static final Inserts BY_ALL = new Inserts(LaneLimit.NONE);

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    return limit;
  }

  @Override
  public RowSink sink(LaneLoad lane) {
    return new BatchInsert(lane, lane.binder(lane.plan().dialect().types()));
  }
}
