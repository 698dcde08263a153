package millrace.connectors.duckdb.read;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.data.Batch;
import millrace.data.BatchFill;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.JsonCheck;
import millrace.fault.Fault;
import millrace.fault.Shortened;
import millrace.spi.Stage;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.write.Rejects;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDataChunkReader;
import org.duckdb.DuckDBPreparedStatement;
import org.jspecify.annotations.Nullable;

/// Reads splits by one query each, chunk by chunk, into batches of its own size.
final class DuckDbReader implements Reader {

  /// About how many bytes a batch holds, so that rows with long texts fit a small heap.
  private static final long BATCH_BYTES = 2L << 20;

  private static final int SHOWN_CHARACTERS = 60;

  /// A row of a table has no bytes of its own.
  private static final byte[] NO_RECORD = {};

  private final SelectedRows source;

  /// Null if the rows are not those of Parquet files.
  private final @Nullable PageChecks pages;

  private final DuckDBConnection connection;
  private final ReadContext context;
  private final Schema schema;
  private final List<ResultEncoding> fetches;
  private final int[] texts;
  private final BatchFill batches;

  /// The columns of documents.
  private final List<Integer> documents;

  private String resource = "";

  /// Number of the split's first row, from 1; 0 if unknown.
  private long firstRow;

  /// Held while a chunk's memory is read, because closing the connection frees it.
  private final Object memory = new Object();

  private volatile @Nullable DuckDBPreparedStatement statement;
  private @Nullable DuckDBChunkedResult result;
  private @Nullable DuckDBDataChunkReader chunk;
  private int chunkRow;
  private boolean cancelled;
  private @Nullable Split split;

  DuckDbReader(
      SelectedRows source,
      @Nullable PageChecks pages,
      DuckDBConnection connection,
      ReadContext context) {
    this.source = source;
    this.pages = pages;
    this.connection = connection;
    this.context = context;
    schema = source.schema();
    fetches = source.fetches();
    texts = ResultCopier.texts(fetches);
    documents =
        IntStream.range(0, schema.width())
            .filter(i -> schema.column(i).type() instanceof Type.Json)
            .boxed()
            .toList();
    int capacity = source.batchRows(context.readUnit());
    batches = new BatchFill(new ColumnsPool(schema, capacity), BATCH_BYTES);
  }

  @Override
  public void start(Split split) {
    this.split = split;
    batches.start(split.resource(), split.index(), split.firstRow());
    resource = split.resource();
    firstRow = split.firstRow();
    if (pages != null) {
      context.clock().enter(Stage.READ);
      pages.check(split, connection, this::isCancelled);
    }
    context.clock().enter(Stage.SERVER_WAIT);
    try {
      DuckDBPreparedStatement prepared = connection.prepare(source.sql(split));
      statement = prepared;
      result = prepared.query();
    } catch (SQLException | IllegalStateException e) {
      throw fault(e);
    }
  }

  @Override
  public @Nullable Batch next() {
    if (statement == null) {
      throw new Fault.Bug("rows before the start of a split", null);
    }
    while (batches.hasRoom()) {
      DuckDBDataChunkReader ready = chunk();
      if (ready == null) {
        break;
      }
      int count = (int) Math.min(batches.rowsLeft(), ready.rowCount() - chunkRow);
      synchronized (memory) {
        stopIfCancelled();
        int fitting = fitting(ready, count, batches.bytesLeft());
        int at = batches.rows();
        add(at, fitting, copy(ready, fitting, batches.batch(), at));
      }
    }
    Batch batch = batches.finish();
    if (batch == null) {
      endSplit();
    }
    return batch;
  }

  /// The chunk with rows yet to be read; null at the end.
  private @Nullable DuckDBDataChunkReader chunk() {
    DuckDBDataChunkReader current = chunk;
    DuckDBChunkedResult rowsLeft = result;
    while (rowsLeft != null && (current == null || chunkRow >= current.rowCount())) {
      context.clock().enter(Stage.SERVER_WAIT);
      chunkRow = 0;
      try {
        if (!rowsLeft.nextChunk()) {
          RawVectors.checkError(rowsLeft);
          chunk = null;
          return null;
        }
      } catch (SQLException | IllegalStateException e) {
        throw fault(e);
      }
      current = rowsLeft.chunk();
      chunk = current;
    }
    return rowsLeft == null ? null : current;
  }

