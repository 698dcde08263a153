package millrace.testkit.forwarding;

import java.util.List;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// Another session in all it does. A test checks that no method is left out.
public class ForwardingReadSession implements ReadSession {

  private final ReadSession inner;

  public ForwardingReadSession(ReadSession inner) {
    this.inner = inner;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return inner.capability(type);
  }

  @Override
  public Splits splits() {
    return inner.splits();
  }

  @Override
  public Reader reader(ReadContext context) {
    return inner.reader(context);
  }

  @Override
  public void allRead() {
    inner.allRead();
  }

  @Override
  public List<String> notes() {
    return inner.notes();
  }

  @Override
  public void close() {
    inner.close();
  }
}
