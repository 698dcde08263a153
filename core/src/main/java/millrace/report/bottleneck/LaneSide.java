package millrace.report.bottleneck;

import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;
import millrace.report.host.HostFigures;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;

/// One half of all lanes, and what its meters say. The half that waits less for the other is the
/// slow one.
///
/// @param readers whether it is the readers
record LaneSide(Evidence evidence, boolean readers) {

  /// A thread that is this busy in the time that is its own has no time left.
  private static final double BUSY_PERCENT_MIN = 85;

  /// The half that the run waited for.
  static LaneSide slow(Evidence evidence) {
    LaneSide readers = new LaneSide(evidence, true);
    LaneSide writers = new LaneSide(evidence, false);
    return readers.share(Stage.QUEUE_WAIT) <= writers.share(Stage.QUEUE_WAIT) ? readers : writers;
  }

  String name() {
    return readers ? "reader" : "writer";
  }

  /// Which end it speaks with.
  String role() {
    return readers ? "source" : "target";
  }

  /// What of its time went to a stage, in percent.
  double share(Stage stage) {
    return evidence.stages().stream()
        .filter(time -> time.side().equals(name()) && time.stage().equals(stage.label()))
        .mapToDouble(millrace.report.Report.StageTime::sharePercent)
        .sum();
  }

  /// How long it was in a stage, over all lanes.
  long nanos(Stage stage) {
    return evidence.stages().stream()
        .filter(time -> time.side().equals(name()) && time.stage().equals(stage.label()))
        .mapToLong(millrace.report.Report.StageTime::nanos)
        .sum();
  }

  /// Which stage took most. Waiting for the turn to send is part of sending.
  Stage worst() {
    return Stream.of(Stage.values())
        .filter(stage -> !stage.waitsForLanes())
        .max(Comparator.comparingDouble(this::weight))
        .orElse(Stage.READ);
  }

  /// The share of a stage, with that of waiting for one's turn in it.
  private double weight(Stage stage) {
    return share(stage) + (stage == Stage.SEND ? share(Stage.TURN) : 0);
  }

  /// For how much of its time it had to wait for a processor; -1 if unknown.
  double waitedPercent() {
    HostFigures.LaneWaits waits = laneWaits();
    return waits == null ? -1 : readers ? waits.readersPercent() : waits.writersPercent();
  }

  /// For how much of its time it was on a processor; -1 if unknown.
  double busyPercent() {
    HostFigures.LaneWaits waits = laneWaits();
    return waits == null ? -1 : readers ? waits.readersBusyPercent() : waits.writersBusyPercent();
  }

  private HostFigures.@Nullable LaneWaits laneWaits() {
    HostFigures host = evidence.host();
    return host == null ? null : host.laneWaits();
  }

  /// Whether it was at work itself for nearly all of the time in which it did not wait for other
  /// lanes: it decompressed, made rows, or copied bytes.
  private boolean isAtWork() {
    double free = 100 - share(Stage.QUEUE_WAIT) - share(Stage.TURN);
    return busyPercent() > 0 && busyPercent() + waitedPercent() >= free * BUSY_PERCENT_MIN / 100;
  }

  /// Whether its own threads take the time of its worst stage, and no end makes them wait.
  boolean works() {
    Stage worst = worst();
    return isAlwaysWork(worst) || ((worst == Stage.READ || worst == Stage.SEND) && isAtWork());
  }

  private static boolean isAlwaysWork(Stage stage) {
    return switch (stage) {
      case DECOMPRESS, PARSE, CONVERT, REJECT, ENCODE, COMPRESS -> true;
      case READ, FILTER, SEND, SERVER_WAIT, COMMIT, TURN, QUEUE_WAIT -> false;
    };
  }

  /// Whether it mostly waits for a database that works on threads of this process, which nothing
  /// counts apart.
  boolean isEmbedded() {
    return worst() == Stage.SERVER_WAIT
        && evidence.host() != null
        && evidence.server(role()) == null;
  }

  /// What its meters say.
  String words() {
    Stage worst = worst();
    double turn = worst == Stage.SEND ? share(Stage.TURN) : 0;
    String words =
        String.format(
            Locale.ROOT,
            "the lanes' %ss spent %.0f %% of their time on %s (%s)",
            name(),
            share(worst),
            worst.label(),
            worst.meaning());
    if (turn >= 1) {
      words +=
          String.format(
              Locale.ROOT, ", %.0f %% on %s (%s)", turn, Stage.TURN.label(), Stage.TURN.meaning());
    }
    words +=
        String.format(
            Locale.ROOT,
            " and %.0f %% waiting for the %ss",
            share(Stage.QUEUE_WAIT),
            new LaneSide(evidence, !readers).name());
    return works() && !isAlwaysWork(worst)
        ? words
            + String.format(
                Locale.ROOT, "; they were on a processor for %.0f %% of their time", busyPercent())
        : words;
  }
}
