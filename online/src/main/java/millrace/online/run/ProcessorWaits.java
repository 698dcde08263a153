package millrace.online.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// For how long the threads of this process have waited for a processor, those of an embedded
/// database included. Threads that end between two looks take a moment with them. Any thread.
final class ProcessorWaits {

  private static final Path TASKS = Path.of("/proc/self/task");

  private final Map<String, Long> last = new HashMap<>();
  private boolean hasBegun;
  private long nanos;

  /// Looks at all threads; the first look is the beginning.
  synchronized void look() {
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(TASKS)) {
      for (Path each : threads) {
        look(each);
      }
      hasBegun = true;
    } catch (IOException _) {
      // The system does not tell.
    }
  }

  private void look(Path thread) {
    try {
      String[] all = Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
      long waited = Long.parseLong(all[1]);
      Long before = last.put(thread.getFileName().toString(), waited);
      if (hasBegun) {
        nanos += Math.max(0, waited - (before == null ? 0 : before));
      }
    } catch (IOException _) {
      // It has ended.
    }
  }

  /// All threads together, since the first look.
  synchronized double seconds() {
    return nanos / 1e9;
  }
}
