package millrace.connectors.generate;

import millrace.data.Batch;
import millrace.data.BatchFill;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.spi.Stage;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Makes the rows of one split after the other.
final class GenerateReader implements Reader {

  /// About the size of a batch of long rows; short ones go by the pool's own measure.
  private static final double BATCH_BYTES = 4 << 20;

  private final RowMaker maker;
  private final double rowBytes;
  private final ReadContext context;
  private final BatchFill batches;

  GenerateReader(Schema schema, RowMaker maker, double rowBytes, ReadContext context) {
    this.maker = maker;
    this.rowBytes = rowBytes;
    this.context = context;
    int capacity = batchRows(schema, rowBytes, context);
    batches = new BatchFill(new ColumnsPool(schema, capacity), Long.MAX_VALUE);
  }

  @Override
  public void start(Split split) {
    batches.start(split.resource(), split.index(), split.firstRow());
    maker.start(split.from(), split.to());
  }

  @Override
  public @Nullable Batch next() {
    context.clock().enter(Stage.READ);
    int rows = maker.fill(batches.batch());
    batches.add(rows, Math.round(rows * rowBytes));
    return batches.finish();
  }

  @Override
  public void close() {
    // It holds nothing open.
  }

  private static int batchRows(Schema schema, double rowBytes, ReadContext context) {
    long rows =
        context.readUnit() == null
            ? (long) (BATCH_BYTES / rowBytes)
            : context.readUnit().rows(Math.round(rowBytes));
    return Math.clamp(rows, 1, ColumnsPool.rowsFor(schema));
  }
}
