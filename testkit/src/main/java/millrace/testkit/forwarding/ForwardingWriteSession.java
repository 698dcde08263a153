package millrace.testkit.forwarding;

import millrace.data.Form;
import millrace.spi.PhaseTimer;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Encoder;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Another session in all it does. A test checks that no method is left out.
public class ForwardingWriteSession implements WriteSession {

  private final WriteSession inner;

  public ForwardingWriteSession(WriteSession inner) {
    this.inner = inner;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return inner.capability(type);
  }

  @Override
  public @Nullable Encoder encoder(WriteContext context) {
    return inner.encoder(context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return inner.writer(form, context);
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    return inner.complete(steps);
  }

  @Override
  public Aborted abort(boolean keep) {
    return inner.abort(keep);
  }

  @Override
  public void close() {
    inner.close();
  }
}
