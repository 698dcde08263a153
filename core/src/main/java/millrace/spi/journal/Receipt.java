package millrace.spi.journal;

import java.io.Serializable;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// What a target has taken of a split, from the split's start on. A later receipt of a split with
/// the same start takes the place of an earlier one.
///
/// @param split the split as the writer was given it
/// @param rest what of it is still to be written, or null if it has been taken whole
/// @param rows how many rows were written
/// @param refused how many more were not, if the target tells rows apart by their number in the
///   split
/// @param bytes how many bytes were sent to the target
/// @param checksum of the source up to there, as {@link Reader#checksum} gave it
/// @param durable whether the rows survive a crash from now on; false while they are staged or wait
///   for a commit that {@link WriteSession#complete} makes
public record Receipt(
    Split split,
    @Nullable Split rest,
    long rows,
    long refused,
    long bytes,
    long checksum,
    boolean durable)
    implements Serializable {

  /// A receipt that only speaks of rows that were written.
  public Receipt(
      Split split, @Nullable Split rest, long rows, long bytes, long checksum, boolean durable) {
    this(split, rest, rows, 0, bytes, checksum, durable);
  }

  /// A receipt of a whole split whose bytes nobody has added up.
  public Receipt(Split split, long rows, long bytes, boolean durable) {
    this(split, null, rows, bytes, 0, durable);
  }
}
