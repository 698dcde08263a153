package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import millrace.connectors.postgres.catalog.Sequences;
import millrace.connectors.postgres.codec.PostgresEncoder;
import millrace.connectors.postgres.journal.Committed;
import millrace.connectors.postgres.journal.CommittedRowsCheck;
import millrace.connectors.postgres.journal.JournaledLoad;
import millrace.connectors.postgres.journal.PostgresJournal;
import millrace.connectors.postgres.load.Ending;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.LoadFaults;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.load.PlannedLoad;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.postgres.net.TargetConnections;
import millrace.connectors.postgres.write.PostgresWriter;
import millrace.connectors.postgres.write.WalPacer;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.Aborted;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Completed;
import millrace.spi.write.Encoder;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.Recoverable;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A load that is under way: from what makes the table ready to what makes the rows appear, or
/// undoes it. The target's own connection, which it works on, is the target's.
final class PostgresWriteSession implements WriteSession, Recoverable {

  private final TargetConnections connections;
  private final InsertMethod method;
  private final LoadPlan plan;
  private final WriteStart start;
  private final @Nullable JournaledLoad journal;
  private final CommittedRowsCheck rows;
  private final Committed committed = new Committed();
  private final WalPacer pacer;

  private final LoadEnd loadEnd = new LoadEnd();

  /// What an abort would have to tell of what stays.
  private Aborted remains = Aborted.CLEAN;

  /// @param store where receipts go if the run keeps some
  PostgresWriteSession(
      TargetConnections connections,
      InsertMethod method,
      PlannedLoad planned,
      PostgresJournal store,
      WriteStart start) {
    this.connections = connections;
    this.method = method;
    this.start = start;
    plan = planned.load();
    rows = new CommittedRowsCheck(plan.target(), store.table().unlogged());
    RunRecord run = start.run();
    journal =
        run == null
            ? null
            : new JournaledLoad(
                store, rows, run, start.resumed() == null ? null : planned.resumed());
    pacer = new WalPacer(connections::aside);
  }

  /// Makes ready what the lanes write to.
  void prepare() {
    JournaledRun from = start.resumed();
    if (from == null) {
      begin();
    } else {
      from.receipts().forEach(committed::add);
    }
    if (isFilledByLanes()) {
      rows.rememberFiles(connections.own());
    }
  }

  private void begin() {
    Session session = connections.own();
    if (plan.oneTransaction() && journal == null) {
      session.begin();
    }
    if (journal != null) {
      journal.begin(plan, start.before(), () -> plan.begin(session));
    } else {
      plan.begin(session);
    }
    if (!plan.staged() && plan.mode() == Mode.TRUNCATE && plan.ddl().isEmpty()) {
      remains =
          remains.leaving(plan.target().label() + " was emptied first: what it held is gone.");
    }
  }

