package millrace.connectors.postgres.journal;

import java.util.List;
import java.util.Locale;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.sql.write.OwnerRows;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadLedger;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the journal keeps of the load that is under way. On the target's thread, but for what lanes
/// write and ask.
public final class JournaledLoad implements LoadLedger {

  private static final Logger LOG = LoggerFactory.getLogger(JournaledLoad.class);

  private static final int TRIES = 5;

  private final PostgresJournal journal;
  private final JournalTable table;
  private final CommittedRowsCheck rows;
  private final Committed committed;
  private final @Nullable RunRecord run;
  private final @Nullable JournaledRun before;

  /// What is written down of the run, or will be at its end; null until it is known.
  private @Nullable Begun begun;

  private volatile boolean forgotten;

  /// The splits of this process, if another has begun the run.
  private @Nullable SplitOwners joined;

  /// How many rows are there of those that had been committed, if the server was set back; else -1.
  private long left = -1;

  /// @param rows whether what receipts tell of is still there
  /// @param committed what lanes have been told is committed, or will be with the end
  /// @param columns the target's, if the load resumes another
  public JournaledLoad(
      PostgresJournal journal,
      CommittedRowsCheck rows,
      Committed committed,
      WriteStart start,
      List<String> columns) {
    this.journal = journal;
    table = journal.table();
    this.rows = rows;
    this.committed = committed;
    run = start.run();
    before = start.before();
    JournaledRun from = start.resumed();
    begun = from == null ? null : laidOutBy(from.begun(), columns);
  }

  private static Begun laidOutBy(Begun begun, List<String> columns) {
    return new Begun(
        begun.run(),
        begun.mode(),
        begun.staging(),
        begun.tableId(),
        columns,
        begun.details(),
        begun.landing());
  }

  @Override
  public String name() {
    return journal.name();
  }

  @Override
  public @Nullable String tableId(String staging) {
    return journal.tableId(staging);
  }

  @Override
  public boolean isEmptied(String staging) {
    return journal.isEmptied(staging);
  }

  /// Begins the transaction that begins a load, and keeps others from dropping the journal until it
  /// ends. The journal is made if it is not there, by a transaction of its own.
  public void beginHolding() {
    Session session = journal.session();
    for (int tries = 1; ; tries++) {
      table.make(session, journal.locks());
      try {
        session.begin("BEGIN; " + table.holding());
        return;
      } catch (Fault e) {
        session.execute("ROLLBACK");
        // Another run has ended in between and dropped the table when it was empty.
        if (!(e instanceof Fault.User) || tries == TRIES || table.isThere(session)) {
          throw e;
        }
        LOG.debug("the journal was dropped meanwhile", e);
      }
    }
  }

  /// Nobody could see what is written down of a load that is one transaction before its end.
  @Override
  public void begin(Begun known) {
    if (isWhole(known)) {
      begun = known;
      return;
    }
    Session session = journal.session();
    Begun of = laidOutBy(known, new PostgresCatalog(session).declarations(table.target()));
    table.begin(session, of);
    begun = of;
  }

  private static boolean isWhole(Begun begun) {
    return begun.landing() != null && begun.landing().whole();
  }

  @Override
  public void append(RunRecord ended, Entry entry) {
    Begun of = begun;
    if (of == null) {
      throw new Fault.Bug("a run that was not begun ends", null);
    }
    Session session = journal.session();
    if (isWhole(of)) {
      if (before != null) {
        table.delete(session, before.run());
      }
      table.begin(session, of, entry);
      // By them it is seen whether the source has the same rows, if the copy is asked for again.
      committed.receipts().forEach(receipt -> session.execute(record(receipt)));
      return;
    }
    if (!of.isStaged()) {
      rows.checkUnchanged(session, of);
    }
    try {
      if (!table.append(session, ended, entry)) {
        throw forgotten();
      }
    } catch (Fault.User e) {
      throw orForgotten(e);
    }
    checkNothingLost(table.rows(session, ended));
  }

  /// A standby server that takes over has neither the rows nor the receipts of commits that had not
  /// reached it. What it has can be resumed.
  private void checkNothingLost(long there) {
    long sent = committed.rows();
    if (there >= sent) {
      return;
    }
    left = there;
    throw Fault.Transient.endingRun(
        String.format(
            Locale.ROOT,
            "%,d of %,d rows that the server had committed are gone, as %s tells: another server"
                + " has taken over that did not have them yet, or this one was set back.",
            sent - there,
            sent,
            table.label()),
        "A standby server lacks none where commits wait for it (synchronous_standby_names).",
        null);
  }

