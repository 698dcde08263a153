package millrace.testkit.memory;

import java.util.List;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.fault.Location;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.testkit.Row;
import millrace.testkit.Values;
import org.jspecify.annotations.Nullable;

/// Reads rows of a table from memory.
final class MemoryReader implements Reader {

  private final List<Row> rows;
  private final int batchRows;
  private final ColumnsPool pool;
  private @Nullable Split split;
  private int next;

  MemoryReader(Schema schema, List<Row> rows, int batchRows) {
    this.rows = rows;
    this.batchRows = batchRows;
    this.pool = new ColumnsPool(schema, batchRows);
  }

  @Override
  public void start(Split split) {
    this.split = split;
    next = (int) split.from();
  }

  @Override
  public @Nullable Batch next() {
    if (split == null) {
      throw new IllegalStateException("next before start");
    }
    int end = (int) Math.min(split.to(), (long) next + batchRows);
    if (next == end) {
      return null;
    }
    Columns batch = pool.take();
    Values.fill(batch, rows.subList(next, end));
    batch.filled(
        end - next,
        (long) (end - next) * batch.schema().width() * MemorySource.VALUE_BYTES,
        new Location(split.resource(), split.index(), row(split), 0, -1),
        null);
    next = end;
    return batch;
  }

  @Override
  public @Nullable Split rest() {
    Split whole = split;
    return whole == null
        ? null
        : new Split(whole.index(), whole.resource(), next, whole.to(), row(whole), 0);
  }

  /// The number of the next row; 0 if the split does not know its own, as of files that are cut.
  private long row(Split of) {
    return of.firstRow() == 0 ? 0 : next + 1L;
  }

  @Override
  public void close() {
    split = null;
  }
}
