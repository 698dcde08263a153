package millrace.resume;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.Entry.Complete;
import millrace.spi.journal.Entry.Sealing;
import millrace.spi.journal.Entry.Taken;
import millrace.spi.journal.JobLock;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.JournaledRun.State;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.Ledger.Guarantees;
import millrace.spi.journal.Looks;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import org.jspecify.annotations.Nullable;

/// What a target's journal comes to: the runs that it knows of, and how far each came. The same for
/// all targets; they keep entries, and say what stands where the rows went. On the target's thread.
public final class Journal {

  private final Ledger ledger;
  private final @Nullable JobLock lock;

  /// What the journal said of the job that was asked for.
  private @Nullable JournaledRun claimed;

  private Journal(Ledger ledger, @Nullable JobLock lock) {
    this.ledger = ledger;
    this.lock = lock;
  }

  /// The journal of a target; null if it keeps none.
  public static @Nullable Journal of(Target target) {
    Ledger ledger = target.capability(Ledger.class);
    return ledger == null ? null : new Journal(ledger, target.capability(JobLock.class));
  }

  /// How far it is to be relied on.
  public Guarantees guarantees() {
    return ledger.guarantees();
  }

  /// The run of that job that is still known, or null; nobody else can take it up while the target
  /// is open, if the system has locks. Changes nothing.
  ///
  /// What it gives may be planned for, opened and {@link #finish}ed by this very target alone.
  ///
  /// @throws millrace.fault.Fault.User if that very job is being run by somebody else
  public @Nullable JournaledRun claim(String job) {
    if (lock != null) {
      lock.take(job);
    }
    JournaledRun found = fold(ledger.read(job), ledger, guarantees());
    claimed = found == null || !found.run().job().equals(job) ? null : found;
    return claimed;
  }

  /// A run that another process has begun and is at work with, to write splits of it from here too.
  /// Takes no lock, and changes nothing.
  ///
  /// What it gives may be planned for and opened by this very target alone.
  ///
  /// @throws Fault.User if it can't be joined: it has ended or is not known, or the target takes
  ///   rows of a run from one process alone
  public JournaledRun join(RunRecord run) {
    checkShared();
    List<Entry> entries = ledger.read(run.job());
    SplitOwners.checkOpen(ledger.name(), run, entries);
    JournaledRun found = fold(entries, new Uncounted(ledger), guarantees());
    if (found == null || found.state() != State.CUT_OFF) {
      throw SplitOwners.notJoined(ledger.name(), run, "has lost its rows");
    }
    return found;
  }

  /// Sees to it that several processes may write to one run.
  ///
  /// @throws Fault.User if the target takes rows of a run from one process alone
  public void checkShared() {
    Fault.User refusal = ledger.refusalToJoin();
    if (refusal != null) {
      throw refusal;
    }
  }

  /// All runs that are still known, in the order in which they began. Some may be under way. Rows
  /// that are staged are not counted.
  public List<JournaledRun> list() {
    Looks looks = new Uncounted(ledger);
    List<JournaledRun> all = new ArrayList<>();
    for (String job : ledger.jobs()) {
      JournaledRun found = fold(ledger.read(job), looks, guarantees());
      if (found != null) {
        all.add(found);
      }
    }
    all.sort(Comparator.comparing(each -> each.run().id()));
    return all;
  }

  /// A run of another job that has put rows into the target itself from one of those origins, and
  /// was cut off; or null. Waits a while for what a killed process has left under way.
  ///
  /// @param origins see {@link millrace.spi.read.SourceIdentity}
  public @Nullable JournaledRun findOther(List<String> origins) {
    Predicate<JournaledRun> isOther =
        each ->
            each.state() == State.CUT_OFF
                && !each.begun().isStaged()
                && !Collections.disjoint(each.run().origins(), origins)
                && each.begun().tableId().equals(ledger.tableId(""));
    JobLock waits = lock;
    if (waits != null) {
      list().stream().filter(isOther).forEach(each -> waits.awaitFree(each.run().job()));
    }
    // What is told of them is looked at again once they have ended.
    return list().stream()
        .filter(isOther)
        .filter(each -> waits == null || waits.isFree(each.run().job()))
        .filter(each -> each.rows() > 0 || !guarantees().accountsForAll())
        .findFirst()
        .orElse(null);
  }

  /// Brings a run to its end that lacks nothing else, in place of another run.
  public void finish(JournaledRun run) {
    // It may be told as complete by now, since nothing is to be done but this.
    JournaledRun found = claimed;
    ledger.finish(found != null && found.run().equals(run.run()) ? found : run);
  }

  /// Nobody needs to know any more that the run was there. A run that is under way is left alone.
  public void delete(RunRecord run) {
    ledger.forget(run);
  }

