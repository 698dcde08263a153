package millrace.connectors.nothing;

import millrace.data.Batch;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Counts rows and drops them.
final class NothingWriter implements Writer {

  private final WriteContext context;
  private @Nullable Split split;
  private long rows;
  private long bytes;

  NothingWriter(WriteContext context) {
    this.context = context;
  }

  @Override
  public void start(Split split) {
    this.split = split;
    rows = 0;
    bytes = 0;
  }

  @Override
  public void write(Batch batch) {
    context.clock().enter(Stage.SEND);
    rows += batch.rows();
    bytes += batch.sourceBytes();
    context.clock().sent(batch.sourceBytes());
    batch.release();
  }

  @Override
  public Receipt finish() {
    if (split == null) {
      throw new Fault.Bug("finish came before start.", null);
    }
    return new Receipt(split, rows, bytes, false);
  }

  @Override
  public void close() {
    // It holds nothing open.
  }
}
