package millrace.connectors.postgres.journal;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableName;
import millrace.connectors.postgres.journal.JournalTable.Details;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.load.StagingTable;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.Journal;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receipts in a table beside the target, {@link JournalTable}, each written in the transaction of
/// its split's rows.
///
/// Where the rows go straight into tables that have no write-ahead log, a crash of the server
/// empties them. Their receipts are as durable as they are: in a table of the same kind,
/// `millrace_journal_unlogged`, that the same crash empties.
///
/// {@link RunLocks} keep those who go on with a run apart from what a killed one has under way.
public final class PostgresJournal implements Journal {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresJournal.class);

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final int TRIES = 5;

  private Session session;
  private final Supplier<Session> connect;
  private final TableName target;
  private final JournalTable table;
  private final CommittedRowsCheck rows;
  private final RunLocks locks;
  private @Nullable RunRecord run;
  private @Nullable Details details;
  private @Nullable Details before;
  private @Nullable Details goesOn;
  private List<Receipt> receiptsBefore = List.of();
  private volatile boolean forgotten;

  /// @param session the target's own
  /// @param connect opens another connection
  /// @param unlogged whether a crash of the server empties what the rows go into
  public PostgresJournal(
      Session session, Supplier<Session> connect, TableName target, boolean unlogged) {
    this(session, connect, target, unlogged, WAIT);
  }

  /// @param wait how long it waits for what others have under way
  PostgresJournal(
      Session session,
      Supplier<Session> connect,
      TableName target,
      boolean unlogged,
      Duration wait) {
    this.session = session;
    this.connect = connect;
    this.target = target;
    table = JournalTable.beside(target, unlogged);
    rows = new CommittedRowsCheck(target);
    locks = new RunLocks(target, wait);
  }

  /// Where it is kept.
  public JournalTable table() {
    return table;
  }

  /// Whether what it tells of is still there.
  public CommittedRowsCheck rows() {
    return rows;
  }

  @Override
  public @Nullable JournaledRun find(String job) {
    locks.takeUp(session, job);
    if (!table.isThere(session)) {
      return null;
    }
    Details found = null;
    for (Details one : table.runs(session)) {
      if (one.run().job().equals(job)) {
        found = one;
      }
    }
    if (found == null) {
      return null;
    }
    before = found;
    return kept(found);
  }

  private JournaledRun kept(Details of) {
    boolean stays = !of.staged() && of.mode() != Mode.TRUNCATE;
    List<Receipt> receipts = table.receipts(session, of.run());
    return new JournaledRun(of.run(), completion(of, receipts), stays, receipts);
  }

  private @Nullable Completion completion(Details of, List<Receipt> receipts) {
    if (!of.complete()) {
      return null;
    }
    String at = of.completeAt() == null ? of.run().startedAt() : of.completeAt();
    long committed = receipts.stream().mapToLong(Receipt::rows).sum();
    return new Completion(at, rows.change(session, of.targetOid(), committed));
  }

  @Override
  public List<JournaledRun> list() {
    return table.isThere(session)
        ? table.runs(session).stream().map(this::kept).toList()
        : List.of();
  }

  @Override
  public @Nullable JournaledRun findOther(List<String> origins) {
    Relation there = new Catalog(session).find(target);
    if (there == null || !table.isThere(session)) {
      return null;
    }
    // What is told of them is looked at again once they have ended.
    for (Details one : unfinishedRuns(there, origins)) {
      locks.awaitFree(session, one.run().job());
    }
    return unfinishedRuns(there, origins).stream()
        .filter(one -> locks.isFree(session, one.run().job()))
        .map(this::kept)
        .filter(one -> one.rows() > 0)
        .findFirst()
        .orElse(null);
  }

  /// The runs whose rows went from one of those origins straight into that table.
  private List<Details> unfinishedRuns(Relation into, List<String> origins) {
    return table.runs(session).stream()
        .filter(one -> !one.staged() && !one.complete() && one.targetOid() == into.oid())
        .filter(one -> !Collections.disjoint(one.run().origins(), origins))
        .toList();
  }

  /// What other copies into the target, which nobody is at work at, have left staged; one sentence
  /// each.
  public List<String> leftovers() {
    Catalog catalog = new Catalog(session);
    if (!table.isThere(session)) {
      return List.of();
    }
    Details own = goesOn == null ? before : goesOn;
    return table.runs(session).stream()
        .filter(one -> one.staged() && !one.complete() && !one.equals(own))
        .filter(one -> catalog.find(one.into()) != null && locks.isFree(session, one.run().job()))
        .map(one ->
            "another copy, begun at "
                + one.run().startedAt()
                + " and cut off, has left "
                + one.into().label()
                + ": its own command goes on with it by --resume, or drop it (DROP TABLE "
                + one.into().sql()
                + ")")
        .toList();
  }

  @Override
  public @Nullable JournaledRun resume(JournaledRun journaledRun) {
    if (before != null && !journaledRun.complete()) {
      checkOwned(before);
    }
    if (before != null
        && before.staged()
        && !journaledRun.complete()
        && rows.isStagingEmptied(session, before, journaledRun)) {
      return null;
    }
    goesOn = before;
    before = null;
    run = journaledRun.run();
    details = goesOn;
    receiptsBefore = journaledRun.receipts();
    if (goesOn != null && !journaledRun.complete()) {
      List<String> columns = rows.targetColumns(session);
      rows.checkGoingOn(session, goesOn, journaledRun, columns);
      details = goesOn.laidOutBy(columns);
    }
    return journaledRun;
  }

  /// @throws Fault.External where the staging table is another user's, who alone may read and drop
  ///   it
  private void checkOwned(Details of) {
    Relation there = of.staged() ? new Catalog(session).find(of.into()) : null;
    String owner = there == null ? null : foreignOwner(there);
    if (owner != null) {
      throw new Fault.External(
          "The copy begun at "
              + of.run().startedAt()
              + " was cut off, and its staging table "
              + of.into().label()
              + " belongs to user "
              + owner
              + ".",
          "Copy as that user, with --resume to go on with it, or have it dropped: DROP TABLE "
              + of.into().sql()
              + ";",
          null);
    }
  }

  private @Nullable String foreignOwner(Relation staging) {
    return session.one(
        """
        SELECT CASE WHEN NOT pg_catalog.pg_has_role(relowner, 'USAGE')
          THEN pg_catalog.pg_get_userbyid(relowner) END
        FROM pg_catalog.pg_class WHERE oid = ?::bigint::oid
        """,
        row -> row.getString(1),
        staging.oid());
  }

  @Override
  public void open(RunRecord begun, @Nullable JournaledRun journaledRun) {
    run = begun;
    before = journaledRun == null ? null : goesOn == null ? before : goesOn;
    goesOn = null;
    receiptsBefore = List.of();
  }

  /// The run that this one goes on with; null where it begins from the start.
  @Nullable
  public Details goesOn() {
    return goesOn;
  }

  /// Whether receipts are to be kept.
  public boolean isOpen() {
    return run != null;
  }

  /// What the run had committed before it was cut.
  public List<Receipt> receiptsBefore() {
    return receiptsBefore;
  }

  /// Makes the journal's table where it is not there.
  public void makeTable() {
    table.make(session, locks);
  }

  /// Writes down that the run begins, in the transaction that makes or empties what it loads.
  public void begin(LoadPlan plan, Runnable prepare) {
    for (int tries = 1; ; tries++) {
      makeTable();
      try {
        session.transaction(() -> begun(plan, prepare));
        return;
      } catch (Fault.User e) {
        // Another run has ended in between and dropped the table when it was empty.
        if (tries == TRIES || session.isInTransaction()) {
          throw e;
        }
        LOG.debug("the journal was dropped meanwhile", e);
        if (table.isThere(session)) {
          throw e;
        }
      }
    }
  }

  private void begun(LoadPlan plan, Runnable prepare) {
    RunRecord begun = run();
    // Nobody who ends may drop it while this run waits for the table that it empties.
    table.hold(session);
    if (before != null) {
      if (before.staged() && !before.complete()) {
        checkOwned(before);
        StagingTable.drop(session, before.into());
      }
      table.delete(session, before.run());
    }
    prepare.run();
    if (!plan.staged() && plan.mode() == Mode.TRUNCATE) {
      // Behind the lock that empties the table: of two that begin at once, the later one finds the
      // earlier.
      forgetOthers();
    }
    Relation into = plan.staged() ? null : new Catalog(session).find(plan.into());
    Details first =
        new Details(
            begun,
            target.sql(),
            into == null ? 0 : into.oid(),
            plan.into(),
            plan.mode(),
            plan.staged(),
            rows.targetColumns(session),
            false,
            null);
    details = first;
    table.begin(session, first);
  }

  /// What other runs have put into a table that is emptied or replaced is not there any more.
  private void forgetOthers() {
    for (Details one : table.runs(session)) {
      if (!one.staged() && !one.run().id().equals(run().id())) {
        table.delete(session, one.run());
      }
    }
  }

  private RunRecord run() {
    if (run == null) {
      throw new Fault.Bug("the journal has not been opened", null);
    }
    return run;
  }

  /// A connection joins the run: whoever takes the job up waits for its end.
  public void join(Session own) {
    locks.join(own, run().job());
  }

  /// The target's own connection was lost, and another takes its place.
  ///
  /// @return whether the run is complete
  /// @throws Fault.User where somebody else has taken the job up meanwhile
  /// @throws Fault.External where a crash of the server may have emptied the target, and there is
  ///   no journal to tell
  public boolean rejoin(Session own) {
    session = own;
    if (run == null && table.unlogged()) {
      throw new Fault.External(
          "The connection that was open all the time was lost. If the server has crashed, "
              + target.label()
              + " lacks rows that it had taken: it has no write-ahead log, and no journal tells.",
          "Compare both ends with millrace verify, or copy again with --mode truncate.",
          null);
    }
    return run != null && isComplete(own);
  }

  /// The statement that records a receipt, for the transaction of its rows. It fails where the run
  /// is not known any more, see {@link #orForgotten}: rows must not follow those that another copy
  /// has put in their place.
  public String record(Receipt receipt) {
    return table.record(run(), receipt);
  }

  /// The statement that begins a transaction of a split.
  public String beginSplit(Split split) {
    return locks.beginSplit(run().id(), split);
  }

  /// What of a split has been committed, once what its lost connection had sent is carried out or
  /// undone. From any thread.
  public CommitStatus durable(Split split) {
    try (Session own = connect.get()) {
      locks.awaitSplit(own, run().id(), split);
      Receipt found = table.receipt(own, run(), split);
      return found == null ? new CommitStatus.Nothing() : new CommitStatus.Taken(found);
    }
  }

  /// Marks the run complete, in the transaction that makes its rows appear.
  public void markComplete() {
    Details last = details;
    if (run == null || last == null) {
      return;
    }
    if (!last.staged()) {
      rows.checkUnchanged(session, last);
    }
    try {
      if (last.staged() && last.mode() != Mode.APPEND && last.mode() != Mode.MERGE) {
        forgetOthers();
      }
      Relation there = new Catalog(session).find(target);
      if (!table.complete(session, last.completed(there == null ? 0 : there.oid()))) {
        throw forgotten();
      }
    } catch (Fault.User e) {
      throw orForgotten(e);
    }
  }

  private Fault forgotten() {
    forgotten = true;
    if (table.unlogged()) {
      return new Fault.External(
          "The server has crashed meanwhile, which empties tables that have no write-ahead log, or"
              + " another copy has emptied "
              + target.label()
              + ": it lacks rows that it had taken.",
          "Copy again with --mode truncate.",
          null);
    }
    return new Fault.External(
        "What "
            + table.label()
            + " had to say of this copy is gone: another copy has emptied the table, or somebody"
            + " has removed it or gone on with it.",
        "Compare both ends with millrace verify.",
        null);
  }

  /// Rows that its receipts tell of.
  public long rowsTold() {
    return table.rows(session, run());
  }

  /// Whether it still says that the run has begun, so that another can go on with it.
  public boolean knowsOf(Session own) {
    return table.knows(own, run());
  }

  /// What has gone wrong where the server refused something: that the run is not known any more, if
  /// it is the journal of which the server speaks. From any thread.
  public Fault orForgotten(Fault why) {
    return String.valueOf(why.getMessage()).contains(table.table().name()) ? forgotten() : why;
  }

  /// Whether rows that it knew of, or what it knew, were gone at the end, so that no other run can
  /// go on with it.
  public boolean isLost() {
    return rows.areLost() || forgotten;
  }

  /// Whether the run was not known any more, so that another copy may have removed its rows.
  public boolean isForgotten() {
    return forgotten;
  }

  /// Whether the table that rows went into is there still, and no other has its name.
  public boolean isIntoThere(Session own) {
    Details of = details;
    Relation there = of == null ? null : new Catalog(own).find(of.into());
    return of != null && there != null && (of.staged() || there.oid() == of.targetOid());
  }

  /// Whether the run is complete, for a connection that was lost when it ended.
  public boolean isComplete() {
    try (Session own = connect.get()) {
      return isComplete(own);
    }
  }

  private boolean isComplete(Session own) {
    locks.takeUp(own, run().job());
    return table.isComplete(own, run());
  }

  @Override
  public void forget(RunRecord known) {
    try {
      table.forget(session, known);
    } catch (Fault.Transient e) {
      LOG.debug("the connection was lost after the end", e);
      try (Session own = connect.get()) {
        if (table.isThere(own)) {
          table.forget(own, known);
        }
      }
    }
  }

  /// Removes what the run that has failed wrote down.
  public void abandon(Session own) {
    if (details != null) {
      table.forget(own, details.run());
    }
  }
}
