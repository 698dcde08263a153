package millrace.connectors.file.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import millrace.connectors.file.output.BlockFile;
import millrace.fault.Fault;
import millrace.io.DirectFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A range of a large file has the file's bytes, whether the system has them in its cache, none of
/// them, or some.
class RangeFeedTest {

  private static final int BYTES = (50 << 20) + 1234;

  @TempDir private Path folder;

  private final byte[] content = new byte[BYTES];
  private Path file = Path.of("");

  /// Written past the cache, so that nothing of it is there.
  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(content);
    file = Files.createFile(folder.resolve("file"));
    BlockFile writing = new BlockFile(file, 0);
    writing.write(content, BYTES);
    writing.close();
  }

  @Test
  void aFileThatIsNotInTheCacheIsReadPastIt() throws IOException {
    check(0, BYTES);
    try (DirectFile opened = DirectFile.open(file, StandardOpenOption.READ)) {
      assumeThat(opened.direct()).as("the file system has a way past its cache").isTrue();
    }
    assertThat(cached()).isLessThan(BYTES / 2);
    check(1, BYTES - 1);
    check((8 << 20) - 1, (24 << 20) + 1);
    check(4097, (16 << 20) + 4097);
  }

  @Test
  void aFileThatIsInTheCacheInPartHasAllItsBytes() throws IOException {
    Random random = new Random(2);
    for (int i = 0; i < 6; i++) {
      bringIntoCache(random.nextInt(BYTES), 1 + random.nextInt(12 << 20));
      int from = random.nextInt(BYTES);
      check(from, from + random.nextInt(BYTES - from));
      check(0, BYTES);
    }
  }

  @Test
  void aFileThatIsCutOffMeanwhileIsToldOf() throws IOException {
    byte[] into = new byte[1 << 20];
    try (RangeFeed feed = new RangeFeed(file, 100, BYTES)) {
      assertThat(feed.read(into, 0, into.length)).isPositive();
      try (RandomAccessFile other = new RandomAccessFile(file.toFile(), "rw")) {
        other.setLength(20_000_000);
      }
      assertThatThrownBy(() -> readAll(feed, new byte[BYTES]))
          .isInstanceOf(Fault.External.class)
          .hasMessageContaining("became shorter while it was read: it ends at byte ");
    }
  }

  private void check(int from, int to) {
    byte[] found = new byte[BYTES];
    try (RangeFeed feed = new RangeFeed(file, from, to)) {
      int length = readAll(feed, found);
      assertThat(length).isEqualTo(to - from);
      assertThat(feed.taken()).isEqualTo(length);
      assertThat(Arrays.equals(found, 0, length, content, from, to))
          .as("bytes %d to %d", from, to)
          .isTrue();
    }
  }

  private static int readAll(RangeFeed feed, byte[] into) {
    Random random = new Random(3);
    int end = 0;
    while (true) {
      int next = feed.fill(into, end, Math.min(into.length, end + 1 + random.nextInt(400_000)));
      if (next == end) {
        return end;
      }
      end = next;
    }
  }

  private void bringIntoCache(int from, int length) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      channel.read(ByteBuffer.allocate(length), from);
    }
  }

  /// How many bytes of the file the system has in its cache.
  private long cached() throws IOException {
    long cached = 0;
    try (FileChannel channel = FileChannel.open(file)) {
      for (long at = 0; at < BYTES; at += 4096) {
        long length = Math.min(4096, BYTES - at);
        cached += channel.map(FileChannel.MapMode.READ_ONLY, at, length).isLoaded() ? length : 0;
      }
    }
    return cached;
  }
}
