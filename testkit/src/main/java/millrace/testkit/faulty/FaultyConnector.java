package millrace.testkit.faulty;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// Any connector, with faults in its readers, its writers and in the target's completion. It counts
/// what it did, so that a test can tell that it tried what it meant to.
public final class FaultyConnector implements Connector {

  private final Connector inner;
  private final Injector injector;

  /// @param inner does the work
  /// @param plan which calls fail
  public FaultyConnector(Connector inner, FaultPlan plan) {
    this.inner = inner;
    this.injector = new Injector(plan);
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

  /// What was done so far, ordered by site, split and call.
  public List<Injector.Injected> injected() {
    return injector.injected();
  }

  /// Done once a call hangs.
  public CompletableFuture<Void> hangs() {
    return injector.hangs();
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public List<String> schemes() {
    return inner.schemes();
  }

  @Override
  public List<Option> options() {
    return inner.options();
  }

  @Override
  public String landingIdentity(Endpoint endpoint) {
    return inner.landingIdentity(endpoint);
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    return new FaultySource(inner.source(endpoint, selection, context), injector);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return new FaultyTarget(inner.target(endpoint, writeOptions, context), injector);
  }
}
