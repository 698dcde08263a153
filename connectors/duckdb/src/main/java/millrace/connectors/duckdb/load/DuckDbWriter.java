package millrace.connectors.duckdb.load;

import java.util.List;
import millrace.data.Batch;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Vector;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// Checks one lane's rows and hands them over to the statement that loads them.
public final class DuckDbWriter implements RecoverableWriter {

  private static final int VALUE_BYTES = 8;

  private final DuckDbLoad load;
  private final WriteContext context;
  private final Checks checks;
  private @Nullable Split split;
  private long rowsRead;
  private long rows;
  private long bytes;

  public DuckDbWriter(DuckDbLoad load, List<AppendColumn> slots, WriteContext context) {
    this.load = load;
    this.context = context;
    checks = new Checks(slots, context.rejects());
  }

  @Override
  public void start(Split split) {
    this.split = split;
    rowsRead = 0;
    rows = 0;
    bytes = 0;
  }

  @Override
  public void write(Batch batch) {
    switch (batch) {
      case Columns columns -> write(columns);
      case Frames frames -> {
        frames.release();
        throw new Fault.Bug("DuckDB takes columns, not " + frames.form().name(), null);
      }
    }
  }

  private void write(Columns batch) {
    boolean handedOver = false;
    try {
      context.clock().enter(Stage.ENCODE);
      int[] good = checks.good(batch);
      int count = good == null ? batch.rows() : good.length;
      long size = size(batch);
      int read = batch.rows();
      context.clock().refused(read - count);
      if (count > 0) {
        context.clock().enter(Stage.SERVER_WAIT);
        load.cameFrom(current().index(), batch.location().resource());
        load.handover().put(new Handover.Parcel(batch, good, count, current().index(), rowsRead));
        handedOver = true;
      }
      rowsRead += read;
      rows += count;
      bytes += size;
      context.clock().sent(size);
    } finally {
      if (!handedOver) {
        batch.release();
      }
    }
  }

  /// What the values take as they are handed over.
  private static long size(Columns batch) {
    long size = 0;
    for (int i = 0; i < batch.schema().width(); i++) {
      Vector vector = batch.vector(i);
      if (vector instanceof BytesVector texts) {
        for (int row = 0; row < batch.rows(); row++) {
          size += texts.nulls[row] ? 0 : texts.ends[row] - texts.starts[row];
        }
      } else {
        size += (long) VALUE_BYTES * batch.rows();
      }
    }
    return size;
  }

  @Override
  public Receipt finish() {
    load.taken().add(rows);
    return new Receipt(current(), rows, bytes, false);
  }

  private Split current() {
    Split started = split;
    if (started == null) {
      throw new Fault.Bug("rows before the start of a split", null);
    }
    return started;
  }

  @Override
  public void cancel() {
    load.cancel();
  }

  @Override
  public void close() {
    // The statement belongs to the target.
  }

  /// Rows that were handed over can't be had back: they are in a statement with all others.
  @Override
  public Leftover leftover(boolean committing) {
    return committing ? Leftover.UNKNOWN : rows == 0 ? Leftover.NOTHING : Leftover.ROWS;
  }
}
