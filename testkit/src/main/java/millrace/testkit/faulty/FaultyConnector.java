package millrace.testkit.faulty;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import millrace.spi.Connector;
import millrace.testkit.forwarding.ForwardingConnector;

/// Any connector, with faults in its readers, its writers and in the target's completion. It counts
/// what it did, so that a test can tell that it tried what it meant to.
public final class FaultyConnector extends ForwardingConnector {

  private final Injector injector;

  /// @param inner does the work
  /// @param plan which calls fail
  public FaultyConnector(Connector inner, FaultPlan plan) {
    this(inner, new Injector(plan));
  }

  /// Transient and external faults and delays in one call of ten.
  public FaultyConnector(Connector inner, long seed) {
    this(
        inner,
        FaultPlan.random(
            seed,
            0.1,
            List.of(FaultPlan.Kind.TRANSIENT, FaultPlan.Kind.EXTERNAL, FaultPlan.Kind.DELAY)));
  }

  private FaultyConnector(Connector inner, Injector injector) {
    super(
        inner,
        source -> new FaultySource(source, injector),
        target -> new FaultyTarget(target, injector));
    this.injector = injector;
  }

  /// What was done so far, ordered by site, split and call.
  public List<Injector.Injected> injected() {
    return injector.injected();
  }

  /// Done once a call hangs.
  public CompletableFuture<Void> hangs() {
    return injector.hangs();
  }
}
