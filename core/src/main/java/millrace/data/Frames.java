package millrace.data;

import millrace.fault.Location;
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
/// @param home where the array goes on release, or null if the garbage collector has it
/// @param origin which rows of a batch they were encoded from, or null if nobody will ask
public record Frames(
    byte[] bytes,
    int start,
    int end,
    int rows,
    Form form,
    long sourceBytes,
    Location location,
    @Nullable BytesPool home,
    @Nullable Origin origin)
    implements Batch {

  /// Frames that nobody asks for their origin.
  public Frames(
      byte[] bytes,
      int start,
      int end,
      int rows,
      Form form,
      long sourceBytes,
      Location location,
      @Nullable BytesPool home) {
    this(bytes, start, end, rows, form, sourceBytes, location, home, null);
  }

  /// How many bytes there are.
  public int length() {
    return end - start;
  }

  @Override
  public void release() {
    if (home != null) {
      home.giveBack(bytes);
    }
    if (origin != null) {
      origin.release();
    }
  }
}
