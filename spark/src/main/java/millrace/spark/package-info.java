/// Copies on a cluster of Spark: its driver runs the command line, its executors work off splits.
/// Nothing imports this but Spark.
@NullMarked
package millrace.spark;

import org.jspecify.annotations.NullMarked;
