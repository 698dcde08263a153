package millrace.testkit.forwarding;

import millrace.data.Form;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import org.jspecify.annotations.Nullable;

/// Another source in all it does. A test checks that no method is left out.
public class ForwardingSource implements Source {

  private final Source inner;

  public ForwardingSource(Source inner) {
    this.inner = inner;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return inner.capability(type);
  }

  @Override
  public SourceDescription describe(ColumnRequest columnRequest) {
    return inner.describe(columnRequest);
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
    return opened(inner.open(plan));
  }

  /// What the engine gets in place of a session that has been opened.
  protected ReadSession opened(ReadSession session) {
    return session;
  }

  @Override
  public void close() {
    inner.close();
  }
}
