package millrace.connectors.kudu.online;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import millrace.connectors.kudu.KuduCalls;
import org.jspecify.annotations.Nullable;

/// The calls of all threads that use a store, so that one thread can stop them all. Any thread.
final class RunningCalls {

  private final String label;
  private final Set<KuduCalls> running = new HashSet<>();
  private boolean cancelled;

  /// @param label the table, for faults
  RunningCalls(String label) {
    this.label = label;
  }

  /// For the calls of one thread; whoever begins ends them.
  synchronized KuduCalls begin() {
    KuduCalls calls = new KuduCalls(label);
    running.add(calls);
    if (cancelled) {
      calls.cancel();
    }
    return calls;
  }

  synchronized void end(KuduCalls calls) {
    running.remove(calls);
  }

  /// Does something with calls of its own.
  <T extends @Nullable Object> T with(Function<KuduCalls, T> work) {
    KuduCalls calls = begin();
    try {
      return work.apply(calls);
    } finally {
      end(calls);
    }
  }

  /// Stops all that run, and all that begin later.
  synchronized void cancel() {
    cancelled = true;
    running.forEach(KuduCalls::cancel);
  }
}