  /// How many of the chunk's next rows a batch with room for that many bytes takes; at least one.
  private int fitting(DuckDBDataChunkReader from, int count, long room) {
    int fitting = count;
    while (fitting > 1 && textBytes(from, fitting) > room) {
      fitting /= 2;
    }
    return fitting;
  }

  private long textBytes(DuckDBDataChunkReader from, int count) {
    long bytes = 0;
    for (int column : texts) {
      bytes += RawVectors.textBytes(from.vector(column), chunkRow, count);
    }
    return bytes;
  }

  /// Returns how many bytes the rows have.
  private long copy(DuckDBDataChunkReader from, int count, Columns batch, int at) {
    context.clock().enter(Stage.PARSE);
    long bytes = 0;
    for (int i = 0; i < fetches.size(); i++) {
      bytes +=
          ResultCopier.copy(
              fetches.get(i),
              schema.column(i).name(),
              from.vector(i),
              chunkRow,
              count,
              batch.vector(i),
              at);
    }
    chunkRow += count;
    return bytes;
  }

  /// Adds the rows that were copied. DuckDB itself takes NaN and a comma too many for JSON, and
  /// nobody has looked at the documents of a Parquet file: a row with one that is none is set
  /// aside.
  private void add(int at, int count, long size) {
    if (documents.isEmpty()) {
      batches.add(count, size);
      return;
    }
    Columns batch = batches.batch();
    for (int row = at; row < at + count; row++) {
      int bad = badDocument(batch, row);
      if (bad < 0) {
        for (int i = 0; i < schema.width() && row > batches.rows(); i++) {
          batch.vector(i).move(row, batches.rows());
        }
        batches.add(1, Math.max(1, size / count));
      } else {
        reject(batch.bytes(bad).text(row), bad);
        batches.leaveOut(0);
      }
    }
  }

  /// The first column whose value in a row should be a document and is none; -1 if all are.
  private int badDocument(Columns batch, int row) {
    for (int column : documents) {
      BytesVector texts = batch.bytes(column);
      if (!texts.nulls[row]
          && !JsonCheck.isValid(texts.bytes, texts.starts[row], texts.ends[row])) {
        return column;
      }
    }
    return -1;
  }

  private void reject(String document, int column) {
    String shown = Shortened.value(document, SHOWN_CHARACTERS);
    context
        .rejects()
        .reject(
            new Rejects.Reject(
                resource,
                firstRow == 0 ? 0 : firstRow + batches.read(),
                0,
                -1,
                schema.column(column).name(),
                "holds text '" + shown + "', which is no JSON document.",
                NO_RECORD));
  }

  private boolean isCancelled() {
    synchronized (memory) {
      return cancelled;
    }
  }

  private void stopIfCancelled() {
    if (cancelled) {
      throw new Fault.Cancelled(source.label() + ": reading was stopped");
    }
  }

  private void endSplit() {
    chunk = null;
    result = null;
    DuckDBPreparedStatement ended = statement;
    statement = null;
    try {
      if (ended != null) {
        ended.close();
      }
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  private Fault fault(Exception e) {
    synchronized (memory) {
      stopIfCancelled();
    }
    Fault found = DuckDbFaults.reading(e, source.label());
    Split current = split;
    return current != null && source.relation() instanceof QuerySource.Parquet files
        ? ParquetDamage.of(found, files, current, connection)
        : found;
  }

  /// Interrupts the query by closing the connection: while a result is fetched the driver has no
  /// other way.
  @Override
  public void cancel() {
    synchronized (memory) {
      cancelled = true;
    }
    try {
      connection.close();
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, source.label());
    }
  }

  @Override
  public void close() {
    boolean closed;
    synchronized (memory) {
      closed = cancelled;
    }
    if (!closed) {
      endSplit();
    }
  }
}
