package millrace.io;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Ends programs of the user's that the shell runs.
public final class UserProgram {

  private UserProgram() {}

  /// Asks the shell to end, and what it has started, if they are still at work; what does not
  /// listen is killed a little later. Does not wait. From any thread.
  ///
  /// @param grace how long they may take
  public static void end(Process shell, Duration grace) {
    List<ProcessHandle> alive =
        Stream.concat(Stream.of(shell.toHandle()), shell.descendants())
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
