package millrace.online.load;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import millrace.spi.online.Window;

/// When each second of the data is due. It goes by the monotonic clock of the machine: steps of the
/// clock on the wall do not move it. Any thread.
///
/// @param startNanos when second 0 is due, of {@link System#nanoTime}
/// @param startMicros the data's clock then, in microseconds since 1970
/// @param seconds how many there are
public record Schedule(long startNanos, long startMicros, long seconds) {

  private static final long NANOS = 1_000_000_000L;
  private static final long MICROS = 1_000_000L;

  /// Sleeping is not exact: the last moments before a second are waited for in short steps.
  private static final long SPIN_NANOS = 200_000;

  /// One that begins in a moment.
  ///
  /// @param delayNanos until second 0
  public static Schedule starting(long delayNanos, LocalDateTime clock, long seconds) {
    return new Schedule(
        System.nanoTime() + delayNanos, clock.toEpochSecond(ZoneOffset.UTC) * MICROS, seconds);
  }

  /// When a second is due, of {@link System#nanoTime}.
  public long dueNanos(long second) {
    return startNanos + second * NANOS;
  }

  /// The data's clock at a second.
  public long micros(long second) {
    return startMicros + second * MICROS;
  }

  /// The data's clock now; it goes on behind the last second.
  public long nowMicros() {
    return startMicros + (System.nanoTime() - startNanos) / 1_000;
  }

  /// When the data's clock shows a moment, of {@link System#nanoTime}.
  public long nanosAt(long micros) {
    return startNanos + (micros - startMicros) * 1_000;
  }

  /// Seconds since the start, negative before it.
  public double elapsed() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  /// When the last second is over, of {@link System#nanoTime}.
  public long endNanos() {
    return dueNanos(seconds);
  }

  /// All the time that the rows are of.
  public Window span() {
    return new Window(startMicros, micros(seconds));
  }

  /// Waits until a moment.
  ///
  /// @return false if the thread was interrupted
  public static boolean sleepUntil(long nanos) {
    return sleepUntil(nanos, () -> false);
  }

  /// Waits until a moment, or until it is over: who makes it so may wake the thread up.
  ///
  /// @return false if it is over, or the thread was interrupted
  public static boolean sleepUntil(long nanos, BooleanSupplier over) {
    while (true) {
      if (over.getAsBoolean() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      long left = nanos - System.nanoTime();
      if (left <= 0) {
        return true;
      }
      LockSupport.parkNanos(left > SPIN_NANOS ? left - SPIN_NANOS / 2 : Math.min(left, 50_000));
    }
  }
}
