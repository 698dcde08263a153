package millrace.testkit.forwarding;

import millrace.data.Form;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WritePlan;
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
  public TargetDescription describe() {
    return inner.describe();
  }

  @Override
  public WritePlan plan(WriteRequest request) {
    return inner.plan(request);
  }

  @Override
  public double cost(Form form) {
    return inner.cost(form);
  }

  @Override
  public WriteSession open(WritePlan plan, WriteStart start) {
    return opened(inner.open(plan, start));
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
