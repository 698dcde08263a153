package millrace.data;

/// The raw records that a batch of columns was parsed from, for rejects that are the record byte
/// for byte and for the fallback form.
///
/// Record i is the bytes from `starts[i]` up to `ends[i]`, line end included. The arrays may be
/// longer than the batch and are the batch's own until release.
///
/// @param bytes the records in the source's own charset
/// @param starts where each begins
/// @param ends where each ends, exclusive
/// @param lines tells how many lines lie between records
public record Records(byte[] bytes, int[] starts, int[] ends, Lines lines) {

  /// Counts lines. A reader knows what ends a line, which differs by dialect and charset.
  @FunctionalInterface
  public interface Lines {

    /// How many lines end between the starts of two records.
    int between(int from, int to);
  }

  /// A copy of one record.
  public byte[] record(int row) {
    return java.util.Arrays.copyOfRange(bytes, starts[row], ends[row]);
  }
}
