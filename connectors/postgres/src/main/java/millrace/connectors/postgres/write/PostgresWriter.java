package millrace.connectors.postgres.write;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.postgres.journal.Committed;
import millrace.connectors.postgres.journal.JournaledLoad;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.LoadFaults;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.net.Session;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.WriteContext;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Writes splits by COPY FROM STDIN, or by INSERT if the user wants that; one transaction each
/// unless a commit unit says otherwise.
///
/// If the plan is one transaction, the connection is the target's, which ends it.
public final class PostgresWriter implements RecoverableWriter {

  private static final String COMMIT_ADVICE =
      "It was found when the transaction ended, where rows can't be told apart any more: make the"
          + " constraint immediate, or mend the row in the source.";

  /// So much is committed at a time if a split is larger and nobody says otherwise.
  private static final long COMMIT_BYTES = 64L << 20;

  private final Session session;
  private final LoadPlan plan;
  private final @Nullable JournaledLoad journal;
  private final Committed committed;
  private final WriteContext context;
  private final SplitCounts counts = new SplitCounts();
  private final CopySender copies;

  /// What sends rows if they do not go by COPY, else null.
  private final @Nullable Inserts inserts;

  /// Of splits that have ended and wait for the next commit.
  private final List<Receipt> finished = new ArrayList<>();

  private @Nullable Split split;
  private boolean committedMidway;
  private boolean committing;
  private long rowsInserted;
  private long checksum;

  /// @param journal where receipts go, or null if there is none
  /// @param committed is told what has been committed
  /// @param pacer is told of all bytes that go by COPY
  public PostgresWriter(
      Session session,
      LoadPlan plan,
      InsertMethod method,
      @Nullable JournaledLoad journal,
      Committed committed,
      WalPacer pacer,
      WriteContext context) {
    this.session = session;
    this.plan = plan;
    this.journal = journal;
    this.committed = committed;
    this.context = context;
    inserts =
        method == InsertMethod.NATIVE
            ? null
            : new Inserts(session, plan, plan.sentColumns(), method, context);
    copies = new CopySender(session, plan, pacer, context, counts);
  }

  @Override
  public void start(Split next) {
    session.checkCancelled();
    split = next;
    counts.begin();
    rowsInserted = 0;
    committedMidway = false;
    checksum = 0;
  }

  @Override
  public void write(Batch batch) {
    try {
      switch (batch) {
        case Columns _ -> throw new Fault.Bug("columns that were not encoded", null);
        case Frames frames -> frames(frames);
      }
    } catch (SQLException e) {
      throw fault(e);
    } finally {
      if (inserts != null || !copies.keepsBatches()) {
        batch.release();
      }
    }
  }

  private boolean isCommitDue() {
    Amount unit = context.commitUnit();
    if (plan.oneTransaction() || (unit == null && journal == null)) {
      return false;
    }
    if (unit == null) {
      return counts.bytesSinceCommit() >= COMMIT_BYTES;
    }
    return unit.isReached(counts.rowsSinceCommit(), counts.bytesSinceCommit());
  }

