package millrace.spi.write;

/// What happens to what the target already holds.
public enum Mode {
  /// Make the target; refuse if it exists. Staged: it appears whole or not at all.
  CREATE,
  /// Add to the target; make it if it does not exist.
  APPEND,
  /// Empty the target first, keep its definition.
  TRUNCATE,
  /// Put a new target in the place of the old one. Staged: the old one stays until the new is
  /// whole.
  REPLACE,
  /// Update rows whose key exists, insert the others; of several rows with one key the last wins.
  /// Always staged.
  MERGE
}
