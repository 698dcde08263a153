package millrace.online.load;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Watches whether this process itself stands still: it is stopped, collects garbage, or the
/// machine gives it no time. A thread wakes up many times a second, and whatever it oversleeps is a
/// pause of all threads. What it waits for a processor is none: that concerns it alone. Any thread
/// may ask.
public final class ProcessPauses {

  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /// Shorter ones make no second bad.
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final Path OF_THREAD = Path.of("/proc/thread-self/schedstat");

  private final List<Pause> pauses = new ArrayList<>();
  private long wokeUp = System.nanoTime();
  private boolean isWatched;

  /// A time in which this process stood still, of [System#nanoTime].
  ///
  /// @param collects whether garbage was collected for most of it
  public record Pause(long from, long to, boolean collects) {

    private long within(long start, long end) {
      return Math.max(0, Math.min(to, end) - Math.max(from, start));
    }

    /// How long it was.
    public long nanos() {
      return to - from;
    }
  }

  /// Watches until the thread is ended.
  public ClockThread start() {
    return ClockThread.start("pauses", this::watch);
  }

  private void watch(ClockThread self) {
    long queued = queuedNanos();
    long collected = collectedMillis();
    begins();
    while (self.sleepUntil(System.nanoTime() + EVERY_NANOS)) {
      long queuedNow = queuedNanos();
      long collectedNow = collectedMillis();
      woke(queuedNow - queued, collectedNow > collected);
      queued = queuedNow;
      collected = collectedNow;
    }
    ends();
  }

  private synchronized void begins() {
    wokeUp = System.nanoTime();
    isWatched = true;
  }

  private synchronized void ends() {
    isWatched = false;
  }

  private synchronized void woke(long queued, boolean collects) {
    long now = System.nanoTime();
    long from = wokeUp + EVERY_NANOS;
    if (now - from - queued > PAUSE_NANOS) {
      pauses.add(new Pause(from, now - queued, collects));
    }
    wokeUp = now;
  }

  private static long collectedMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  /// For how many nanoseconds the calling thread has waited for a processor so far; 0 if the system
  /// does not tell.
  public static long queuedNanos() {
    try {
      String[] all = Files.readString(OF_THREAD).strip().split(" ", -1);
      return Long.parseLong(all[1]);
    } catch (IOException _) {
      return 0;
    }
  }

  /// For how long this process stood still between two moments. One that has just ended counts
  /// before the watching thread has woken up.
  public synchronized long between(long start, long end) {
    long sum = 0;
    for (Pause each : pauses) {
      sum += each.within(start, end);
    }
    long from = wokeUp + EVERY_NANOS;
    long now = System.nanoTime();
    return isWatched && now - from > PAUSE_NANOS
        ? sum + new Pause(from, now, false).within(start, end)
        : sum;
  }

  /// All of them so far.
  public synchronized List<Pause> all() {
    return List.copyOf(pauses);
  }
}
