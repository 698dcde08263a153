package millrace.spi.load;

import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.Aborted;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Completed;
import millrace.spi.write.Encoder;
import millrace.spi.write.JoinedSession;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.OpenFailed;
import millrace.spi.write.Recoverable;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A load, from what makes its table ready to what makes the rows appear, or undoes it. What a run
/// that fails leaves is in the table of {@link Landing}.
///
/// | | into the target | staged |
/// |---|---|---|
/// | begins | what was there is emptied, if the mode says so; the run is written down | the run is written down; the staging table is made. In one transaction, if that undoes tables |
/// | ends | the mark that it is complete | INSERT, MERGE: rows are added, with the mark. SWAP: names change with the mark, or between it and an entry that all is staged |
/// | is undone | a target that mode create or replace has made is dropped | what is staged is dropped, and a target that was made for it and is empty |
public final class LoadWalk implements WriteSession, Recoverable {

  private final Place place;
  private final LoadRows rows;
  private final Place.Layout layout;
  private final LoadLedger ledger;
  private final Landing landing;
  private final WriteStart start;
  private final @Nullable RunRecord run;
  private final OpenTransaction transaction;
  private final SharedRun shared;

  /// Whether the journal knows of the run.
  private boolean known;

  /// Whether there is a table in which rows wait.
  private boolean staged;

  private boolean madeTarget;

  /// What became of the rows that the target held; empty if nothing has.
  private String emptied = "";

  private @Nullable MergeCounts merged;

  /// What an end that was cut off would have told; null if none was.
  private @Nullable Completed cutOff;

  private LoadWalk(
      Place place, LoadRows rows, LoadLedger ledger, Landing landing, WriteStart start) {
    this.place = place;
    this.rows = rows;
    layout = place.layout();
    transaction = new OpenTransaction(place.transaction());
    this.ledger = ledger;
    this.landing = landing;
    this.start = start;
    run = start.run();
    shared = new SharedRun(rows, ledger, run);
  }

  /// Begins a load, resumes another, or joins one.
  ///
  /// @throws OpenFailed if it fails and leaves something
  public static WriteSession open(
      Place place, LoadRows rows, LoadLedger ledger, Landing landing, WriteStart start) {
    if (start.journal() instanceof WriteStart.Journal.Join(JournaledRun joined)) {
      return JoinedLoad.open(place, rows, ledger, landing, joined);
    }
    LoadWalk walk = new LoadWalk(place, rows, ledger, landing, start);
    JournaledRun from = start.resumed();
    Runnable opening = from == null ? walk::begin : () -> walk.resume(from);
    return OpenFailed.undoing(walk, from != null, opening);
  }

  private void begin() {
    JournaledRun before = start.before();
    boolean isWithin = layout.making() == Place.Making.WITHIN;
    if (landing.whole()) {
      beginOneTransaction(isWithin, before);
    } else if (isWithin && run != null) {
      beginAtOnce(before);
    } else {
      beginInSteps(before);
    }
    rows.ready();
  }

  /// The system undoes all of it, if that fails.
  private void beginAtOnce(@Nullable JournaledRun before) {
    transaction.begin();
    try {
      beginInSteps(before);
    } catch (RuntimeException e) {
      emptied = "";
      throw e;
    }
    transaction.commit();
  }

  private void beginInSteps(@Nullable JournaledRun before) {
    dropStaged(before);
    if (before != null) {
      ledger.forget(before.run());
    }
    boolean empties = landing.mode() == Mode.TRUNCATE && !landing.staged() && !layout.makesTarget();
    if (empties) {
      // Before the run is known: one that resumes it does not empty the table.
      if (layout.emptiesInSteps()) {
        ledger.forgetOthers(run);
      }
      empty();
    }
    if (layout.making() != Place.Making.AFTER_ENTRY) {
      make();
    }
    if (run != null) {
      ledger.begin(layout.begun(run, landing, id(layout.staging())));
      known = true;
    }
    if (empties && ledger.forgetOthers(run)) {
      // What they have committed since; from now on they can't commit any more.
      empty();
    }
    if (layout.making() == Place.Making.AFTER_ENTRY) {
      make();
    }
  }