  @Override
  public Encoder encoder(WriteContext context) {
    return new PostgresEncoder(plan, method, context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    if (plan.oneTransaction()) {
      Session session = connections.own();
      session.useUserSettings();
      return new PostgresWriter(session, plan, method, null, committed, pacer, context);
    }
    return connections.forLane(own -> {
      if (journal != null) {
        journal.join(own);
      }
      if (plan.staged()) {
        rows.checkStagingNotEmptied(own, plan.into(), committed.rows());
      }
      own.useUserSettings();
      return new PostgresWriter(own, plan, method, journal, committed, pacer, context);
    });
  }

  @Override
  public CommitStatus statusOf(Split split) {
    if (journal == null || plan.oneTransaction()) {
      return new CommitStatus.Unknown();
    }
    CommitStatus status = journal.statusOf(split);
    if (status instanceof CommitStatus.Taken taken) {
      committed.add(taken.receipt());
    }
    return status;
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    return loadEnd.run(new EndOnce(steps));
  }

  /// One try at the end.
  private final class EndOnce implements LoadEnd.Steps {

    private final PhaseTimer timer;
    private final List<String> notes = new ArrayList<>();
    private final AtomicReference<@Nullable MergeCounts> merged = new AtomicReference<>();

    EndOnce(PhaseTimer timer) {
      this.timer = timer;
    }

    @Override
    public void run() {
      try {
        end(timer, notes, merged);
      } catch (Fault.Transient | Fault.External e) {
        if (!isCompleteAfterAll(e)) {
          throw e;
        }
      } catch (Fault.User e) {
        throw LoadFaults.told(e, plan);
      } catch (Fault.Data e) {
        // All rows at once: the server names the values, and no row of the source.
        String said = LoadFaults.unstaged(plan, String.valueOf(e.getMessage()));
        throw new Fault.Data(
            plan.target().label() + ": " + said,
            e.advice().isEmpty()
                ? "Mend the source, or leave such rows out with --where."
                : e.advice(),
            null);
      }
    }

    @Override
    public Completed told() {
      return completed(notes, merged.get());
    }

    @Override
    public boolean hasCome() {
      Session fresh = connections.renew();
      if (journal == null) {
        rows.checkNotCrashed();
      }
      return journal != null && journal.isComplete(fresh);
    }

    /// Without a journal nobody knows whether a swap or an insertion that was sent was carried out;
    /// a load into the target itself has nothing to do at its end.
    @Override
    public boolean isRepeatable() {
      return !plan.oneTransaction() && (journal != null || !plan.staged());
    }
  }

  private Completed completed(List<String> notes, @Nullable MergeCounts merged) {
    List<String> all = new ArrayList<>(notes);
    if (!committed.leftOut().isEmpty()) {
      all.add(committed.leftOut());
    }
    return new Completed(all, merged, committed.leftOutAtEnd());
  }

  /// @param notes gets what the user should know
  /// @param merged gets what a merge made of the rows
  private void end(
      PhaseTimer steps, List<String> notes, AtomicReference<@Nullable MergeCounts> merged) {
    Session session = connections.own();
    session.useOwnSettings();
    if (isFilledByLanes()) {
      rows.checkNotEmptied(session, committed.rows());
    }
    plan.complete(
        new Ending(
            session,
            committed,
            staging -> rows.checkStaged(session, staging, committed.rows()),
            steps,
            connections::sideBySide,
            () -> notes.addAll(seal(session, steps)),
            merged::set,
            start.lanes()));
    if (plan.oneTransaction()) {
      session.commit();
    }
  }

  private List<String> seal(Session session, PhaseTimer steps) {
    List<String> notes = new Sequences(session, plan).moveOn(steps);
    if (journal != null) {
      journal.markComplete(committed);
      if (!plan.oneTransaction()) {
        checkNothingLost(journal, committed.rows());
      }
    }
    return notes;
  }

  /// A standby server that takes over has neither the rows nor the receipts of commits that had not
  /// reached it. What it has can be gone on with.
  private void checkNothingLost(JournaledLoad told, long sent) {
    long there = told.rowsTold();
    if (there >= sent) {
      return;
    }
    remains =
        remains
            .goneIf(true)
            .leaving(
                String.format(
                    Locale.ROOT, "%,d rows that had been committed are there still.", there));
    throw Fault.Transient.endingRun(
        String.format(
            Locale.ROOT,
            "%,d of %,d rows that the server had committed are gone, as %s tells: another server"
                + " has taken over that did not have them yet, or this one was set back.",
            sent - there,
            sent,
            told.label()),
        "A standby server lacks none where commits wait for it (synchronous_standby_names).",
        null);
  }

  /// Whether rows go into the target itself, and all that are sent stay there.
  private boolean isFilledByLanes() {
    return !plan.staged() && !plan.oneTransaction() && !plan.mayDropRows();
  }

  /// The connection was lost at the end: the journal knows whether the commit went through.
  private boolean isCompleteAfterAll(Fault cause) {
    if (journal == null) {
      return false;
    }
    connections.own().close();
    try {
      return journal.isComplete();
    } catch (Fault e) {
      cause.addSuppressed(e);
      return false;
    }
  }

  @Override
  public Aborted abort(boolean keep) {
    return new LoadUndo(connections, plan, journal).abort(keep, remains);
  }

  @Override
  public void close() {
    pacer.close();
  }
}
