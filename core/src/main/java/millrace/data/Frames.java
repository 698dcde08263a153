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
/// @param source what of the source they stand for
/// @param home where the array goes on release, or null if the garbage collector has it
/// @param origin which rows of a batch they were encoded from, or null if nobody will ask
public record Frames(
    byte[] bytes,
    int start,
    int end,
    int rows,
    Form form,
    SourceSpan source,
    @Nullable BytesPool home,
    @Nullable EncodedRows origin)
    implements Batch {

  /// A piece of the source.
  ///
  /// @param location where its first record stands
  /// @param bytes how long it is
  public record SourceSpan(Location location, long bytes) {}

  /// Frames that nobody asks for their origin.
  public Frames(
      byte[] bytes,
      int start,
      int end,
      int rows,
      Form form,
      SourceSpan source,
      @Nullable BytesPool home) {
    this(bytes, start, end, rows, form, source, home, null);
  }

  @Override
  public Location location() {
    return source.location;
  }

  @Override
  public long sourceBytes() {
    return source.bytes;
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
