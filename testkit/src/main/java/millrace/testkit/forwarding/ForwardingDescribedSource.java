package millrace.testkit.forwarding;

import millrace.data.Form;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import org.jspecify.annotations.Nullable;

/// Another described source in all it does. A test checks that no method is left out.
public class ForwardingDescribedSource implements DescribedSource {

  private final DescribedSource inner;

  public ForwardingDescribedSource(DescribedSource inner) {
    this.inner = inner;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return inner.capability(type);
  }

  @Override
  public SourceDescription description() {
    return inner.description();
  }

  @Override
  public double cost(Form form) {
    return inner.cost(form);
  }

  @Override
  public SourceIdentity identity() {
    return inner.identity();
  }

  @Override
  public String changeSince(String before) {
    return inner.changeSince(before);
  }

  @Override
  public ReadSession open(ReadPlan plan) {
    return inner.open(plan);
  }
}
