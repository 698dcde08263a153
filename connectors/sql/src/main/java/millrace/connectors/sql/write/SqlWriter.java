package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.SqlSavepoint;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements.Savepoints;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.sink.RowSink;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.WriteContext;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Writes splits. If the load commits in parts, each is one transaction unless a commit unit says
/// otherwise, and a receipt is in the transaction of its rows. If all rows are one transaction, a
/// split that fails is undone in it by a savepoint.
final class SqlWriter implements RecoverableWriter {

  private static final String SPLIT = "millrace_split";

  /// So much is committed at a time if a split is larger and nobody says otherwise.
  private static final long COMMIT_BYTES = 64L << 20;

  private final SqlLoad plan;
  private final boolean oneTransaction;
  private final SqlSession session;
  private final SqlSavepoint savepoint;
  private final RowSink sink;
  private final CommitRecorder recorder;
  private final WriteContext context;

  /// Splits that have ended and wait for the next commit.
  private final List<Finished> finished = new ArrayList<>();

  private @Nullable Split split;
  private boolean inTransaction;
  private boolean committing;
  private boolean committedMidway;
  private boolean sent;
  private long rowsRead;
  private long checksum;
  private RowSink.Took took = RowSink.Took.NOTHING;
  private RowSink.Took committed = RowSink.Took.NOTHING;

  /// A split that has ended.
  private record Finished(Receipt receipt, RowSink.Took took) {}

  /// What is told of what a writer does. Threads may share it.
  interface CommitRecorder {

    /// Whether receipts are kept.
    boolean keepsReceipts();

    /// Whether rows are undone with their transaction.
    boolean undoes();

    /// Writes a receipt in the transaction of its rows.
    void record(SqlSession by, Receipt receipt);

    /// Rows are there: all of the split up to there.
    ///
    /// @param empty how many values the database has taken for missing ones, beside those told of
    void taken(Receipt receipt, long empty);
  }

  /// @param session of the load if all rows are one transaction; else it belongs to the writer
  SqlWriter(
      SqlLoad plan,
      SqlSession session,
      RowSink sink,
      CommitRecorder recorder,
      WriteContext context) {
    this.plan = plan;
    oneTransaction = plan.landing().whole();
    this.session = session;
    Savepoints how = oneTransaction ? plan.dialect().statements().savepoints() : Savepoints.NONE;
    savepoint = new SqlSavepoint(session, how, SPLIT);
    this.sink = sink;
    this.recorder = recorder;
    this.context = context;
  }

  @Override
  public void start(Split next) {
    split = next;
    rowsRead = 0;
    checksum = 0;
    committedMidway = false;
    sent = false;
    took = RowSink.Took.NOTHING;
    committed = RowSink.Took.NOTHING;
    savepoint.set();
  }

  private Split current() {
    Split started = split;
    if (started == null) {
      throw new Fault.Bug("rows before the start of a split", null);
    }
    return started;
  }

  @Override
  public void write(Batch batch) {
    Columns columns = columns(batch);
    try {
      if (!oneTransaction) {
        begin();
      }
      sent = true;
      took = took.plus(sink.take(columns, current(), rowsRead));
      rowsRead += columns.rows();
    } finally {
      columns.release();
    }
    if (!oneTransaction && !recorder.keepsReceipts() && context.commitUnit() != null && isDue()) {
      committedMidway = true;
      commit(null);
    }
  }

  /// The batch as columns, which is all that SQL takes.
  private static Columns columns(Batch batch) {
    return switch (batch) {
      case Columns columns -> columns;
      case Frames frames -> {
        frames.release();
        throw new Fault.Bug("SQL takes columns, not " + frames.form().name(), null);
      }
    };
  }

  private void begin() {
    if (!inTransaction) {
      session.begin(plan.dialect().statements().begin());
      inTransaction = true;
    }
  }

