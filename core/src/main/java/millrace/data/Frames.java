package millrace.data;

/// Whole records as raw bytes in a stated form, passed on without a look inside.
///
/// The arrays belong to the batch; nobody recycles them, so that release has nothing to do.
///
/// @param bytes where the records lie, from index `start` up to `end`
/// @param start first byte
/// @param end byte after the last
/// @param rows how many records
/// @param form what the bytes are
/// @param sourceBytes how many bytes of the source they stand for
/// @param location where the first record stands in the source
public record Frames(
    byte[] bytes, int start, int end, int rows, Form form, long sourceBytes, Location location)
    implements Batch {

  /// How many bytes there are.
  public int length() {
    return end - start;
  }

  @Override
  public void release() {
    // The garbage collector takes the bytes back: a frame's buffer is as large as its records.
  }
}
