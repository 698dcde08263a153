package millrace.engine;

import millrace.engine.lane.LaneOpener;
import millrace.engine.lane.LanePool;
import millrace.engine.lane.Receipts;
import millrace.engine.lane.Workers;
import millrace.engine.reject.RejectLog;
import millrace.engine.remote.Cluster;
import millrace.engine.remote.RemoteLanes;
import millrace.engine.remote.RemoteRun;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.engine.tuning.LaneTuner;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.resume.RecordedRun;
import millrace.resume.Start;
import millrace.spi.read.Splits;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// Who works the splits of a run off: lanes of this process, or other processes.
///
/// @param request what the target was planned for
/// @param tuner finds out how many lanes are best; null if that is settled
/// @param stopEnds stops what the ends do by themselves
record WorkerChoice(
    Plan plan,
    WriteRequest request,
    RunOptions options,
    @Nullable LaneTuner tuner,
    Runnable stopEnds) {

  static WorkerChoice of(Planned planned, RunOptions options, Runnable stopEnds) {
    Plan plan = planned.plan();
    boolean isSettled = options.concurrencyPolicy() != null || options.processes() != null;
    return new WorkerChoice(
        plan, planned.request(), options, isSettled ? null : tuner(plan), stopEnds);
  }

  private static @Nullable LaneTuner tuner(Plan plan) {
    Lanes lanes = plan.lanes();
    return lanes.measured()
        ? new LaneTuner(
            lanes.first(), lanes.most(), plan.splitBytes(), plan.source().size().bytes())
        : null;
  }

  /// Makes them ready.
  ///
  /// @throws millrace.fault.Fault.User if other processes can't write to the run
  Workers workers(
      Start.Moving start,
      LaneOpener opener,
      WriteSession to,
      Splits splits,
      Receipts receipts,
      RejectLog rejects) {
    RunOptions.Processes processes = options.processes();
    if (processes == null) {
      ConcurrencyPolicy policy = options.concurrencyPolicy();
      return new LanePool(
          opener,
          splits,
          receipts,
          options.retryPolicy(),
          policy == null ? tuner : policy,
          stopEnds);
    }
    RecordedRun recorded = start.recorded();
    if (recorded == null) {
      throw RemoteLanes.refused(plan);
    }
    RemoteRun remote =
        new RemoteRun(
            plan,
            request.resuming(null),
            processes.from(),
            processes.to(),
            start.readPlan(plan),
            recorded.run(),
            options.retryPolicy());
    Cluster.Work work = processes.cluster().begin(remote);
    try {
      return new RemoteLanes(work, remote, to, splits, receipts, rejects, opener.meter());
    } catch (RuntimeException | Error e) {
      work.close();
      throw e;
    }
  }
}
