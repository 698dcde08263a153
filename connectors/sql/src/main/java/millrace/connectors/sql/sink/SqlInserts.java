package millrace.connectors.sql.sink;

import millrace.connectors.sql.TableInfo;
import millrace.spi.LaneLimit;
import org.jspecify.annotations.Nullable;

/// Rows are inserted in batches, which every database can.
///
/// @param limit how many sessions can insert at once
/// @param note what the report says of it, as a sentence; may be empty
public record SqlInserts(LaneLimit limit, String note) implements LoadMethod {

  /// By any number of sessions.
  public static final SqlInserts BY_ALL = because("");

  /// By any number of sessions, though there is a faster way.
  ///
  /// @param why it can't be used, as a sentence
  public static SqlInserts because(String why) {
    return new SqlInserts(LaneLimit.NONE, why);
  }

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    return limit;
  }

  @Override
  public RowSink sink(LaneLoad lane) {
    return new BatchInsert(lane, lane.binder(lane.plan().dialect().types()));
  }
}
