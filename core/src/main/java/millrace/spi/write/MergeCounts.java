package millrace.spi.write;

/// What a merge made of the rows that it was given, counted by their keys; for the report.
///
/// @param inserted keys that the target did not have
/// @param updated keys that it had, with other values
/// @param unchanged keys that it had, with the same values
/// @param superseded rows that a later one of the same key took the place of
public record MergeCounts(long inserted, long updated, long unchanged, long superseded) {}
