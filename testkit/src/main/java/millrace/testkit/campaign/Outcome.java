package millrace.testkit.campaign;

import java.util.List;
import java.util.Locale;

/// What came of one copy.
///
/// @param seed makes the same copy with the same interruptions again
/// @param interruptions that struck it
/// @param midway how many of them struck when rows were moving: some had passed, and not all
/// @param attempts how often it was begun or gone on with
/// @param afresh how often it could not go on and was begun with an empty target
/// @param wrong what is wrong with the target, or empty
public record Outcome(
    Route route,
    long seed,
    List<Interruption> interruptions,
    int midway,
    int attempts,
    int afresh,
    String wrong) {

  public Outcome {
    interruptions = List.copyOf(interruptions);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-29s seed %-6d %d attempts%s, struck by %s: %s",
        route.name().toLowerCase(Locale.ROOT),
        seed,
        attempts,
        afresh == 0 ? "" : " (" + afresh + " afresh)",
        interruptions.isEmpty() ? "nothing" : interruptions,
        wrong.isEmpty() ? "every row once" : "WRONG: " + wrong);
  }

  /// How many copies there were, what struck them, and how many went wrong.
  public static String summary(List<Outcome> outcomes, long seconds) {
    List<Interruption> interruptions =
        outcomes.stream().flatMap(outcome -> outcome.interruptions().stream()).toList();
    return String.format(
        Locale.ROOT,
        "%d copies in %d s, %d kills, %d of executors, %d stops, %d network and server faults, %d"
            + " full disks, %d of them midway, %d times afresh: %d went wrong",
        outcomes.size(),
        seconds,
        interruptions.stream().filter(interruption -> interruption == Interruption.KILL).count(),
        interruptions.stream()
            .filter(interruption -> interruption == Interruption.EXECUTOR)
            .count(),
        interruptions.stream().filter(interruption -> interruption == Interruption.STOP).count(),
        interruptions.stream().filter(Interruption::isNetworkFault).count(),
        interruptions.stream()
            .filter(interruption -> interruption == Interruption.FULL_DISK)
            .count(),
        outcomes.stream().mapToInt(Outcome::midway).sum(),
        outcomes.stream().mapToInt(Outcome::afresh).sum(),
        outcomes.stream().filter(outcome -> !outcome.wrong().isEmpty()).count());
  }
}
