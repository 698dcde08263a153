package millrace.testkit.forwarding;

import millrace.data.Batch;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Another writer in all it does. A test checks that no method is left out.
public class ForwardingWriter implements RecoverableWriter {

  private final Writer inner;

  public ForwardingWriter(Writer inner) {
    this.inner = inner;
  }

  @Override
  public void start(Split split) {
    inner.start(split);
  }

  @Override
  public void write(Batch batch) {
    inner.write(batch);
  }

  @Override
  public @Nullable Receipt checkpoint(@Nullable Split rest, long checksum) {
    return inner instanceof RecoverableWriter recoverable
        ? recoverable.checkpoint(rest, checksum)
        : null;
  }

  @Override
  public Receipt finish() {
    return inner.finish();
  }

  @Override
  public @Nullable Receipt finishLater() {
    return inner instanceof RecoverableWriter recoverable ? recoverable.finishLater() : null;
  }

  @Override
  public void commitFinished() {
    if (inner instanceof RecoverableWriter recoverable) {
      recoverable.commitFinished();
    }
  }

  @Override
  public void cancel() {
    inner.cancel();
  }

  @Override
  public void close() {
    inner.close();
  }

  @Override
  public Leftover leftover(boolean committing) {
    return inner instanceof RecoverableWriter recoverable
        ? recoverable.leftover(committing)
        : Leftover.NOTHING;
  }
}
