package millrace.connectors.postgres.journal;

import java.util.List;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.journal.JournalTable.Details;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.load.StagingTable;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the journal keeps of the load that is under way.
public final class JournaledLoad {

  private static final Logger LOG = LoggerFactory.getLogger(JournaledLoad.class);

  private static final int TRIES = 5;

  private final PostgresJournal journal;
  private final JournalTable table;
  private final CommittedRowsCheck rows;
  private final RunRecord run;

  /// What is written down of the run; null until it is.
  private @Nullable Details details;

  /// A load that is one transaction, of which nothing is written down before its end; null if it is
  /// none.
  private @Nullable LoadPlan whole;

  private volatile boolean forgotten;

  /// @param rows whether what receipts tell of is still there
  /// @param resumed the run that the load goes on with; null if it begins from the start
  public JournaledLoad(
      PostgresJournal journal, CommittedRowsCheck rows, RunRecord run, @Nullable Details resumed) {
    this.journal = journal;
    table = journal.table();
    this.rows = rows;
    this.run = run;
    details = resumed;
  }

  /// Makes the journal's table if it is not there.
  private void makeTable() {
    table.make(journal.session(), journal.locks());
  }

  /// Writes down that the run begins, in the transaction that makes or empties what it loads.
  ///
  /// @param before the run of the same job that it takes the place of; or null
  public void begin(LoadPlan plan, @Nullable JournaledRun before, Runnable prepare) {
    Session session = journal.session();
    for (int tries = 1; ; tries++) {
      makeTable();
      try {
        if (plan.oneTransaction()) {
          beginWhole(session, plan, before, prepare);
        } else {
          session.transaction(() -> begun(session, plan, before, prepare));
        }
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

  /// Begins the transaction of all rows. Until it is committed nobody could see what is written
  /// down, so that it is written down at its end.
  private void beginWhole(
      Session session, LoadPlan plan, @Nullable JournaledRun before, Runnable prepare) {
    try {
      session.begin("BEGIN; " + table.holding());
    } catch (Fault e) {
      session.execute("ROLLBACK");
      throw e;
    }
    whole = plan;
    if (before != null) {
      replace(session, before);
    }
    prepare.run();
    if (plan.mode() == Mode.TRUNCATE) {
      forgetOthers(session);
    }
  }

  private void begun(
      Session session, LoadPlan plan, @Nullable JournaledRun before, Runnable prepare) {
    // Nobody who ends may drop it while this run waits for the table that it empties.
    session.execute(table.holding());
    if (before != null) {
      replace(session, before);
    }
    prepare.run();
    if (!plan.staged() && plan.mode() == Mode.TRUNCATE) {
      // Behind the lock that empties the table: of two that begin at once, the later one finds the
      // earlier.
      forgetOthers(session);
    }
    Catalog catalog = new Catalog(session);
    Relation into = plan.staged() ? null : catalog.find(plan.into());
    details =
        table.begin(
            session,
            run,
            plan.mode(),
            plan.staged() ? plan.into() : null,
            into == null ? 0 : into.oid(),
            catalog.declarations(table.target()));
  }

  private void replace(Session session, JournaledRun before) {
    Details left = table.details(session, before.run());
    if (left != null && left.staged() && !left.complete()) {
      EarlierRunCheck.checkOwned(session, left);
      StagingTable.drop(session, left.into());
    }
    table.delete(session, before.run());
  }

  /// What other runs have put into a table that is emptied or replaced is not there any more.
  private void forgetOthers(Session session) {
    for (Details one : table.runs(session)) {
      if (!one.staged() && !one.run().id().equals(run.id())) {
        table.delete(session, one.run());
      }
    }
  }

  /// A connection joins the run: whoever takes the job up waits for its end.
  public void join(Session own) {
    journal.locks().join(own, run.job());
  }

  /// The statement that records a receipt, for the transaction of its rows. It fails if the run is
  /// not known any more, see {@link #orForgotten}: rows must not follow those that another copy has
  /// put in their place.
  public String record(Receipt receipt) {
    return table.record(run, receipt);
  }

  /// The statement that begins a transaction of a split.
  public String beginSplit(Split split) {
    return journal.locks().beginSplit(run.id(), split);
  }

  /// What of a split has been committed, once what its lost connection had sent is carried out or
  /// undone. From any thread.
  public CommitStatus statusOf(Split split) {
    try (Session own = journal.connect()) {
      journal.locks().awaitSplit(own, run.id(), split);
      Receipt found = table.receipt(own, run, split);
      return found == null ? new CommitStatus.Nothing() : new CommitStatus.Taken(found);
    }
  }

  /// Marks the run complete, in the transaction that makes its rows appear.
  ///
  /// @param committed what the lanes have been told is committed, or will be by that transaction
  public void markComplete(Committed committed) {
    LoadPlan atOnce = whole;
    if (atOnce != null) {
      completeWhole(journal.session(), atOnce, committed);
      return;
    }
    Details last = details;
    if (last == null) {
      return;
    }
    Session session = journal.session();
    Mode mode = last.begun().mode();
    if (!last.staged()) {
      rows.checkUnchanged(session, last);
    }
    try {
      if (last.staged() && mode != Mode.APPEND && mode != Mode.MERGE) {
        forgetOthers(session);
      }
      Relation there = new Catalog(session).find(table.target());
      if (!table.complete(session, run, there == null ? 0 : there.oid())) {
        throw forgotten();
      }
    } catch (Fault.User e) {
      throw orForgotten(e);
    }
  }

  private void completeWhole(Session session, LoadPlan plan, Committed committed) {
    if (plan.mode() != Mode.APPEND && plan.mode() != Mode.MERGE) {
      forgetOthers(session);
    }
    Catalog catalog = new Catalog(session);
    Relation there = catalog.find(table.target());
    table.addComplete(
        session,
        run,
        plan.mode(),
        plan.into(),
        there == null ? 0 : there.oid(),
        there == null ? List.of() : catalog.declarations(there));
    // By them it is seen whether the source has the same rows, if the copy is asked for again.
    committed.receipts().forEach(receipt -> session.execute(table.record(run, receipt)));
  }

  private Fault forgotten() {
    forgotten = true;
    return table.forgotten();
  }

  /// Rows that its receipts tell of.
  public long rowsTold() {
    return table.rows(journal.session(), run);
  }

  /// How the user knows the journal.
  public String label() {
    return table.label();
  }

  /// Whether it still says that the run has begun, so that another can go on with it.
  public boolean isKnown(Session own) {
    return table.details(own, run) != null;
  }

  /// What has gone wrong when the server refused something: that the run is not known any more, if
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
    return of != null
        && there != null
        && (of.staged() || JournalTable.id(there.oid()).equals(of.begun().tableId()));
  }

  /// Whether the run is complete, for a connection that was lost when it ended.
  public boolean isComplete() {
    try (Session own = journal.connect()) {
      return isComplete(own);
    }
  }

  /// The same, asked on a connection that takes the lost one's place.
  ///
  /// @throws Fault.User if somebody else has taken the job up meanwhile
  public boolean isComplete(Session own) {
    journal.locks().takeUp(own, run.job());
    Details known = table.details(own, run);
    return known != null && known.complete();
  }

  /// Removes what the run that has failed wrote down.
  public void abandon(Session own) {
    if (details != null || whole != null) {
      new JournalRemoval(table).forget(own, run, journal.atEnd());
    }
  }
}
