package millrace.connectors.sql.sink;

import java.util.Map;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.spi.LaneLimit;
import millrace.spi.read.SourceDescription.Size;
import org.jspecify.annotations.Nullable;

/// How the sessions of a load send their rows: by inserts ({@link SqlInserts}), or in a fast way of
/// the system's own, such as LOAD DATA or direct path.
///
/// It holds no state. The target's thread calls it, and each lane's for its sink.
public interface LoadMethod {

  /// How many sessions can write to a table at once.
  ///
  /// @param there the table; null if there is none yet
  default LaneLimit lanes(@Nullable TableInfo there) {
    return LaneLimit.NONE;
  }

  /// The way in which rows of a load are sent: this one, or inserts if something keeps it from
  /// that.
  ///
  /// @param session asks the server whether it allows it
  /// @param filled the table that is there and gets the rows; null if one is made for them
  /// @param columns the declarations of the columns that get values, by their names
  /// @param size how much the source has
  /// @throws millrace.fault.Fault.User if the user wants this way and nothing else
  default LoadMethod chosen(
      SqlSession session, @Nullable TableInfo filled, Map<String, String> columns, Size size) {
    return this;
  }

  /// How rows are inserted if something keeps them from this way.
  default SqlInserts inserts() {
    return SqlInserts.BY_ALL;
  }

  /// What a lane sends rows by.
  RowSink sink(LaneLoad lane);

  /// What the report says of it, as a sentence; empty if there is nothing to say.
  default String note() {
    return "";
  }
}
