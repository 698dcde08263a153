package millrace.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import millrace.engine.lane.LaneOpener;
import millrace.engine.lane.LaneTransforms;
import millrace.engine.lane.Receipts;
import millrace.engine.lane.Workers;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
import millrace.engine.reject.RejectLog;
import millrace.engine.retry.Retrier;
import millrace.engine.tuning.LaneTuner;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.resume.EarlierRun;
import millrace.resume.SourceRecheck;
import millrace.resume.Start;
import millrace.spi.journal.Receipt;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.OpenFailed;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Recoverable;
import millrace.spi.write.StagedRowValidator;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// Carries a plan out, once.
///
/// The thread that calls {@link #execute} waits for the lanes; any other may {@link #cancel} and
/// watch the {@link #meter}. How it ended is told by its {@link RunOutcome}.
public final class Run {

  private final Plan plan;
  private final DescribedSource source;
  private final PlannedTarget target;
  private final MergeSteps steps;
  private final RunOptions options;
  private final Meter meter;
  private final EndWatch ends;
  private final PhaseLog phaseLog = new PhaseLog();
  private final WorkerChoice workerChoice;
  private final Retrier completing;
  private final AtomicReference<Fault.@Nullable Cancelled> cancelled = new AtomicReference<>();
  private volatile @Nullable ChecksumRecheck checksumRecheck;
  private volatile @Nullable Workers workers;

  /// What has become of the rows so far; for the run's thread alone.
  private Completed completed = Completed.PLAIN;

  private Aborted aborted = Aborted.CLEAN;
  private boolean resumable;
  private List<String> sourceNotes = List.of();

  /// Finds out whether the engine can do what the plan leaves to it, before anything is touched.
  ///
  /// @throws Fault.User if a column can't be converted or the condition not be applied
  public static void check(Plan plan) {
    LaneTransforms.check(plan);
  }

  /// A run of that plan between the two ends that it was made for; the caller closes them.
  ///
  /// @throws Fault.User as {@link #check}
  public Run(Planned planned, RunOptions options) {
    plan = planned.plan();
    check(plan);
    source = planned.from();
    target = planned.to();
    steps = planned.request().landing().steps();
    this.options = options;
    meter = new Meter(plan.lanes());
    ends = new EndWatch(planned, options.retryPolicy(), meter, phaseLog);
    workerChoice = WorkerChoice.of(planned, options, ends::cancelBoth);
    completing = new Retrier(options.retryPolicy(), this::beginWait);
  }

  /// What it carries out.
  public Plan plan() {
    return plan;
  }

  /// What the run has done so far; for progress and the report.
  public Meter meter() {
    return meter;
  }

  /// How long each step took.
  public PhaseLog phaseLog() {
    return phaseLog;
  }

  /// What is done at this moment before or after rows move, such as "make indexes", and what others
  /// have that it waits for; empty while rows move.
  public String currentStep() {
    String step = phaseLog.underWay();
    return step.equals(PhaseLog.COPY) ? "" : step + ends.targetWaits();
  }

  /// What one of the ends waits for while no row moves, such as "the target waits for …"; empty if
  /// rows move, or nobody can say.
  public String endWaits() {
    return ends.waits();
  }

  /// Stops the run soon; it then fails with {@link Fault.Cancelled}. From any thread.
  public void cancel(String why) {
    Fault.Cancelled stop = new Fault.Cancelled(why);
    cancelled.compareAndSet(null, stop);
    ChecksumRecheck reading = checksumRecheck;
    if (reading != null) {
      reading.cancel(stop);
    }
    Workers working = workers;
    if (working != null) {
      stopIfCancelled(working);
    }
    completing.cancel(why);
    ends.cancel();
  }

  /// Moves all rows, and makes them appear where the mode staged them. No earlier run is looked
  /// for, and nothing is kept of this one.
  public RunOutcome execute() {
    return execute(EarlierRun.UNRECORDED);
  }

  /// Settles what becomes of an earlier run, moves all rows, and makes them appear where the mode
  /// staged them. If that fails, what was staged has been removed, or is kept for another run to go
  /// on with.
  public RunOutcome execute(EarlierRun earlier) {
    Start start;
    try {
      start = settle(earlier);
    } catch (Fault.Cancelled | Fault.Transient e) {
      // The earlier run stays as it is.
      resumable = earlier.isResumed();
      return outcome(e, null);
    } catch (RuntimeException | Error e) {
      return outcome(Fault.of(e), null);
    }
    try {
      switch (start) {
        case Start.Complete complete -> complete.recorded().journal().finish(complete.run());
        case Start.Moving moving -> move(moving);
      }
      return outcome(null, start);
    } catch (Fault.Data e) {
      return outcome(RunFailure.explained(plan, e), start);
    } catch (RuntimeException | Error e) {
      return outcome(Fault.of(e), start);
    }
  }

