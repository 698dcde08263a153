package millrace.engine;

import java.util.function.Consumer;
import millrace.engine.reject.RejectLog;
import millrace.engine.remote.Cluster;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// How a run goes about its plan.
///
/// @param retryPolicy how long it goes on if nothing moves
/// @param concurrencyPolicy says how many lanes there are; null if the run measures that itself
/// @param rejects is told each bad record that is set aside, from one thread at a time
/// @param processes those that work its splits off; null if this one does, by lanes
public record RunOptions(
    RetryPolicy retryPolicy,
    @Nullable ConcurrencyPolicy concurrencyPolicy,
    Consumer<RejectLog.SetAside> rejects,
    @Nullable Processes processes) {

  /// Other processes that work a run's splits off.
  ///
  /// @param from the source as they open it
  /// @param to the target as they do
  public record Processes(Cluster cluster, Endpoint from, Endpoint to) {}

  /// Of a run whose splits its own lanes work off.
  public RunOptions(
      RetryPolicy retryPolicy,
      @Nullable ConcurrencyPolicy concurrencyPolicy,
      Consumer<RejectLog.SetAside> rejects) {
    this(retryPolicy, concurrencyPolicy, rejects, null);
  }

  /// One that fails as soon as anything does.
  public static final RunOptions DEFAULT = of(RetryPolicy.NONE);

  /// One that goes on for some time if nothing moves.
  public static RunOptions of(RetryPolicy retryPolicy) {
    return of(retryPolicy, null);
  }

  /// The same, worked off by those processes if there are any.
  public static RunOptions of(RetryPolicy retryPolicy, @Nullable Processes processes) {
    return new RunOptions(retryPolicy, null, _ -> {}, processes);
  }
}
