package millrace.resume;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.report.RunStore;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription.NoJournal;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What earlier runs of the same job have left in the target, and what becomes of it: a run goes on
/// with it, begins again, or is refused.
///
/// Made before the plan, since a target is fitted differently for a run that goes on; the run then
/// settles it. One thread.
public final class ResumeState {

  /// What the user wants done about an earlier run that was cut off.
  public enum Choice {
    /// Nothing was said: begin from the start, unless that would bring rows in twice.
    NONE,
    /// Go on with it; begin if there is nothing to go on with.
    RESUME,
    /// Forget it and begin from the start.
    FRESH
  }

  /// Reads the source again.
  @FunctionalInterface
  public interface SecondLook {

    /// How the source has changed, as a sentence without its end; empty if it has not.
    ///
    /// @param reading adds up checksums
    /// @param taken whose splits must have the same rows
    /// @param empty splits that must have none
    String change(ReadSession reading, List<Receipt> taken, List<Split> empty);
  }

  /// Marks of complete copies that are older go when a copy with --resume begins.
  private static final Duration MARKS_KEPT = Duration.ofDays(30);

  private static final Logger LOG = LoggerFactory.getLogger(ResumeState.class);

  private final @Nullable JournalStore journal;
  private final String job;
  private final @Nullable JournaledRun journaledRun;
  private final Choice choice;
  private @Nullable RunRecord record;
  private WriteStart.Journal begun = new WriteStart.Journal.None();
  private List<Receipt> receipts = List.of();
  private @Nullable List<Split> rest;
  private long rowsReadAgain;
  private boolean stagedIsLost;
  private boolean copiesTheSame;
  private String note = "";
  private String closed = "";
  private @Nullable Completion completeSince;

  private ResumeState(
      @Nullable JournalStore journal,
      String job,
      @Nullable JournaledRun journaledRun,
      Choice choice) {
    this.journal = journal;
    this.job = job;
    this.journaledRun = journaledRun;
    this.choice = choice;
  }

  /// No journal is asked, and none is kept: for runs that leave nothing behind.
  public static ResumeState none() {
    return new ResumeState(null, "", null, Choice.NONE);
  }

  /// Looks for an earlier run; once both ends are described, before the plan is made.
  ///
  /// @param noJournal what the target says of it
  /// @param job gives the job's hash, see `JobIdentity`; asked if a journal is kept
  /// @throws Fault.User if one stands in the way, with what to do
  public static ResumeState of(
      Target target, @Nullable NoJournal noJournal, Supplier<String> job, Choice choice) {
    JournalStore journal = target.capability(JournalStore.class);
    if (journal == null || noJournal != null) {
      ResumeState resumeState = none();
      String whyNot = noJournal == null ? "" : noJournal.why();
      resumeState.note = withoutJournal(whyNot, choice);
      if (choice == Choice.RESUME && noJournal != null && noJournal.closed()) {
        resumeState.closed = whyNot;
      }
      return resumeState;
    }
    String identity = job.get();
    JournaledRun found = journal.claim(identity);
    if (found == null) {
      ResumeState resumeState = new ResumeState(journal, identity, null, choice);
      if (choice == Choice.RESUME) {
        resumeState.note = "there is no such copy to go on with: it begins from the start";
      }
      return resumeState;
    }
    Fault.User refusal = ResumePlanner.refusal(found, choice, journal.guarantees().tellsAll());
    if (refusal != null) {
      throw refusal;
    }
    return choice == Choice.RESUME
        ? resumed(journal, identity, found)
        : new ResumeState(journal, identity, found, choice);
  }