  /// With a journal, rows are committed where the source can be read on from.
  @Override
  public @Nullable Receipt checkpoint(@Nullable Split rest, long sum) {
    checksum = sum;
    if (rest == null || journal == null || !isCommitDue() || losesOrder(rest)) {
      return null;
    }
    try {
      return commit(rest);
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  /// Rows of a merge go by their numbers, of which the later wins: if the source has none, those of
  /// the rest would be too small.
  private boolean losesOrder(Split rest) {
    return !plan.placeColumns().isEmpty() && rest.firstRow() == 0;
  }

  private void frames(Frames frames) throws SQLException {
    if (inserts != null) {
      insert(inserts, frames);
      return;
    }
    copies.send(frames, this::beginTransaction);
    commitIfDue();
    copies.endIfLong();
  }

  private void commitIfDue() throws SQLException {
    if (journal == null && isCommitDue()) {
      committedMidway = true;
      commit(null);
    }
  }

  private void insert(Inserts by, Frames frames) throws SQLException {
    beginTransaction();
    counts.sentRows(frames.rows());
    counts.sentBytes(frames.length());
    rowsInserted += frames.rows();
    counts.taken(by.add(frames));
    commitIfDue();
  }

  /// Sends the rows that wait for their statement to fill, so that the server says whether it took
  /// every row.
  private void endInserts(Inserts by) throws SQLException {
    counts.taken(by.send());
    by.close();
    LoadFaults.checkTaken(counts.takenSinceCommit(), rowsInserted, plan);
    rowsInserted = 0;
  }

  private void beginTransaction() {
    if (!session.isInTransaction()) {
      context.clock().enter(Stage.SERVER_WAIT);
      session.begin(journal == null ? "BEGIN" : journal.beginSplit(current()));
    }
  }

  /// Commits the rows since the last commit.
  ///
  /// @param rest what of the split is still to come; null if nothing is, or nobody needs to know
  private Receipt commit(@Nullable Split rest) throws SQLException {
    Receipt receipt = endRows(rest);
    commitAll(Stream.concat(finished.stream(), Stream.of(receipt)).toList());
    return receipt;
  }

  /// Has the server say whether it took all rows that were sent.
  private Receipt endRows(@Nullable Split rest) throws SQLException {
    copies.end();
    if (inserts != null) {
      endInserts(inserts);
    }
    return new Receipt(current(), rest, counts.rows(), counts.bytes(), checksum, !plan.staged());
  }

  private void commitAll(List<Receipt> receipts) {
    String records =
        journal == null
            ? ""
            : receipts.stream().map(journal::record).collect(Collectors.joining("; "));
    committing = true;
    if (!plan.oneTransaction()) {
      context.clock().enter(Stage.COMMIT);
      commitSession(records);
    }
    committing = false;
    receipts.forEach(committed::add);
    finished.clear();
    if (plan.mayDropRows()) {
      committed.leaveOutByLane(counts.leftOutSinceCommit());
      context.clock().refused(counts.leftOutSinceCommit());
    }
    counts.committed();
  }

  private void commitSession(String record) {
    try {
      if (session.isInTransaction()) {
        session.commit(record);
      } else if (!record.isEmpty()) {
        session.execute(record);
      }
    } catch (Fault.Data | Fault.User e) {
      Fault why = journal == null ? e : journal.orForgotten(e);
      throw why instanceof Fault.Data
          ? new Fault.Data(
              plan.target().label()
                  + ": "
                  + LoadFaults.unstaged(plan, String.valueOf(e.getMessage())),
              COMMIT_ADVICE,
              null)
          : why;
    }
  }

  @Override
  public Receipt finish() {
    try {
      Receipt receipt = commit(null);
      split = null;
      return receipt;
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  /// The transaction has the lock of its first split, be that without rows: whoever asks for that
  /// one waits for the others, too.
  @Override
  public @Nullable Receipt finishLater() {
    if (journal == null || plan.oneTransaction() || inserts != null || isCommitDue()) {
      return null;
    }
    try {
      beginTransaction();
      Receipt receipt = endRows(null);
      finished.add(receipt);
      split = null;
      return receipt;
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  @Override
  public void commitFinished() {
    commitAll(List.copyOf(finished));
  }

  private Split current() {
    if (split == null) {
      throw new Fault.Bug("no split has been started", null);
    }
    return split;
  }

  /// What the server refused, with the row and the column if it says so.
  private Fault fault(SQLException e) {
    Fault fault = copies.fault(e);
    return fault instanceof Fault.Transient && plan.oneTransaction()
        ? Fault.Transient.endingRun(String.valueOf(fault.getMessage()), fault.advice(), e)
        : fault;
  }

  @Override
  public void cancel() {
    session.cancel();
  }

  @Override
  public void close() {
    copies.close();
    if (!plan.oneTransaction()) {
      session.close();
    }
  }

  /// Until the COMMIT is sent, the end of the connection undoes the rows. A transaction of all
  /// lanes can't lose the rows of one, nor what was committed go away.
  @Override
  public Leftover leftover(boolean inCommit) {
    if (inCommit && committing) {
      return Leftover.UNKNOWN;
    }
    boolean undone = !committedMidway && (!plan.oneTransaction() || counts.rows() == 0);
    return undone ? Leftover.NOTHING : Leftover.ROWS;
  }
}