  /// Settles how the run starts, and changes nothing: the first step of {@link #execute}, at which
  /// a dry run stops.
  ///
  /// @throws Fault.User if an earlier run or a changed source stands in the way
  public Start settle(EarlierRun earlier) {
    return ends.whileTargetWorks(
        "an earlier run is being looked for", () -> earlier.settle(plan, source, this::recheck));
  }

  private SourceRecheck.Result recheck(ReadSession again, List<Receipt> taken, List<Split> empty) {
    ChecksumRecheck recheck =
        new ChecksumRecheck(plan, ends.source(), again, options.retryPolicy());
    checksumRecheck = recheck;
    stopIfCancelled();
    int lanes = plan.lanes().first();
    String change = timed("read again what was copied", lanes, () -> recheck.change(taken, empty));
    phaseLog.moved(recheck.rows(), 0, lanes);
    return new SourceRecheck.Result(change, recheck.rows());
  }

  private <T> T timed(String step, int concurrency, Supplier<T> work) {
    List<T> result = new ArrayList<>();
    phaseLog.time(step, concurrency, () -> result.add(work.get()));
    return result.getFirst();
  }

  /// Opens the source and moves its rows.
  private void move(Start.Moving start) {
    Receipts receipts = new Receipts(meter, start.receipts());
    meter.resumesAfter(receipts.rows());
    try (RejectLog rejects = new RejectLog(plan, meter, options.rejects());
        ReadSession from = openSource(start);
        Splits splits = fromSource(() -> start.splits(from))) {
      if (start.copiesTheSame()) {
        rejects.resume();
      }
      move(start, from, splits, rejects, receipts);
    }
  }

  /// Opens the target, moves the rows, and completes or aborts it.
  private void move(
      Start.Moving start, ReadSession from, Splits splits, RejectLog rejects, Receipts receipts) {
    long rowsTaken = receipts.rows();
    SourceRelease release = new SourceRelease(from);
    try (WriteSession to = openTarget(start, rejects)) {
      try {
        LaneOpener opener = new LaneOpener(plan, from, to, meter, rejects);
        work(workerChoice.workers(start, opener, to, splits, receipts, rejects));
        release.letGo();
        validateStaged(to, rejects);
        rejects.judge();
        phaseLog.time(PhaseLog.COMPLETE, 1, () -> complete(to));
        meter.countRejectedAtEnd(completed.rowsLeftOut());
        meter.countDurable(rowsTaken + meter.rows() - meter.rowsDurable());
      } catch (RuntimeException | Error e) {
        release.beforeAbort(plan, e);
        abort(start, to, e, receipts);
        throw e;
      }
    } finally {
      sourceNotes = Stream.concat(from.notes().stream(), workerNotes()).toList();
    }
  }

  private Stream<String> workerNotes() {
    Workers worked = workers;
    return worked == null ? Stream.empty() : worked.notes().stream();
  }

  private ReadSession openSource(Start.Moving start) {
    return fromSource(() -> source.open(start.readPlan(plan)));
  }

  private <T> T fromSource(Supplier<T> work) {
    return orCancelled(() -> ends.openSource(this::stopIfCancelled, work));
  }

  private WriteSession openTarget(Start.Moving start, RejectLog rejects) {
    WriteStart how =
        new WriteStart(
            plan.lanes().most(), rejects.allowed(), plan.source().size(), start.journal());
    return timed(
        "prepare target", 1, () -> orCancelled(() -> ends.prepareTarget(() -> open(start, how))));
  }

  /// What went wrong is told in place of the wrapping, so that whoever watches sees a cancel.
  private WriteSession open(Start.Moving start, WriteStart how) {
    if (start.recorded() != null) {
      start.recorded().prune();
    }
    try {
      return target.open(how);
    } catch (OpenFailed e) {
      ended(start, e.aborted());
      throw e.failure();
    } catch (RuntimeException e) {
      // It has undone what it began, and what it was to go on with is as it was.
      resumable = start instanceof Start.Resumed;
      throw e;
    }
  }

  /// Lets the workers move all rows.
  private void work(Workers working) {
    long rowsBefore = meter.rows();
    workers = working;
    stopIfCancelled(working);
    phaseLog.time(PhaseLog.COPY, plan.lanes().first(), () -> watched(working));
    int worked = RunOutcome.LanesUsed.number(lanesMeant(), working.found());
    phaseLog.moved(meter.rows() - rowsBefore, meter.rateBytes(), worked);
    RunFailure.throwFirst(working.failure(), worked);
    stopIfCancelled();
  }