  /// Whatever makes tables may commit. The mark of the run before is replaced at the end.
  private void beginOneTransaction(boolean isWithin, @Nullable JournaledRun before) {
    if (run != null) {
      ledger.begin(layout.begun(run, landing, isWithin ? "" : id(layout.staging())));
    }
    if (isWithin) {
      transaction.begin();
      dropStaged(before);
      make();
    } else {
      make();
      transaction.begin();
    }
    boolean isEmptied = landing.mode() == Mode.TRUNCATE || landing.mode() == Mode.REPLACE;
    if (isEmptied && !landing.staged() && !layout.makesTarget()) {
      place.empty();
    }
  }

  private void dropStaged(@Nullable JournaledRun before) {
    if (before != null && before.begun().isStaged()) {
      place.drop(before.begun().staging());
    }
  }

  private void make() {
    if (layout.makesTarget()) {
      place.make("");
      madeTarget = true;
    }
    if (landing.staged()) {
      staged = true;
      place.make(layout.staging());
    }
  }

  /// Of a statement that was cut off nobody knows whether it has come to its end.
  private void empty() {
    emptied = ledger.name() + " may have been emptied: look what it holds.";
    try {
      place.empty();
      emptied = ledger.name() + " was emptied first: what it held is gone.";
    } catch (Fault.User | Fault.Data | Fault.External e) {
      emptied = layout.emptiesInSteps() ? emptied : "";
      throw e;
    }
  }

  private void resume(JournaledRun from) {
    Entry.Begun begun = from.begun();
    JoinedLoad.checkThere(layout, ledger, landing, begun);
    shared.takeBack(from);
    known = true;
    staged = begun.isStaged();
    madeTarget = layout.makesTarget() && !staged;
    rows.resume(from);
    rows.ready();
  }