  /// Goes on with a run, or begins from the start in its place if nothing of it is left.
  private static ResumeState resumed(JournalStore journal, String job, JournaledRun found) {
    return switch (found.state()) {
      case CUT_OFF, COMPLETE -> new ResumeState(journal, job, found, Choice.RESUME);
      case LACKS_END -> {
        Completion now = new Completion(now().toString(), "");
        yield new ResumeState(journal, job, found.completed(now), Choice.RESUME);
      }
      case STAGED_LOST -> {
        ResumeState resumeState = new ResumeState(journal, job, found, Choice.FRESH);
        resumeState.stagedIsLost = true;
        resumeState.note =
            "what the copy begun at "
                + found.run().startedAt()
                + " had staged is lost, as by a crash of the server, and nothing of it is in the"
                + " target: it begins from the start";
        yield resumeState;
      }
    };
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  private static String withoutJournal(String whyNot, Choice choice) {
    if (!whyNot.isEmpty()) {
      return "a run that is cut off can't go on: " + whyNot;
    }
    return choice == Choice.RESUME
        ? "nothing is kept of an earlier run for such a target: it begins from the start"
        : "";
  }

  /// The run that the user wants to go on with, be it complete; null if it begins from the start.
  public @Nullable JournaledRun goesOnWith() {
    return choice == Choice.RESUME ? journaledRun : null;
  }

  /// Whether there is an earlier run that the user wants to go on with, and that has not ended.
  public boolean goesOn() {
    return choice == Choice.RESUME && journaledRun != null && !journaledRun.complete();
  }

  /// A command that was changed asks for another copy: begun from the start, it would add rows a
  /// second time that the one before it has added, though the user means to go on.
  private static void refuseBeside(JournalStore journal, Plan plan, DescribedSource source) {
    JournaledRun other =
        plan.job().writeOptions().mode() == Mode.APPEND
            ? journal.findOther(source.identity().origins())
            : null;
    if (other != null) {
      throw new Fault.User(
          "There is no such copy to go on with, but another one from the same source: it was begun"
              + " at "
              + other.run().startedAt()
              + " by another command and cut off when "
              + ResumePlanner.committed(other, journal.guarantees().tellsAll())
              + ".",
          "Give the command of that copy, as it was, with --resume to go on with it. To add the"
              + " rows of this one beside what is there, leave --resume out.");
    }
  }

  /// What the user can't look into may say that the same rows have been added already.
  private void refuseUnknown(Plan plan) {
    if (!closed.isEmpty() && plan.job().writeOptions().mode() == Mode.APPEND) {
      throw new Fault.User(
          "Nobody can tell whether there is such a copy to go on with: " + closed + ".",
          "Say --resume as the user who began it, or have the rights granted (SELECT, INSERT,"
              + " UPDATE, DELETE). To add the rows beside what is there, leave --resume out.");
    }
  }

  /// Settles what the run does, now that it is planned.
  ///
  /// @param again reads the source once more if only that can tell whether it has changed
  /// @return false if there is nothing left to do
  /// @throws Fault.User if the source is not what it was
  public boolean settle(Plan plan, DescribedSource source, SecondLook again) {
    if (journal == null) {
      refuseUnknown(plan);
      return true;
    }
    if (journaledRun == null && choice == Choice.RESUME) {
      refuseBeside(journal, plan, source);
    }
    JournaledRun before = journaledRun;
    SourceChange change = new SourceChange(plan, source);
    switch (ResumePlanner.decide(before, choice, () -> change.since(before, again))) {
      case ResumeDecision.Refuse(Fault.User why) -> throw why;
      case ResumeDecision.NothingToDo(JournaledRun complete) -> {
        record = complete.run();
        completeSince = complete.completion();
        note =
            "complete since "
                + ResumePlanner.local(completeSince())
                + ", nothing to do"
                + readAgainNote();
        return false;
      }
      case ResumeDecision.GoOn(JournaledRun from) -> {
        rest = change.left();
        goOn(from);
        return true;
      }
      case ResumeDecision.Begin() -> {}
    }
    copiesTheSame =
        stagedIsLost
            && journaledRun != null
            && change.isUnchangedSince(journaledRun.run().source());
    begin(plan, source, change);
    return true;
  }

  /// What is read again has been: so many rows.
  public void readAgain(long rows) {
    rowsReadAgain = rows;
  }

  private String readAgainNote() {
    return rowsReadAgain == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "; %,d rows of it were read again to see that they are unchanged",
            rowsReadAgain);
  }

  private void goOn(JournaledRun from) {
    record = from.run();
    begun = new WriteStart.Journal.GoOn(from);
    copiesTheSame = true;
    receipts = from.receipts();
    note =
        String.format(
                Locale.ROOT,
                "goes on with the copy begun at %s, which had committed %,d rows in %,d splits",
                from.run().startedAt(),
                from.rows(),
                receipts.stream().map(receipt -> receipt.split().index()).distinct().count())
            + readAgainNote();
  }

