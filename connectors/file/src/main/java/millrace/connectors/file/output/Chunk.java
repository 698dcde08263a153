package millrace.connectors.file.output;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.file.io.Compression;
import millrace.fault.Fault;

/// Some whole records on their way into a file, compressed if the file is: each chunk is a gzip
/// member or Zstandard frame of its own, so that lanes can compress at the same time.
///
/// @param bytes as they go into the file
/// @param length how many of them
/// @param plainBytes how many they were before compression
/// @param lent whether the array is somebody else's again once the sink's write has returned
public record Chunk(byte[] bytes, int length, long plainBytes, boolean lent) {

  /// Takes a copy of the bytes, or compresses them.
  public static Chunk of(byte[] bytes, int start, int end, Compression compression) {
    byte[] packed =
        switch (compression) {
          case NONE -> Arrays.copyOfRange(bytes, start, end);
          case GZIP -> gzip(bytes, start, end);
          case ZSTD -> Zstd.compress(Arrays.copyOfRange(bytes, start, end));
          case BZIP2, XZ, ZIP -> throw new Fault.Bug(compression + " is not written", null);
        };
    return new Chunk(packed, packed.length, end - start, false);
  }

  /// Takes the array as it is; it must not be changed afterwards.
  public static Chunk owning(byte[] bytes, int length) {
    return new Chunk(bytes, length, length, false);
  }

  /// Takes the array as it is, until the sink's write returns: whoever lends it fills it anew.
  public static Chunk lent(byte[] bytes, int length) {
    return new Chunk(bytes, length, length, true);
  }

  private static byte[] gzip(byte[] bytes, int start, int end) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream((end - start) / 3 + 64);
    try (GZIPOutputStream stream = new GZIPOutputStream(packed, 1 << 13)) {
      stream.write(bytes, start, end - start);
    } catch (IOException e) {
      throw new Fault.Bug("memory refuses bytes", e);
    }
    return packed.toByteArray();
  }
}
