package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import millrace.connectors.postgres.catalog.Sequences;
import millrace.connectors.postgres.catalog.TableName;
import millrace.connectors.postgres.codec.PostgresEncoder;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.connectors.postgres.journal.Committed;
import millrace.connectors.postgres.journal.JournalTable;
import millrace.connectors.postgres.journal.PostgresJournal;
import millrace.connectors.postgres.load.ChangedTable;
import millrace.connectors.postgres.load.Ending;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.LoadOptions;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.load.LoadPlanner;
import millrace.connectors.postgres.load.StagingTable;
import millrace.connectors.postgres.load.WalPacer;
import millrace.connectors.postgres.net.Address;
import millrace.connectors.postgres.net.Blockers;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.Session;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Counters;
import millrace.spi.LaneLimit;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Journal;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Encoder;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A table, written by COPY on one connection per lane.
final class PostgresTarget implements Target {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresTarget.class);

  private final ConnectionFactory connectionFactory;
  private volatile Session session;
  private final LoadPlanner planner;
  private final InsertMethod method;
  private final PostgresJournal journal;
  private final String journalWhyNot;
  private final Committed committed = new Committed();
  private final List<Session> sideBySide = new CopyOnWriteArrayList<>();
  private final Blockers blockers;
  private final WalPacer pacer;
  private @Nullable LoadPlan settled;
  private int lanes;
  private boolean begun;
  private boolean broken;
  private boolean gone;
  private String leaves = "";
  private List<String> notes = List.of();
  private @Nullable MergeCounts merged;

  PostgresTarget(
      ConnectionFactory connectionFactory,
      TableName table,
      WriteOptions writeOptions,
      LoadOptions options) {
    this.connectionFactory = connectionFactory;
    blockers = new Blockers(connectionFactory);
    pacer = new WalPacer(connectionFactory::aside);
    method = options.method();
    session = connectionFactory.connect();
    try {
      checkWritable();
      planner = new LoadPlanner(session, table, writeOptions, options);
      journal =
          new PostgresJournal(
              session, connectionFactory::connect, planner.table(), planner.isEmptiedByCrash());
      journalWhyNot = journal.table().whyNot(session);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /// @throws Fault.User where nothing can be changed, so that nobody tries and cleans up in vain
  private void checkWritable() {
    record State(boolean isStandby, boolean isReadOnly) {}
    Address address = connectionFactory.address();
    State state =
        session.one(
            """
            SELECT pg_catalog.pg_is_in_recovery(),
              pg_catalog.current_setting('transaction_read_only')::bool
            """,
            row -> new State(row.getBoolean(1), row.getBoolean(2)));
    if (state.isStandby) {
      throw new Fault.User(
          address.server() + " is a standby server, which takes no changes.",
          "Name the primary server.");
    }
    if (state.isReadOnly) {
      throw new Fault.User(
          address.server()
              + " lets user "
              + address.user()
              + " change nothing in database "
              + address.database()
              + ": default_transaction_read_only is on.",
          "Connect as another user, or have the setting changed for this one.");
    }
  }

  @Override
  public TargetDescription describe() {
    Address address = connectionFactory.address();
    String label =
        "postgresql://"
            + address.server()
            + "/"
            + address.database()
            + " "
            + planner.table().label();
    String oneLaneWhy = planner.oneLaneWhy();
    return TargetDescription.of(label, planner.existing())
        .withLanes(LaneLimit.oneIf(oneLaneWhy));
  }

  @Override
  public @Nullable Journal journal() {
    return journalWhyNot.isEmpty() ? journal : null;
  }

  @Override
  public String journalWhyNot() {
    return journalWhyNot;
  }

  @Override
  public boolean journalIsClosed() {
    return !journalWhyNot.isEmpty() && journal.table().isThere(session);
  }

  @Override
  public CommitStatus durable(Split split) {
    if (!journal.isOpen() || settled().oneTransaction()) {
      return new CommitStatus.Unknown();
    }
    CommitStatus commitStatus = journal.durable(split);
    if (commitStatus instanceof CommitStatus.Taken(Receipt receipt)) {
      committed.add(receipt);
    }
    return commitStatus;
  }

  @Override
  public WritePlan fit(Schema incoming) {
    JournalTable.Details goesOn = journal.goesOn();
    if (goesOn != null) {
      planner.goOn(goesOn);
    }
    LoadPlan plan = planner.plan(incoming);
    if (goesOn != null && !goesOn.complete() && plan.oneTransaction()) {
      throw new Fault.User(
          "The copy begun at "
              + goesOn.run().startedAt()
              + " can't go on with --freeze or --defer-indexes, which load all rows in one"
              + " transaction: some are committed.",
          "Leave the option out to go on with it, or begin again with --fresh.");
    }
    connectionFactory.need(session, plan.oneTransaction() ? 1 : ConnectionFactory.CONNECTIONS_MIN);
    settled = plan;
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < incoming.width(); i++) {
      columns.add(plan.slots().get(i).column(incoming.column(i)));
    }
    List<String> notes = new ArrayList<>(plan.notes());
    if (journalWhyNot.isEmpty()) {
      notes.addAll(journal.leftovers());
    }
    List<String> details = new ArrayList<>(planner.details());
    if (method != InsertMethod.NATIVE) {
      details.add("rows are handed over by INSERT (method=" + method + "), not by COPY");
    }
    List<String> jsonb =
        columns.stream()
            .filter(column -> "jsonb".equals(column.declaredIn(PostgresConnector.NAME)))
            .map(Column::name)
            .toList();
    return new WritePlan(
        new Schema(columns, incoming.key()), plan.mode(), plan.ddl(), notes, details, jsonb);
  }

  @Override
  public String method() {
    return method.toString();
  }

  /// What waits in a table of its own takes the target's place, or goes into it, when the source
  /// has let go of it.
  @Override
  public String adviceToReadItself() {
    return !settled().into().equals(settled().target())
        ? ""
        : "Use --mode replace, or truncate with --atomic: they leave the table as it is until all"
            + " has been read.";
  }

  private LoadPlan settled() {
    if (settled == null) {
      throw new Fault.Bug("the target has not been fitted", null);
    }
    return settled;
  }

  @Override
  public double cost(Form form) {
    return PostgresForms.costOfWriting(form, settled(), method);
  }

  @Override
  public void begin(int lanesPlanned) {
    LoadPlan plan = settled();
    lanes = lanesPlanned;
    begun = true;
    journal.receiptsBefore().forEach(committed::add);
    if (journal.goesOn() == null) {
      beginFromStart(plan);
    }
    journal.rows().rememberFiles(session);
  }

  private void beginFromStart(LoadPlan plan) {
    if (journal.isOpen()) {
      journal.makeTable();
    }
    if (plan.oneTransaction()) {
      session.begin();
    }
    if (journal.isOpen()) {
      journal.begin(plan, () -> plan.begin(session));
    } else {
      plan.begin(session);
    }
    if (!plan.staged() && plan.mode() == Mode.TRUNCATE && plan.ddl().isEmpty()) {
      leaves = plan.target().label() + " was emptied first: what it held is gone.";
    }
  }

  @Override
  public Encoder encoder(WriteContext context) {
    return new PostgresEncoder(settled(), method, context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    LoadPlan plan = settled();
    if (plan.oneTransaction()) {
      session.speakAsUser();
      return new PostgresWriter(session, plan, method, null, committed, pacer, context);
    }
    Session own = connectionFactory.connect();
    try {
      if (journal.isOpen()) {
        journal.join(own);
      }
      if (plan.staged()) {
        journal.rows().checkStagingNotEmptied(own, plan.into(), committed.rows());
      }
      own.speakAsUser();
      return new PostgresWriter(
          own, plan, method, journal.isOpen() ? journal : null, committed, pacer, context);
    } catch (RuntimeException e) {
      own.close();
      throw e;
    }
  }

  @Override
  public void complete(PhaseTimer steps) {
    LoadPlan plan = settled();
    if (broken && isCompleteOnReturn()) {
      begun = false;
      return;
    }
    try {
      session.speakAsOurselves();
      if (isFilledByLanes(plan)) {
        journal.rows().checkNotEmptied(session, committed.rows());
      }
      plan.complete(
          new Ending(
              session,
              committed.rows(),
              staging -> journal.rows().checkStaged(session, staging, committed.rows()),
              steps,
              this::connect,
              () -> seal(plan, steps),
              counts -> merged = counts,
              lanes));
      if (plan.oneTransaction()) {
        session.commit();
      }
    } catch (Fault.Transient | Fault.External e) {
      if (!isCompleteAfterAll(e)) {
        broken = true;
        throw e;
      }
    } catch (Fault.User e) {
      throw ChangedTable.told(e, plan);
    } catch (Fault.Data e) {
      // All rows at once: the server names the values, and no row of the source.
      throw new Fault.Data(
          plan.target().label()
              + ": "
              + StagingTable.unstaged(plan, String.valueOf(e.getMessage())),
          e.advice().isEmpty()
              ? "Mend the source, or leave such rows out with --where."
              : e.advice(),
          null);
    }
    begun = false;
  }

  private void seal(LoadPlan plan, PhaseTimer steps) {
    notes = new Sequences(session, plan).moveOn(steps);
    journal.markComplete();
    if (journal.isOpen() && !plan.oneTransaction()) {
      checkNothingLost(journal.rowsTold(), committed.rows());
    }
  }

  /// A standby server that takes over has neither the rows nor the receipts of commits that had not
  /// reached it. What it has can be gone on with.
  private void checkNothingLost(long told, long rows) {
    if (told >= rows) {
      return;
    }
    gone = true;
    leaves = String.format(Locale.ROOT, "%,d rows that had been committed are there still.", told);
    throw Fault.Transient.endingRun(
        String.format(
            Locale.ROOT,
            "%,d of %,d rows that the server had committed are gone, as %s tells: another server"
                + " has taken over that did not have them yet, or this one was set back.",
            rows - told,
            rows,
            journal.table().label()),
        "A standby server lacks none where commits wait for it (synchronous_standby_names).",
        null);
  }

  /// Whether rows go into the target itself, and all that are sent stay there.
  private static boolean isFilledByLanes(LoadPlan plan) {
    return !plan.staged() && !plan.oneTransaction() && !plan.mayDropRows();
  }

  /// Without a journal nobody knows whether a swap or an insertion that was sent was carried out; a
  /// load into the target itself has nothing to do at its end.
  @Override
  public boolean completesAgain() {
    LoadPlan plan = settled();
    return !plan.oneTransaction() && (journal.isOpen() || !plan.staged());
  }

  /// Connects again after the end was cut off; whether it had come.
  private boolean isCompleteOnReturn() {
    session.close();
    Session fresh = connectionFactory.connect();
    session = fresh;
    boolean complete = journal.rejoin(fresh);
    broken = false;
    return complete;
  }

  /// One more connection for the end, which a cancel reaches as well.
  private Session connect() {
    Session more = connectionFactory.connect();
    sideBySide.add(more);
    session.checkCancelled();
    return more;
  }

  @Override
  public @Nullable String waitsFor() {
    return blockers.of(connectionFactory.backends());
  }

  @Override
  public void cancel() {
    session.cancel();
    sideBySide.forEach(Session::cancel);
  }

  /// The connection was lost at the end: the journal knows whether the commit went through.
  private boolean isCompleteAfterAll(Fault cause) {
    if (!journal.isOpen()) {
      return false;
    }
    session.close();
    try {
      return journal.isComplete();
    } catch (Fault e) {
      cause.addSuppressed(e);
      return false;
    }
  }

  @Override
  public boolean keep() {
    if (settled().staged() && journal.isLost()) {
      abandon();
      return false;
    }
    begun = false;
    return isKnownToServer() && !journal.isLost();
  }

  /// Rows that a run which fails has committed stay, and must not stand in the way of others.
  private void moveSequencesOn(Session own) {
    if (settled().staged()) {
      return;
    }
    try {
      own.execute("SET lock_timeout = '2s'");
      notes = new Sequences(own, settled()).moveOn((_, _, work) -> work.run());
    } catch (Fault e) {
      LOG.debug("the sequences stand where they were", e);
    }
  }

  /// Where the server can't be asked, the journal stays as it is.
  private boolean isKnownToServer() {
    try (Session own = connectionFactory.connectToUndo(session)) {
      if (journal.knowsOf(own)) {
        if (journal.isIntoThere(own)) {
          moveSequencesOn(own);
          return true;
        }
        gone = true;
        leaves =
            settled().into().label()
                + " is not there any more, or is another table by now: what this copy had put there"
                + " is not in it.";
        journal.abandon(own);
        return false;
      }
    } catch (Fault e) {
      LOG.debug("nobody can tell whether the journal is there", e);
      return true;
    }
    leaves =
        "What "
            + journal.table().label()
            + " had to say of this copy is gone: --resume would begin from the start.";
    return false;
  }

  @Override
  public @Nullable MergeCounts merged() {
    return merged;
  }

  @Override
  public List<String> notes() {
    return notes;
  }

  @Override
  public boolean isGone() {
    return gone || journal.isForgotten();
  }

  @Override
  public String leaves() {
    String committed =
        journal.isForgotten()
            ? "Whether rows that this copy had committed are there still, nobody can tell. "
            : "";
    return (committed + leaves).strip();
  }

  @Override
  public void abandon() {
    if (begun && settled().oneTransaction()) {
      // The server undoes what the connection has not committed.
      session.close();
      if (journal.isOpen()) {
        removeJournal();
      }
    } else if (begun && (settled().staged() || journal.isOpen())) {
      TableName staging = settled().into();
      try (Session own = connectionFactory.connectToUndo(session)) {
        own.execute(StagingTable.LOCK_TIMEOUT);
        if (settled().staged()) {
          StagingTable.drop(own, staging);
        }
        journal.abandon(own);
        moveSequencesOn(own);
      } catch (Fault e) {
        if (!settled().staged()) {
          throw e;
        }
        throw new Fault.External(
            "The staging table " + staging.label() + " is left behind: " + e.getMessage(),
            (journal.isOpen() ? "The same command drops it, or drop it yourself" : "Drop it")
                + ": DROP TABLE "
                + staging.sql()
                + ";",
            e);
      }
    }
    begun = false;
  }

  /// Its table was made beforehand, and may be in nobody's use.
  private void removeJournal() {
    try (Session own = connectionFactory.connectToUndo(session)) {
      journal.abandon(own);
    } catch (Fault e) {
      LOG.debug("the journal stays, without a word of this copy", e);
    }
  }

  @Override
  public Counters counters() {
    return new PostgresCounters(connectionFactory, session);
  }

  @Override
  public void close() {
    pacer.close();
    blockers.close();
    session.close();
  }
}
