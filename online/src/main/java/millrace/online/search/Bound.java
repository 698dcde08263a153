package millrace.online.search;

/// What is known of a rate.
public enum Bound {
  /// It passes.
  LOWER,
  /// It fails.
  UPPER,
  /// Its trials were too short, too few, or contradict each other.
  UNDECIDED
}
