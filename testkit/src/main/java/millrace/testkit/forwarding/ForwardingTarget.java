package millrace.testkit.forwarding;

import millrace.spi.write.DescribedTarget;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// Another target in all it does. A test checks that no method is left out.
public class ForwardingTarget implements Target {

  private final Target inner;

  public ForwardingTarget(Target inner) {
    this.inner = inner;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return inner.capability(type);
  }

  @Override
  public DescribedTarget describe() {
    return new ForwardingDescribedTarget(inner.describe()) {
      @Override
      public PlannedTarget plan(WriteRequest request) {
        return planned(
            new ForwardingPlannedTarget(super.plan(request)) {
              @Override
              public WriteSession open(WriteStart start) {
                return opened(super.open(start));
              }
            });
      }
    };
  }

  /// What the engine gets in place of a target that has been planned for.
  protected PlannedTarget planned(PlannedTarget target) {
    return target;
  }

  /// What the engine gets in place of a session that has been opened.
  protected WriteSession opened(WriteSession session) {
    return session;
  }

  @Override
  public void close() {
    inner.close();
  }
}
