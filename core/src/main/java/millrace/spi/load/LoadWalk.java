package millrace.spi.load;

import java.util.concurrent.atomic.AtomicReference;
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

/// A load whose rows are committed in parts, from what makes its table ready to what makes the rows
/// appear, or undoes it. What a run that fails leaves is in the table of {@link Landing}.
public final class LoadWalk implements WriteSession, Recoverable {

  private static final String FRESH = "Begin again with --fresh.";

  private final Place place;
  private final Place.Layout layout;
  private final LoadLedger ledger;
  private final Landing landing;
  private final WriteStart start;
  private final @Nullable RunRecord run;

  /// Whether the journal knows of the run.
  private boolean known;

  /// Whether there is a table in which rows wait.
  private boolean staged;

  private boolean madeTarget;

  /// What became of the rows that the target held; empty if nothing has.
  private String emptied = "";

  /// What an end that was cut off would have told; null if none was.
  private @Nullable Completed cutOff;

  private LoadWalk(Place place, LoadLedger ledger, Landing landing, WriteStart start) {
    this.place = place;
    layout = place.layout();
    this.ledger = ledger;
    this.landing = landing;
    this.start = start;
    run = start.run();
  }

  /// Begins a load, or resumes another.
  ///
  /// @throws OpenFailed if it fails and leaves something
  public static WriteSession open(
      Place place, LoadLedger ledger, Landing landing, WriteStart start) {
    LoadWalk walk = new LoadWalk(place, ledger, landing, start);
    JournaledRun from = start.goesOn();
    return OpenFailed.undoing(
        walk,
        from != null,
        () -> {
          if (from == null) {
            walk.begin();
          } else {
            walk.resume(from);
          }
        });
  }

  private void begin() {
    JournaledRun before = start.before();
    if (before != null) {
      if (before.begun().isStaged()) {
        place.drop(before.begun().staging());
      }
      ledger.forget(before.run());
    }
    boolean empties =
        landing.mode() == Mode.TRUNCATE && !landing.staged() && !layout.makesTarget();
    if (empties) {
      // Before the run is known: one that resumes it does not empty the table.
      empty();
    }
    if (run != null) {
      ledger.begin(
          new Entry.Begun(
              run, landing.mode(), layout.staging(), "", layout.columns(), layout.details()));
      known = true;
      if (empties && ledger.forgetOthers(run)) {
        // What they have committed since; from now on they can't commit any more.
        empty();
      }
    }
    if (layout.makesTarget()) {
      place.make("");
      madeTarget = landing.staged();
    }
    if (landing.staged()) {
      place.make(layout.staging());
      staged = true;
    }
  }

  /// Of a statement that was cut off nobody knows whether it has come to its end.
  private void empty() {
    emptied = ledger.name() + " may have been emptied: look what it holds.";
    try {
      place.empty();
      emptied = ledger.name() + " was emptied first: what it held is gone.";
    } catch (Fault.User | Fault.Data | Fault.External e) {
      emptied = "";
      throw e;
    }
  }

  private void resume(JournaledRun from) {
    Entry.Begun begun = from.begun();
    if (begun.isStaged() != landing.staged() || ledger.tableId(layout.staging()) == null) {
      String into = begun.isStaged() ? layout.staging() : ledger.name();
      throw new Fault.User("What was copied into " + into + " is gone.", FRESH);
    }
    if (begun.isStaged() && !begun.columns().equals(layout.columns())) {
      throw new Fault.User(
          "The columns of " + ledger.name() + " are others than when the copy began.", FRESH);
    }
    known = true;
    staged = begun.isStaged();
    from.receipts().forEach(place::committed);
  }

  @Override
  public @Nullable Encoder encoder(WriteContext context) {
    return place.encoder(context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return place.writer(form, context);
  }

  @Override
  public CommitStatus statusOf(Split split) {
    if (run == null) {
      return new CommitStatus.Unknown();
    }
    CommitStatus status = ledger.statusOf(run, split);
    if (status instanceof CommitStatus.Taken taken) {
      place.committed(taken.receipt());
    }
    return status;
  }

  /// One that was cut off may be called once more, and finds out then whether it had come.
  @Override
  public Completed complete(PhaseTimer steps) {
    Completed before = cutOff;
    cutOff = null;
    if (before != null && hasEnded()) {
      return before;
    }
    AtomicReference<@Nullable MergeCounts> merged = new AtomicReference<>();
    try {
      end(steps, merged);
    } catch (Fault.Transient | Fault.External e) {
      cutOff = new Completed(place.notes(), merged.get());
      boolean isRepeatable = run != null || !landing.staged();
      throw e instanceof Fault.Transient passing && !isRepeatable
          ? Fault.Transient.endingRun(String.valueOf(passing.getMessage()), passing.advice(), e)
          : e;
    }
    return new Completed(place.notes(), merged.get());
  }

  private boolean hasEnded() {
    place.reconnect();
    if (run == null) {
      return false;
    }
    ledger.retake(run);
    boolean hasEnded = ledger.progress(run) == LoadLedger.Progress.COMPLETE;
    if (hasEnded) {
      clear();
    }
    return hasEnded;
  }

  private void end(PhaseTimer steps, AtomicReference<@Nullable MergeCounts> merged) {
    switch (landing.place()) {
      case TARGET -> mark(() -> {});
      case INSERT -> steps.time("insert rows", 1, () -> mark(place::add));
      case MERGE -> steps.time("merge rows", 1, () -> mark(() -> merged.set(place.add())));
      case SWAP -> swap(steps);
    }
    clear();
  }

  /// What changes names commits: the journal tells beforehand that nothing else is missing.
  private void swap(PhaseTimer steps) {
    boolean sealed = run != null && ledger.progress(run) != LoadLedger.Progress.BEGUN;
    place.checkSwap(sealed);
    if (run != null && !sealed) {
      ledger.append(run, Entry.Sealing.now(null));
    }
    steps.time("swap tables", 1, () -> place.swap(sealed));
    mark(() -> {});
  }

  /// Does the last of the work, with the mark that the run is complete.
  private void mark(Runnable work) {
    place.inTransaction(() -> {
      work.run();
      if (run != null) {
        boolean adds = landing.mode() == Mode.APPEND || landing.mode() == Mode.MERGE;
        // What is emptied first has been told of then; others may have begun since.
        if (landing.staged() && !adds) {
          ledger.forgetOthers(run);
        }
        ledger.append(run, Entry.Complete.now("", false));
      }
    });
  }

  private void clear() {
    place.clear();
    staged = false;
    madeTarget = false;
  }

  @Override
  public Aborted abort(boolean keep) {
    if (keep && known && !ledger.hasForgotten()) {
      return Aborted.KEPT.leaving(leaves());
    }
    Aborted aborted = Aborted.CLEAN;
    try {
      // The target's own connection may have been cancelled, or lost.
      place.reconnect();
      if (staged) {
        place.drop(layout.staging());
      }
      if (madeTarget && ledger.isEmptied("")) {
        place.drop("");
      }
      if (known && run != null) {
        ledger.forget(run);
      }
    } catch (Fault e) {
      aborted = aborted.failing(e);
    }
    return aborted.leaving(leaves());
  }

  private String leaves() {
    return (emptied + " " + place.leaves()).strip();
  }

  @Override
  public void close() {
    // The connection is the target's.
  }
}
