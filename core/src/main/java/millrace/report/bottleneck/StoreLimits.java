package millrace.report.bottleneck;

import java.util.Locale;
import java.util.Optional;
import millrace.engine.meter.PhaseLog;

/// A store of files that is the slow end, by what held up those who asked it.
final class StoreLimits {

  /// How every sentence about a store's limit begins.
  private static final String LIMITED = "The store limits this copy to ";

  /// Of the time of the slow half's worst stage, that requests could not be made. Lanes that wait
  /// for another one, which cuts the file for all, are held up by that too.
  private static final double LIMITED_MIN = 0.25;

  /// Of the same, that bytes of a file's only connection were waited for.
  private static final double SINGLE_MIN = 0.5;

  /// Fewer requests than this are turned away by any store now and then.
  private static final long TURNED_AWAY_MIN = 10;

  private static final double TURNED_AWAY_SHARE_MIN = 0.05;

  private static final double MB = 1024 * 1024;

  private final Evidence evidence;
  private final LaneSide slow;
  private final MoreLanes moreLanes;

  StoreLimits(Evidence evidence, LaneSide slow, MoreLanes moreLanes) {
    this.evidence = evidence;
    this.slow = slow;
    this.moreLanes = moreLanes;
  }

  /// That it turned so many requests away that this took most of the time.
  Optional<String> requests() {
    long answered = count("answered");
    long turnedAway = count("turned_away");
    double share = (double) turnedAway / Math.max(1, answered + turnedAway);
    if (turnedAway < TURNED_AWAY_MIN
        || share < TURNED_AWAY_SHARE_MIN
        || heldUp(limited()) < LIMITED_MIN) {
      return Optional.empty();
    }
    double perS = answered * 1e9 / nanos();
    return Optional.of(
        String.format(
            Locale.ROOT,
            LIMITED
                + (perS < 10 ? "%.1f" : "%.0f")
                + " requests/s, and that is the bottleneck: it turned %,d away (%.0f %% of"
                + " all), and the lanes' %ss waited for %.0f %% of their time until they could ask"
                + " again. Fewer and larger files would help, or files under more prefixes"
                + " (folders); or ask the store's owner for a higher limit. More lanes will not"
                + " help.",
            perS,
            turnedAway,
            100 * share,
            slow.name(),
            percent(limited())));
  }

  /// For how long requests were made: what is written is completed behind the rows.
  private long nanos() {
    return slow.readers()
        ? evidence.copyNanos()
        : evidence.steps().stream()
            .filter(step -> !step.name().equals(PhaseLog.PLAN))
            .mapToLong(PhaseLog.Phase::nanos)
            .sum();
  }

  private String limited() {
    return slow.readers() ? "limited_us" : "write_limited_us";
  }

  /// Whether a sentence says that.
  static boolean isAbout(String sentence) {
    return sentence.startsWith(LIMITED);
  }

  /// That each lane waited for the bytes of the one connection by which its file can be read.
  Optional<String> connection() {
    if (!slow.readers() || heldUp("single_us") < SINGLE_MIN) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "One connection to the store is the bottleneck%s: it brought %.1f MB/s, and the lanes'"
                + " readers waited for its bytes for %.0f %% of their time. Its file can only be"
                + " read from its beginning. %s Several files would help, or a server that gives"
                + " parts of files.",
            evidence.lanes().count() > 1 ? " of each lane" : "",
            count("single_bytes") / MB / (evidence.lanes().busyNanos() / 1e9),
            percent("single_us"),
            moreLanes.against().orElse("More lanes may help: each has a connection of its own.")));
  }

  private long count(String name) {
    return evidence.wire(slow.role(), name).orElse(0);
  }

  /// Which part of the time of the slow half's worst stage that was; 0 if its threads took it.
  private double heldUp(String name) {
    // Parts of all files that are written wait for each other.
    double lanes = slow.readers() ? 1 : evidence.lanes().count();
    return slow.works() ? 0 : lanes * count(name) * 1e3 / Math.max(1, slow.nanos(slow.worst()));
  }

  private double percent(String name) {
    return slow.share(slow.worst()) * Math.min(1, heldUp(name));
  }
}
