package millrace.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.plan.Plan;
import millrace.report.Bottleneck;
import millrace.report.Report;
import millrace.report.host.HostFigures;
import millrace.report.profile.Profile;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;

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
  /// @param host what the machine did meanwhile
  /// @param profile which methods the time went to, or null where that was not asked
  public static Report of(
      String id,
      String verb,
      Instant startedAt,
      String outcome,
      Plan plan,
      Run run,
      HostFigures host,
      @Nullable Profile profile) {
    Meter meter = run.meter();
    List<Report.Step> steps = run.steps().list();
    List<Report.StageTime> stages = stages(meter);
    String lanesWhy = lanesWhy(plan, meter);
    Bottleneck bottleneck =
        new Bottleneck(
            meter.rows(),
            run.copyNanos(),
            meter.lanes(),
            lanesWhy,
            Runtime.getRuntime().availableProcessors(),
            stages,
            host);
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
        lanesWhy,
        steps,
        stages,
        bottleneck.sentence(),
        meter.cpuNanos(),
        residentBytesMax(),
        host,
        profile);
  }

  /// Why there were not more lanes, and whether all of them had something to do.
  private static String lanesWhy(Plan plan, Meter meter) {
    int busy = meter.lanesWithRows();
    if (busy == 0 || busy == meter.lanes()) {
      return plan.lanesWhy();
    }
    String unused =
        "only " + busy + " of " + meter.lanes() + " had rows: the source has no more splits";
    return plan.lanesWhy().isEmpty() ? unused : plan.lanesWhy() + "; " + unused;
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
