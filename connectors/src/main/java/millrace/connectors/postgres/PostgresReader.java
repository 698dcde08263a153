package millrace.connectors.postgres;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.data.Location;
import millrace.spi.ReadContext;
import millrace.spi.Reader;
import millrace.spi.Split;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/// Reads splits by COPY TO STDOUT, each message of which is one row.
final class PostgresReader implements Reader {

  /// Bytes of rows in a batch: few enough to stay in the processor's cache between the two passes
  /// over them.
  private static final int BATCH_BYTES = 512 << 10;

  private final PostgresSource source;
  private final Session session;
  private final Form form;
  private final ReadContext context;
  private final boolean binary;
  private final ColumnsPool pool;
  private final BinaryDecoder decoder;
  private final int rowsMax;
  private final long bytesMax;

  /// The buffer of each batch that goes round, so that it can be filled again with the batch.
  private final IdentityHashMap<Columns, byte[]> buffers = new IdentityHashMap<>();

  private final List<byte[]> rows = new ArrayList<>();
  private @Nullable Split split;
  private @Nullable CopyOut copy;
  private boolean begun;
  private int skip;
  private long rowsBefore;

  PostgresReader(PostgresSource source, Session session, Form form, ReadContext context) {
    this.source = source;
    this.session = session;
    this.form = form;
    this.context = context;
    binary = !form.name().equals(PostgresForms.TEXT) && !form.name().equals(PostgresForms.CSV);
    decoder = new BinaryDecoder(source.columns());
    int capacity = ColumnsPool.rowsFor(source.schema());
    if (context.readUnit() == null) {
      rowsMax = capacity;
      bytesMax = BATCH_BYTES;
    } else {
      rowsMax = (int) Math.min(capacity, context.readUnit().rows(1));
      bytesMax = context.readUnit().inBytes() ? context.readUnit().number() : Integer.MAX_VALUE / 2;
    }
    pool = new ColumnsPool(source.schema(), rowsMax);
  }

  @Override
  public void start(Split next) {
    session.checkCancelled();
    context.clock().enter(Stage.SERVER_WAIT);
    split = next;
    rowsBefore = 0;
    begun = false;
    try {
      copy = session.copyOut(source.copy(next, form));
    } catch (SQLException e) {
      throw session.fault(e);
    }
  }

  @Override
  public @Nullable Batch next() {
    if (copy == null || split == null) {
      return null;
    }
    context.clock().enter(Stage.READ);
    long bytes = receive(copy);
    if (rows.isEmpty()) {
      return null;
    }
    boolean knowsRow = split.firstRow() > 0;
    Location location =
        new Location(
            split.resource(), split.index(), knowsRow ? split.firstRow() + rowsBefore : 0, 0, -1);
    context.clock().enter(Stage.PARSE);
    Batch batch = form.isFrames() ? frames((int) bytes, location) : columns((int) bytes, location);
    rowsBefore += rows.size();
    rows.clear();
    return batch;
  }

  /// Takes in rows until a batch is full; returns how many bytes they have, without the header.
  private long receive(CopyOut from) {
    long bytes = 0;
    skip = 0;
    try {
      while (rows.size() < rowsMax && bytes < bytesMax) {
        byte[] message = from.readFromCopy();
        if (message == null) {
          copy = null;
          break;
        }
        int header = 0;
        if (binary && !begun) {
          header = BinaryDecoder.headerLength(message);
          skip = header;
        }
        begun = true;
        if (binary && BinaryDecoder.isEnd(message, header)) {
          continue;
        }
        rows.add(message);
        bytes += message.length - header;
      }
    } catch (SQLException e) {
      throw session.fault(e);
    }
    return bytes;
  }

  private Frames frames(int bytes, Location location) {
    byte[] joined = new byte[bytes];
    int end = join(joined);
    return new Frames(joined, 0, end, rows.size(), form, bytes, location, null);
  }

  private Columns columns(int bytes, Location location) {
    Columns batch = pool.take();
    byte[] buffer = buffers.get(batch);
    if (buffer == null || buffer.length < bytes) {
      buffer = new byte[bytes + bytes / 4];
      buffers.put(batch, buffer);
    }
    decoder.begin(batch, buffer);
    int at = 0;
    for (int i = 0; i < rows.size(); i++) {
      byte[] row = rows.get(i);
      int from = i == 0 ? skip : 0;
      System.arraycopy(row, from, buffer, at, row.length - from);
      decoder.decode(buffer, at, at + row.length - from, i);
      at += row.length - from;
    }
    batch.filled(rows.size(), bytes, location, null);
    return batch;
  }

  private int join(byte[] into) {
    int at = 0;
    for (int i = 0; i < rows.size(); i++) {
      byte[] row = rows.get(i);
      int from = i == 0 ? skip : 0;
      System.arraycopy(row, from, into, at, row.length - from);
      at += row.length - from;
    }
    return at;
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
