package millrace.spark.read;

import java.io.Serializable;
import java.util.List;
import millrace.data.Schema;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.read.Split;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/// What one task reads. The driver sends it with the task, over the wire alone: the password in its
/// endpoint is not in what Spark's broadcasts may put on a disk.
final class SourcePartition implements InputPartition {

  private static final long serialVersionUID = 1L;

  private final Rows rows;
  private final int width;
  private final @Nullable List<Split> splits;

  /// Keeps the state as long as the driver may send the partition; executors do without.
  @SuppressWarnings("unused")
  private final transient @Nullable HeldMoment moment;

  /// What all partitions of a scan have in common.
  ///
  /// @param end the source as tasks open it
  /// @param selection which columns and rows
  /// @param columns those that the selection names, as they were when the table was loaded
  /// @param splitBytes about how many bytes of the source a split is to have
  record Rows(Endpoint end, Selection selection, Schema columns, long splitBytes)
      implements Serializable {

    @Override
    public String toString() {
      return end.labelWithTable();
    }
  }

  /// @param width how many of the columns Spark gets, which may want to count rows alone
  /// @param splits which parts; null if the one task is to cut the source and read it whole
  SourcePartition(Rows rows, int width, @Nullable List<Split> splits, @Nullable HeldMoment moment) {
    this.rows = rows;
    this.width = width;
    this.splits = splits == null ? null : List.copyOf(splits);
    this.moment = moment;
  }

  Rows rows() {
    return rows;
  }

  int width() {
    return width;
  }

  @Nullable List<Split> splits() {
    return splits;
  }

  @Override
  public String toString() {
    return rows + (splits == null ? "" : " " + splits);
  }
}
