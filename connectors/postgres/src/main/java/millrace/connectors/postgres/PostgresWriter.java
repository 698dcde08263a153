package millrace.connectors.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.codec.BinaryEncoder;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.connectors.postgres.journal.Committed;
import millrace.connectors.postgres.journal.PostgresJournal;
import millrace.connectors.postgres.load.CopyReplayBuffer;
import millrace.connectors.postgres.load.CopyRows;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.Inserts;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.load.RejectBisector;
import millrace.connectors.postgres.load.StagingTable;
import millrace.connectors.postgres.load.WalPacer;
import millrace.connectors.postgres.net.Session;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes splits by COPY FROM STDIN, or by INSERT where the user wants that; one transaction each
/// unless a commit unit says otherwise.
///
/// Where the plan is one transaction, the connection is the target's, which ends it.
///
/// Batches of different forms may follow each other: one COPY ends and another begins in the same
/// transaction.
final class PostgresWriter implements Writer {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresWriter.class);

  private static final String BINARY = "FORMAT binary";
  private static final String TEXT = "FORMAT text";

  /// The driver learns what the server refused when a COPY ends: it ends at least that often.
  private static final long COPY_BYTES_MAX = 64L << 20;

  /// Where bad records may be set aside, the rows of a COPY are held until it ends, and sent again
  /// without those that the server refuses. It ends when they take so much memory, which is after
  /// about 5 MB.
  private static final long HELD_BYTES_MAX = 24L << 20;

  private static final String COMMIT_ADVICE =
      "It was found when the transaction ended, where rows can't be told apart any more: make the"
          + " constraint immediate, or mend the row in the source.";

  /// So much is committed at a time where a split is larger and nobody says otherwise.
  private static final long COMMIT_BYTES = 64L << 20;

  private final Session session;
  private final LoadPlan plan;
  private final @Nullable PostgresJournal journal;
  private final Committed committed;
  private final WalPacer pacer;
  private final WriteContext context;
  private final CopyRows copied = new CopyRows();
  private final CopyReplayBuffer held = new CopyReplayBuffer();

  /// What sends rows again without the bad ones; null where no record may be set aside, or the
  /// server takes the rows only in one go.
  private final @Nullable RejectBisector rejectBisector;

  /// What sends rows where they do not go by COPY, else null.
  private final @Nullable Inserts inserts;

  private @Nullable Split split;
  private @Nullable CopyIn copy;
  private String copyOptions = "";
  private boolean committedMidway;
  private boolean committing;
  private long rowsInSplit;
  private long bytesInSplit;
  private long rowsSinceCommit;
  private long bytesSinceCommit;
  private long takenSinceCommit;
  private long rowsInserted;
  private long bytesInCopy;
  private long checksum;

  /// @param journal where receipts go, or null where there is none
  /// @param committed is told what has been committed
  /// @param pacer is told of all bytes that go by COPY
  PostgresWriter(
      Session session,
      LoadPlan plan,
      InsertMethod method,
      @Nullable PostgresJournal journal,
      Committed committed,
      WalPacer pacer,
      WriteContext context) {
    this.session = session;
    this.plan = plan;
    this.journal = journal;
    this.committed = committed;
    this.pacer = pacer;
    this.context = context;
    inserts =
        method == InsertMethod.NATIVE
            ? null
            : new Inserts(session, plan, columnNames(plan), method, context);
    rejectBisector =
        context.rejects().allowed() && !plan.frozen() && inserts == null
            ? new RejectBisector(session, plan, context, held)
            : null;
  }

  @Override
  public void start(Split next) {
    session.checkCancelled();
    split = next;
    rowsInSplit = 0;
    rowsInserted = 0;
    bytesInSplit = 0;
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
      if (rejectBisector == null) {
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
      return bytesSinceCommit >= COMMIT_BYTES;
    }
    return unit.inBytes() ? bytesSinceCommit >= unit.number() : rowsSinceCommit >= unit.number();
  }

  /// With a journal, rows are committed where the source can be read on from.
  @Override
  public @Nullable Receipt reached(@Nullable Split rest, long sum) {
    checksum = sum;
    if (rest == null || journal == null || !isCommitDue()) {
      return null;
    }
    try {
      return commit(rest);
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  private void frames(Frames frames) throws SQLException {
    if (inserts != null) {
      insert(inserts, frames);
      return;
    }
    switch (frames.form().name()) {
      case PostgresForms.BINARY -> open(BINARY);
      case PostgresForms.TEXT -> open(TEXT);
      default -> open(String.valueOf(PostgresForms.csvOptions(frames.form())));
    }
    copied.batch(frames.location());
    count(frames.rows());
    if (rejectBisector != null) {
      held.add(frames);
    }
    try {
      send(frames.bytes(), frames.start(), frames.length());
    } catch (SQLException e) {
      withoutBadRows(e);
    }
    commitIfDue();
    endLongCopy();
  }

  private void commitIfDue() throws SQLException {
    if (journal == null && isCommitDue()) {
      committedMidway = true;
      commit(null);
    }
  }

  private void insert(Inserts by, Frames frames) throws SQLException {
    beginTransaction();
    rowsInSplit += frames.rows();
    rowsSinceCommit += frames.rows();
    rowsInserted += frames.rows();
    bytesInSplit += frames.length();
    bytesSinceCommit += frames.length();
    takenSinceCommit += by.add(frames);
    commitIfDue();
  }

  /// Sends the rows that wait for their statement to fill, so that the server says whether it took
  /// every row.
  private void endInserts(Inserts by) throws SQLException {
    takenSinceCommit += by.send();
    by.close();
    CopyRows.checkTaken(takenSinceCommit, rowsInserted, plan);
    rowsInserted = 0;
  }

  private void beginTransaction() {
    if (!session.isInTransaction()) {
      context.clock().enter(Stage.SERVER_WAIT);
      session.begin(journal == null ? "BEGIN" : journal.beginSplit(current()));
    }
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
    beginTransaction();
    context.clock().enter(Stage.SERVER_WAIT);
    String sql =
        "COPY %s (%s) FROM STDIN (%s%s)"
            .formatted(plan.into().sql(), columnList(), options, plan.frozen() ? ", FREEZE" : "");
    if (rejectBisector != null) {
      rejectBisector.begin(sql, options.equals(BINARY));
    }
    copy = session.copyIn(sql);
    copyOptions = options;
    bytesInCopy = 0;
    copied.begin();
    if (options.equals(BINARY)) {
      byte[] header = BinaryEncoder.header();
      send(header, 0, header.length);
    }
  }

  private static List<String> columnNames(LoadPlan plan) {
    return Stream.concat(
            plan.slots().stream().filter(LoadColumn::written).map(LoadColumn::name),
            plan.placeColumns().stream())
        .toList();
  }

  private String columnList() {
    return columnNames(plan).stream().map(PostgresSql::name).collect(Collectors.joining(", "));
  }

  private void send(byte[] bytes, int start, int length) throws SQLException {
    if (copy == null) {
      throw new Fault.Bug("bytes without a COPY", null);
    }
    context.clock().enter(Stage.SEND);
    session.called();
    copy.writeToCopy(bytes, start, length);
    context.clock().sent(length);
    pacer.sent(length);
    bytesInSplit += length;
    bytesSinceCommit += length;
    bytesInCopy += length;
  }

  private void endLongCopy() throws SQLException {
    if (bytesInCopy >= COPY_BYTES_MAX || held.bytes() >= HELD_BYTES_MAX) {
      endCopy();
    }
  }

  /// Ends the COPY, so that the server says whether it took every row.
  private void endCopy() throws SQLException {
    if (copy == null) {
      return;
    }
    try {
      if (copyOptions.equals(BINARY)) {
        byte[] trailer = BinaryEncoder.trailer();
        send(trailer, 0, trailer.length);
      }
      context.clock().enter(Stage.SERVER_WAIT);
      long taken = copy.endCopy();
      copy = null;
      takenSinceCommit += taken;
      CopyRows.checkTaken(taken, copied.rows(), plan);
    } catch (SQLException e) {
      withoutBadRows(e);
      return;
    }
    if (rejectBisector != null) {
      rejectBisector.end();
    }
  }

  /// The COPY has failed: where it was for some of its rows, they are set aside and the others sent
  /// again.
  private void withoutBadRows(SQLException failure) throws SQLException {
    copy = null;
    if (rejectBisector == null || session.isCancelled() || !RejectBisector.isAboutRows(failure)) {
      throw failure;
    }
    rejectBisector.run(failure);
    takenSinceCommit += rejectBisector.taken();
    rowsInSplit -= rejectBisector.refused();
  }

  /// Commits the rows since the last commit.
  ///
  /// @param rest what of the split is still to come; null where nothing is, or nobody needs to know
  private Receipt commit(@Nullable Split rest) throws SQLException {
    endCopy();
    if (inserts != null) {
      endInserts(inserts);
    }
    Receipt receipt =
        new Receipt(current(), rest, rowsInSplit, bytesInSplit, checksum, !plan.staged());
    String record = journal == null ? "" : journal.record(receipt);
    committing = true;
    if (!plan.oneTransaction()) {
      context.clock().enter(Stage.COMMIT);
      commitSession(record);
    }
    committing = false;
    committed.add(receipt);
    takenSinceCommit = 0;
    rowsSinceCommit = 0;
    bytesSinceCommit = 0;
    return receipt;
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
                  + StagingTable.unstaged(plan, String.valueOf(e.getMessage())),
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

  private Split current() {
    if (split == null) {
      throw new Fault.Bug("no split has been started", null);
    }
    return split;
  }

  /// What the server refused, with the row and the column where it says so.
  private Fault fault(SQLException e) {
    copy = null;
    if (session.isCancelled()) {
      return session.fault(e);
    }
    Fault fault = copied.fault(e, plan, context.rejects().allowed());
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
    held.clear();
    if (copy != null && copy.isActive()) {
      try {
        copy.cancelCopy();
      } catch (SQLException e) {
        LOG.debug("the COPY ended by itself", e);
      }
    }
    if (!plan.oneTransaction()) {
      session.close();
    }
  }

  /// Until the COMMIT is sent, the end of the connection undoes the rows.
  @Override
  public boolean mayBeDurable() {
    return committing;
  }

  /// A transaction of all lanes can't lose the rows of one, nor what was committed go away.
  @Override
  public boolean undone() {
    return !committedMidway && (!plan.oneTransaction() || rowsInSplit == 0);
  }
}
