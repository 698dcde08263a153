package millrace.connectors.sql.read;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TypeTable.Getter;
import millrace.data.Batch;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Location;
import millrace.data.Schema;
import millrace.data.Vector;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;

/// Reads splits by one statement each.
final class SqlReader implements Reader {

  /// About how many bytes a batch holds, so that rows with long texts fit a small heap.
  private static final long BATCH_BYTES = 2L << 20;

  private static final int VALUE_BYTES = 8;
  private static final int FETCH_ROWS_MAX = 10_000;
  private static final byte[] NO_RECORD = {};

  private final SqlQuery query;
  private final SqlSession session;
  private final ReadContext context;
  private final Schema schema;
  private final Getter[] getters;
  private final int capacity;
  private final int fetchRows;
  private final ColumnsPool pool;
  private @Nullable Split split;
  private @Nullable Statement statement;
  private @Nullable ResultSet rows;
  private long rowsRead;
  private volatile boolean cancelled;

  SqlReader(
      SqlQuery query, SqlSession session, ReadContext context, int capacity, long bytesPerRow) {
    this.query = query;
    this.session = session;
    this.context = context;
    this.capacity = capacity;
    schema = query.schema();
    List<Getter> all = query.getters();
    getters = all.toArray(Getter[]::new);
    pool = new ColumnsPool(schema, capacity);
    fetchRows = Math.clamp(BATCH_BYTES / Math.max(1, bytesPerRow), 1, FETCH_ROWS_MAX);
  }

  @Override
  public void start(Split split) {
    endSplit();
    this.split = split;
    rowsRead = 0;
    context.clock().enter(Stage.SERVER_WAIT);
    String sql = query.sql(new RowRange(split.from(), split.to()));
    rows =
        session.run(connection -> {
          Statement made = connection.createStatement();
          statement = made;
          made.setFetchSize(fetchRows);
          if (query.limit() <= Integer.MAX_VALUE) {
            made.setMaxRows((int) query.limit());
          }
          return made.executeQuery(sql);
        });
  }

  @Override
  public @Nullable Batch next() {
    ResultSet open = rows;
    Split reading = split;
    if (open == null || reading == null) {
      throw new Fault.Bug("rows before the start of a split", null);
    }
    context.clock().enter(Stage.READ);
    Columns batch = pool.take();
    int[] places = new int[capacity];
    long before = rowsRead;
    int filled = 0;
    long bytes = 0;
    try {
      session.runs(statement);
      while (filled < capacity && bytes < BATCH_BYTES && !cancelled && open.next()) {
        long size = fill(open, batch, filled);
        if (size >= 0) {
          places[filled++] = (int) (rowsRead - before);
          bytes += size;
        }
        rowsRead++;
      }
    } catch (SQLException e) {
      throw session.fault(e);
    } finally {
      session.runs(null);
    }
    if (cancelled) {
      batch.release();
      throw new Fault.Cancelled(query.label() + ": reading was stopped");
    }
    if (filled == 0) {
      batch.release();
      endSplit();
      return null;
    }
    // Ranges of keys don't tell how many rows come before them.
    long number = reading.firstRow() == 0 ? 0 : reading.firstRow() + before + places[0];
    batch.filled(filled, bytes, new Location(query.label(), reading.index(), number, 0, -1), null);
    batch.standAt(places);
    return batch;
  }

  /// Gets a row. Returns how many bytes it has, or -1 if it is bad and was set aside.
  private long fill(ResultSet row, Columns batch, int at) throws SQLException {
    long size = 0;
    for (int i = 0; i < getters.length; i++) {
      Vector vector = batch.vector(i);
      Object value = row.getObject(i + 1);
      vector.nulls[at] = value == null;
      if (value == null) {
        continue;
      }
      String wrong = getters[i].get(value, row, i + 1, vector, at);
      if (wrong != null) {
        reject(row, i, wrong);
        return -1;
      }
      size += vector instanceof BytesVector text ? text.ends[at] - text.starts[at] : VALUE_BYTES;
    }
    return Math.max(1, size);
  }

  private void reject(ResultSet row, int column, String wrong) throws SQLException {
    boolean hasKey = query.cut() != null;
    long number = hasKey ? row.getLong(getters.length + 1) : rowsRead + 1;
    String name = schema.column(column).name();
    String declared = schema.column(column).declaration();
    context
        .rejects()
        .reject(
            new Rejects.Reject(
                query.label(),
                Math.max(0, number),
                0,
                -1,
                name,
                wrong
                    + ", which is none of "
                    + declared
                    + (hasKey ? " (row with " + query.cut() + " " + number + ")." : "."),
                NO_RECORD));
  }

  private void endSplit() {
    Statement ended = statement;
    statement = null;
    rows = null;
    try {
      if (ended != null) {
        ended.close();
      }
    } catch (SQLException e) {
      throw session.fault(e);
    }
  }

  /// Another reader may go on with the connection.
  @Override
  public void cancel() {
    cancelled = true;
    session.interrupt();
  }

  @Override
  public void close() {
    endSplit();
  }
}
