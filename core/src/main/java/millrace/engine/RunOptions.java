package millrace.engine;

import java.util.function.Consumer;
import millrace.engine.reject.RejectLog;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.tuning.ConcurrencyPolicy;
import org.jspecify.annotations.Nullable;

/// How a run goes about its plan.
///
/// @param retryPolicy how long it goes on if nothing moves
/// @param concurrencyPolicy says how many lanes there are; null if the run measures that itself
/// @param rejects is told each bad record that is set aside, from one thread at a time
public record RunOptions(
    RetryPolicy retryPolicy,
    @Nullable ConcurrencyPolicy concurrencyPolicy,
    Consumer<RejectLog.SetAside> rejects) {

  /// One that fails as soon as anything does.
  public static final RunOptions DEFAULT = of(RetryPolicy.NONE);

  /// One that goes on for some time if nothing moves.
  public static RunOptions of(RetryPolicy retryPolicy) {
    return new RunOptions(retryPolicy, null, _ -> {});
  }
}
