package millrace.resume;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import millrace.data.Column;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.report.RunStore;
import millrace.spi.journal.Journal;
import millrace.spi.journal.Journal.Completion;
import millrace.spi.journal.Journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
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
    /// Go on with it; begin where there is nothing to go on with.
    RESUME,
    /// Forget it and begin from the start.
    FRESH
  }

  /// Reads the source again.
  @FunctionalInterface
  public interface SecondLook {

    /// How the source has changed, as a sentence without its end; empty where it has not.
    ///
    /// @param taken whose splits must have the same rows
    /// @param empty splits that must have none
    String change(List<Receipt> taken, List<Split> empty);
  }

  /// What the journal keeps of a source without an identity begins with.
  private static final String READ_AGAIN = "read again as ";

  /// Marks of complete copies that are older go when a copy with --resume begins.
  private static final Duration MARKS_KEPT = Duration.ofDays(30);

  private static final Logger LOG = LoggerFactory.getLogger(ResumeState.class);

  private final @Nullable Journal journal;
  private final String job;
  private final @Nullable JournaledRun journaledRun;
  private final Choice choice;
  private @Nullable RunRecord record;
  private List<Receipt> receipts = List.of();
  private @Nullable List<Split> rest;
  private long rowsReadAgain;
  private boolean stagedIsLost;
  private boolean copiesTheSame;
  private String note = "";
  private String closed = "";
  private @Nullable Completion completeSince;

  private ResumeState(
      @Nullable Journal journal, String job, @Nullable JournaledRun journaledRun, Choice choice) {
    this.journal = journal;
    this.job = job;
    this.journaledRun = journaledRun;
    this.choice = choice;
  }

  /// No journal is asked, and none is kept: for runs that leave nothing behind.
  public static ResumeState none() {
    return new ResumeState(null, "", null, Choice.NONE);
  }

  /// Looks for an earlier run; before the plan is made.
  ///
  /// @param job see `JobIdentity`
  /// @throws Fault.User where one stands in the way, with what to do
  public static ResumeState of(Target target, String job, Choice choice) {
    Journal journal = target.journal();
    if (journal == null) {
      ResumeState resumeState = none();
      resumeState.note = withoutJournal(target.journalWhyNot(), choice);
      if (choice == Choice.RESUME && target.journalIsClosed()) {
        resumeState.closed = target.journalWhyNot();
      }
      return resumeState;
    }
    JournaledRun journaledRun = journal.find(job);
    if (journaledRun == null) {
      ResumeState resumeState = new ResumeState(journal, job, null, choice);
      if (choice == Choice.RESUME) {
        resumeState.note = "there is no such copy to go on with: it begins from the start";
      }
      return resumeState;
    }
    Fault.User refusal = ResumePlanner.refusal(journaledRun, choice, journal.tellsAll());
    if (refusal != null) {
      throw refusal;
    }
    return choice == Choice.RESUME
        ? resumed(journal, job, journaledRun)
        : new ResumeState(journal, job, journaledRun, choice);
  }

  /// Goes on with a run, or begins from the start in its place where nothing of it is left.
  private static ResumeState resumed(Journal journal, String job, JournaledRun journaledRun) {
    JournaledRun now = journal.resume(journaledRun);
    if (now != null) {
      return new ResumeState(journal, job, now, Choice.RESUME);
    }
    ResumeState resumeState = new ResumeState(journal, job, journaledRun, Choice.FRESH);
    resumeState.stagedIsLost = true;
    resumeState.note =
        "what the copy begun at "
            + journaledRun.run().startedAt()
            + " had staged is lost, as by a crash of the server, and nothing of it is in the"
            + " target: it begins from the start";
    return resumeState;
  }

  private static String withoutJournal(String whyNot, Choice choice) {
    if (!whyNot.isEmpty()) {
      return "a run that is cut off can't go on: " + whyNot;
    }
    return choice == Choice.RESUME
        ? "nothing is kept of an earlier run for such a target: it begins from the start"
        : "";
  }

  /// Whether there is an earlier run that the user wants to go on with, and that has not ended.
  public boolean goesOn() {
    return choice == Choice.RESUME && journaledRun != null && !journaledRun.complete();
  }

  /// A command that was changed asks for another copy: begun from the start, it would add rows a
  /// second time that the one before it has added, though the user means to go on.
  private static void refuseBeside(Journal journal, Plan plan, Source source) {
    JournaledRun other =
        plan.job().writeOptions().mode() == Mode.APPEND
            ? journal.findOther(source.origins())
            : null;
    if (other != null) {
      throw new Fault.User(
          "There is no such copy to go on with, but another one from the same source: it was begun"
              + " at "
              + other.run().startedAt()
              + " by another command and cut off when "
              + ResumePlanner.committed(other, journal.tellsAll())
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
  /// @param again reads the source once more where only that can tell whether it has changed
  /// @return false where there is nothing left to do
  /// @throws Fault.User where the source is not what it was
  public boolean settle(Plan plan, Source source, SecondLook again) {
    if (journal == null) {
      refuseUnknown(plan);
      return true;
    }
    if (journaledRun == null && choice == Choice.RESUME) {
      refuseBeside(journal, plan, source);
    }
    JournaledRun before = journaledRun;
    switch (ResumePlanner.decide(before, choice, () -> change(before, plan, source, again))) {
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
        goOn(from, source);
        return true;
      }
      case ResumeDecision.Begin() -> {}
    }
    copiesTheSame =
        stagedIsLost && journaledRun != null && isUnchanged(journaledRun.run().source(), source);
    begin(journal, plan, source);
    return true;
  }

  /// @param before what the source was
  private static boolean isUnchanged(String before, Source source) {
    return !before.isEmpty()
        && !before.startsWith(READ_AGAIN)
        && source.changeSince(before).isEmpty();
  }

  private String change(@Nullable JournaledRun from, Plan plan, Source source, SecondLook again) {
    if (from == null) {
      return "";
    }
    String before = from.run().source();
    if (before.isEmpty()) {
      return whyNotAgain(plan, source);
    }
    return before.startsWith(READ_AGAIN)
        ? changeOfRows(from, plan, source, again)
        : source.changeSince(before);
  }

  /// Looks at the rows themselves, as they are now for this run. The splits that are left are cut
  /// first, so that nothing is written where they can't be.
  private String changeOfRows(JournaledRun from, Plan plan, Source source, SecondLook again) {
    RunRecord run = from.run();
    if (!source.checksums() || !run.source().equals(readAgain(plan))) {
      return "its columns, or the form in which they are read, are not what they were";
    }
    List<Split> left = new ArrayList<>();
    try (Splits rest =
        new RemainingSplits(source.splits(run.splitBytes(), run.lanes()), from.receipts())) {
      for (Split split = rest.next(); split != null; split = rest.next()) {
        left.add(split);
      }
    } catch (Fault.User e) {
      if (from.complete()) {
        return "the source is cut in other places now";
      }
      throw e;
    }
    rest = left;
    return again.change(from.receipts(), from.complete() ? left : List.of());
  }

  /// How the checksums of a source that is read again are made: the same rows have the same ones
  /// only in the same columns and form.
  private static String readAgain(Plan plan) {
    StringBuilder words = new StringBuilder(READ_AGAIN).append(plan.form());
    for (Column column : plan.source().schema().columns()) {
      words.append(", ").append(column.name()).append(' ').append(column.type());
    }
    return words.toString();
  }

  /// What is read again has been: so many rows.
  public void readAgain(long rows) {
    rowsReadAgain = rows;
  }

  private static boolean isLimited(Plan plan) {
    return plan.job().selection().limit() != Long.MAX_VALUE;
  }

  /// Why no run can go on with one whose source has no identity.
  private static String whyNotAgain(Plan plan, Source source) {
    return isLimited(plan)
        ? "a limit counts rows from the start of a run"
        : source.identityWhyNot();
  }

  private String readAgainNote() {
    return rowsReadAgain == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "; %,d rows of it were read again to see that they are unchanged",
            rowsReadAgain);
  }

  private void goOn(JournaledRun from, Source source) {
    record = from.run();
    copiesTheSame = true;
    receipts = from.receipts();
    source.taken(receipts);
    note =
        String.format(
                Locale.ROOT,
                "goes on with the copy begun at %s, which had committed %,d rows in %,d splits",
                from.run().startedAt(),
                from.rows(),
                receipts.stream().map(receipt -> receipt.split().index()).distinct().count())
            + readAgainNote();
  }

  private void begin(Journal into, Plan plan, Source source) {
    Instant now = Instant.now();
    rest = null;
    String identity = identity(plan, source);
    if (identity.isEmpty()) {
      note = "a run that is cut off can't go on: " + whyNotAgain(plan, source);
    }
    RunRecord begun =
        new RunRecord(
            RunStore.newId(now),
            job,
            identity,
            source.origins(),
            plan.splitBytes(),
            plan.lanes().most(),
            now.truncatedTo(ChronoUnit.SECONDS).toString());
    record = begun;
    into.open(begun, journaledRun);
  }

  /// What will tell whether the source is still the same; empty where nothing can.
  private static String identity(Plan plan, Source source) {
    if (isLimited(plan)) {
      return "";
    }
    String identity = source.identity();
    if (identity != null) {
      return identity;
    }
    return source.checksums() ? readAgain(plan) : "";
  }

  /// The splits that are left, cut as they were cut at first.
  public Splits splits(Plan plan, Source source) {
    RunRecord settled = record;
    if (settled == null) {
      return source.splits(plan.splitBytes(), plan.lanes().most());
    }
    if (rest != null) {
      Iterator<Split> left = rest.iterator();
      return () -> left.hasNext() ? left.next() : null;
    }
    Splits all = source.splits(settled.splitBytes(), settled.lanes());
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
    return journal != null && journal.keepsParts() && record != null && !record.source().isEmpty();
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
    if (journal != null) {
      journal.complete();
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
  public static int prune(Journal journal, Instant before) {
    int pruned = 0;
    for (JournaledRun each : journal.list()) {
      Completion completion = each.completion();
      if (completion != null && Instant.parse(completion.at()).isBefore(before)) {
        journal.forget(each.run());
        pruned++;
      }
    }
    return pruned;
  }

  /// The run's end has been told. With --resume the mark that it is complete stays, so that the
  /// same command does nothing; so it does in the place of one that stayed. Else nobody needs it.
  public void forget() {
    boolean stays = choice != Choice.NONE || (journaledRun != null && journaledRun.complete());
    if (stays) {
      return;
    }
    if (journal != null && record != null) {
      journal.forget(record);
    }
  }
}
