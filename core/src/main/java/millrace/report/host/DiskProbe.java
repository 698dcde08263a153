package millrace.report.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import millrace.io.DirectFile;

/// How fast a disk reads and writes one file from its beginning to its end.
///
/// The file goes round the system's cache if the file system can (O_DIRECT); otherwise a write ends
/// with a sync, and a read says that it may have come from the cache. Bounded in time and size.
public final class DiskProbe {

  private static final int BLOCK_BYTES = 4 << 20;
  private static final long BYTES_MAX = 1L << 30;
  private static final long NANOS_MAX = 2_000_000_000L;

  /// A rate over less than this says nothing.
  private static final long BYTES_MIN = 8L << 20;

  private DiskProbe() {}

  /// What was measured.
  ///
  /// @param bytesPerS bytes in a second
  /// @param how with or without the system's cache
  public record Rate(double bytesPerS, String how) {}

  /// Writes a file that did not exist in that folder, and removes it whatever happens.
  ///
  /// @throws IOException if the folder can't be written, or has no room to spare
  public static Rate write(Path folder) throws IOException {
    long room = Files.getFileStore(folder).getUsableSpace() / 4;
    if (room < BYTES_MIN) {
      throw new IOException("less than " + 4 * (BYTES_MIN >> 20) + " MB are free in " + folder);
    }
    Path file = Files.createTempFile(folder, ".millrace-probe-", ".tmp");
    try {
      return writeTo(file, Math.min(room, BYTES_MAX));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static Rate writeTo(Path file, long bytesMax) throws IOException {
    ByteBuffer block = block();
    byte[] noise = new byte[BLOCK_BYTES];
    new Random(1).nextBytes(noise);
    block.put(noise);
    try (DirectFile opened = DirectFile.open(file, StandardOpenOption.WRITE)) {
      long start = System.nanoTime();
      long bytes = 0;
      while (bytes + BLOCK_BYTES <= bytesMax && System.nanoTime() - start < NANOS_MAX) {
        block.clear();
        while (block.hasRemaining()) {
          bytes += opened.channel().write(block);
        }
      }
      opened.channel().force(true);
      return new Rate(
          rate(bytes, start),
          opened.direct()
              ? "sequential write past the cache"
              : "sequential write, with a sync at its end");
    }
  }

  /// Reads a file that is there.
  ///
  /// @throws IOException if it can't be read, or is too small to tell
  public static Rate read(Path file) throws IOException {
    if (Files.size(file) < BYTES_MIN) {
      throw new IOException(file + " is too small to measure reading by");
    }
    try (DirectFile opened = DirectFile.open(file, StandardOpenOption.READ)) {
      ByteBuffer block = block();
      long start = System.nanoTime();
      long bytes = 0;
      int read = 0;
      while (read >= 0 && bytes < BYTES_MAX && System.nanoTime() - start < NANOS_MAX) {
        block.clear();
        read = opened.channel().read(block);
        bytes += Math.max(0, read);
        // Direct reads go on from where a block begins alone: the file's odd end is left out.
        if (read % DirectFile.ALIGNMENT_BYTES != 0) {
          break;
        }
      }
      return new Rate(
          rate(bytes, start),
          opened.direct()
              ? "sequential read past the cache"
              : "sequential read, perhaps from the cache");
    }
  }

  private static double rate(long bytes, long startNanos) {
    return bytes * 1e9 / Math.max(1, System.nanoTime() - startNanos);
  }

  private static ByteBuffer block() {
    return ByteBuffer.allocateDirect(BLOCK_BYTES + DirectFile.ALIGNMENT_BYTES)
        .alignedSlice(DirectFile.ALIGNMENT_BYTES)
        .slice(0, BLOCK_BYTES);
  }
}
