package millrace.connectors.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import millrace.spi.Counters;
import millrace.spi.HasCounters;
import millrace.spi.ServerWait;

/// One end of a copy at a database in files, which this process reads and writes itself: it tells
/// what the threads wait for that work in it, by their state in Linux's /proc. It has no process of
/// its own, and counts nothing.
public final class FileEnd implements ServerEnd, HasCounters {

  private static final ServerWait LOCK =
      new ServerWait(
          "busy",
          ServerWait.LOCKS,
          "Others have it locked: the copy goes on when their transaction ends.");

  private static final ServerWait DISK =
      new ServerWait("D", "its disk", "A faster disk under the file would help.");

  private static final ThreadLocal<String> THREAD_TASK =
      ThreadLocal.withInitial(FileEnd::threadTask);

  private final Queue<Worker> workers = new ConcurrentLinkedQueue<>();

  /// The thread that last ran a statement of a session.
  private static final class Worker implements Runnable {

    private final SqlSession session;
    private volatile String task = "";

    Worker(SqlSession session) {
      this.session = session;
    }

    @Override
    public void run() {
      task = THREAD_TASK.get();
    }

    /// What the session waits for; nothing if its thread does something else, or waits for other
    /// lanes.
    Stream<ServerWait> waits() {
      if (session.waitsFor() != null) {
        return Stream.of(LOCK);
      }
      return switch (session.isRunning() ? state(task) : 0) {
        case 'R' -> Stream.of(ServerWait.NONE);
        case 'D' -> Stream.of(DISK);
        default -> Stream.empty();
      };
    }
  }

  @Override
  public void opened(SqlSession session) {
    Worker worker = new Worker(session);
    session.beforeStatements(worker);
    workers.add(worker);
  }

  @Override
  public Counters counters() {
    return new Counters() {
      @Override
      public Reading read() {
        return new Reading(List.of(), List.of());
      }

      @Override
      public List<ServerWait> waits() {
        workers.removeIf(worker -> worker.session.isClosed());
        return workers.stream().flatMap(Worker::waits).toList();
      }

      @Override
      public void close() {
        // The sessions are their users'.
      }
    };
  }

  /// Where Linux tells the state of the thread that asks; empty elsewhere.
  static String threadTask() {
    try {
      return "/proc/" + Files.readSymbolicLink(Path.of("/proc/thread-self"));
    } catch (IOException | UnsupportedOperationException _) {
      return "";
    }
  }

  /// The state of a thread, as proc(5) names it; 0 if it is not known.
  ///
  /// @param task where Linux tells it
  static char state(String task) {
    try {
      String stat = task.isEmpty() ? "" : Files.readString(Path.of(task, "stat"));
      return stat.isEmpty() ? 0 : stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException _) {
      return 0;
    }
  }
}
