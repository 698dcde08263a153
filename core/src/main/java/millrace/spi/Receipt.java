package millrace.spi;

/// What a target has taken.
///
/// @param split the split that it speaks of, whole
/// @param rows how many rows were written
/// @param bytes how many bytes were sent to the target
/// @param durable whether the rows survive a crash from now on; false while they are staged or wait
///   for a commit that {@link Target#complete} makes
public record Receipt(Split split, long rows, long bytes, boolean durable) {}
