package millrace.report.bottleneck;

import java.util.Locale;
import millrace.engine.meter.PhaseLog;
import millrace.text.Amount;

/// How often a run committed, how many parts of the source it did, and what would make both fewer.
final class CommitCosts {

  /// Parts are small if they have fewer bytes than this, and felt if there are so many.
  private static final long SMALL_BYTES = 1 << 20;

  private static final long MANY = 100;

  /// Parts that share a commit have at least so many of their own kind in it.
  private static final double SHARED = 1.5;

  private final Evidence.Commits counted;
  private final long bytes;

  CommitCosts(Evidence evidence) {
    counted = evidence.ends().commits();
    bytes = evidence.steps().stream().mapToLong(PhaseLog.Phase::bytes).max().orElse(Long.MAX_VALUE);
  }

  /// Whether the source is so many small files, or other parts, that each part costs more than its
  /// bytes.
  boolean partsAreSmall() {
    return counted.parts() >= MANY && bytes / counted.parts() < SMALL_BYTES;
  }

  /// Whether each of them was committed by itself.
  private boolean eachAlone() {
    return counted.commits() < SHARED * counted.parts()
        && counted.parts() < SHARED * counted.commits();
  }

  /// The parts in words.
  String parts() {
    return String.format(Locale.ROOT, "%,d small files or other parts", counted.parts());
  }

  /// What would make commits fewer, as a clause.
  String help() {
    Amount unit = counted.unit();
    if (counted.commits() == 0) {
      return "larger commit units would help";
    }
    if (partsAreSmall() && eachAlone()) {
      return "each of the source's "
          + parts()
          + " is a transaction of its own, so that fewer and larger ones would help, and a larger"
          + " commit unit would not";
    }
    return unit == null
        ? String.format(
            Locale.ROOT,
            "there were %,d%s",
            counted.commits(),
            partsAreSmall()
                ? " for the source's " + parts() + ", so that fewer and larger ones would help"
                : ", as few as the parts of the source allow")
        : String.format(
            Locale.ROOT,
            "the commit unit of %s made %,d of them, so that a larger one would help",
            words(unit),
            counted.commits());
  }

  private static String words(Amount unit) {
    return unit.inBytes()
        ? unit.toString()
        : String.format(Locale.ROOT, "%,d row%s", unit.number(), unit.number() == 1 ? "" : "s");
  }
}
