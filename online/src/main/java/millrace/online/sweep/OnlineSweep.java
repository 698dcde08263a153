package millrace.online.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport;
import millrace.online.run.OnlineRun;
import millrace.online.run.OnlineStores;
import millrace.online.run.Probes;
import millrace.plan.FaultMessage;
import millrace.report.sweep.Axis;
import millrace.spi.online.OnlineStore;
import org.jspecify.annotations.Nullable;

/// Runs all combinations of a plan, one after the other. One thread carries it out; any may stop
/// it.
public final class OnlineSweep {

  private final SweepPlan plan;
  private final Opener opener;
  private final OnlineRun.Listener listener;
  private final Consumer<SweepPoint> pointListener;
  private volatile boolean stopped;
  private volatile @Nullable OnlineRun running;
  private volatile @Nullable OnlineStore probed;

  /// What a run needs.
  ///
  /// @param before prepares a run; may throw a fault
  /// @param stores opens the tables of a job; they are closed after its run
  public record Opener(
      Consumer<SweepPlan.Combination> before, Function<OnlineJob, OnlineStores> stores) {}

  /// @param listener of each run
  /// @param pointListener is told of each run that has ended
  public OnlineSweep(
      SweepPlan plan,
      Opener opener,
      OnlineRun.Listener listener,
      Consumer<SweepPoint> pointListener) {
    this.plan = plan;
    this.opener = opener;
    this.listener = listener;
    this.pointListener = pointListener;
  }

  /// Carries it out. A combination that can't be run is told with its error, and the next is run: a
  /// night's work does not end with one bad setting.
  public SweepResult execute() {
    List<SweepPoint> points = new ArrayList<>();
    for (SweepPlan.Combination each : plan.combinations()) {
      if (stopped) {
        break;
      }
      SweepPoint point = point(each);
      points.add(point);
      pointListener.accept(point);
    }
    OnlineJob job = plan.combinations().getFirst().job();
    return new SweepResult(
        plan.axes().stream().map(Axis::name).toList(),
        level(job),
        points,
        plan.combinations().size(),
        stopped);
  }

  /// Ends it soon, with what has been measured so far. Any thread.
  public void stop() {
    stopped = true;
    OnlineRun run = running;
    if (run != null) {
      run.stop();
    }
    OnlineStore store = probed;
    if (store != null) {
      store.cancel();
    }
  }

  private SweepPoint point(SweepPlan.Combination combination) {
    try {
      opener.before().accept(combination);
      try (OnlineStores stores = opener.stores().apply(combination.job())) {
        return run(combination, stores);
      }
    } catch (Fault.Cancelled _) {
      stopped = true;
      return SweepPoint.without(
          combination.settings(), SweepPoint.Result.STOPPED, "It was stopped.");
    } catch (RuntimeException e) {
      Fault fault = Fault.of(e);
      String advice = FaultMessage.advice(fault);
      return SweepPoint.without(
          combination.settings(),
          SweepPoint.Result.ERROR,
          FaultMessage.of(fault) + (advice.isEmpty() ? "" : " " + advice));
    }
  }

  private SweepPoint run(SweepPlan.Combination combination, OnlineStores stores) {
    OnlineJob job = combination.job();
    OnlineRun run = new OnlineRun(job, stores, listener);
    running = run;
    if (stopped) {
      run.stop();
    }
    OnlineReport report = run.execute();
    running = null;
    List<String> notes = new ArrayList<>(report.notes());
    boolean complete = report.outcome().state() != OnlineReport.State.STOPPED && !stopped;
    Probes probes = complete ? probes(job, stores.store(), notes) : null;
    return new SweepPoint(
        combination.settings(),
        result(report.outcome().state()),
        report.outcome().criteria().stream()
            .filter(OnlineReport.Criterion::isBroken)
            .map(OnlineReport.Criterion::name)
            .toList(),
        SweepFigures.of(report, level(job)),
        probes,
        notes);
  }

  private @Nullable Probes probes(OnlineJob job, OnlineStore store, List<String> notes) {
    probed = store;
    try {
      // A stop that came before the line above has cancelled nothing.
      return stopped ? null : Probes.read(job, store);
    } catch (Fault e) {
      notes.add("The probes could not be read: " + FaultMessage.of(e));
      return null;
    } finally {
      probed = null;
    }
  }

  /// A run that ended before its time, and not by the user, has failed: its clients could not go
  /// on.
  private SweepPoint.Result result(OnlineReport.State state) {
    return switch (state) {
      case PASSED -> SweepPoint.Result.PASSED;
      case FAILED -> SweepPoint.Result.FAILED;
      case INVALID -> SweepPoint.Result.INVALID;
      case UNTESTED -> SweepPoint.Result.UNTESTED;
      case STOPPED, RUNNING -> stopped ? SweepPoint.Result.STOPPED : SweepPoint.Result.FAILED;
    };
  }

  private static String level(OnlineJob job) {
    return job.windows().getFirst().name();
  }
}
