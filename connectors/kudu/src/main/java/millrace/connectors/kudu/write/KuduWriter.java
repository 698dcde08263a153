package millrace.connectors.kudu.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.KuduFaults;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.Rejects.Reject;
import millrace.spi.write.WriteContext;
import millrace.text.Amount;
import millrace.tuning.UnitTuner;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.KuduTransaction;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.RowError;
import org.apache.kudu.client.SessionConfiguration.FlushMode;
import org.apache.kudu.client.Status;
import org.jspecify.annotations.Nullable;

/// Writes rows by a session of its own, which is flushed by hand; what the server says of each row
/// is looked at.
final class KuduWriter implements RecoverableWriter {

  /// Rows of the first flush, if nobody says otherwise.
  private static final Amount FLUSH_ROWS = new Amount(10_000, false);

  private static final int FLUSH_ROWS_MIN = 500;
  private static final int FLUSH_ROWS_MAX = 50_000;

  private static final int BUFFER_BYTES = 256 << 20;

  /// Between two receipts of one split, if nobody says otherwise.
  private static final Amount RECEIPT_UNIT = new Amount(1_000_000, false);

  /// What the writers of a run share.
  interface Shared {

    /// Asked once for each split that is begun: whether its rows may be there already.
    boolean beginsAgain(Split split);

    /// Whether receipts are to be recorded.
    boolean keepsReceipts();

    /// Keeps a receipt.
    void record(Receipt receipt, KuduCalls by);

    /// The table has left so many rows as they were, since their key was there.
    void ignored(long rows);

    /// The transaction that all lanes write in; null if there is none.
    @Nullable KuduTransaction transaction();

    /// Makes ranges as rows need them; null if nobody wants that.
    @Nullable Ranges ranges();
  }

  private final String label;
  private final KuduCalls calls;
  private final KuduClient client;
  private final Shared shared;
  private final Amount receiptUnit;
  private RowCompare compare;
  private KuduTable table;
  private final @Nullable Ranges ranges;
  private final KuduSession session;
  private OperationBuilder maker;
  private final KuduLoad plan;
  private final WriteContext context;
  private final @Nullable UnitTuner tuner;
  private final int flushRows;
  private final List<Operation> pending = new ArrayList<>();
  private final List<Integer> places = new ArrayList<>();
  private @Nullable Split split;
  private long rows;
  private long refused;
  private long ignored;
  private long ignoredOfReceipt;
  private long bytes;
  private long rowsOfReceipt;
  private long bytesOfReceipt;
  private long pendingBytes;
  private long checksum;
  private boolean again;

  KuduWriter(
      KuduCluster cluster, KuduTable table, KuduLoad plan, Shared shared, WriteContext context) {
    this.plan = plan;
    this.shared = shared;
    this.table = table;
    ranges = shared.ranges();
    receiptUnit = Objects.requireNonNullElse(context.commitUnit(), RECEIPT_UNIT);
    this.context = context;
    label = cluster.address().label();
    calls = new KuduCalls(label);
    maker = maker();
    client = cluster.client();
    compare = new RowCompare(client, table);
    Amount unit = context.writeUnit();
    tuner =
        unit == null || unit.inBytes()
            ? new UnitTuner(context.bestUnit(), FLUSH_ROWS, FLUSH_ROWS_MIN, FLUSH_ROWS_MAX)
            : null;
    flushRows = unit == null ? 0 : Math.clamp(unit.number(), 1, FLUSH_ROWS_MAX);
    KuduTransaction transaction = shared.transaction();
    session = transaction == null ? client.newSession() : transaction.newKuduSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    // Above what is flushed: a full buffer would refuse rows.
    session.setMutationBufferSpace(FLUSH_ROWS_MAX + 1, BUFFER_BYTES);
  }

  @Override
  public void start(Split split) {
    this.split = split;
    rows = 0;
    refused = 0;
    ignored = 0;
    ignoredOfReceipt = 0;
    bytes = 0;
    rowsOfReceipt = 0;
    bytesOfReceipt = 0;
    checksum = 0;
    again = shared.beginsAgain(split);
    maker = maker();
  }

  /// If rows may be there because of an earlier try, the server has to say of each whether it is
  /// there: else they would count as ignored.
  private OperationBuilder maker() {
    boolean reportsEach = again && plan.write() == TableOptions.Operation.INSERT_IGNORE;
    return new OperationBuilder(
        table, plan.schema(), reportsEach ? TableOptions.Operation.INSERT : plan.write());
  }

  @Override
  public void write(Batch batch) {
    try {
      Columns columns = (Columns) batch;
      cover(columns);
      context.clock().enter(Stage.ENCODE);
      for (int row = 0; row < columns.rows(); row++) {
        add(columns, row);
        if (pending.size() >= (tuner == null ? flushRows : tuner.unit())) {
          flush(columns);
        }
      }
      // Rejects need the records that the batch holds.
      flush(columns);
    } finally {
      batch.release();
    }
  }

  private void cover(Columns batch) {
    Ranges made = ranges;
    int column = made == null ? -1 : made.position(plan.schema());
    if (made != null && column >= 0) {
      context.clock().enter(Stage.SERVER_WAIT);
      KuduTable now = made.cover(batch.longs(column), batch.rows(), calls);
      if (!now.equals(table)) {
        table = now;
        maker = maker();
        compare = new RowCompare(client, table);
      }
    }
  }

