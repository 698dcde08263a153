package millrace.connectors.file.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A file that is written in blocks has the bytes that were written, whatever was taken back,
/// forced, closed and opened in between.
class BlockFileTest {

  private static final int STEPS = 60;
  private static final int BYTES_MAX = 3 << 20;

  /// A file system in memory knows no way past the cache.
  private static final Path MEMORY = Path.of("/dev/shm");

  @TempDir private Path folder;

  static Stream<Arguments> seedsOnDiskAndInMemory() {
    return LongStream.range(0, 12)
        .boxed()
        .flatMap(seed -> Stream.of(Arguments.of(seed, false), Arguments.of(seed, true)));
  }

  @ParameterizedTest
  @MethodSource("seedsOnDiskAndInMemory")
  void hasWhatWasWritten(long seed, boolean inMemory) throws IOException {
    Path path =
        inMemory && Files.isDirectory(MEMORY)
            ? Files.createTempFile(MEMORY, "millrace-", ".tmp")
            : Files.createFile(folder.resolve("x"));
    try {
      hasWhatWasWritten(path, new Random(seed));
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private static void hasWhatWasWritten(Path path, Random random) throws IOException {
    byte[] all = new byte[STEPS * BYTES_MAX];
    int length = 0;
    BlockFile file = new BlockFile(path, 0);
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(6)) {
        case 0 -> {
          // Most places are near the end, many where a disk's block begins.
          int back = random.nextInt(Math.min(length, random.nextBoolean() ? 5000 : length) + 1);
          length = random.nextBoolean() ? length - back : (length - back) & -4096;
          file.cutTo(length);
        }
        case 1 -> {
          file.force();
          assertThat(Arrays.copyOf(Files.readAllBytes(path), length))
              .isEqualTo(Arrays.copyOf(all, length));
        }
        case 2 -> {
          file.close();
          assertThat(Files.readAllBytes(path)).isEqualTo(Arrays.copyOf(all, length));
          file = new BlockFile(path, length);
        }
        default -> {
          byte[] more = new byte[random.nextInt(random.nextInt(10) == 0 ? BYTES_MAX : 30_000)];
          random.nextBytes(more);
          System.arraycopy(more, 0, all, length, more.length);
          length += more.length;
          file.write(more, more.length);
        }
      }
      assertThat(file.length()).isEqualTo(length);
    }
    file.close();
    assertThat(Files.readAllBytes(path)).isEqualTo(Arrays.copyOf(all, length));
  }

  @Test
  void goesOnBehindSoManyBytesOfAFileAndNoMore() throws IOException {
    Path path = Files.write(folder.resolve("x"), new byte[] {1, 2, 3, 4, 5});
    BlockFile file = new BlockFile(path, 3);
    file.write(new byte[] {9}, 1);
    file.close();
    assertThat(path).hasBinaryContent(new byte[] {1, 2, 3, 9});
    assertThatThrownBy(() -> new BlockFile(path, 5)).hasMessageContaining("shorter");
  }

  @Test
  void whatIsDiscardedNeedNotBeInTheFile() throws IOException {
    Path path = Files.createFile(folder.resolve("x"));
    BlockFile file = new BlockFile(path, 0);
    file.write(new byte[] {1}, 1);
    file.discard();
    file.discard();
    file.close();
    assertThat(path).isEmptyFile();
    assertThatThrownBy(file::force).isInstanceOf(ClosedChannelException.class);
  }
}
