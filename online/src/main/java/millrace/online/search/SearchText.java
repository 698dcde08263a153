package millrace.online.search;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import millrace.online.report.ProcessorUse;

/// Tells a search as text for a terminal.
public final class SearchText {

  private SearchText() {}

  /// A trial that begins, in a sentence.
  public static String begins(Trial trial) {
    return String.format(
        Locale.ROOT,
        "Trial (%s) of %,d rows/s for %d s at most ...",
        name(trial.kind()),
        trial.rate(),
        trial.duration().toSeconds());
  }

  /// A trial that has ended, in one line, with what it has not held.
  public static String line(Measured measured) {
    Verdict verdict = measured.verdict();
    long seconds = measured.trial().duration().toSeconds();
    boolean endedEarly = verdict.ran().toSeconds() < seconds;
    String why =
        switch (verdict.outcome()) {
          case INVALID -> ", says nothing by: ";
          case PASSED, FAILED, STOPPED -> ", failed by: ";
        };
    String by =
        verdict.criteria().stream()
            .filter(criterion ->
                verdict.outcome() == Verdict.Outcome.INVALID
                    ? !criterion.holds()
                    : criterion.isBroken())
            .map(criterion -> criterion.name() + " (" + criterion.measured() + ")")
            .collect(Collectors.joining("; "));
    return String.format(
        Locale.ROOT,
        "%s %,d rows/s for %d s: %s%s, %.1f %% bad%s",
        name(measured.trial().kind()),
        measured.trial().rate(),
        seconds,
        name(verdict.outcome()),
        endedEarly ? " after " + verdict.ran().toSeconds() + " s" : "",
        100 * verdict.badShare(),
        by.isEmpty() ? "" : why + by);
  }

  /// What came of it, in a sentence; and a second one if no limit was met.
  ///
  /// @param use who took this machine's processors in the run of the highest rate that passed
  public static String sentence(SearchResult result, Optional<ProcessorUse> use) {
    boolean isLeast = result.lower().isPresent() && result.upper().isEmpty();
    String bounds =
        (isLeast ? "at least " : "")
            + bound("passes", result.lower())
            + ", "
            + bound("fails", result.upper());
    String found =
        switch (result.finding()) {
          case FOUND -> "Found: " + bounds + ".";
          case AT_LIMIT -> "No limit was met, as the clients offer no more: " + bounds + ".";
          case IRREGULAR -> "Irregular: a higher rate passed than one that failed; " + bounds + ".";
          case UNDECIDED -> "Undecided: trials at one rate contradict each other; " + bounds + ".";
          case OUT_OF_TRIALS -> "Not found within the number of trials: " + bounds + ".";
          case NOT_FOUND -> "Even the least rate fails.";
          case NOT_VALID ->
              "Not valid: the last trials say nothing of the target, see their lines; "
                  + bounds
                  + ".";
          case STOPPED, SEARCHING -> "Stopped: " + bounds + ".";
        };
    return found + (isLeast ? use.map(each -> " " + each.sentence()).orElse("") : "");
  }

  /// What the clients alone offer.
  ///
  /// @param isOffered whether they started on time at that rate
  /// @param crowd others' share of the processors if that was why there is no more, from 0 to 1
  public static String offered(long rows, boolean isOffered, Optional<Double> crowd) {
    return String.format(
            Locale.ROOT,
            isOffered
                ? "They offer %,d rows/s."
                : "They begin late by themselves at %,d rows/s already.",
            rows)
        + crowd
            .map(share ->
                String.format(
                    Locale.ROOT,
                    " Other programs took %.0f %% of this machine's processors meanwhile: without"
                        + " them it may be more.",
                    100 * share))
            .orElse("");
  }

  /// What the tables held when each run began, in one sentence; empty if that was nothing.
  ///
  /// @param rowsOfDevice how many rows of the past each device had
  public static Optional<String> past(long rowsOfDevice) {
    return rowsOfDevice == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "All runs began with the same past, which was filled in once: %,d rows of each of"
                    + " their devices.",
                rowsOfDevice));
  }

  private static String bound(String what, OptionalLong rate) {
    return rate.isEmpty()
        ? "none " + what
        : String.format(Locale.ROOT, "%,d rows/s %s", rate.getAsLong(), what);
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
