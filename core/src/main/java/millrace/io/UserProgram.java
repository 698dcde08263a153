package millrace.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Programs of the user's: what they said, and their end.
public final class UserProgram {

  private static final int SHOWN_MAX = 2000;

  private UserProgram() {}

  /// The end of what a program said, for messages.
  ///
  /// @param output the file that it wrote to
  public static String tail(Path output) throws IOException {
    try (FileChannel file = FileChannel.open(output)) {
      ByteBuffer last = ByteBuffer.allocate((int) Math.min(SHOWN_MAX, file.size()));
      file.read(last, file.size() - last.capacity());
      return Charset.defaultCharset().decode(last.flip()).toString().strip();
    }
  }

  /// Asks a program to end, and what it has started, if they are still at work; what does not
  /// listen is killed a little later. Does not wait. From any thread.
  ///
  /// @param grace how long they may take
  public static void end(Process program, Duration grace) {
    List<ProcessHandle> alive =
        Stream.concat(Stream.of(program.toHandle()), program.descendants())
            .filter(ProcessHandle::isAlive)
            .toList();
    alive.forEach(ProcessHandle::destroy);
    if (!alive.isEmpty()) {
      CompletableFuture.delayedExecutor(grace.toMillis(), TimeUnit.MILLISECONDS)
          .execute(() -> kill(alive));
    }
  }

  /// With what they have started since. Parents first: a shell whose program is gone would go on
  /// with its next command.
  private static void kill(List<ProcessHandle> programs) {
    Stream.concat(programs.stream(), programs.stream().flatMap(ProcessHandle::descendants))
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
  }
}