  /// Other processes see by themselves whether rows move there.
  private void watched(Workers working) {
    if (options.processes() == null) {
      ends.whileLanesWork(working::fail, working::work);
    } else {
      working.work();
    }
  }

  private void validateStaged(WriteSession to, RejectLog rejects) {
    StagedRowValidator validator = to.capability(StagedRowValidator.class);
    if (rejects.allowed() && validator != null) {
      meter.countRejectedAtEnd(validator.validateStaged(rejects, phaseLog));
      stopIfCancelled();
    }
  }

  /// The target's own connection may be lost by now, even if the lanes have got over it.
  private void complete(WriteSession to) {
    if (steps.deletes() && meter.rows() == 0) {
      throw RunFailure.wouldDeleteAll(plan);
    }
    boolean isRecoverable = to.capability(Recoverable.class) != null;
    completed =
        orCancelled(() ->
            ends.whileTargetWorks(
                "the target is being completed",
                () ->
                    completing.get(
                        () -> {
                          meter.endWait(0);
                          return to.complete(phaseLog);
                        },
                        _ -> isRecoverable)));
  }

  /// No lane is at work any more, so that the first lane's place is free.
  private void beginWait(Fault.Transient fault, long waitNanos, int tries) {
    meter.beginWait(0, String.valueOf(fault.getMessage()), waitNanos, tries, waitNanos);
  }

  /// What was cancelled fails with the reason that was given for it.
  private <T> T orCancelled(Supplier<T> work) {
    try {
      return work.get();
    } catch (Fault.Cancelled e) {
      stopIfCancelled();
      throw e;
    }
  }

  /// A cancel that came when the last lane had ended.
  private void stopIfCancelled() {
    Fault.Cancelled stop = cancelled.get();
    if (stop != null) {
      throw stop;
    }
  }

  private void stopIfCancelled(Workers working) {
    Fault.Cancelled stop = cancelled.get();
    if (stop != null) {
      working.fail(stop);
    }
  }

  /// Undoes what was staged, unless another run can go on with it; a failure to do so is told
  /// beside the failure that led here.
  private void abort(Start.Moving start, WriteSession to, Throwable cause, Receipts receipts) {
    try {
      boolean keep =
          start.outlives(cause instanceof Fault.Cancelled)
              && (meter.rowsDurable() > 0 || isWorthKeeping(start, to, cause, receipts));
      ended(start, ends.whileTargetWorks("the target is being cleared", () -> to.abort(keep)));
    } catch (RuntimeException e) {
      ended(start, Aborted.CLEAN.failing(e));
    }
    RuntimeException failure = aborted.failure();
    if (failure != null && !failure.equals(cause)) {
      cause.addSuppressed(failure);
    }
  }

  private void ended(Start.Moving start, Aborted how) {
    aborted = how;
    resumable = how.retained() && start.canBeResumed();
    if (how.gone()) {
      meter.countDurable(-meter.rowsDurable());
    }
  }

  /// Rows that nobody sees yet, or that can't be undone, are kept if the same command can go well
  /// another time; after bad data or a wrong request it would only fail again.
  private static boolean isWorthKeeping(
      Start.Moving start, WriteSession to, Throwable cause, Receipts receipts) {
    boolean mayGoWell =
        cause instanceof Fault.Cancelled
            || cause instanceof Fault.Transient
            || cause instanceof Fault.External;
    Recoverable recoverable = to.capability(Recoverable.class);
    boolean isThere =
        receipts.rows() > 0
            || (start instanceof Start.Resumed resumed && resumed.mayHaveLeftRows())
            || (recoverable != null && recoverable.leavesRows());
    return mayGoWell && start.canBeResumed() && isThere;
  }

  private RunOutcome outcome(@Nullable Fault fault, @Nullable Start start) {
    return new RunOutcome(
        fault,
        start,
        workers != null || checksumRecheck != null,
        new RunOutcome.Left(resumable, fault == null ? "" : aborted.leaves(), aborted.failure()),
        steps.reported(completed.merged()),
        RunNotes.of(plan, meter, start, sourceNotes, completed, aborted),
        RunOutcome.LanesUsed.of(lanesMeant(), workerChoice.tuner(), workers));
  }

  private int lanesMeant() {
    LaneTuner tuner = workerChoice.tuner();
    return tuner == null ? plan.lanes().first() : tuner.best();
  }
}
