package millrace.connectors.oracle.catalog;

/// By what the user wants rows cut for lanes.
public enum SplitBy {
  /// By whatever is the fastest and needs no promise.
  USUAL,
  /// By hashes, also of views: the user says that these give the same rows whenever they are read
  /// as of one moment.
  HASH,
  /// By partitions, each as a whole.
  PARTITION,
  /// By nothing: they are not read.
  NOTHING
}
