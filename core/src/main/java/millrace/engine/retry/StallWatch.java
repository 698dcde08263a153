package millrace.engine.retry;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import org.jspecify.annotations.Nullable;

/// Ends what has stood still for as long as the user wants to wait.
///
/// It looks from a thread of its own, from some time after {@link #start} until it is closed: what
/// is over before the first look needs none.
public final class StallWatch implements AutoCloseable {

  private static final int LOOKS_PER_TIMEOUT = 20;
  private static final long LOOK_NANOS_MAX = 1_000_000_000L;

  /// Sees whether a run goes on.
  public interface Look {

    /// What it waits for, as the end of a sentence, or null if it has gone on since it was asked
    /// last. One thread asks.
    ///
    /// @throws Fault if it would wait for ever
    @Nullable String waitsFor();
  }

  private final Look look;
  private final long timeoutNanos;
  private final Consumer<Fault> end;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final long startNanos = System.nanoTime();

  private StallWatch(Duration timeout, Look look, Consumer<Fault> end) {
    this.timeoutNanos = timeout.isPositive() ? timeout.toNanos() : Long.MAX_VALUE;
    this.look = look;
    this.end = end;
  }

  /// Begins to watch.
  ///
  /// @param timeout zero if the user waits for ever: then it only looks
  /// @param end is told once
  public static StallWatch start(Duration timeout, Look look, Consumer<Fault> end) {
    StallWatch watch = new StallWatch(timeout, look, end);
    CompletableFuture.delayedExecutor(
            watch.lookNanos(), TimeUnit.NANOSECONDS, watch::startUnlessClosed)
        .execute(watch::watch);
    return watch;
  }

  /// Does work on this thread that is cancelled if it stands still for too long.
  ///
  /// @throws Fault why it was ended, or what it failed with
  public static <T> T watched(Duration timeout, Look look, Runnable cancel, Supplier<T> work) {
    AtomicReference<@Nullable Fault> stalled = new AtomicReference<>();
    Consumer<Fault> end =
        stall -> {
          stalled.set(stall);
          cancel.run();
        };
    try (StallWatch _ = start(timeout, look, end)) {
      return work.get();
    } catch (Fault.Cancelled e) {
      Fault stall = stalled.get();
      throw stall == null ? e : stall;
    }
  }

  /// Whether rows move. Lanes that wait for their next try are no stall: they say so, and have a
  /// limit of their own. Readers may wait for something that is not the source itself.
  public static Look rows(Meter meter, Blockable source) {
    return rows(meter, () -> sentence("the source", source), _ -> {});
  }

  /// The same if the target may wait as well, for what others have locked.
  ///
  /// @param teller is told what one of the ends waits for, and null if rows move or neither says
  public static Look rows(
      Meter meter, Blockable source, Blockable target, Consumer<@Nullable String> teller) {
    Supplier<@Nullable String> ends =
        () -> {
          String ofTarget = sentence("the target", target);
          return ofTarget == null ? sentence("the source", source) : ofTarget;
        };
    return rows(meter, ends, teller);
  }

  private static Look rows(
      Meter meter, Supplier<@Nullable String> ends, Consumer<@Nullable String> teller) {
    Look lanes = rows(meter, () -> "every lane waits for its other half");
    return () -> {
      String waitsFor = lanes.waitsFor();
      String end = waitsFor == null ? null : ends.get();
      teller.accept(end);
      return end == null ? waitsFor : end;
    };
  }

  private static @Nullable String sentence(String who, Blockable end) {
    String waitsFor = end.waitsFor();
    return waitsFor == null ? null : who + " waits for " + waitsFor;
  }

  /// Looks whether rows have moved since the last look.
  ///
  /// @param otherwise what is being done if no lane does anything
  public static Look rows(Meter meter, Supplier<String> otherwise) {
    return new Look() {
      private long moved = -1;

      @Override
      public @Nullable String waitsFor() {
        long now = meter.rowsMoved() + meter.sourceBytesMoved() + meter.targetBytes();
        if (now != moved || meter.waiting() != null) {
          moved = now;
          return null;
        }
        List<String> doing = meter.doing();
        return doing.isEmpty() ? otherwise.get() : String.join("; ", doing);
      }
    };
  }

  private void startUnlessClosed(Runnable looking) {
    if (closed.getCount() > 0) {
      Thread.ofPlatform().name("stall-watch").daemon().start(looking);
    }
  }

  private long lookNanos() {
    return Math.clamp(timeoutNanos / LOOKS_PER_TIMEOUT, 1, LOOK_NANOS_MAX);
  }

  private void watch() {
    long wentOnNanos = startNanos;
    try {
      while (closed.getCount() > 0) {
        String waitsFor;
        try {
          waitsFor = look.waitsFor();
        } catch (Fault e) {
          end.accept(e);
          return;
        }
        if (waitsFor == null) {
          wentOnNanos = System.nanoTime();
        } else if (System.nanoTime() - wentOnNanos >= timeoutNanos) {
          end.accept(fault(waitsFor));
          return;
        }
        closed.await(lookNanos(), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Fault fault(String waitsFor) {
    return Fault.Transient.endingRun(
        "No row has moved for " + Math.round(timeoutNanos / 1e9) + " s: " + waitsFor + ".",
        "Look at what it waits for, locks and the network among it, or let it wait longer with"
            + " --stall-timeout.",
        null);
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
