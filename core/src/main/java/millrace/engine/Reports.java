package millrace.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.plan.Plan;
import millrace.report.Report;
import millrace.spi.Stage;

/// Turns what a run's meter counted into its report.
public final class Reports {

  private Reports() {}

  /// The report of a run that has ended.
  ///
  /// @param id names the run
  /// @param verb what was asked
  /// @param startedAt when
  /// @param outcome `ok`, or what went wrong
  /// @param plan what was planned
  /// @param run what was done
  public static Report of(
      String id, String verb, Instant startedAt, String outcome, Plan plan, Run run) {
    Meter meter = run.meter();
    List<Report.Step> steps = run.steps().list();
    return new Report(
        id,
        verb,
        startedAt,
        outcome,
        plan.source().label(),
        plan.target().label(),
        plan.lines(),
        steps.stream().mapToLong(Report.Step::nanos).sum(),
        meter.rows(),
        meter.rowsDurable(),
        meter.rejects(),
        meter.sourceBytes(),
        meter.targetBytes(),
        meter.lanes(),
        plan.lanesWhy(),
        steps,
        stages(meter),
        bottleneck(meter),
        meter.cpuNanos(),
        residentBytesMax());
  }

  private static List<Report.StageTime> stages(Meter meter) {
    List<Report.StageTime> times = new ArrayList<>();
    addSide(times, "reader", meter.readerNanos());
    addSide(times, "writer", meter.writerNanos());
    return times;
  }

  private static void addSide(
      List<Report.StageTime> times, String side, Map<Stage, Long> nanosByStage) {
    long whole = nanosByStage.values().stream().mapToLong(Long::longValue).sum();
    nanosByStage.forEach((stage, nanos) -> {
      if (nanos > 0) {
        times.add(new Report.StageTime(side, stage.label(), nanos, 100.0 * nanos / whole));
      }
    });
  }

  /// The side that waits less for the other is the slow one; what it mostly did names the cause.
  static String bottleneck(Meter meter) {
    Map<Stage, Long> readers = meter.readerNanos();
    Map<Stage, Long> writers = meter.writerNanos();
    if (meter.rows() == 0) {
      return "No rows moved, so nothing was slow.";
    }
    double readersWait = share(readers, Stage.QUEUE_WAIT);
    double writersWait = share(writers, Stage.QUEUE_WAIT);
    boolean readersSlow = readersWait <= writersWait;
    Map<Stage, Long> slow = readersSlow ? readers : writers;
    Stage worst = largest(slow);
    return String.format(
        Locale.ROOT,
        "The %s: the lanes' %ss spent %.0f %% of their time on %s (%s) and %.0f %% waiting for the"
            + " %s. %s",
        part(worst, readersSlow),
        readersSlow ? "reader" : "writer",
        share(slow, worst),
        worst.label(),
        worst.meaning(),
        readersSlow ? readersWait : writersWait,
        readersSlow ? "writers" : "readers",
        remedy(worst, readersSlow, meter.lanes()));
  }

  private static Stage largest(Map<Stage, Long> nanos) {
    Stage worst = Stage.READ;
    long most = -1;
    for (Map.Entry<Stage, Long> entry : nanos.entrySet()) {
      if (entry.getKey() != Stage.QUEUE_WAIT && entry.getValue() > most) {
        most = entry.getValue();
        worst = entry.getKey();
      }
    }
    return worst;
  }

  private static String part(Stage stage, boolean readersSlow) {
    return switch (stage) {
      case READ -> "source is the bottleneck";
      case PARSE -> "parsing here is the bottleneck";
      case CONVERT -> "conversion here is the bottleneck";
      case ENCODE -> "encoding here is the bottleneck";
      case SEND, COMMIT -> "target is the bottleneck";
      case SERVER_WAIT -> readersSlow ? "source is the bottleneck" : "target is the bottleneck";
      case QUEUE_WAIT -> "two ends are in balance";
    };
  }

  private static String remedy(Stage stage, boolean readersSlow, int lanes) {
    int cores = Runtime.getRuntime().availableProcessors();
    String end = readersSlow ? "source" : "target";
    return switch (stage) {
      case PARSE, CONVERT, ENCODE ->
          lanes < cores
              ? "More lanes would help: " + lanes + " of " + cores + " processors have one."
              : "All " + cores + " processors have a lane: only more of them would help.";
      case READ, SERVER_WAIT, SEND, COMMIT, QUEUE_WAIT ->
          lanes < cores
              ? "More lanes help only if the " + end + " can serve them side by side."
              : "Only a faster " + end + " would help.";
    };
  }

  private static double share(Map<Stage, Long> nanos, Stage stage) {
    long whole = nanos.values().stream().mapToLong(Long::longValue).sum();
    return whole == 0 ? 0 : 100.0 * nanos.getOrDefault(stage, 0L) / whole;
  }

  /// Linux keeps the peak in /proc/self/status, see proc(5); elsewhere it is not known.
  private static long residentBytesMax() {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return -1;
    }
    try {
      for (String line : Files.readAllLines(status)) {
        if (line.startsWith("VmHWM:")) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }
      }
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(Reports.class).debug("no /proc/self/status", e);
    }
    return -1;
  }
}