  /// What the entries of a run come to; null if there is nothing of it.
  static @Nullable JournaledRun fold(List<Entry> entries, Looks looks, Guarantees guarantees) {
    Begun begun = null;
    Map<Split, Taken> taken = new LinkedHashMap<>();
    Sealing sealing = null;
    Complete complete = null;
    for (Entry entry : entries) {
      switch (entry) {
        case Begun first -> begun = first;
        case Taken each -> taken.put(each.receipt().split(), each);
        case Sealing end -> sealing = end;
        case Complete end -> complete = end;
      }
    }
    if (begun == null) {
      return null;
    }
    boolean direct = !begun.isStaged() && begun.mode() != Mode.TRUNCATE;
    JournaledRun run =
        new JournaledRun(begun, List.copyOf(taken.values()), sealing, State.CUT_OFF, null, direct);
    if (complete != null) {
      String at = complete.at().isEmpty() ? begun.run().startedAt() : complete.at();
      return run.completed(new Completion(at, change(run, complete, looks), complete.rows()));
    }
    if (!guarantees.keepsParts()) {
      // Its rows are there with the name, or nothing of it is.
      return sealing != null && looks.change(sealing).isEmpty()
          ? run.completed(new Completion(sealing.at(), ""))
          : null;
    }
    if (sealing != null) {
      boolean remains = looks.hasAppeared(begun, sealing);
      return new JournaledRun(begun, run.taken(), sealing, State.LACKS_END, null, remains);
    }
    return run.in(stateOfCutOff(run, looks, guarantees));
  }

  /// How the target has changed since a run into it was complete, as far as one look shows it.
  private static String change(JournaledRun run, Complete complete, Looks looks) {
    String ofFiles = run.sealing() == null ? "" : looks.change(run.sealing());
    if (!ofFiles.isEmpty()) {
      return ofFiles;
    }
    String loss = loss(complete.tableId(), run.rows(), looks);
    return loss.isEmpty() && run.rows() == 0 && complete.held() && looks.isEmptied("")
        ? looks.name() + " is empty, though it held rows then"
        : loss;
  }

  /// What has become of the target and of the rows that a run had committed in it, as a sentence
  /// without its end; empty if they are there, as far as one look shows it.
  ///
  /// @param tableId what the system called the target then; empty if it could not tell
  private static String loss(String tableId, long rows, Looks looks) {
    String now = looks.tableId("");
    if (now == null) {
      return looks.name() + " is not there any more";
    }
    if (!tableId.isEmpty() && !tableId.equals(now)) {
      return looks.name() + " is another table by now";
    }
    return rows == 0 || !looks.isEmptied("")
        ? ""
        : String.format(
            Locale.ROOT, "%s is empty, though %,d rows had been committed", looks.name(), rows);
  }

  /// Why a run can't be resumed whose rows in the target are gone, or the target is.
  Fault.User rowsGone(JournaledRun run) {
    return new Fault.User(
        "The copy begun at "
            + run.run().startedAt()
            + " can't be resumed: "
            + loss(run.begun().tableId(), run.rows(), ledger)
            + ".",
        "Begin again with --fresh.");
  }

  private static State stateOfCutOff(JournaledRun run, Looks looks, Guarantees guarantees) {
    if (run.begun().isStaged()) {
      return isStagedLost(run, looks, guarantees)
          ? State.NOTHING_LEFT
          : lacksTarget(run.begun(), looks) ? State.ROWS_GONE : State.CUT_OFF;
    }
    if (loss(run.begun().tableId(), run.rows(), looks).isEmpty()) {
      return State.CUT_OFF;
    }
    return run.rows() == 0 ? State.NOTHING_LEFT : State.ROWS_GONE;
  }

  /// Whether the target is gone to which staged rows were to be added. One without columns when the
  /// run began is made at its end.
  private static boolean lacksTarget(Begun begun, Looks looks) {
    Landing landing = begun.landing();
    return landing != null
        && landing.addsStaged()
        && !begun.columns().isEmpty()
        && looks.tableId("") == null;
  }

  private static boolean isStagedLost(JournaledRun run, Looks looks, Guarantees guarantees) {
    Begun begun = run.begun();
    if (guarantees.countsStaged()) {
      long there = looks.stagedRows(begun.staging());
      return there >= 0 && there != run.rows();
    }
    String now = looks.tableId(begun.staging());
    return now == null
        || !begun.tableId().equals(now)
        || (run.rows() > 0 && looks.isEmptied(begun.staging()));
  }

  /// Looks that take no time.
  private record Uncounted(Looks looks) implements Looks {

    @Override
    public String name() {
      return looks.name();
    }

    @Override
    public @Nullable String tableId(String staging) {
      return looks.tableId(staging);
    }

    @Override
    public boolean isEmptied(String staging) {
      return looks.isEmptied(staging);
    }

    @Override
    public String change(Sealing sealing) {
      return looks.change(sealing);
    }

    @Override
    public boolean hasAppeared(Begun begun, Sealing sealing) {
      return looks.hasAppeared(begun, sealing);
    }
  }
}
