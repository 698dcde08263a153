package millrace.spark.read;

import java.util.List;
import millrace.data.Schema;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.read.Split;
import org.apache.spark.sql.connector.read.InputPartition;
import org.jspecify.annotations.Nullable;

/// What one task reads. The driver sends it with the task, over the wire alone: the password in its
/// endpoint is not in what Spark's broadcasts may put on a disk.
///
/// @param end the source as tasks open it
/// @param selection which columns and rows
/// @param columns those that the selection names, as they were when the table was loaded
/// @param width how many of them Spark gets, which may want to count rows alone
/// @param splitBytes about how many bytes of the source a split is to have
/// @param splits which parts; null if the one task is to cut the source and read it whole
/// @param moment keeps the state as long as the driver may send the partition; null if there is
///   none
record SourcePartition(
    Endpoint end,
    Selection selection,
    Schema columns,
    int width,
    long splitBytes,
    @Nullable List<Split> splits,
    @Nullable HeldMoment moment)
    implements InputPartition {

  /// The same for some of the splits.
  SourcePartition of(List<Split> some) {
    return new SourcePartition(
        end, selection, columns, width, splitBytes, List.copyOf(some), moment);
  }

  @Override
  public String toString() {
    return end.labelWithTable();
  }
}
