package millrace.spark;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.UUID;
import millrace.connectors.Connectors;
import millrace.engine.remote.RemoteRun;
import millrace.engine.remote.SplitEnds;
import org.jspecify.annotations.Nullable;

/// The ends that the tasks of this executor have left open for the next ones: to open both takes
/// longer than many a split. If there are more than processors, those that were left first are
/// closed; the process closes the last by its end. Any thread.
final class ExecutorEnds {

  private record Idle(UUID run, SplitEnds ends) {}

  private static final Deque<Idle> IDLE = new ArrayDeque<>();

  private ExecutorEnds() {}

  /// Ends that nobody else uses, open already or opened now.
  ///
  /// @param run names it
  /// @param where this executor is
  static SplitEnds take(UUID run, Packed packed, String where) {
    SplitEnds idle = idle(run);
    return idle == null
        ? new SplitEnds(Connectors.ALL, packed.whole(RemoteRun.class), where)
        : idle;
  }

  private static @Nullable SplitEnds idle(UUID run) {
    synchronized (IDLE) {
      for (Iterator<Idle> each = IDLE.descendingIterator(); each.hasNext(); ) {
        Idle next = each.next();
        if (next.run.equals(run)) {
          each.remove();
          return next.ends;
        }
      }
    }
    return null;
  }

  /// They may be used again.
  static void give(UUID run, SplitEnds ends) {
    SplitEnds oldest = null;
    synchronized (IDLE) {
      IDLE.addLast(new Idle(run, ends));
      if (IDLE.size() > Runtime.getRuntime().availableProcessors()) {
        oldest = IDLE.removeFirst().ends;
      }
    }
    if (oldest != null) {
      oldest.close();
    }
  }
}
