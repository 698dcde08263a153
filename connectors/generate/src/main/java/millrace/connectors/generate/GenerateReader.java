package millrace.connectors.generate;

import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Location;
import millrace.data.Schema;
import millrace.fault.Fault;
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
  private final ColumnsPool pool;
  private @Nullable Split split;
  private long rowsOfSplit;

  GenerateReader(Schema schema, RowMaker maker, double rowBytes, ReadContext context) {
    this.maker = maker;
    this.rowBytes = rowBytes;
    this.context = context;
    this.pool = new ColumnsPool(schema, batchRows(schema, rowBytes, context));
  }

  @Override
  public void start(Split split) {
    this.split = split;
    rowsOfSplit = 0;
    maker.start(split.from(), split.to());
  }

  @Override
  public @Nullable Batch next() {
    if (split == null) {
      throw new Fault.Bug("next came before start.", null);
    }
    context.clock().enter(Stage.READ);
    Columns batch = pool.take();
    int rows = maker.fill(batch);
    if (rows == 0) {
      batch.release();
      return null;
    }
    long bytes = Math.round(rows * rowBytes);
    long firstRow = split.firstRow() == 0 ? 0 : split.firstRow() + rowsOfSplit;
    batch.filled(rows, bytes, new Location(split.resource(), split.index(), firstRow, 0, -1), null);
    rowsOfSplit += rows;
    return batch;
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