  @Override
  public @Nullable Encoder encoder(WriteContext context) {
    return rows.encoder(context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return rows.writer(form, context);
  }

  @Override
  public CommitStatus statusOf(Split split) {
    if (run == null) {
      return new CommitStatus.Unknown();
    }
    CommitStatus status = ledger.statusOf(run, split);
    if (status instanceof CommitStatus.Taken taken) {
      rows.committed(taken.receipt());
    }
    return status;
  }

  @Override
  public boolean leavesRows() {
    return rows.outcome().leavesRows();
  }

  /// One that was cut off may be called once more, and finds out then whether it had come.
  @Override
  public Completed complete(PhaseTimer steps) {
    Completed before = cutOff;
    if (before != null && hasEnded()) {
      clear();
      return before;
    }
    // Not before: if that fails, it is asked again.
    cutOff = null;
    merged = null;
    try {
      shared.check(layout.staging(), landing.staged() || layout.makesTarget());
      end(steps);
    } catch (Fault.Transient | Fault.External e) {
      cutOff = completed();
      boolean isRepeatable = run != null || !landing.staged();
      throw e instanceof Fault.Transient passing && !isRepeatable
          ? Fault.Transient.endingRun(String.valueOf(passing.getMessage()), passing.advice(), e)
          : e;
    }
    return completed();
  }

  private Completed completed() {
    LoadRows.Outcome outcome = rows.outcome();
    return new Completed(outcome.notes(), merged, outcome.leftOut());
  }

  private boolean hasEnded() {
    place.reconnect();
    if (run == null) {
      return false;
    }
    ledger.retake(run);
    return ledger.progress(run) == LoadLedger.Progress.COMPLETE;
  }

  private void end(PhaseTimer steps) {
    switch (landing.place()) {
      case TARGET -> mark(() -> place.add(steps));
      case INSERT -> steps.time("insert rows", 1, () -> mark(() -> place.add(steps)));
      case MERGE -> steps.time("merge rows", 1, () -> mark(() -> merged = place.add(steps)));
      case SWAP -> swap(steps);
    }
    clear();
  }

  /// If what changes names commits, the journal says beforehand that nothing else is missing.
  private void swap(PhaseTimer steps) {
    merged = place.add(steps);
    if (layout.making() == Place.Making.WITHIN) {
      steps.time("put in place", 1, () -> mark(() -> place.swap(false)));
      return;
    }
    boolean sealed =
        run != null && !landing.whole() && ledger.progress(run) != LoadLedger.Progress.BEGUN;
    Object details = place.checkSwap(sealed);
    if (run != null && !sealed) {
      ledger.append(run, Entry.Sealing.now(details));
    }
    if (transaction.hasBegun()) {
      transaction.commit();
      // What one transaction has staged is not resumed: its entry goes, unless names change.
      known = run != null;
    }
    steps.time(
        "put in place",
        1,
        () -> {
          place.swap(sealed);
          known = known && !landing.whole();
        });
    mark(() -> {});
  }

  /// Does the last of the work, with the mark that the run is complete.
  private void mark(Runnable work) {
    transaction.begin();
    try {
      work.run();
      if (run != null) {
        // What is emptied first has been told of then; others may have begun since.
        boolean adds = landing.mode() == Mode.APPEND || landing.mode() == Mode.MERGE;
        if (!landing.leavesRows() && !adds) {
          ledger.forgetOthers(run);
        }
        long count = rows.outcome().rows();
        ledger.append(run, Entry.Complete.now(id(""), false).with(count));
        shared.clear();
      }
      transaction.commit();
    } catch (RuntimeException e) {
      // One that has all rows may be asked once more to commit.
      if (!landing.whole()) {
        transaction.rollback();
      }
      throw e;
    }
  }

  /// What the journal knows a table by; empty if that does not matter.
  private String id(String staging) {
    boolean isMade = layout.making() != Place.Making.AFTER_ENTRY;
    String id = isMade ? ledger.tableId(staging) : null;
    return id == null ? "" : id;
  }

  private void clear() {
    place.clear();
    staged = false;
    madeTarget = false;
  }

  @Override
  public Aborted abort(boolean keep) {
    boolean isKnown = known && !landing.whole() && !ledger.hasForgotten();
    if ((keep || shared.isUnsettled()) && isKnown && rows.keep()) {
      return withOutcome(Aborted.RETAINED);
    }
    Aborted aborted = Aborted.CLEAN;
    try {
      transaction.rollback();
      // The target's own connection may have been cancelled, or lost.
      place.reconnect();
      if (staged) {
        place.drop(layout.staging());
      }
      boolean isMadeAnew = landing.mode() == Mode.CREATE || landing.mode() == Mode.REPLACE;
      if (madeTarget && (landing.staged() ? ledger.isEmptied("") : isMadeAnew)) {
        place.drop("");
      }
      if (known && run != null && !ledger.hasForgotten()) {
        ledger.forget(run);
      }
    } catch (Fault e) {
      aborted = aborted.failing(e);
    } finally {
      place.undone();
    }
    return withOutcome(aborted);
  }

  private Aborted withOutcome(Aborted aborted) {
    LoadRows.Outcome outcome = rows.outcome();
    return aborted
        .goneIf(outcome.gone() || ledger.hasForgotten())
        .leaving((emptied + " " + outcome.leaves()).strip())
        .noting(outcome.notes());
  }

  /// One transaction of all rows ends with its connection.
  @Override
  public <T> @Nullable T capability(Class<T> type) {
    if (type == JoinedSession.Main.class) {
      return type.cast(shared.capability(landing.whole()));
    }
    boolean isRecoverable = !landing.whole() || place.transaction().isRepeatable();
    return type == Recoverable.class
        ? isRecoverable ? type.cast(this) : null
        : rows.capability(type);
  }

  @Override
  public void close() {
    rows.close();
  }
}
