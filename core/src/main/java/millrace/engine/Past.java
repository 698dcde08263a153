package millrace.engine;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.report.RunStore;
import millrace.spi.Journal;
import millrace.spi.Journal.Kept;
import millrace.spi.Mode;
import millrace.spi.Receipt;
import millrace.spi.RunRecord;
import millrace.spi.Source;
import millrace.spi.Splits;
import millrace.spi.Target;
import org.jspecify.annotations.Nullable;

/// What earlier runs of the same job have left in the target, and what becomes of it: a run goes on
/// with it, begins again, or is refused.
///
/// Made before the plan, since a target is fitted differently for a run that goes on; the run then
/// settles it. One thread.
public final class Past {

  /// What the user wants done about an earlier run that was cut off.
  public enum Choice {
    /// Nothing was said: begin from the start, unless that would bring rows in twice.
    NONE,
    /// Go on with it; begin where there is nothing to go on with.
    RESUME,
    /// Forget it and begin from the start.
    FRESH
  }

  private static final String FRESH_ADVICE =
      "Say --fresh to forget that run and begin from the start; rows that it has committed stay.";

  private final @Nullable Journal journal;
  private final String job;
  private final @Nullable Kept kept;
  private final boolean resumes;
  private @Nullable RunRecord record;
  private List<Receipt> receipts = List.of();
  private String note = "";

  private Past(@Nullable Journal journal, String job, @Nullable Kept kept, boolean resumes) {
    this.journal = journal;
    this.job = job;
    this.kept = kept;
    this.resumes = resumes;
  }

  /// No journal is asked, and none is kept: for runs that leave nothing behind.
  static Past none() {
    return new Past(null, "", null, false);
  }

  /// Looks for an earlier run; before the plan is made.
  ///
  /// @param job see `JobIdentity`
  /// @throws Fault.User where one stands in the way, with what to do
  public static Past of(Target target, String job, Choice choice) {
    Journal journal = target.journal();
    if (journal == null) {
      Past past = none();
      past.note = withoutJournal(target.journalWhyNot(), choice);
      return past;
    }
    Kept kept = journal.find(job);
    if (kept == null) {
      return new Past(journal, job, null, false);
    }
    return switch (choice) {
      case NONE -> {
        refuseTwice(kept);
        yield new Past(journal, job, kept, false);
      }
      case FRESH -> new Past(journal, job, kept, false);
      case RESUME -> {
        journal.resume(kept);
        yield new Past(journal, job, kept, true);
      }
    };
  }

  private static String withoutJournal(String whyNot, Choice choice) {
    if (!whyNot.isEmpty()) {
      return "a run that is cut off can't go on: " + whyNot;
    }
    return choice == Choice.RESUME
        ? "there is never anything to go on with in such a target: it holds all of the rows or none"
        : "";
  }

  private static void refuseTwice(Kept kept) {
    if (!kept.complete() && kept.stays() && kept.rows() > 0) {
      throw new Fault.User(
          String.format(
              Locale.ROOT,
              "The same copy was begun at %s and cut off when %,d rows had been committed.",
              kept.run().startedAt(),
              kept.rows()),
          kept.run().source().isEmpty()
              ? "It can't go on, since its source can't be shown to be the same. " + FRESH_ADVICE
              : "Say --resume to go on with it. " + FRESH_ADVICE);
    }
  }

  /// Settles what the run does, now that it is planned.
  ///
  /// @return false where there is nothing left to do
  /// @throws Fault.User where the source is not what it was
  boolean settle(Plan plan, Source source) {
    if (journal == null) {
      return true;
    }
    if (kept != null && resumes) {
      String change = change(kept, plan, source);
      if (kept.complete()) {
        if (change.isEmpty()) {
          note = "this copy, begun at " + kept.run().startedAt() + ", was complete already";
          record = kept.run();
          return false;
        }
        refuseAgain(kept, plan, change);
      } else if (change.isEmpty()) {
        goOn(kept, source);
        return true;
      } else if (kept.rows() > 0) {
        throw new Fault.User(
            "The copy begun at " + kept.run().startedAt() + " can't go on: " + change + ".",
            FRESH_ADVICE);
      }
    }
    begin(journal, plan, source);
    return true;
  }

  private static String change(Kept kept, Plan plan, Source source) {
    return kept.run().source().isEmpty()
        ? whyNotAgain(plan, source)
        : source.changeSince(kept.run().source());
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

  /// A copy that was complete and whose source has changed since is another copy; one whose source
  /// can't tell may be the same, and would bring its rows twice.
  private static void refuseAgain(Kept kept, Plan plan, String change) {
    if (kept.run().source().isEmpty() && kept.stays()) {
      throw new Fault.User(
          "The copy begun at " + kept.run().startedAt() + " was complete, and " + change + ".",
          "Say --fresh to copy it once more.");
    }
    Mode asked = plan.job().landing().mode();
    if (asked == null || asked == Mode.CREATE) {
      throw new Fault.User(
          plan.target().label() + " holds the rows of an earlier copy, and " + change + ".",
          "Say what to do with them: --mode append, truncate, replace or merge.");
    }
  }

  private void goOn(Kept from, Source source) {
    record = from.run();
    receipts = from.receipts();
    source.taken(receipts);
    note =
        String.format(
            Locale.ROOT,
            "goes on with the copy begun at %s, which had committed %,d rows in %,d splits",
            from.run().startedAt(),
            from.rows(),
            receipts.stream().map(receipt -> receipt.split().index()).distinct().count());
  }

  private void begin(Journal into, Plan plan, Source source) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    String identity = isLimited(plan) ? null : source.identity();
    if (identity == null) {
      note = "a run that is cut off can't go on: " + whyNotAgain(plan, source);
    }
    RunRecord begun =
        new RunRecord(
            RunStore.newId(now),
            job,
            identity == null ? "" : identity,
            plan.splitBytes(),
            plan.lanes().most(),
            now.toString());
    record = begun;
    into.open(begun, kept);
  }

  /// The splits that are left, cut as they were cut at first.
  Splits splits(Plan plan, Source source) {
    RunRecord settled = record;
    return receipts.isEmpty() || settled == null
        ? source.splits(plan.splitBytes(), plan.lanes().most())
        : new RestOfSplits(source.splits(settled.splitBytes(), settled.lanes()), receipts);
  }

  /// What had been taken before.
  List<Receipt> receipts() {
    return receipts;
  }

  /// Whether receipts are kept.
  boolean isKept() {
    return journal != null;
  }

  /// Whether another run could go on with this one.
  boolean canBeResumed() {
    return record != null && !record.source().isEmpty();
  }

  /// What the user should know; may be empty.
  String note() {
    return note;
  }

  /// The run's end has been told: nobody needs to know any more that it is complete.
  void forget() {
    if (journal != null && record != null) {
      journal.forget(record);
    }
  }
}
