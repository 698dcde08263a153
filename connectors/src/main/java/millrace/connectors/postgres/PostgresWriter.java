package millrace.connectors.postgres;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Location;
import millrace.fault.Fault;
import millrace.spi.Receipt;
import millrace.spi.Rejects;
import millrace.spi.Split;
import millrace.spi.Stage;
import millrace.spi.WriteContext;
import millrace.spi.Writer;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes splits by COPY FROM STDIN, one transaction each unless a commit unit says otherwise.
///
/// Batches of different forms may follow each other: one COPY ends and another begins in the same
/// transaction.
final class PostgresWriter implements Writer {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresWriter.class);

  private static final String BINARY = "(FORMAT binary)";
  private static final String TEXT = "(FORMAT text)";

  /// Bytes handed to the driver at a time, when nobody says otherwise.
  private static final int SEND_BYTES = 128 << 10;

  /// The driver learns what the server refused when a COPY ends: it ends at least that often.
  private static final long COPY_BYTES_MAX = 64L << 20;

  private final Session session;
  private final LoadPlan plan;
  private final LongAdder rowsOfAll;
  private final WriteContext context;
  private final RowEncoder encoder;
  private final boolean binary;
  private final CopyRows copied = new CopyRows();
  private @Nullable Split split;
  private @Nullable CopyIn copy;
  private String copyOptions = "";
  private boolean inTransaction;
  private long rowsInSplit;
  private long bytesInSplit;
  private long rowsSinceCommit;
  private long bytesSinceCommit;
  private int rowsInBuffer;
  private long bytesInCopy;
  private long rowOfSplit;

  PostgresWriter(Session session, LoadPlan plan, LongAdder rowsOfAll, WriteContext context) {
    this.session = session;
    this.plan = plan;
    this.rowsOfAll = rowsOfAll;
    this.context = context;
    binary = BinaryEncoder.speaks(plan.slots());
    encoder =
        binary
            ? new BinaryEncoder(plan.slots(), 2 * SEND_BYTES)
            : new TextEncoder(plan.slots(), 2 * SEND_BYTES);
  }

  @Override
  public void start(Split next) {
    session.checkCancelled();
    split = next;
    rowsInSplit = 0;
    bytesInSplit = 0;
    rowOfSplit = 0;
  }

  @Override
  public void write(Batch batch) {
    try {
      switch (batch) {
        case Columns columns -> columns(columns);
        case Frames frames -> frames(frames);
      }
    } catch (SQLException e) {
      throw fault(e);
    } finally {
      batch.release();
    }
  }

  private void columns(Columns batch) throws SQLException {
    open(binary ? BINARY : TEXT);
    copied.batch(batch.location());
    context.clock().enter(Stage.ENCODE);
    encoder.begin(batch);
    boolean merges = !plan.placeColumns().isEmpty();
    for (int row = 0; row < batch.rows(); row++) {
      rowOfSplit++;
      RowEncoder.Place place =
          merges && split != null ? new RowEncoder.Place(split.index(), rowOfSplit) : null;
      if (!encoder.row(row, place)) {
        context.rejects().reject(refused(batch, row));
        continue;
      }
      rowsInBuffer++;
      count(1);
      if (isFull()) {
        send();
        context.clock().enter(Stage.ENCODE);
      }
      if (isCommitDue()) {
        commit();
        open(binary ? BINARY : TEXT);
        copied.batch(batch.location());
      }
    }
    endLongCopy();
  }

  private boolean isFull() {
    if (context.writeUnit() == null) {
      return encoder.used >= SEND_BYTES;
    }
    return context.writeUnit().inBytes()
        ? encoder.used >= context.writeUnit().number()
        : rowsInBuffer >= context.writeUnit().number();
  }

  private boolean isCommitDue() {
    if (context.commitUnit() == null) {
      return false;
    }
    return context.commitUnit().inBytes()
        ? bytesSinceCommit + encoder.used >= context.commitUnit().number()
        : rowsSinceCommit >= context.commitUnit().number();
  }

  private Rejects.Reject refused(Columns batch, int row) {
    Location at = batch.location();
    byte[] record = batch.origin() == null ? new byte[0] : batch.origin().record(row);
    return new Rejects.Reject(
        at.resource(),
        at.firstRow() == 0 ? 0 : at.firstRow() + row,
        0,
        -1,
        encoder.column(),
        encoder.reason(),
        record);
  }

  private void frames(Frames frames) throws SQLException {
    switch (frames.form().name()) {
      case PostgresForms.BINARY -> open(BINARY);
      case PostgresForms.TEXT -> open(TEXT);
      default -> open(String.valueOf(PostgresForms.csvOptions(frames.form())));
    }
    copied.batch(frames.location());
    send();
    count(frames.rows());
    send(frames.bytes(), frames.start(), frames.length());
    if (isCommitDue()) {
      commit();
    }
    endLongCopy();
  }

  private void count(int rows) {
    rowsInSplit += rows;
    rowsSinceCommit += rows;
    copied.add(rows);
  }

  /// Sees to it that a COPY of that kind is under way.
  private void open(String options) throws SQLException {
    if (copy != null && copyOptions.equals(options)) {
      return;
    }
    endCopy();
    context.clock().enter(Stage.SERVER_WAIT);
    if (!inTransaction) {
      session.execute("BEGIN");
      inTransaction = true;
    }
    copy =
        session.copyIn(
            "COPY " + plan.into().sql() + " (" + columnNames() + ") FROM STDIN " + options);
    copyOptions = options;
    bytesInCopy = 0;
    copied.begin();
    if (options.equals(BINARY)) {
      send(BinaryEncoder.HEADER, 0, BinaryEncoder.HEADER.length);
    }
  }

  private String columnNames() {
    return Stream.concat(
            plan.slots().stream().filter(Slot::written).map(Slot::name),
            plan.placeColumns().stream())
        .map(Sql::name)
        .collect(Collectors.joining(", "));
  }

  private void send() throws SQLException {
    if (encoder.used > 0) {
      send(encoder.bytes, 0, encoder.used);
      encoder.used = 0;
      rowsInBuffer = 0;
    }
  }

  private void send(byte[] bytes, int start, int length) throws SQLException {
    if (copy == null) {
      throw new Fault.Bug("bytes without a COPY", null);
    }
    context.clock().enter(Stage.SEND);
    copy.writeToCopy(bytes, start, length);
    context.clock().sent(length);
    bytesInSplit += length;
    bytesSinceCommit += length;
    bytesInCopy += length;
  }

  private void endLongCopy() throws SQLException {
    if (bytesInCopy >= COPY_BYTES_MAX) {
      endCopy();
    }
  }

  /// Ends the COPY, so that the server says whether it took every row.
  private void endCopy() throws SQLException {
    if (copy == null) {
      return;
    }
    send();
    if (copyOptions.equals(BINARY)) {
      send(BinaryEncoder.TRAILER, 0, BinaryEncoder.TRAILER.length);
    }
    context.clock().enter(Stage.SERVER_WAIT);
    long taken = copy.endCopy();
    copy = null;
    rowsOfAll.add(taken);
    if (taken != copied.rows() && !plan.mayDropRows()) {
      throw new Fault.External(
          "The server took "
              + taken
              + " of "
              + copied.rows()
              + " rows into "
              + plan.into().label()
              + ".",
          "",
          null);
    }
  }

  private void commit() throws SQLException {
    endCopy();
    if (inTransaction) {
      context.clock().enter(Stage.COMMIT);
      session.execute("COMMIT");
      inTransaction = false;
    }
    rowsSinceCommit = 0;
    bytesSinceCommit = 0;
  }

  @Override
  public Receipt finish() {
    Split done = split;
    if (done == null) {
      throw new Fault.Bug("no split has been started", null);
    }
    try {
      commit();
    } catch (SQLException e) {
      throw fault(e);
    }
    split = null;
    return new Receipt(done, rowsInSplit, bytesInSplit, !plan.staged());
  }

  /// What the server refused, with the row and the column where it says so.
  private Fault fault(SQLException e) {
    copy = null;
    if (session.isCancelled()) {
      return session.fault(e);
    }
    List<String> names = new ArrayList<>();
    plan.slots().forEach(slot -> names.add(slot.name()));
    return copied.fault(e, plan.into(), names);
  }

  @Override
  public void cancel() {
    session.cancel();
  }

  @Override
  public void close() {
    if (copy != null && copy.isActive()) {
      try {
        copy.cancelCopy();
      } catch (SQLException e) {
        LOG.debug("the COPY ended by itself", e);
      }
    }
    session.close();
  }
}
