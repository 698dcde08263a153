package millrace.testkit.forwarding;

import millrace.data.Schema;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteRequest;

/// Another described target in all it does. A test checks that no method is left out.
public class ForwardingDescribedTarget implements DescribedTarget {

  private final DescribedTarget inner;

  public ForwardingDescribedTarget(DescribedTarget inner) {
    this.inner = inner;
  }

  @Override
  public TargetDescription description() {
    return inner.description();
  }

  @Override
  public boolean holdsRows() {
    return inner.holdsRows();
  }

  @Override
  public boolean keepsDefinition(Schema incoming) {
    return inner.keepsDefinition(incoming);
  }

  @Override
  public PlannedTarget plan(WriteRequest request) {
    return inner.plan(request);
  }
}
