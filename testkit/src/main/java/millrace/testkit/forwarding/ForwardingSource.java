package millrace.testkit.forwarding;

import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Source;
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
  public DescribedSource describe(ColumnRequest columnRequest) {
    return described(
        new ForwardingDescribedSource(inner.describe(columnRequest)) {
          @Override
          public ReadSession open(ReadPlan plan) {
            return opened(super.open(plan));
          }
        });
  }

  /// What the engine gets in place of a source that has been described.
  protected DescribedSource described(DescribedSource source) {
    return source;
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
