package millrace.resume;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.function.Supplier;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import org.jspecify.annotations.Nullable;

/// Decides what becomes of an earlier run of the same copy, for every target alike. Pure: the same
/// answers give the same decision, and nothing is changed.
final class ResumePlanner {

  /// How to forget a run that was cut off.
  static final String FRESH_ADVICE =
      "Say --fresh to forget that run and begin from the start; rows that it has committed stay.";

  private static final String AGAIN_ADVICE =
      "Say --fresh to load all of it again; with --mode append its rows are then added to"
          + " those that are there.";

  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private ResumePlanner() {}

  /// What the journal alone tells, before the copy is planned: a target that is not what it was
  /// could not be planned for.
  ///
  /// @param accountsForAll see {@link millrace.spi.journal.Ledger.Guarantees}
  /// @return why the user has to choose, or null
  static Fault.@Nullable User refusal(
      JournaledRun journaledRun, ResumeChoice choice, boolean accountsForAll) {
    Completion completion = journaledRun.completion();
    return switch (choice) {
      case FRESH -> null;
      case RESUME ->
          completion == null || completion.change().isEmpty()
              ? null
              : changed(completion, completion.change());
      case NONE -> {
        boolean mayHoldRows = journaledRun.rows() > 0 || !accountsForAll;
        yield completion == null && journaledRun.leavesRows() && mayHoldRows
            ? cutOff(journaledRun, accountsForAll)
            : null;
      }
    };
  }

  /// What the run does, once the copy is planned.
  ///
  /// @param journaledRun the earlier run, or null
  /// @param sourceChange how the source has changed since, as a sentence without its end; empty if
  ///   it has not. Asked only if it matters, since some sources have to be read again for it.
  static ResumeDecision decide(
      @Nullable JournaledRun journaledRun, ResumeChoice choice, Supplier<String> sourceChange) {
    if (journaledRun == null || choice != ResumeChoice.RESUME) {
      return new ResumeDecision.Begin();
    }
    String change = sourceChange.get();
    Completion completion = journaledRun.completion();
    if (completion != null) {
      return change.isEmpty()
          ? new ResumeDecision.NothingToDo(journaledRun)
          : new ResumeDecision.Refuse(changed(completion, change));
    }
    if (change.isEmpty()) {
      return new ResumeDecision.Resume(journaledRun);
    }
    return journaledRun.rows() == 0
        ? new ResumeDecision.Begin()
        : new ResumeDecision.Refuse(
            new Fault.User(
                "The copy begun at "
                    + journaledRun.run().startedAt()
                    + " can't be resumed: "
                    + change
                    + ".",
                FRESH_ADVICE));
  }

  /// A copy that was complete is never made again unasked.
  private static Fault.User changed(Completion completion, String change) {
    return new Fault.User(
        "This copy is complete since " + local(completion.at()) + ", and " + change + ".",
        AGAIN_ADVICE);
  }

  private static Fault.User cutOff(JournaledRun journaledRun, boolean accountsForAll) {
    return new Fault.User(
        "The same copy was begun at "
            + journaledRun.run().startedAt()
            + " and cut off when "
            + committed(journaledRun, accountsForAll)
            + ".",
        journaledRun.run().source().isEmpty()
            ? "It can't be resumed, since its source can't be shown to be the same. " + FRESH_ADVICE
            : "Say --resume to continue it. " + FRESH_ADVICE);
  }

  /// How many rows a run that was cut off had committed, in words.
  static String committed(JournaledRun journaledRun, boolean accountsForAll) {
    String others = accountsForAll ? "" : ", and others may have been";
    return String.format(Locale.ROOT, "%,d rows had been committed%s", journaledRun.rows(), others);
  }

  /// A time of a journal as the user's clock has it.
  static String local(String utc) {
    try {
      return LOCAL.format(Instant.parse(utc).atZone(ZoneId.systemDefault()));
    } catch (DateTimeParseException _) {
      return utc;
    }
  }
}
