package millrace.testkit.memory;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Batch;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Schema;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.Rejects.Reject;
import millrace.spi.write.WriteContext;
import millrace.testkit.Row;
import millrace.testkit.Values;
import org.jspecify.annotations.Nullable;

/// Gathers the rows of a split and hands them to the target when it ends, or before if the target
/// keeps receipts.
final class MemoryWriter implements RecoverableWriter {

  private final MemoryWriteSession target;
  private final Schema schema;
  private final WriteContext context;
  private @Nullable Split split;
  private final List<Row> rows = new ArrayList<>();
  private long rowsTaken;
  private long bytes;

  MemoryWriter(MemoryWriteSession target, Schema schema, WriteContext context) {
    this.target = target;
    this.schema = schema;
    this.context = context;
  }

  @Override
  public void start(Split split) {
    this.split = split;
    rows.clear();
    rowsTaken = 0;
    bytes = 0;
  }

  @Override
  public void write(Batch batch) {
    context.clock().enter(Stage.SEND);
    try {
      switch (batch) {
        case Columns columns -> take(columns);
        case Frames frames -> throw new IllegalStateException("memory takes no " + frames.form());
      }
    } finally {
      batch.release();
    }
  }

  private void take(Columns columns) {
    List<Row> taken = Values.rows(columns);
    for (int i = 0; i < taken.size(); i++) {
      Column missing = missing(taken.get(i));
      if (missing == null) {
        rows.add(taken.get(i));
      } else {
        reject(columns, i, missing);
      }
    }
    long written = (long) taken.size() * schema.width() * MemorySource.VALUE_BYTES;
    bytes += written;
    context.clock().sent(written);
  }

  /// The first column that must have a value and has none.
  private @Nullable Column missing(Row row) {
    for (int column = 0; column < schema.width(); column++) {
      if (row.value(column) == null && !schema.column(column).nullable()) {
        return schema.column(column);
      }
    }
    return null;
  }

  private void reject(Columns columns, int index, Column column) {
    String reason = "no value for column '" + column.name() + "', which must have one";
    context.rejects().reject(Reject.of(columns, index, column.name(), reason));
    context.clock().refused(1);
  }

  @Override
  public @Nullable Receipt checkpoint(@Nullable Split rest, long checksum) {
    int commitRows = target.commitRows();
    boolean isDue = rest != null && commitRows > 0 && rows.size() >= commitRows;
    return isDue ? commit(rest) : null;
  }

  @Override
  public Receipt finish() {
    return commit(null);
  }

  private Receipt commit(@Nullable Split rest) {
    if (split == null) {
      throw new IllegalStateException("a commit before start");
    }
    rowsTaken += rows.size();
    Receipt receipt = new Receipt(split, rest, rowsTaken, bytes, 0, !target.isStaging());
    target.take(receipt, rows);
    rows.clear();
    return receipt;
  }

  /// Nobody can tell whether the rows of a split that was about to end have been taken.
  @Override
  public Leftover leftover(boolean committing) {
    return committing ? Leftover.UNKNOWN : Leftover.NOTHING;
  }

  @Override
  public void close() {
    rows.clear();
  }
}
