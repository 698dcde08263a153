package millrace.testkit.forwarding;

import millrace.data.Form;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;

/// Another planned target in all it does. A test checks that no method is left out.
public class ForwardingPlannedTarget implements PlannedTarget {

  private final PlannedTarget inner;

  public ForwardingPlannedTarget(PlannedTarget inner) {
    this.inner = inner;
  }

  @Override
  public WritePlan plan() {
    return inner.plan();
  }

  @Override
  public double cost(Form form) {
    return inner.cost(form);
  }

  @Override
  public WriteSession open(WriteStart start) {
    return inner.open(start);
  }
}
