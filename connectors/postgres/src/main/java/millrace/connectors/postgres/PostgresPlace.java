package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Sequences;
import millrace.connectors.postgres.codec.PostgresEncoder;
import millrace.connectors.postgres.journal.Committed;
import millrace.connectors.postgres.journal.CommittedRowsCheck;
import millrace.connectors.postgres.journal.EarlierRunCheck;
import millrace.connectors.postgres.journal.JournaledLoad;
import millrace.connectors.postgres.journal.PostgresJournal;
import millrace.connectors.postgres.load.DirectLoad;
import millrace.connectors.postgres.load.Ending;
import millrace.connectors.postgres.load.IndexCopy;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.LoadFaults;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.load.StagingTable;
import millrace.connectors.postgres.load.SwapLoad;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.postgres.net.TargetConnections;
import millrace.connectors.postgres.write.PostgresWriter;
import millrace.connectors.postgres.write.WalPacer;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.load.LoadRows;
import millrace.spi.load.LoadWalk;
import millrace.spi.load.Place;
import millrace.spi.load.SplitOwners;
import millrace.spi.write.Encoder;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A table of PostgreSQL that connections fill, each committing in parts, or the target's own in
/// one transaction. What is done to tables is undone with its transaction.
final class PostgresPlace implements Place, LoadRows, Place.Transaction {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresPlace.class);

  private final TargetConnections connections;
  private final InsertMethod method;
  private final LoadPlan plan;
  private final WriteStart start;
  private final JournaledLoad ledger;

  /// What lanes write to; null if nothing is kept of the run.
  private final @Nullable JournaledLoad journal;

  private final List<String> columns;
  private final CommittedRowsCheck rows;
  private final Committed committed = new Committed();
  private final WalPacer pacer;

  /// Whether the transaction that begins the load is over.
  private boolean begun;

  private boolean reconnected;

  /// What the end has; null until it comes.
  private @Nullable Ending ending;

  private List<IndexCopy> indexes = List.of();
  private List<String> notes = List.of();
  private String leaves = "";
  private boolean gone;

  private PostgresPlace(
      TargetConnections connections,
      InsertMethod method,
      LoadPlan plan,
      PostgresJournal store,
      WriteStart start) {
    this.connections = connections;
    this.method = method;
    this.plan = plan;
    this.start = start;
    rows = new CommittedRowsCheck(plan.target(), store.table().unlogged());
    begun = start.resumed() != null;
    columns =
        begun ? new PostgresCatalog(connections.main()).declarations(plan.target()) : List.of();
    ledger = new JournaledLoad(store, rows, committed, start, columns);
    journal = start.run() == null ? null : ledger;
    pacer = new WalPacer(connections::aside);
  }

  /// Begins a load, or resumes another.
  ///
  /// @param store where receipts go if the run keeps some
  static WriteSession open(
      TargetConnections connections,
      InsertMethod method,
      LoadPlan plan,
      PostgresJournal store,
      WriteStart start) {
    PostgresPlace place = new PostgresPlace(connections, method, plan, store, start);
    return LoadWalk.open(place, place, place.ledger, plan.landing(), start);
  }

  @Override
  public Layout layout() {
    boolean makesTarget = plan instanceof DirectLoad && !plan.ddl().isEmpty();
    String staging = plan.landing().staged() ? plan.into().sql() : "";
    return new Layout(staging, columns, null, makesTarget, Making.WITHIN, false);
  }

  @Override
  public void make(String staging) {
    plan.make(connections.main());
  }

  @Override
  public void empty() {
    Session session = connections.main();
    session.execute(new PostgresCatalog(session).truncate(plan.into()));
  }

  /// A table of an earlier run goes in the transaction that begins this one.
  @Override
  public void drop(String staging) {
    JournaledRun before = start.before();
    QualifiedName table = QualifiedName.parse(staging);
    if (before != null && !reconnected) {
      EarlierRunCheck.checkOwned(connections.main(), before);
      StagingTable.drop(connections.main(), table);
      return;
    }
    try {
      Session session = connections.main();
      session.execute(StagingTable.LOCK_TIMEOUT);
      StagingTable.drop(session, table);
    } catch (Fault e) {
      throw new Fault.External(
          "The staging table " + table.label() + " is left behind: " + e.getMessage(),
          (journal != null ? "The same command drops it, or drop it yourself" : "Drop it")
              + ": DROP TABLE "
              + table.sql()
              + ";",
          e);
    }
  }

  @Override
  public void committed(Receipt receipt) {
    committed.add(receipt);
  }

  @Override
  public void join(SplitOwners owners) {
    ledger.join(owners);
  }

  @Override
  public void ready() {
    plan.ready(connections.main());
    if (isFilledByLanes()) {
      rows.rememberFiles(connections.main());
    }
  }

  /// Whether rows go into the target itself, and all that are sent stay there.
  private boolean isFilledByLanes() {
    return !plan.staged() && !plan.mayDropRows();
  }

  @Override
  public Encoder encoder(WriteContext context) {
    return new PostgresEncoder(plan, method, context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    if (plan.oneTransaction()) {
      Session session = connections.main();
      session.useUserSettings();
      return new PostgresWriter(session, plan, method, null, committed, pacer, context);
    }
    return connections.forLane(lane -> {
      if (journal != null) {
        journal.join(lane);
      }
      if (plan.staged()) {
        rows.checkStagingNotEmptied(lane, plan.into(), committed.rows());
      }
      lane.useUserSettings();
      return new PostgresWriter(lane, plan, method, journal, committed, pacer, context);
    });
  }

  @Override
  public @Nullable MergeCounts add(PhaseTimer steps) {
    Session session = connections.main();
    session.useInternalSettings();
    if (reconnected && journal == null) {
      rows.checkNotCrashed();
    }
    if (isFilledByLanes()) {
      rows.checkNotEmptied(session, committed.rows());
    }
    Ending end =
        new Ending(
            session,
            committed,
            () -> rows.checkStaged(session, plan.into(), committed.rows()),
            steps,
            connections::sideBySide,
            start.lanes());
    ending = end;
    return worded(() -> {
      if (plan instanceof SwapLoad swap) {
        indexes = swap.makeIndexes(end);
        return null;
      }
      MergeCounts merged = plan.add(end);
      notes = new Sequences(session, plan).moveOn(steps);
      return merged;
    });
  }

  @Override
  public void swap(boolean sealed) {
    Ending end = ending;
    if (end == null || !(plan instanceof SwapLoad swap)) {
      throw new Fault.Bug("no table takes the place of another", null);
    }
    notes =
        worded(() -> {
          swap.swap(end.session(), indexes);
          return new Sequences(end.session(), plan).moveOn(end.steps());
        });
  }

  /// Work with all rows at once: the server names values, and no row of the source.
  private <T> T worded(Supplier<T> work) {
    try {
      return work.get();
    } catch (Fault.User e) {
      throw LoadFaults.explained(e, plan);
    } catch (Fault.Data e) {
      String message = LoadFaults.unstaged(plan, String.valueOf(e.getMessage()));
      throw new Fault.Data(
          plan.target().label() + ": " + message,
          e.advice().isEmpty()
              ? "Mend the source, or leave such rows out with --where."
              : e.advice(),
          null);
    }
  }

  @Override
  public Transaction transaction() {
    return this;
  }

  @Override
  public void begin() {
    if (journal == null || begun) {
      connections.main().begin();
    } else {
      journal.beginHolding();
    }
    begun = true;
  }

  /// If the connection is lost over it, the journal knows whether it went through.
  @Override
  public void commit() {
    try {
      worded(() -> {
        connections.main().commit();
        return true;
      });
    } catch (Fault.Transient | Fault.External e) {
      if (ending == null || journal == null || !isCompleteAfterAll(journal, e)) {
        throw e;
      }
    }
  }

  private boolean isCompleteAfterAll(JournaledLoad journaled, Fault cause) {
    connections.main().close();
    try {
      return journaled.isComplete();
    } catch (Fault e) {
      cause.addSuppressed(e);
      return false;
    }
  }

  /// The server undoes what a connection has not committed that is in the middle of a COPY.
  @Override
  public void rollback() {
    if (plan.oneTransaction()) {
      connections.main().close();
    } else {
      connections.main().rollback();
    }
  }

  @Override
  public void reconnect() {
    reconnected = true;
    connections.renew();
  }

  /// If the server can't be asked, the journal stays as it is.
  @Override
  public boolean keep() {
    if (rows.areLost()) {
      return false;
    }
    reconnect();
    try {
      if (!ledger.isKnown()) {
        leaves = ledger.gone();
        return false;
      }
      if (!ledger.isTableThere()) {
        gone = true;
        leaves =
            plan.into().label()
                + " is not there any more, or is another table by now: what this copy had put there"
                + " is not in it.";
        return false;
      }
      notes = moveSequencesOn();
    } catch (Fault e) {
      LOG.debug("nobody can tell whether the journal is there", e);
    }
    return true;
  }

  @Override
  public void undone() {
    if (journal == null) {
      return;
    }
    try {
      if (plan.oneTransaction()) {
        // Its table was made beforehand, and may be in nobody's use.
        journal.removeIfUnused();
      } else if (connections.isOpen()) {
        notes = moveSequencesOn();
      }
    } catch (Fault e) {
      LOG.debug("what is beside the rows stays as it is", e);
    }
  }

  /// Rows that a run which fails has committed stay, and must not stand in the way of others.
  private List<String> moveSequencesOn() {
    if (plan.staged()) {
      return List.of();
    }
    try {
      Session session = connections.main();
      session.execute("SET lock_timeout = '2s'");
      return new Sequences(session, plan).moveOn((_, _, work) -> work.run());
    } catch (Fault e) {
      LOG.debug("the sequences stand where they were", e);
      return List.of();
    }
  }

  @Override
  public Outcome outcome() {
    List<String> all = new ArrayList<>(notes);
    if (!committed.leftOut().isEmpty()) {
      all.add(committed.leftOut());
    }
    boolean isGone = gone || ledger.isSetBack();
    String remains = (ledger.leaves() + " " + leaves).strip();
    return new Outcome(all, 0, false, remains, committed.leftOutAtEnd(), isGone);
  }

  @Override
  public void close() {
    pacer.close();
  }
}