  private boolean isDue() {
    Amount unit = context.commitUnit();
    long rows = took.rows() - committed.rows();
    long bytes = took.bytes() - committed.bytes();
    for (Finished each : finished) {
      rows += each.took.rows();
      bytes += each.took.bytes();
    }
    return unit == null ? bytes >= COMMIT_BYTES : unit.isReached(rows, bytes);
  }

  /// Rows are committed where the source can be read on from. Those of a merge go by their numbers:
  /// if the source has none, those of the rest would be too small.
  @Override
  public @Nullable Receipt checkpoint(@Nullable Split rest, long sum) {
    checksum = sum;
    boolean losesOrder = plan.mode() == Mode.MERGE && rest != null && rest.firstRow() == 0;
    return rest == null || losesOrder || !recorder.keepsReceipts() || !isDue()
        ? null
        : commit(rest);
  }

  @Override
  public Receipt finish() {
    Receipt receipt = oneTransaction ? take() : commit(null);
    split = null;
    return receipt;
  }

  /// What is committed with all other rows.
  private Receipt take() {
    savepoint.release();
    Receipt receipt = receipt(null);
    recorder.taken(receipt, took.empty());
    return receipt;
  }

  @Override
  public @Nullable Receipt finishLater() {
    if (!recorder.keepsReceipts() || !recorder.undoes() || !sink.sharesCommits() || isDue()) {
      return null;
    }
    Receipt receipt = receipt(null);
    // Rows of the split that are committed already were told of then.
    long empty = took.empty() - committed.empty();
    finished.add(
        new Finished(
            receipt,
            new RowSink.Took(
                took.rows() - committed.rows(), 0, took.bytes() - committed.bytes(), empty)));
    split = null;
    return receipt;
  }

  @Override
  public void commitFinished() {
    Finished last = finished.removeLast();
    commit(last.receipt, last.took.empty());
  }

  private Receipt receipt(@Nullable Split rest) {
    return new Receipt(
        current(),
        rest,
        took.rows(),
        took.ignored(),
        took.bytes(),
        checksum,
        !oneTransaction && !plan.landing().staged());
  }

  /// @param rest what of the split is still to come; null if nothing is, or nobody needs to know
  private Receipt commit(@Nullable Split rest) {
    Receipt receipt = receipt(rest);
    commit(receipt, took.empty() - committed.empty());
    committed = took;
    return receipt;
  }

  /// Commits the rows that a receipt tells of, and those of the splits that wait.
  private void commit(Receipt receipt, long empty) {
    context.clock().enter(Stage.COMMIT);
    committing = true;
    sink.commit(receipt, () -> endTransaction(receipt));
    committing = false;
    finished.forEach(each -> recorder.taken(each.receipt, each.took.empty()));
    finished.clear();
    recorder.taken(receipt, empty);
    context.clock().enter(Stage.ENCODE);
  }

  private void endTransaction(Receipt receipt) {
    if (recorder.keepsReceipts()) {
      begin();
      finished.forEach(each -> recorder.record(session, each.receipt));
      recorder.record(session, receipt);
    }
    if (inTransaction) {
      session.commit();
      inTransaction = false;
    }
  }

  @Override
  public void cancel() {
    session.cancel();
  }

  private boolean undoesSplit() {
    return savepoint.exists() && !session.isCancelled();
  }

  /// What is not committed is undone with the connection, or to where the split began.
  @Override
  public void close() {
    if (!oneTransaction) {
      try (session) {
        sink.close();
      }
      return;
    }
    sink.close();
    if (split != null && undoesSplit()) {
      savepoint.undo();
    }
  }

  /// Until the commit is sent, the end of the connection undoes the rows, if the engine of the
  /// table undoes any. Rows of one transaction are in it with all others, unless a savepoint is.
  @Override
  public Leftover leftover(boolean inCommit) {
    if (inCommit && committing) {
      return Leftover.UNKNOWN;
    }
    boolean undoes = oneTransaction ? undoesSplit() : recorder.undoes();
    return !committedMidway && (!sent || undoes) ? Leftover.NOTHING : Leftover.ROWS;
  }
}
