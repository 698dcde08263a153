package millrace.spi.write;

/// What a merge made of the rows that it was given, counted by their keys; for the report.
///
/// @param inserted keys that the target did not have
/// @param updated keys that it had, with other values
/// @param unchanged keys that it had, with the same values
/// @param superseded rows that a later one of the same key took the place of
/// @param left keys that it had, and that were left as they are, whatever came
/// @param deleted rows whose key did not come
public record MergeCounts(
    long inserted, long updated, long unchanged, long superseded, long left, long deleted) {

  /// What updates and inserts alone have made.
  public MergeCounts(long inserted, long updated, long unchanged, long superseded) {
    this(inserted, updated, unchanged, superseded, 0, 0);
  }

  /// The same, with rows that were deleted.
  public MergeCounts deleting(long rows) {
    return new MergeCounts(inserted, updated, unchanged, superseded, left, rows);
  }

  /// The same of a merge that updates nothing: nobody has looked whether values are the same.
  public MergeCounts leaving() {
    return new MergeCounts(inserted, 0, 0, superseded, updated + unchanged, deleted);
  }
}
