package millrace.connectors.sql.sink;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.StatementParameters;
import millrace.spi.LaneLimit;
import org.jspecify.annotations.Nullable;

/// Rows are inserted in batches, which every database can.
///
/// @param limit how many sessions can insert at once
/// @param note what the report says of it, as a sentence; may be empty
/// @param binding how values are given to the statement
public record SqlInserts(LaneLimit limit, String note, Binding binding) implements LoadMethod {

  /// By any number of sessions, as JDBC has it.
  public static final SqlInserts BY_ALL =
      new SqlInserts(LaneLimit.NONE, "", StatementParameters::of);

  /// By the one connection that writes all of them.
  public static final SqlInserts BY_ONE =
      new SqlInserts(
          new LaneLimit(1, "all rows are written in one transaction, by one connection"),
          "",
          StatementParameters::of);

  /// Gives the values of rows to a statement.
  @FunctionalInterface
  public interface Binding {

    /// What takes the values.
    ///
    /// @throws SQLException what the driver says against it
    RowParameters of(PreparedStatement statement) throws SQLException;
  }

  /// The same, though there is a faster way.
  ///
  /// @param why it can't be used, as a sentence
  public SqlInserts because(String why) {
    return new SqlInserts(limit, why, binding);
  }

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    return limit;
  }

  @Override
  public RowSink sink(LaneLoad lane) {
    return new BatchInsert(lane, lane.binder(lane.plan().dialect().types()), binding);
  }
}
