/// What Millrace reads as tables of Spark: `spark.read.format("millrace").option("from", URL)`.
///
/// {@link MillraceSource} is the door. A {@link SourceTable} is read by {@link SourceScan}s, each
/// in one state of the source; executors read its {@link SourcePartition}s as {@link
/// PartitionRows}.
@NullMarked
package millrace.spark.read;

import org.jspecify.annotations.NullMarked;
