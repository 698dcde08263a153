package millrace.testkit.forwarding;

import millrace.data.Batch;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Another reader in all it does. A test checks that no method is left out.
public class ForwardingReader implements Reader {

  private final Reader inner;

  public ForwardingReader(Reader inner) {
    this.inner = inner;
  }

  @Override
  public void start(Split split) {
    inner.start(split);
  }

  @Override
  public @Nullable Batch next() {
    return inner.next();
  }

  @Override
  public @Nullable Split rest() {
    return inner.rest();
  }

  @Override
  public long checksum() {
    return inner.checksum();
  }

  @Override
  public void cancel() {
    inner.cancel();
  }

  @Override
  public void close() {
    inner.close();
  }
}
