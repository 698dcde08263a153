package millrace.connectors.postgres.read;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import millrace.connectors.postgres.codec.BinaryDecoder;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.connectors.postgres.codec.RowBuffer;
import millrace.connectors.postgres.codec.RowSum;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.connectors.postgres.net.Session;
import millrace.data.Batch;
import millrace.data.BytesPool;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.Stage;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Reads splits by COPY TO STDOUT, each message of which is one row.
final class PostgresReader implements Reader {

  /// Bytes of rows in a batch: few enough to stay in the processor's cache between the two passes
  /// over them.
  private static final int BATCH_BYTES = 256 << 10;

  /// What a batch is read into at first, with some room for its last row.
  private static final int BUFFER_BYTES = BATCH_BYTES + (16 << 10);

  private static final byte[] NOTHING = {};

  private static final String NOT_IN_ENCODING = "22021";

  private static final String ENCODING_ADVICE =
      "A database in SQL_ASCII keeps bytes without knowing what they mean. Say it in a query, for"
          + " example ?query=SELECT convert_from(convert(convert_to(name, 'SQL_ASCII'), 'LATIN1',"
          + " 'UTF8'), 'SQL_ASCII') AS name FROM …";

  private final PostgresReadSession reading;
  private final Session session;
  private final Form form;
  private final ReadContext context;
  private final boolean binary;
  private final ColumnsPool pool;
  private final BinaryDecoder decoder;

  /// The buffer of each batch that goes round, so that it can be filled again with the batch.
  private final IdentityHashMap<Columns, byte[]> buffers = new IdentityHashMap<>();

  /// What the connection keeps as it is by a lock of its own, until it is closed.
  private final Set<String> locked = new HashSet<>();

  private final BytesPool frameBuffers = new BytesPool();
  private final RowBuffer rows;
  private @Nullable Split split;
  private @Nullable RowStream stream;
  private final @Nullable RowSum sum;
  private long rowsBefore;

  /// @param sum adds up the rows of a split as they came; null if nobody asks for it
  PostgresReader(
      PostgresReadSession reading,
      Session session,
      Form form,
      ReadContext context,
      @Nullable RowSum sum) {
    this.sum = sum;
    this.reading = reading;
    this.session = session;
    this.form = form;
    this.context = context;
    binary = !form.name().equals(PostgresForms.TEXT) && !form.name().equals(PostgresForms.CSV);
    decoder = new BinaryDecoder(reading.scan().columns());
    int rowsMax = ColumnsPool.rowsFor(reading.scan().schema());
    long bytesMax = BATCH_BYTES;
    if (context.readUnit() != null) {
      rowsMax = (int) Math.min(rowsMax, context.readUnit().rows(1));
      bytesMax = context.readUnit().inBytes() ? context.readUnit().number() : Integer.MAX_VALUE / 2;
    }
    rows = new RowBuffer(rowsMax, bytesMax);
    pool = new ColumnsPool(reading.scan().schema(), rowsMax);
  }

  @Override
  public void start(Split next) {
    session.checkCancelled();
    context.clock().enter(Stage.SERVER_WAIT);
    split = next;
    rowsBefore = 0;
    if (sum != null) {
      sum.begin();
    }
    rows.begin(NOTHING);
    try {
      stream = session.copyOut(reading.scan().copy(next, form), binary);
    } catch (SQLException e) {
      Fault fault = fault(e);
      if (!session.isCancelled()) {
        reading.checkSnapshotHeld(fault);
      }
      throw fault;
    }
    if (locked.add(next.resource())) {
      reading.checkSnapshotHeld(null);
    }
  }

  /// A value that the server can't give stands in the row behind those that came.
  private Fault fault(SQLException e) {
    Fault fault = session.fault(e);
    if (!(fault instanceof Fault.Data) || split == null) {
      return fault;
    }
    String row =
        split.firstRow() > 0 ? ", row " + (split.firstRow() + rowsBefore + rows.rows()) : "";
    return new Fault.Data(
        split.resource() + row + ": " + fault.getMessage(),
        NOT_IN_ENCODING.equals(PostgresFaults.state(e)) ? ENCODING_ADVICE : fault.advice(),
        null);
  }

  @Override
  public @Nullable Batch next() {
    if (stream == null || split == null) {
      throw new Fault.Bug("next came before start", null);
    }
    boolean knowsRow = split.firstRow() > 0;
    Location location =
        new Location(
            split.resource(), split.index(), knowsRow ? split.firstRow() + rowsBefore : 0, 0, -1);
    Batch batch = form.isFrames() ? frames(stream, location) : columns(stream, location);
    if (batch != null) {
      rowsBefore += batch.rows();
    }
    return batch;
  }

  /// Takes rows in from there on; false if there are none.
  private boolean fill(RowStream from, byte[] buffer) {
    context.clock().enter(Stage.READ);
    rows.begin(buffer);
    try {
      from.fill(rows);
    } catch (SQLException e) {
      throw fault(e);
    }
    context.clock().enter(Stage.PARSE);
    if (sum != null) {
      sum.add(rows);
    }
    return rows.rows() > 0;
  }

  private @Nullable Frames frames(RowStream from, Location location) {
    byte[] buffer = frameBuffers.take(BUFFER_BYTES);
    return fill(from, buffer)
        ? new Frames(
            rows.bytes,
            0,
            rows.end,
            rows.rows(),
            form,
            new Frames.SourceSpan(location, rows.end),
            frameBuffers)
        : null;
  }

  private @Nullable Columns columns(RowStream from, Location location) {
    Columns batch = pool.take();
    if (!fill(from, buffers.computeIfAbsent(batch, _ -> new byte[BUFFER_BYTES]))) {
      batch.release();
      return null;
    }
    buffers.put(batch, rows.bytes);
    decoder.begin(batch, rows.bytes);
    for (int row = 0; row < rows.rows(); row++) {
      decoder.decode(rows.bytes, rows.start(row), rows.end(row), row);
    }
    batch.filled(rows.rows(), rows.end, location, null);
    batch.standsBehind(rowsBefore);
    return batch;
  }

  @Override
  public long checksum() {
    return sum == null ? 0 : sum.value();
  }

  @Override
  public void cancel() {
    session.cancel();
  }

  @Override
  public void close() {
    session.close();
  }
}
