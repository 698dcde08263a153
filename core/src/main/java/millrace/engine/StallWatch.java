package millrace.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Ends a run in which nothing has moved for as long as the user wants to wait.
///
/// It looks from a thread of its own, from {@link #start} until it is closed. Lanes that wait for
/// their next try are no stall: they say so, and have a limit of their own.
final class StallWatch implements AutoCloseable {

  /// What lanes do where none says what it does.
  static final String LANES = "every lane waits for its other half";

  private static final int LOOKS_PER_TIMEOUT = 20;
  private static final long LOOK_NANOS_MAX = 1_000_000_000L;

  private final Meter meter;
  private final long timeoutNanos;
  private final String otherwise;
  private final Consumer<Fault> end;
  private final CountDownLatch closed = new CountDownLatch(1);
  private long moved = -1;
  private long movedAtNanos;

  private StallWatch(Meter meter, Duration timeout, String otherwise, Consumer<Fault> end) {
    this.meter = meter;
    this.timeoutNanos = timeout.toNanos();
    this.otherwise = otherwise;
    this.end = end;
  }

  /// Begins to watch; null where the user waits for ever.
  ///
  /// @param otherwise what is being done where no lane does anything
  /// @param end is told once
  static @Nullable StallWatch start(
      Meter meter, Duration timeout, String otherwise, Consumer<Fault> end) {
    if (!timeout.isPositive()) {
      return null;
    }
    StallWatch watch = new StallWatch(meter, timeout, otherwise, end);
    Thread.ofPlatform().name("stall-watch").daemon().start(watch::watch);
    return watch;
  }

  private void watch() {
    long lookNanos = Math.clamp(timeoutNanos / LOOKS_PER_TIMEOUT, 1, LOOK_NANOS_MAX);
    try {
      while (!closed.await(lookNanos, TimeUnit.NANOSECONDS)) {
        if (hasStalled(System.nanoTime())) {
          end.accept(fault());
          return;
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean hasStalled(long nowNanos) {
    long now = meter.rowsMoved() + meter.sourceBytesMoved() + meter.targetBytes();
    if (now != moved || meter.waiting() != null) {
      moved = now;
      movedAtNanos = nowNanos;
    }
    return nowNanos - movedAtNanos >= timeoutNanos;
  }

  private Fault fault() {
    List<String> doing = meter.doing();
    return Fault.Transient.endingRun(
        "No row has moved for "
            + Math.round(timeoutNanos / 1e9)
            + " s: "
            + (doing.isEmpty() ? otherwise : String.join("; ", doing))
            + ".",
        "Look at what it waits for, locks and the network among it, or let it wait longer with"
            + " --stall-timeout.",
        null);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
