package millrace.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// One opening of an end. The connector tells it what the opening has to wait for and how to stop
/// it; whoever asked for the end looks at that from other threads.
public final class OpenContext implements Blockable {

  private final Duration retryFor;
  private final @Nullable Shared shared;
  private final List<Blockable> all = new CopyOnWriteArrayList<>();
  private volatile boolean cancelled;

  /// One of nobody who has said how long to try again.
  public OpenContext() {
    this(Duration.ZERO);
  }

  /// @param retryFor for how long the user wants what may pass to be tried again; zero if he has
  ///   not said
  public OpenContext(Duration retryFor) {
    this(retryFor, null);
  }

  /// @param shared what the end shares with those of other copies of its job; null if it is on its
  ///   own
  public OpenContext(Duration retryFor, @Nullable Shared shared) {
    this.retryFor = retryFor;
    this.shared = shared;
  }

  /// What the end shares with those of other copies of its job; null if it is on its own.
  public @Nullable Shared shared() {
    return shared;
  }

  /// How long a driver tries again by itself what may pass: no longer than the user wants.
  ///
  /// @param usual how long it would
  public Duration tries(Duration usual) {
    return retryFor.isPositive() && retryFor.compareTo(usual) < 0 ? retryFor : usual;
  }

  /// The opening has begun to need something that may make it wait, until the end is open. A cancel
  /// that came before reaches it at once. Called by the connector.
  public void needs(Blockable waiting) {
    all.add(waiting);
    if (cancelled) {
      waiting.cancel();
    }
  }

  @Override
  public @Nullable String waitsFor() {
    for (Blockable each : all) {
      String waitsFor = each.waitsFor();
      if (waitsFor != null) {
        return waitsFor;
      }
    }
    return null;
  }

  @Override
  public void cancel() {
    cancelled = true;
    all.forEach(Blockable::cancel);
  }
}
