package millrace.connectors.kudu.read;

import java.util.List;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.data.Batch;
import millrace.data.BatchFill;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.data.Vector;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.read.Position;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.text.Amount;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.AsyncKuduScanner.RowDataFormat;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.RowResultIterator;
import org.jspecify.annotations.Nullable;

/// Reads splits by one scanner each. The servers give columns; they are taken into ours without an
/// object for each number.
final class KuduReader implements Reader {

  /// About how many bytes a batch holds, so that rows with long texts fit a small heap.
  private static final long BATCH_BYTES = 2L << 20;

  private static final int VALUE_BYTES = 8;
  private static final int KEEP_ALIVE_MILLIS = 15_000;

  private final KuduCluster cluster;
  private final KuduCalls calls;
  private final ReadContext context;
  private final CellReader[] fetches;
  private final boolean[] nullable;
  private final BatchFill batches;
  private @Nullable KuduScanner scanner;
  private RowResultIterator answer = RowResultIterator.empty();

  KuduReader(KuduCluster cluster, KuduSource.ScannedTable found, ReadContext context) {
    this.cluster = cluster;
    this.context = context;
    calls = new KuduCalls(cluster.address().label());
    List<ColumnSchema> columns =
        found.positions().stream().map(found.table().getSchema()::getColumnByIndex).toList();
    fetches = columns.stream().map(CellReader::of).toArray(CellReader[]::new);
    nullable = new boolean[fetches.length];
    for (int i = 0; i < nullable.length; i++) {
      nullable[i] = columns.get(i).isNullable();
    }
    Schema schema = found.schema();
    Amount unit = context.readUnit();
    int capacity =
        unit == null || unit.inBytes()
            ? ColumnsPool.rowsFor(schema)
            : Math.clamp(unit.number(), 1, ColumnsPool.rowsFor(schema));
    batches = new BatchFill(new ColumnsPool(schema, capacity), BATCH_BYTES);
  }

  @Override
  public void start(Split split) {
    endSplit();
    if (!(split.position() instanceof Position.Token token)) {
      throw new Fault.Bug("split " + split.index() + " is not one of a table of Kudu", null);
    }
    batches.start(cluster.address().label(), split.index(), 0);
    context.clock().enter(Stage.SERVER_WAIT);
    scanner =
        calls.get(() -> {
          KuduScanner opened = Scans.open(token.bytes(), cluster.client());
          opened.setReuseRowResult(true);
          opened.setRowDataFormat(RowDataFormat.COLUMNAR);
          // A slow target must not cost the scanner, which the server forgets after a minute.
          opened.startKeepAlivePeriodically(KEEP_ALIVE_MILLIS);
          return opened;
        });
  }

  @Override
  public @Nullable Batch next() {
    while (batches.hasRoom() && hasRow()) {
      context.clock().enter(Stage.PARSE);
      while (batches.hasRoom() && answer.hasNext()) {
        batches.add(1, take(answer.next(), batches.batch(), batches.rows()));
      }
    }
    Batch batch = batches.finish();
    if (batch == null) {
      endSplit();
    }
    return batch;
  }

  private boolean hasRow() {
    KuduScanner open = scanner;
    while (open != null && !answer.hasNext()) {
      if (!open.hasMoreRows()) {
        return false;
      }
      context.clock().enter(Stage.SERVER_WAIT);
      answer = calls.get(open::nextRows);
    }
    return open != null;
  }

  /// Returns how many bytes the row has.
  private long take(RowResult row, Columns batch, int at) {
    long size = 0;
    for (int i = 0; i < fetches.length; i++) {
      Vector into = batch.vector(i);
      if (nullable[i] && row.isNull(i)) {
        into.nulls[at] = true;
        continue;
      }
      fetches[i].take(row, i, into, at);
      size += into instanceof BytesVector text ? text.ends[at] - text.starts[at] : VALUE_BYTES;
    }
    return Math.max(1, size);
  }

  private void endSplit() {
    KuduScanner open = scanner;
    scanner = null;
    answer = RowResultIterator.empty();
    if (open != null) {
      open.stopKeepAlivePeriodically();
      // What was cut short the server forgets by itself.
      if (!open.isClosed() && !calls.isCancelled()) {
        calls.get(open::close);
      }
    }
  }

  @Override
  public void cancel() {
    calls.cancel();
  }

  @Override
  public void close() {
    endSplit();
  }
}
