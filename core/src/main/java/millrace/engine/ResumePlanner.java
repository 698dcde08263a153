package millrace.engine;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.function.Supplier;
import millrace.engine.Past.Choice;
import millrace.fault.Fault;
import millrace.spi.Journal.Completion;
import millrace.spi.Journal.Kept;
import org.jspecify.annotations.Nullable;

/// Decides what becomes of an earlier run of the same copy, for every target alike. Pure: the same
/// answers give the same decision, and nothing is changed.
final class ResumePlanner {

  /// How to forget a run that was cut off.
  static final String FRESH_ADVICE =
      "Say --fresh to forget that run and begin from the start; rows that it has committed stay.";

  private static final String AGAIN_ADVICE =
      "Say --fresh to load all of it again; with --mode append its rows then come beside those that"
          + " are there.";

  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private ResumePlanner() {}

  /// What the journal alone tells, before the copy is planned: a target that is not what it was
  /// could not be planned for.
  ///
  /// @param tellsAll see {@link millrace.spi.Journal#tellsAll}
  /// @return why the user has to choose, or null
  static Fault.@Nullable User refusal(Kept kept, Choice choice, boolean tellsAll) {
    Completion completion = kept.completion();
    return switch (choice) {
      case FRESH -> null;
      case RESUME ->
          completion == null || completion.change().isEmpty()
              ? null
              : changed(completion, completion.change());
      case NONE -> {
        boolean mayHoldRows = kept.rows() > 0 || !tellsAll;
        yield completion == null && kept.stays() && mayHoldRows ? cutOff(kept, tellsAll) : null;
      }
    };
  }

  /// What the run does, once the copy is planned.
  ///
  /// @param kept the earlier run, or null
  /// @param sourceChange how the source has changed since, as a sentence without its end; empty if
  ///   it has not. Asked only if it matters, since some sources have to be read again for it.
  static ResumeDecision decide(@Nullable Kept kept, Choice choice, Supplier<String> sourceChange) {
    if (kept == null || choice != Choice.RESUME) {
      return new ResumeDecision.Begin();
    }
    String change = sourceChange.get();
    Completion completion = kept.completion();
    if (completion != null) {
      return change.isEmpty()
          ? new ResumeDecision.NothingToDo(kept)
          : new ResumeDecision.Refuse(changed(completion, change));
    }
    if (change.isEmpty()) {
      return new ResumeDecision.GoOn(kept);
    }
    return kept.rows() == 0
        ? new ResumeDecision.Begin()
        : new ResumeDecision.Refuse(
            new Fault.User(
                "The copy begun at " + kept.run().startedAt() + " can't go on: " + change + ".",
                FRESH_ADVICE));
  }

  /// A copy that was complete is never made again unasked.
  private static Fault.User changed(Completion completion, String change) {
    return new Fault.User(
        "This copy is complete since " + local(completion.at()) + ", and " + change + ".",
        AGAIN_ADVICE);
  }

  private static Fault.User cutOff(Kept kept, boolean tellsAll) {
    return new Fault.User(
        "The same copy was begun at "
            + kept.run().startedAt()
            + " and cut off when "
            + committed(kept, tellsAll)
            + ".",
        kept.run().source().isEmpty()
            ? "It can't go on, since its source can't be shown to be the same. " + FRESH_ADVICE
            : "Say --resume to go on with it. " + FRESH_ADVICE);
  }

  /// How many rows a run that was cut off had committed, in words.
  static String committed(Kept kept, boolean tellsAll) {
    String others = tellsAll ? "" : ", and others may have been";
    return String.format(Locale.ROOT, "%,d rows had been committed%s", kept.rows(), others);
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
