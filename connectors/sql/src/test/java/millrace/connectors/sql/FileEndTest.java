package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What Linux tells of threads that work in a file.
final class FileEndTest {

  private static final long SEEN_WITHIN = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path folder;

  /// The states of a thread that does something again and again, until one was seen.
  private static Set<Character> states(Runnable work, char until) throws InterruptedException {
    AtomicBoolean ended = new AtomicBoolean();
    AtomicReference<String> task = new AtomicReference<>("");
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              task.set(FileEnd.threadTask());
              while (!ended.get()) {
                work.run();
              }
            });
    Set<Character> seen = new TreeSet<>();
    long end = System.nanoTime() + SEEN_WITHIN;
    while (!seen.contains(until) && System.nanoTime() < end) {
      seen.add(FileEnd.state(task.get()));
      LockSupport.parkNanos(1_000_000);
    }
    ended.set(true);
    thread.join();
    return seen;
  }

  @Test
  void aThreadThatWaitsForTheDiskIsToldFromOneAtWork() throws Exception {
    assumeThat(Files.exists(Path.of("/proc/thread-self"))).isTrue();
    assumeThat(Files.getFileStore(folder).type()).isNotEqualTo("tmpfs");
    AtomicReference<Long> sum = new AtomicReference<>(0L);
    assertThat(states(() -> sum.updateAndGet(before -> before * 31 + 7), 'R')).contains('R');
    Path file = folder.resolve("synced");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      assertThat(states(() -> sync(channel), 'D')).contains('D');
    }
    assertThat(FileEnd.state("")).isEqualTo((char) 0);
    assertThat(FileEnd.state("/proc/0/task/0")).isEqualTo((char) 0);
  }

  private static void sync(FileChannel channel) {
    try {
      channel.write(ByteBuffer.allocate(4096), 0);
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
