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

  private final Queue<SqlSession> sessions = new ConcurrentLinkedQueue<>();

  @Override
  public void opened(SqlSession session) {
    session.tellsThread();
    sessions.add(session);
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
        sessions.removeIf(SqlSession::isClosed);
        return sessions.stream().flatMap(FileEnd::waitOf).toList();
      }

      @Override
      public void close() {
        // The sessions are their users'.
      }
    };
  }

  /// What a session waits for; nothing of one whose thread does something else, or waits for other
  /// lanes.
  private static Stream<ServerWait> waitOf(SqlSession session) {
    if (session.waitsFor() != null) {
      return Stream.of(LOCK);
    }
    return switch (session.threadState()) {
      case 'R' -> Stream.of(ServerWait.NONE);
      case 'D' -> Stream.of(DISK);
      default -> Stream.empty();
    };
  }

  /// Where Linux tells the state of the thread that asks; empty elsewhere.
  static String ownTask() {
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
