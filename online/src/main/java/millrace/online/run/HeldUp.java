package millrace.online.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongBinaryOperator;
import millrace.online.judge.RunFacts;
import millrace.online.load.ProcessPauses;
import millrace.online.load.WriteListener.Write;
import millrace.online.report.Series;
import millrace.spi.HostLocation;

/// For how long this machine held up each write and each aggregate: its client, or the target on
/// this machine, waited for a processor while it went on. What others of the run waited meanwhile
/// does not count: a call that waits for a lock is not held up by this machine. Any thread.
final class HeldUp {

  /// So long after a call the target has been looked at.
  private static final long LOOKED_AT_NANOS = 2_000_000_000L;

  private final LongBinaryOperator ofTarget;
  private final boolean isEmbedded;

  /// By the second of the schedule, of its longest write.
  private final Map<Long, Hold> writes = new HashMap<>();

  private final Map<Series.WindowRun, Hold> aggregates = new HashMap<>();

  /// For how long each thread that aggregates had waited for a processor when it began.
  private final Map<Thread, Long> begun = new ConcurrentHashMap<>();

  /// Calls of which the target is still looked at, by when they ended.
  private final Deque<Hold> ended = new ArrayDeque<>();

  /// What was seen of one call, in nanoseconds.
  private static final class Hold {
    private final long from;
    private final long to;
    private final double queued;

    /// For how long the target waited for a processor.
    private double ofTarget;

    private Hold(long from, long to, double queued) {
      this.from = from;
      this.to = to;
      this.queued = queued;
    }

    private double all() {
      return (double) (to - from);
    }

    /// What others held up.
    ///
    /// @param share of the processors that they took: what the target's processes waited for beyond
    ///   that, they took from each other
    /// @param isEmbedded whether the target works on the threads of the clients
    private double nanos(double share, boolean isEmbedded) {
      double waited = Math.min(share * all(), ofTarget);
      return Math.min(all(), isEmbedded ? Math.max(queued, waited) : queued + waited);
    }
  }

  /// @param ofTarget for how many nanoseconds the target waited for a processor during a call,
  ///   given its begin and its end
  HeldUp(LongBinaryOperator ofTarget, HostLocation target) {
    this.ofTarget = ofTarget;
    isEmbedded = target.services().isEmpty() && !target.paths().isEmpty();
  }

  /// A write has just ended; called on its client's thread.
  void wrote(Write write) {
    if (write.isScheduled()) {
      Hold hold = hold(write.times().service(), (double) write.times().queued());
      synchronized (this) {
        writes.merge(write.second(), hold, (one, other) -> one.all() >= other.all() ? one : other);
      }
    }
  }

  /// An aggregate is about to begin on this thread.
  void aggregates() {
    begun.put(Thread.currentThread(), ProcessPauses.queuedNanos());
  }

  /// It has just ended.
  void aggregated(Series.WindowRun run) {
    Long before = begun.remove(Thread.currentThread());
    if (before != null) {
      Hold hold =
          hold((long) (run.seconds() * 1e9), (double) (ProcessPauses.queuedNanos() - before));
      synchronized (this) {
        aggregates.put(run, hold);
      }
    }
  }

  private synchronized Hold hold(long nanos, double queued) {
    long now = System.nanoTime();
    settle(now - LOOKED_AT_NANOS);
    Hold hold = new Hold(now - nanos, now, queued);
    ended.add(hold);
    return hold;
  }

  /// Asks about the target during calls that had ended by then.
  private void settle(long until) {
    while (!ended.isEmpty() && ended.getFirst().to - until <= 0) {
      Hold hold = ended.remove();
      hold.ofTarget = (double) ofTarget.applyAsLong(hold.from, hold.to);
    }
  }

  /// What the machine held up.
  ///
  /// @param pauses of this process
  /// @param share of the processors that others took, from 0 to 1; 0 if that was little
  synchronized RunFacts.Machine machine(List<Series.Pause> pauses, double share) {
    Map<Long, Double> ofWrites = new HashMap<>();
    Map<Series.WindowRun, Double> ofAggregates = new HashMap<>();
    if (share > 0) {
      settle(System.nanoTime());
      writes.forEach((second, hold) -> ofWrites.put(second, hold.nanos(share, isEmbedded) / 1e6));
      aggregates.forEach((run, hold) -> ofAggregates.put(run, hold.nanos(share, isEmbedded) / 1e9));
    }
    return new RunFacts.Machine(pauses, ofWrites, ofAggregates);
  }

  /// Which share of the time of the longest writes and of all aggregates that is, from 0 to 1.
  synchronized double share(double share) {
    settle(System.nanoTime());
    List<Hold> all = new ArrayList<>(writes.values());
    all.addAll(aggregates.values());
    double time = all.stream().mapToDouble(Hold::all).sum();
    double held = all.stream().mapToDouble(hold -> hold.nanos(share, isEmbedded)).sum();
    return time > 0 ? held / time : 0;
  }
}
