package millrace.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.engine.Run;
import millrace.engine.RunOutcome;
import millrace.engine.meter.CounterWatch;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
import millrace.plan.Plan;
import millrace.report.bottleneck.Bottleneck;
import millrace.report.bottleneck.Evidence;
import millrace.report.host.HostFigures;
import millrace.spi.Stage;
import millrace.spi.write.TargetDescription;
import org.jspecify.annotations.Nullable;

/// Turns what a run's meter counted into its report.
public final class Reports {

  private Reports() {}

  /// What was seen beside the run's own meters.
  ///
  /// @param host what the machine did meanwhile
  /// @param counted how the ends' counters moved
  /// @param ceilings what was measured before the run, or null if that was not asked
  /// @param goal what the run is to be measured against, or null if nothing is
  public record Observed(
      HostFigures host,
      CounterWatch.Moved counted,
      @Nullable Ceilings ceilings,
      @Nullable Goal goal) {}

  /// The report of a run that has ended.
  ///
  /// @param id names the run
  /// @param verb what was asked
  /// @param startedAt when
  /// @param outcome `ok`, or what went wrong
  /// @param plan what was planned
  /// @param run what was done
  /// @param ended how
  /// @param observed what else was seen
  public static Report of(
      String id,
      String verb,
      Instant startedAt,
      String outcome,
      Plan plan,
      Run run,
      RunOutcome ended,
      Observed observed) {
    Meter meter = run.meter();
    List<PhaseLog.Phase> steps = run.phaseLog().list();
    List<Report.StageTime> stages = stages(meter);
    String lanesWhy = lanesWhy(plan, run.meter(), ended.lanes());
    Ceilings ceilings = observed.ceilings == null ? null : compared(observed.ceilings, run);
    Evidence evidence =
        new Evidence(
            meter.rows(),
            meter.rejects(),
            run.phaseLog().nanos(PhaseLog.COPY),
            steps,
            run.phaseLog().waits(),
            new Evidence.Lanes(
                ended.lanes().number(),
                lanesWhy,
                ended.lanes().tried(),
                lanesNanos(meter),
                Runtime.getRuntime().availableProcessors(),
                ended.lanes().elsewhere()),
            stages,
            observed.host,
            new Evidence.Ends(
                observed.counted.waits(),
                observed.counted.counters(),
                observed.counted.troubles(),
                plan.writePlan().rowCosts(),
                plan.target().state() == TargetDescription.State.STREAM,
                new Evidence.Commits(
                    meter.commits(), meter.splits(), plan.job().tuning().commitUnit())),
            ceilings);
    Report.Totals totals = totals(run.meter(), ended, steps);
    return new Report(
        new Report.Header(id, verb, startedAt, outcome),
        new Report.JobSummary(
            plan.source().label(), plan.target().label(), plan.lines(), notes(plan, ended)),
        totals,
        new Report.Concurrency(
            ended.lanes().number(),
            lanesWhy,
            ended.lanes().tried(),
            ended.lanes().found(),
            meter.retries()),
        new Report.TimeBreakdown(steps, stages, Bottleneck.sentence(evidence)),
        new Report.ResourceUsage(meter.cpuNanos(), residentBytesMax(), observed.host),
        new Report.EndStatistics(
            observed.counted.counters(),
            observed.counted.missing(),
            observed.counted.waits().all()),
        new Report.Baselines(ceilings, reached(observed.goal, totals)));
  }

  private static Report.Totals totals(Meter meter, RunOutcome ended, List<PhaseLog.Phase> steps) {
    return new Report.Totals(
        steps.stream().mapToLong(PhaseLog.Phase::nanos).sum(),
        meter.rows(),
        meter.rowsDurable(),
        meter.rejects(),
        ended.fault() == null ? ended.merged() : null,
        meter.sourceBytes(),
        meter.targetBytes());
  }

  private static @Nullable Goal reached(@Nullable Goal goal, Report.Totals totals) {
    return goal == null
        ? null
        : goal.reached(totals.rows(), totals.bytes(), totals.elapsedNanos() / 1e9);
  }

  private static List<String> notes(Plan plan, RunOutcome ended) {
    List<String> notes = new ArrayList<>(ended.notes());
    notes.addAll(plan.notes());
    return notes;
  }

  private static Ceilings compared(Ceilings ceilings, Run run) {
    Meter meter = run.meter();
    PhaseLog log = run.phaseLog();
    long nanos = log.nanos(PhaseLog.COPY) + log.nanos(PhaseLog.COMPLETE);
    return ceilings.against(meter.rows(), meter.sourceBytes(), meter.targetBytes(), nanos / 1e9);
  }

  /// Why there were not more lanes, and whether all of them had something to do.
  private static String lanesWhy(Plan plan, Meter meter, RunOutcome.LanesUsed used) {
    List<String> reasons = new ArrayList<>();
    if (!plan.lanes().why().isEmpty()) {
      reasons.add(plan.lanes().why());
    }
    if (!used.limitWhy().isEmpty()) {
      reasons.add(used.limitWhy());
    }
    int busy = meter.lanesWithRows();
    if (busy > 0 && busy < used.number()) {
      reasons.add(
          "only " + busy + " of " + used.number() + " had rows: the source has no more splits");
    }
    return String.join("; ", reasons);
  }

  /// For how long lanes had something to do, or waited to try it again.
  private static long lanesNanos(Meter meter) {
    return meter.readerNanos().values().stream().mapToLong(Long::longValue).sum()
        + meter.retries().stream().mapToLong(Meter.Retry::nanos).sum();
  }

  private static List<Report.StageTime> stages(Meter meter) {
    List<Report.StageTime> times = new ArrayList<>();
    addSide(times, "reader", meter.readerNanos());
    addSide(times, "writer", meter.writerNanos());
    return times;
  }

  private static void addSide(
      List<Report.StageTime> times, String side, Map<Stage, Long> nanosByStage) {
    long total = nanosByStage.values().stream().mapToLong(Long::longValue).sum();
    nanosByStage.forEach((stage, nanos) -> {
      if (nanos > 0) {
        times.add(new Report.StageTime(side, stage.label(), nanos, 100.0 * nanos / total));
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