  /// A mark that nobody asked for would be made and removed again. It counts only if it takes the
  /// place of others.
  private boolean marksNothing() {
    return choice == Choice.NONE
        && journal != null
        && !journal.guarantees().keepsParts()
        && journal.list().isEmpty();
  }

  private void begin(Plan plan, DescribedSource source, SourceChange change) {
    Instant begunAt = Instant.now();
    String identity = change.identity();
    if (identity.isEmpty()) {
      note = "a run that is cut off can't go on: " + change.whyNotAgain();
    }
    record =
        new RunRecord(
            RunStore.newId(begunAt),
            job,
            identity,
            source.identity().origins(),
            plan.splitBytes(),
            plan.lanes().most(),
            begunAt.truncatedTo(ChronoUnit.SECONDS).toString());
    begun = marksNothing() ? begun : new WriteStart.Journal.Begin(record, journaledRun);
  }

  /// How the run begins to write, once it is settled.
  public WriteStart.Journal begun() {
    return begun;
  }

  /// How the run reads: in splits that are cut as they were cut at first.
  public ReadPlan readPlan(Plan plan) {
    RunRecord settled = record;
    return settled == null
        ? plan.readPlan()
        : plan.readPlan(
            settled.splitBytes(), settled.lanes(), SourceChange.isReadAgain(settled), receipts);
  }

  /// The splits that are left.
  ///
  /// @param reading opened by {@link #readPlan}
  public Splits splits(ReadSession reading) {
    if (rest != null) {
      Iterator<Split> left = rest.iterator();
      return () -> left.hasNext() ? left.next() : null;
    }
    Splits all = reading.splits();
    return receipts.isEmpty() ? all : new RemainingSplits(all, receipts);
  }

  /// What had been taken before.
  public List<Receipt> receipts() {
    return receipts;
  }

  /// Whether an earlier run has read the same source for the same copy and was cut off, be it that
  /// nothing of it is there any more: the bad records that it set aside are of this copy too.
  public boolean copiesTheSame() {
    return copiesTheSame;
  }

  /// Whether receipts are kept.
  public boolean isKept() {
    return journal != null;
  }

  /// Whether another run could go on with this one.
  public boolean canBeResumed() {
    return journal != null
        && journal.guarantees().keepsParts()
        && record != null
        && !record.source().isEmpty();
  }

  /// Whether the run that this one goes on with may have left rows in the target that no receipt
  /// speaks of: it must not be forgotten, however early this one fails.
  public boolean mayHaveLeftRows() {
    return goesOn()
        && journaledRun != null
        && journaledRun.stays()
        && journal != null
        && !journal.guarantees().tellsAll();
  }

  /// What the user should know; may be empty.
  public String note() {
    return note;
  }

  /// Since when the copy is complete that was to be gone on with; empty if there is something to
  /// do. Once settled.
  public String completeSince() {
    return completeSince == null ? "" : completeSince.at();
  }

  /// There is nothing to do but what brings the copy to its end.
  public void finish() {
    if (journal != null && journaledRun != null) {
      journal.finish(journaledRun);
    }
  }

  /// A copy with --resume begins: marks that are too old for anybody to ask for go.
  public void prune() {
    if (journal == null || choice != Choice.RESUME) {
      return;
    }
    try {
      prune(journal, Instant.now().minus(MARKS_KEPT));
    } catch (Fault e) {
      LOG.debug("old marks stay", e);
    }
  }

  /// Forgets the copies that were complete before a moment.
  ///
  /// @return how many
  public static int prune(JournalStore journal, Instant before) {
    int pruned = 0;
    for (JournaledRun each : journal.list()) {
      Completion completion = each.completion();
      if (completion != null && Instant.parse(completion.at()).isBefore(before)) {
        journal.delete(each.run());
        pruned++;
      }
    }
    return pruned;
  }

  /// The run's end has been told. With --resume the mark that it is complete stays, so that the
  /// same command does nothing; so it does in the place of one that stayed. Else nobody needs it.
  public void forget() {
    boolean stays = choice != Choice.NONE || (journaledRun != null && journaledRun.complete());
    if (!stays && journal != null && record != null) {
      journal.delete(record);
    }
  }
}