  /// Rows that others have staged are in no table that is emptied.
  @Override
  public boolean forgetOthers(@Nullable RunRecord of) {
    if (of == null) {
      return false;
    }
    Session session = journal.session();
    try {
      List<RunRecord> others =
          table.runs(session).stream()
              .map(JournalTable::begun)
              .filter(each -> !each.isStaged() && !each.run().id().equals(of.id()))
              .map(Begun::run)
              .toList();
      others.forEach(each -> table.delete(session, each));
      return !others.isEmpty();
    } catch (Fault.User e) {
      throw orForgotten(e);
    }
  }

  @Override
  public void forget(RunRecord ended) {
    if (journal.session().isInTransaction()) {
      table.delete(journal.session(), ended);
    } else {
      remove(ended);
    }
  }

  @Override
  public void retake(RunRecord lost) {
    journal.take(lost.job());
  }

  @Override
  public Progress progress(RunRecord of) {
    return Progress.of(table.head(journal.session(), of));
  }

  /// Whether the run is complete, for a connection that was lost when it ended.
  public boolean isComplete() {
    try (Session own = journal.connect()) {
      journal.locks().takeUp(own, run().job());
      return Progress.of(table.head(own, run())) == Progress.COMPLETE;
    }
  }

  /// Or that rows are gone which it says are in the target.
  @Override
  public boolean hasForgotten() {
    boolean isStaged = begun != null && begun.isStaged();
    return forgotten || (rows.areLost() && !isStaged);
  }

  /// Whether the server does not have all rows that it had committed.
  public boolean isSetBack() {
    return left >= 0;
  }

  /// What stays of rows, as far as anybody can tell, as a sentence; empty if the journal tells.
  public String leaves() {
    if (isSetBack()) {
      return String.format(Locale.ROOT, "%,d rows that had been committed are there still.", left);
    }
    return forgotten
        ? "Whether rows that this copy had committed are there still, nobody can tell. " + gone()
        : "";
  }

  /// From any thread.
  @Override
  public CommitStatus statusOf(RunRecord of, Split split) {
    try (Session own = journal.connect()) {
      journal.locks().awaitSplit(own, of.id(), split);
      Receipt found = table.receipt(own, of, split);
      return found == null ? new CommitStatus.Nothing() : new CommitStatus.Taken(found);
    }
  }

  /// A connection joins the run: whoever takes the job up waits for its end.
  public void join(Session own) {
    journal.locks().join(own, run().job());
  }

  /// The statement that records a receipt, for the transaction of its rows. It fails if the run is
  /// not known any more, see {@link #orForgotten}: rows must not follow those that another copy has
  /// put in their place.
  public String record(Receipt receipt) {
    SplitOwners owners = joined;
    Split split = receipt.split();
    String check = owners == null ? "" : table.checkOwner(run(), split, owners.token(split)) + "; ";
    return check + table.record(run(), receipt);
  }

  /// Another process has begun the run.
  public void join(SplitOwners owners) {
    joined = owners;
  }

  @Override
  public OwnerRows owners() {
    return table.owners(journal::session);
  }

  @Override
  public long stagedRows(String staging) {
    return staging.isEmpty() ? -1 : journal.stagedRows(staging);
  }

  /// The statement that begins a transaction of a split. An attempt that another has overtaken may
  /// have one open for long.
  public String beginSplit(Split split) {
    return joined != null ? "BEGIN" : journal.locks().beginSplit(run().id(), split);
  }

  private RunRecord run() {
    if (run == null) {
      throw new Fault.Bug("a run of which nothing is written down", null);
    }
    return run;
  }

  private Fault forgotten() {
    forgotten = true;
    return table.forgotten();
  }

  /// What has gone wrong when the server refused something: that the run is not known any more, if
  /// it is the journal of which the server speaks, or that another attempt owns a split. From any
  /// thread.
  public Fault orForgotten(Fault why) {
    String message = String.valueOf(why.getMessage());
    if (message.startsWith(SplitOwners.OVERTAKEN)) {
      return SplitOwners.overtaken(message);
    }
    return message.contains(table.table().name()) ? forgotten() : why;
  }

  /// Removes what is written down of the run, and the journal if it says nothing else.
  public void removeIfUnused() {
    remove(run());
  }

  /// Whoever undoes a load asks a server that is away once.
  private void remove(RunRecord ended) {
    new JournalRemoval(table).forget(journal.session(), ended, journal.atEnd());
  }

  /// What it means that nothing is written down of the run, as a sentence.
  public String gone() {
    return "What "
        + table.label()
        + " had to say of this copy is gone: --resume would begin from the start.";
  }

  /// Whether the run is still written down, so that another can resume it.
  public boolean isKnown() {
    return !table.head(journal.session(), run()).isEmpty();
  }

  /// Whether the table that rows went into is there still, and no other has its name.
  public boolean isTableThere() {
    Begun of = begun;
    String now = of == null ? null : tableId(of.staging());
    return of != null && now != null && (of.isStaged() || now.equals(of.tableId()));
  }
}
