package millrace.connectors.postgres.codec;

import java.util.Arrays;
import java.util.function.Consumer;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.data.BytesPool;
import millrace.data.Columns;
import millrace.data.EncodedRows;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.read.Split;
import millrace.spi.write.Encoder;
import millrace.spi.write.Rejects;
import millrace.spi.write.WriteContext;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Makes columns into rows of COPY, binary if all columns have a binary form that we know.
///
/// A frame is what is sent at a time: a write unit, or less if a commit is due or a batch ends.
public final class PostgresEncoder implements Encoder {

  /// Bytes sent at a time, when nobody says otherwise.
  private static final int SEND_BYTES = 128 << 10;

  private final LoadPlan plan;
  private final WriteContext context;
  private final RowEncoder encoder;
  private final Form form;
  private final BytesPool buffers = new BytesPool();
  private @Nullable Split split;
  private long rowOfSplit;
  private int rowsInFrame;

  /// Which rows of the batch they are; only if the server's refusals are set aside.
  private int[] rowsOfBatch = {};

  private int firstOfFrame;
  private long rowsSinceCommit;
  private long bytesSinceCommit;

  public PostgresEncoder(LoadPlan plan, InsertMethod method, WriteContext context) {
    this.plan = plan;
    this.context = context;
    boolean binary = method == InsertMethod.NATIVE && BinaryEncoder.speaks(plan.slots());
    encoder = binary ? new BinaryEncoder(plan.slots()) : new TextEncoder(plan.slots());
    form = new Form(binary ? PostgresForms.BINARY : PostgresForms.TEXT, "");
  }

  @Override
  public void start(Split next) {
    split = next;
    // The rest of a split goes on behind the rows that were taken before.
    rowOfSplit = next.firstRow();
    rowsSinceCommit = 0;
    bytesSinceCommit = 0;
  }

  @Override
  public void encode(Columns batch, Consumer<Frames> out) {
    Split current = split;
    if (current == null) {
      throw new Fault.Bug("no split has been started", null);
    }
    EncodedRows.Shared shared = new EncodedRows.Shared(batch);
    try {
      begin(batch, 0);
      boolean merges = !plan.placeColumns().isEmpty();
      for (int row = 0; row < batch.rows(); row++) {
        rowOfSplit++;
        RowEncoder.RowPosition place =
            merges ? new RowEncoder.RowPosition(current.index(), rowOfSplit) : null;
        if (!encoder.row(row, place)) {
          context.rejects().reject(refused(batch, row));
          continue;
        }
        note(row);
        boolean commit = isCommitDue();
        if (commit || isFull()) {
          give(batch, shared, out);
          begin(batch, row + 1);
        }
        if (commit) {
          rowsSinceCommit = 0;
          bytesSinceCommit = 0;
        }
      }
      give(batch, shared, out);
    } finally {
      shared.release();
    }
  }

  private void note(int row) {
    if (context.rejects().allowed()) {
      if (rowsInFrame == rowsOfBatch.length) {
        rowsOfBatch = Arrays.copyOf(rowsOfBatch, Math.max(1 << 10, rowsInFrame * 2));
      }
      rowsOfBatch[rowsInFrame] = row;
    }
    rowsInFrame++;
  }

  private void begin(Columns batch, int row) {
    encoder.begin(batch, buffers.take(2 * SEND_BYTES));
    firstOfFrame = row;
    rowsInFrame = 0;
  }

  private void give(Columns batch, EncodedRows.Shared shared, Consumer<Frames> out) {
    rowsSinceCommit += rowsInFrame;
    bytesSinceCommit += encoder.used;
    EncodedRows origin =
        context.rejects().allowed() ? shared.of(Arrays.copyOf(rowsOfBatch, rowsInFrame)) : null;
    Frames frames =
        new Frames(
            encoder.bytes,
            0,
            encoder.used,
            rowsInFrame,
            form,
            new Frames.SourceSpan(place(batch, firstOfFrame), 0),
            buffers,
            origin);
    if (rowsInFrame > 0) {
      out.accept(frames);
    } else {
      frames.release();
    }
  }

  /// Where a frame begins: by row number alone, since to count lines for each would take longer
  /// than to send it.
  private static Location place(Columns batch, int row) {
    Location at = batch.location();
    if (at.firstRow() == 0 || row == batch.rows()) {
      return at;
    }
    long number = at.firstRow() + batch.offset(row);
    return new Location(at.resource(), at.split(), number, at.firstLine(), at.byteOffset());
  }

  private boolean isFull() {
    Amount unit = context.writeUnit();
    if (unit == null) {
      return encoder.used >= SEND_BYTES;
    }
    return unit.isReached(rowsInFrame, encoder.used);
  }

  private boolean isCommitDue() {
    Amount unit = context.commitUnit();
    return unit != null
        && unit.isReached(rowsSinceCommit + rowsInFrame, bytesSinceCommit + encoder.used);
  }

  private Rejects.Reject refused(Columns batch, int row) {
    return Rejects.Reject.of(batch, row, encoder.column(), encoder.reason());
  }
}