  private void add(Columns batch, int row) {
    Operation operation = maker.make(batch, row);
    if (operation == null) {
      refuse(batch, row, maker.badColumn(), maker.wrong() + ".");
      return;
    }
    pending.add(operation);
    places.add(row);
    rows++;
    bytes += maker.bytes();
    pendingBytes += maker.bytes();
  }

  private void refuse(Columns batch, int row, String column, String why) {
    context.rejects().reject(Reject.of(batch, row, column, why));
    context.clock().refused(1);
    refused++;
  }

  private void flush(Columns batch) {
    if (pending.isEmpty()) {
      return;
    }
    calls.get(() -> {
      for (Operation operation : pending) {
        session.apply(operation);
      }
      return true;
    });
    context.clock().enter(Stage.SERVER_WAIT);
    long begun = System.nanoTime();
    long ignoredBefore = ignoredBySession();
    List<OperationResponse> responses = calls.get(session::flush);
    long nanos = System.nanoTime() - begun;
    reportUnit(batch, nanos);
    ignore(ignoredBySession() - ignoredBefore);
    context.clock().sent(pendingBytes);
    pendingBytes = 0;
    context.clock().enter(Stage.ENCODE);
    if (responses.size() != pending.size()) {
      throw new Fault.Bug(
          responses.size() + " answers for " + pending.size() + " rows of " + label, null);
    }
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        refused(batch, response.getRowError(), nanos);
      }
    }
    pending.clear();
    places.clear();
  }

  /// A batch that holds fewer rows than a flush might have can't be flushed with another: rejects
  /// need its records.
  private void reportUnit(Columns batch, long nanos) {
    if (tuner != null && batch.rows() < tuner.unit()) {
      tuner.cut(pending.size(), nanos);
    } else if (tuner != null) {
      tuner.moved(pending.size(), nanos);
    }
  }

  /// Rows that the server has ignored since the session began; it does not say which.
  private long ignoredBySession() {
    return session.getWriteOpMetrics().getMetric("insert_ignore_errors");
  }

  private void ignore(long count) {
    ignored += count;
    rows -= count;
    context.clock().refused(count);
  }

  private void refused(Columns batch, RowError error, long nanos) {
    Status status = error.getErrorStatus();
    Operation operation = error.getOperation();
    if (again && status.isAlreadyPresent() && calls.get(() -> compare.isThere(operation))) {
      // It was written before, when the split was begun for the first time.
      return;
    }
    if (status.isAlreadyPresent() && plan.write() == TableOptions.Operation.INSERT_IGNORE) {
      ignore(1);
      return;
    }
    String why = reason(status, operation);
    if (why.isEmpty()) {
      throw KuduFaults.tried(KuduFaults.of(status, label, null), nanos);
    }
    int place = places.get(indexOf(operation));
    refuse(batch, place, "", why);
    rows--;
  }

  // An operation is equal to itself alone.
  private int indexOf(Operation operation) {
    int index = pending.indexOf(operation);
    if (index < 0) {
      throw new Fault.Bug("an answer for a row that was not sent", null);
    }
    return index;
  }

  /// Why a row is bad; empty if it is not the row's fault.
  private String reason(Status status, Operation operation) {
    if (status.isAlreadyPresent()) {
      return "The key is there already: " + Keys.key(operation) + ".";
    }
    if (status.isNotFound()) {
      return "No range partition covers " + Keys.range(table, operation) + ".";
    }
    return status.isInvalidArgument() || status.isNotSupported() ? sentence(status) : "";
  }

  private static String sentence(Status status) {
    String text = status.toString();
    return text.endsWith(".") ? text : text + ".";
  }

  /// Receipts are written now and then, so that a run that goes on has not all to do again.
  @Override
  public @Nullable Receipt checkpoint(@Nullable Split rest, long sum) {
    checksum = sum;
    boolean due = receiptUnit.isReached(rows - rowsOfReceipt, bytes - bytesOfReceipt);
    return rest != null && due && shared.keepsReceipts() ? receipt(rest) : null;
  }

  @Override
  public Receipt finish() {
    return receipt(null);
  }

  private Receipt receipt(@Nullable Split rest) {
    Split of = split;
    if (of == null) {
      throw new Fault.Bug("a receipt is wanted before a split has begun", null);
    }
    rowsOfReceipt = rows;
    bytesOfReceipt = bytes;
    shared.ignored(ignored - ignoredOfReceipt);
    ignoredOfReceipt = ignored;
    Receipt receipt =
        new Receipt(
            of, rest, rows, refused + ignored, bytes, checksum, plan.landing().leavesRows());
    if (shared.keepsReceipts()) {
      context.clock().enter(Stage.COMMIT);
      shared.record(receipt, calls);
      context.clock().enter(Stage.ENCODE);
    }
    return receipt;
  }

  /// Rows may be written again if their key tells them apart.
  @Override
  public Leftover leftover(boolean committing) {
    boolean repeatable = plan.repeatable() && !plan.transactional();
    return repeatable || rows == 0 ? Leftover.NOTHING : Leftover.ROWS;
  }

  @Override
  public void cancel() {
    calls.cancel();
  }

  @Override
  public void close() {
    KuduCalls.end(session);
    pending.clear();
    places.clear();
  }
}
