package millrace.data;

import org.jspecify.annotations.Nullable;

/// Whole records as raw bytes in a stated form, passed on without a look inside.
///
/// @param bytes where the records lie, from index `start` up to `end`
/// @param start first byte
/// @param end byte after the last
/// @param rows how many records
/// @param form what the bytes are
/// @param sourceBytes how many bytes of the source they stand for
/// @param location where the first record stands in the source
/// @param home where the array goes on release, or null where the garbage collector has it
public record Frames(
    byte[] bytes,
    int start,
    int end,
    int rows,
    Form form,
    long sourceBytes,
    Location location,
    @Nullable BytesPool home)
    implements Batch {

  /// How many bytes there are.
  public int length() {
    return end - start;
  }

  @Override
  public void release() {
    if (home != null) {
      home.giveBack(bytes);
    }
  }
}
