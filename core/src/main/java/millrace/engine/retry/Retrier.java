package millrace.engine.retry;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Does once more what has failed in a way that may pass, after growing waits, for as long as the
/// user's patience lasts: for the parts of a run before and after its lanes.
///
/// One thread does the work; any other may {@link #cancel} its waits.
public final class Retrier {

  private final RetryPolicy retryPolicy;
  private final Waits waits;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicReference<@Nullable String> why = new AtomicReference<>();

  /// Is told of each wait before it begins.
  public interface Waits {

    /// A wait begins.
    ///
    /// @param tries which try comes after it, from 2
    void before(Fault.Transient fault, long waitNanos, int tries);
  }

  public Retrier(RetryPolicy retryPolicy, Waits waits) {
    this.retryPolicy = retryPolicy;
    this.waits = waits;
  }

  /// For what comes before the first row: it is tried again for a minute at most.
  public static Retrier beforeRows(RetryPolicy retryPolicy, Waits waits) {
    return new Retrier(retryPolicy.beforeRows(), waits);
  }

  /// Does work that has left nothing behind if it failed.
  ///
  /// @throws Fault.Transient if it has been tried for long enough, or another try makes no sense
  public <T> T get(Supplier<T> work) {
    return get(work, _ -> true);
  }

  /// Does work that only sometimes has left nothing behind if it failed.
  ///
  /// @param mayBeRepeated whether what failed may be done once more
  public <T> T get(Supplier<T> work, Predicate<Fault.Transient> mayBeRepeated) {
    Retries retries = new Retries(retryPolicy);
    for (int failures = 1; ; failures++) {
      try {
        return work.get();
      } catch (Fault.Transient e) {
        if (!retries.allowed() || e.endsRun() || !mayBeRepeated.test(e)) {
          throw e;
        }
        long waitNanos = retries.waitNanos(e, null, failures, 0, System.nanoTime());
        waits.before(e, waitNanos, failures + 1);
        await(waitNanos);
      }
    }
  }

  private void await(long nanos) {
    try {
      if (stopped.await(nanos, TimeUnit.NANOSECONDS)) {
        throw new Fault.Cancelled(String.valueOf(why.get()));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("interrupted");
    }
  }

  /// Ends the wait that is on, and any later one. From any thread.
  public void cancel(String reason) {
    why.compareAndSet(null, reason);
    stopped.countDown();
  }
}
