package millrace.report.bottleneck;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import millrace.engine.meter.PhaseLog;
import millrace.report.Ceilings;
import millrace.spi.Stage;

/// How the two halves of the lanes, and the lanes among themselves, get on with each other.
final class ReaderWriterBalance {

  /// If both halves wait this much for each other, neither is the slow one.
  private static final double BOTH_WAIT_PERCENT_MIN = 35;

  /// One output is what lanes wait for if they wait this much for their turn.
  private static final double TURN_PERCENT_MIN = 20;

  /// Lanes that have something to do for less of the time than this have been left without.
  private static final double LANES_BUSY_MIN = 0.85;

  /// A rate that is this near to another is explained by it.
  private static final double NEAR = 0.15;

  private static final double MB = 1024 * 1024;

  private final Evidence evidence;
  private final LaneSide slow;
  private final MoreLanes moreLanes;

  ReaderWriterBalance(Evidence evidence, LaneSide slow, MoreLanes moreLanes) {
    this.evidence = evidence;
    this.slow = slow;
    this.moreLanes = moreLanes;
  }

  /// That some lanes had nothing left to read while others went on; not if those waited for the
  /// target for more of their time: more of them at once would wait for the same.
  Optional<String> uneven() {
    Evidence.Lanes lanes = evidence.lanes();
    double total = (double) lanes.count() * evidence.copyNanos();
    double busy = lanes.busyNanos() / total;
    boolean isForTarget =
        !slow.readers() && !slow.works() && slow.share(slow.worst()) > 100 * (1 - busy);
    if (lanes.count() < 2 || lanes.wereTried() || !(busy < LANES_BUSY_MIN) || isForTarget) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "The uneven parts of the source are the bottleneck: for %.0f %% of the time of %d lanes"
                + " there was nothing left to read, while others went on. Of those at work, %s."
                + " Parts of about the same size would help, more lanes will not: a compressed file"
                + " is one part, whatever its size.",
            100 * (1 - busy),
            lanes.count(),
            slow.words()));
  }

  /// Whether fewer lanes than there are processors had something to do, on the average.
  boolean fewerThanProcessors() {
    double atOnce = (double) evidence.lanes().busyNanos() / Math.max(1, evidence.copyNanos());
    return atOnce < evidence.lanes().processors();
  }

  /// Whether writers waited for whoever reads their output, for longer than for a processor.
  boolean waitForReader() {
    double waited = Math.max(0, slow.waitedPercent());
    double open = slow.share(Stage.SEND) + slow.share(Stage.TURN);
    return evidence.ends().intoStream()
        && slow.worst() == Stage.SEND
        && !slow.works()
        && open - Math.max(0, slow.busyPercent()) - waited > waited;
  }

  /// That all lanes write one output, or that another program takes it no faster.
  Optional<String> oneOutput() {
    if (evidence.ends().intoStream() && slow.worst() == Stage.SEND && !slow.works()) {
      long bytes = evidence.steps().stream().mapToLong(PhaseLog.Phase::bytes).max().orElse(0);
      return Optional.of(
          String.format(
              Locale.ROOT,
              "Whoever reads the output is the bottleneck: %.1f MB/s are taken; %s. More lanes will"
                  + " not help.",
              bytes / MB / (evidence.copyNanos() / 1e9),
              slow.words()));
    }
    boolean is = slow.worst() == Stage.SEND && slow.share(Stage.TURN) >= TURN_PERCENT_MIN;
    return is
        ? Optional.of(
            "The target is the bottleneck: "
                + slow.words()
                + ". It is one output, which lanes write one after the other: more lanes will not"
                + " help, several files would.")
        : Optional.empty();
  }

  /// That both wait for each other in turn.
  Optional<String> each() {
    return slow.share(Stage.QUEUE_WAIT) >= BOTH_WAIT_PERCENT_MIN
        ? Optional.of(
            "No single part is the bottleneck: "
                + slow.words()
                + ", so that both halves of the lanes wait for each other in turn. "
                + moreLanes.sentence())
        : Optional.empty();
  }

  /// How fast each end is by itself, if that was measured, and whether they share what makes them
  /// slower together.
  Optional<String> alone() {
    OptionalDouble source = ceiling("source");
    OptionalDouble target = ceiling("target");
    if (source.isEmpty() || target.isEmpty()) {
      return Optional.empty();
    }
    double one = source.getAsDouble();
    double other = target.getAsDouble();
    double run = evidence.rows() * 1e9 / evidence.copyNanos();
    double inTurn = 1 / (1 / one + 1 / other);
    String words =
        String.format(
            Locale.ROOT,
            "By themselves the source gives %,.0f rows/s and the target takes %,.0f; this run moved"
                + " %,.0f",
            one,
            other,
            run);
    return Optional.of(
        Math.abs(run / inTurn - 1) <= NEAR
            ? words
                + ", as if they worked one after the other: both need the same thing, processors or"
                + " a disk, and only more of it would help."
            : words + ".");
  }

  private OptionalDouble ceiling(String side) {
    Ceilings ceilings = evidence.ceilings();
    return ceilings == null
        ? OptionalDouble.empty()
        : ceilings.measured().stream()
            .filter(each -> each.side().equals(side) && each.rowsPerS() > 0)
            .mapToDouble(Ceilings.Ceiling::rowsPerS)
            .findFirst();
  }
}
