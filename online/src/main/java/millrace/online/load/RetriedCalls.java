package millrace.online.load;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import millrace.fault.Fault;

/// Calls of a target that may be away for a moment, such as a server that starts again.
public final class RetriedCalls {

  private static final int TRIES_MAX = 20;
  private static final long WAIT_MILLIS = 100;
  private static final long WAIT_MILLIS_MAX = 2_000;

  private RetriedCalls() {}

  /// Makes a call, and makes it again if it fails in a way that may pass; for some 20 seconds.
  ///
  /// @param stopped whether nobody wants the answer any more
  /// @throws Fault what the last try ended with
  public static <T> T passing(BooleanSupplier stopped, Supplier<T> call) {
    for (int tries = 1; ; tries++) {
      try {
        return call.get();
      } catch (Fault.Transient | Fault.External e) {
        if (tries == TRIES_MAX || stopped.getAsBoolean()) {
          throw e;
        }
        Schedule.sleepUntil(System.nanoTime() + waitNanos(tries), stopped);
      }
    }
  }

  /// How long to wait after so many tries that failed.
  public static long waitNanos(int tries) {
    return TimeUnit.MILLISECONDS.toNanos(Math.min(WAIT_MILLIS_MAX, WAIT_MILLIS * tries));
  }
}
