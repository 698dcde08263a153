package millrace.plan.mapping;

/// What becomes of columns that a target which exists does not have.
public enum NewColumns {
  /// The copy is refused.
  ERROR,
  /// They are left out, and the report says so.
  IGNORE,
  /// The target gets them, as columns that take nulls.
  ADD
}
