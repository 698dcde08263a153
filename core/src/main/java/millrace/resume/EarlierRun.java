package millrace.resume;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.function.Supplier;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.plan.RunId;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.DescribedSource;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription.NoJournal;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// What the target's journal says of an earlier run of the same job, and what the user wants done
/// about it. Looked up before the plan is made, since a target is planned for differently if a run
/// goes on; {@link #settle} then decides. A value.
///
/// @param journal where runs are kept; null if nothing is
/// @param job the job's hash, see `JobIdentity`
/// @param run the earlier one; null if there is none
/// @param choice what is done about it
/// @param note what the user should know; may be empty
/// @param unreadable why nobody can tell whether there is one; empty if that is known
/// @param isLost whether nothing of it is left
public record EarlierRun(
    @Nullable Journal journal,
    String job,
    @Nullable JournaledRun run,
    ResumeChoice choice,
    String note,
    String unreadable,
    boolean isLost) {

  /// What the note begins with that a run can't go on if it is cut off.
  public static final String CAN_NOT_GO_ON = "a run that is cut off can't be resumed: ";

  /// No journal is asked, and none is kept: for runs that leave nothing behind.
  public static final EarlierRun UNRECORDED = unrecorded("", "");

  private static EarlierRun unrecorded(String note, String unreadable) {
    return new EarlierRun(null, "", null, ResumeChoice.NONE, note, unreadable, false);
  }

  /// Looks for an earlier run; once both ends are described, before the plan is made.
  ///
  /// @param noJournal what the target says of it
  /// @param job gives the job's hash; asked if a journal is kept
  /// @throws Fault.User if one stands in the way, with what to do
  public static EarlierRun find(
      Target target, @Nullable NoJournal noJournal, Supplier<String> job, ResumeChoice choice) {
    Journal journal = Journal.of(target);
    if (journal == null || noJournal != null) {
      String whyNot = noJournal == null ? "" : noJournal.why();
      boolean unreadable = choice == ResumeChoice.RESUME && noJournal != null && noJournal.closed();
      return unrecorded(withoutJournal(whyNot, choice), unreadable ? whyNot : "");
    }
    String identity = job.get();
    JournaledRun found = journal.claim(identity);
    if (found == null) {
      String note =
          choice == ResumeChoice.RESUME
              ? "there is no such copy to resume: it begins from the start"
              : "";
      return new EarlierRun(journal, identity, null, choice, note, "", false);
    }
    Fault.User refusal =
        ResumePlanner.refusal(found, choice, journal.guarantees().accountsForAll());
    if (refusal != null) {
      throw refusal;
    }
    return choice == ResumeChoice.RESUME
        ? resumed(journal, identity, found)
        : new EarlierRun(journal, identity, found, choice, "", "", false);
  }

  /// Goes on with a run, or begins from the start in its place if nothing of it is left.
  private static EarlierRun resumed(Journal journal, String job, JournaledRun found) {
    return switch (found.state()) {
      case CUT_OFF, COMPLETE ->
          new EarlierRun(journal, job, found, ResumeChoice.RESUME, "", "", false);
      case LACKS_END -> {
        Entry.Sealing end = found.sealing();
        String at = end == null || end.at().isEmpty() ? found.run().startedAt() : end.at();
        JournaledRun ended = found.completed(new Completion(at, ""));
        yield new EarlierRun(journal, job, ended, ResumeChoice.RESUME, "", "", false);
      }
      case ROWS_GONE -> throw journal.rowsGone(found);
      case NOTHING_LEFT -> {
        String copy = "the copy begun at " + found.run().startedAt();
        String note =
            (found.begun().isStaged()
                    ? "what "
                        + copy
                        + " had staged is lost, as by a crash of the server, and nothing of it is"
                        + " in the target"
                    : "nothing of " + copy + " is there any more")
                + ": it begins from the start";
        yield new EarlierRun(journal, job, found, ResumeChoice.FRESH, note, "", true);
      }
    };
  }

  private static String withoutJournal(String whyNot, ResumeChoice choice) {
    if (!whyNot.isEmpty()) {
      return CAN_NOT_GO_ON + whyNot;
    }
    return choice == ResumeChoice.RESUME
        ? "nothing is kept of an earlier run for such a target: it begins from the start"
        : "";
  }

  private static String seconds(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// The run that the user wants to go on with, even if it is complete; null if the new one begins
  /// from the start.
  public @Nullable JournaledRun resumed() {
    return choice == ResumeChoice.RESUME ? run : null;
  }

  /// Whether there is an earlier run that the user wants to go on with, and that has not ended.
  public boolean isResumed() {
    return choice == ResumeChoice.RESUME && run != null && !run.complete();
  }

  /// Settles how the run starts, now that it is planned. Changes nothing.
  ///
  /// @param recheck reads the source once more if only that can tell whether it has changed
  /// @throws Fault.User if the source is not what it was, or the user has to choose
  public Start settle(Plan plan, DescribedSource source, SourceRecheck recheck) {
    boolean appends = plan.job().writeOptions().mode() == Mode.APPEND;
    if (journal == null) {
      if (appends && !unreadable.isEmpty()) {
        throw nobodyKnows();
      }
      return Start.Fresh.unrecorded(note);
    }
    if (appends && run == null && choice == ResumeChoice.RESUME) {
      refuseOther(journal, source);
    }
    SourceChange change = new SourceChange(plan, source);
    return switch (ResumePlanner.decide(run, choice, () -> change.since(run, recheck))) {
      case ResumeDecision.Refuse(Fault.User why) -> throw why;
      case ResumeDecision.NothingToDo(JournaledRun complete) ->
          complete(journal, complete, change.rowsReadAgain());
      case ResumeDecision.Resume(JournaledRun from) -> resumed(journal, from, change);
      case ResumeDecision.Begin() -> fresh(journal, plan, source, change);
    };
  }

  private Start complete(Journal in, JournaledRun complete, long rowsReadAgain) {
    Completion completion = complete.completion();
    String since = completion == null ? "" : ResumePlanner.local(completion.at());
    return new Start.Complete(
        complete,
        new RecordedRun(in, complete.run(), choice, true),
        "complete since " + since + ", nothing to do" + readAgainNote(rowsReadAgain));
  }

  private Start resumed(Journal in, JournaledRun from, SourceChange change) {
    long splits = from.receipts().stream().map(each -> each.split().index()).distinct().count();
    return new Start.Resumed(
        from,
        new RecordedRun(in, from.run(), choice, false),
        change.left(),
        String.format(
                Locale.ROOT,
                "resumes the copy begun at %s, which had committed %,d rows in %,d splits",
                from.run().startedAt(),
                from.rows(),
                splits)
            + readAgainNote(change.rowsReadAgain()));
  }

  private static String readAgainNote(long rows) {
    return rows == 0
        ? ""
        : String.format(
            Locale.ROOT, "; %,d rows of it were read again to see that they are unchanged", rows);
  }

  private Start fresh(Journal in, Plan plan, DescribedSource source, SourceChange change) {
    Instant begunAt = plan.work().begun();
    String identity = change.identity();
    RunRecord record =
        new RunRecord(
            // With the fraction of the second, which tells runs of one second apart.
            RunId.begun(Instant.now()),
            job,
            identity,
            source.identity().origins(),
            plan.splitBytes(),
            plan.lanes().most(),
            seconds(begunAt));
    return new Start.Fresh(
        marksNothing(in)
            ? new WriteStart.Journal.None()
            : new WriteStart.Journal.Begin(record, run),
        new RecordedRun(in, record, choice, run != null && run.complete()),
        isLost && run != null && change.isUnchangedSince(run.run().source()),
        identity.isEmpty() && plan.job().selection().window() == null
            ? CAN_NOT_GO_ON + change.whyNotAgain()
            : note);
  }

  /// A mark that nobody asked for would be made and removed again. It counts only if it takes the
  /// place of others.
  private boolean marksNothing(Journal in) {
    return choice == ResumeChoice.NONE && !in.guarantees().keepsParts() && in.list().isEmpty();
  }

  /// A command that was changed asks for another copy: begun from the start, it would add rows a
  /// second time that the one before it has added, though the user means to go on.
  private static void refuseOther(Journal journal, DescribedSource source) {
    JournaledRun other = journal.findOther(source.identity().origins());
    if (other != null) {
      throw new Fault.User(
          "There is no such copy to resume, but another one from the same source: it was begun"
              + " at "
              + other.run().startedAt()
              + " by another command and cut off when "
              + ResumePlanner.committed(other, journal.guarantees().accountsForAll())
              + ".",
          "Give the command of that copy, as it was, with --resume to continue it. To add the"
              + " rows of this one to what is there, leave --resume out.");
    }
  }

  /// What the user can't look into may say that the same rows have been added already.
  private Fault.User nobodyKnows() {
    return new Fault.User(
        "Nobody can tell whether there is such a copy to resume: " + unreadable + ".",
        "Say --resume as the user who began it, or have the rights granted (SELECT, INSERT,"
            + " UPDATE, DELETE). To add the rows to what is there, leave --resume out.");
  }
}
