package millrace.copy;

import java.time.Instant;
import java.util.function.Supplier;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.RunOutcome;
import millrace.engine.meter.CounterWatch;
import millrace.engine.meter.PhaseLog;
import millrace.engine.retry.Retrier;
import millrace.fault.Fault;
import millrace.plan.FaultMessage;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.plan.RunId;
import millrace.report.Ceilings;
import millrace.report.Report;
import millrace.report.Reports;
import millrace.report.RunStore;
import millrace.report.host.HostFigures;
import millrace.report.host.HostWatch;
import millrace.resume.EarlierRun;
import millrace.resume.PlannedCopy;
import millrace.resume.Start;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import org.jspecify.annotations.Nullable;

/// One copy: opens both ends, settles what becomes of an earlier run, plans, moves the rows, and
/// reports. If it fails in a way that may pass before any row has moved, it is done again from the
/// start, for as long as the user wants to wait.
///
/// One thread; the listener gets what others may stop it by.
public final class Copy {

  /// What `millrace runs` shows behind the fault.
  private static final String CAN_GO_ON = " (--resume continues it)";

  private final CopyContext context;
  private final ConnectorRegistry connectors;
  private final RunStore runs;
  private final CopySpec spec;
  private final Job job;
  private final CopyListener listener;
  private final EndOpener endOpener;
  private final Retrier retrier;

  private Copy(CopyContext context, CopySpec spec, CopyListener listener) {
    this.context = context;
    connectors = context.connectors();
    runs = context.runs();
    this.spec = spec;
    this.listener = listener;
    job = spec.job();
    endOpener = new EndOpener(connectors, spec.retryPolicy(), listener::says, context.shared());
    retrier = Retrier.beforeRows(spec.retryPolicy(), this::beforeWait);
  }

  /// Carries a copy out.
  ///
  /// @throws Fault if it could not even begin; a run that fails is told by its result
  public static CopyResult run(CopyContext context, CopySpec spec, CopyListener listener) {
    Increment increment = spec.increment();
    return increment == null
        ? new Copy(context, spec, listener).run()
        : new IncrementalCopy(context, spec, increment, listener).run();
  }

  /// Carries a copy out for its report alone: no journal is kept, no earlier run is looked for, and
  /// what earlier copies found is not used.
  ///
  /// @throws Fault if it could not even begin
  public static CopyResult trial(CopyContext context, CopySpec spec, CopyListener listener) {
    Copy copy = new Copy(context, spec, listener);
    return copy.retrier.get(copy::attemptTrial);
  }

  /// Tells what a copy would do, be it to go on with an earlier one, and changes nothing. It takes
  /// the same path as a copy.
  public static CopyPreview preview(CopyContext context, CopySpec spec, CopyListener listener) {
    Increment increment = spec.increment();
    return increment == null
        ? new Copy(context, spec, listener).preview()
        : new IncrementalCopy(context, spec, increment, listener).preview();
  }

  /// Finds out how long a copy will take, by short probes that leave nothing behind.
  ///
  /// @throws Fault.User if it can't be measured
  public static Estimate estimate(CopyContext context, CopySpec spec, CopyListener listener) {
    Copy copy = new Copy(context, spec, listener);
    return copy.retrier.get(
        () -> new EstimateProbes(copy.connectors, listener, copy.endOpener, copy.job).measure());
  }

  /// A run between two ends that the caller has opened, and closes: for those who want the rows
  /// themselves, to show or compare them. No journal is kept, and no report made.
  ///
  /// @throws Fault.User if the engine can't do what the plan leaves to it
  public static Run between(Planned planned, RunOptions options) {
    return new Run(planned, options);
  }

  /// What is kept of copies into a target; the caller closes it.
  ///
  /// @throws Fault.User if nothing is
  public static CopyJournal journal(EndOpener endOpener, Endpoint target) {
    return CopyJournal.open(endOpener, target);
  }

  private CopyPreview preview() {
    Job settled = endOpener.withoutDropped(job);
    try (Workplace workplace = Workplace.of(context, endOpener, settled);
        Source source = endOpener.source(workplace.from(), settled.selection());
        Target target = target()) {
      PlannedCopy planned = workplace.plan(plan(settled, source, target));
      Run run = between(planned.planned(), RunOptions.of(spec.retryPolicy()));
      listener.stoppedBy(run::cancel);
      Start start = run.settle(planned.earlier());
      return new CopyPreview(run.plan(), spec.resume(), start);
    }
  }

  private CopyResult run() {
    Ceilings ceilings = spec.measures().ceilings() ? ceilings() : null;
    // What was read of standard input to see what it is can't be read again.
    return job.from().isStandardStream()
        ? attempt(() -> retrier.get(this::target), ceilings)
        : retrier.get(() -> attempt(this::target, ceilings));
  }

  /// One try, from opening both ends to the end of the run.
  ///
  /// @throws Fault.Transient if it failed before any row could move, and nothing is left of it
  private CopyResult attempt(Supplier<Target> opening, @Nullable Ceilings ceilings) {
    long begunNanos = System.nanoTime();
    Job settled = endOpener.withoutDropped(job);
    try (Workplace workplace = Workplace.of(context, endOpener, settled);
        Source source = endOpener.source(workplace.from(), settled.selection());
        Target target = opening.get()) {
      HostWatch watch = watch();
      PlannedCopy planned = complete(workplace.plan(plan(settled, source, target)));
      Plan plan = planned.planned().plan();
      try (CounterWatch counters = counters(source, target)) {
        Run run = between(planned.planned(), workplace.options(spec.retryPolicy()));
        long startNanos = workplace.startNanos();
        long plannedNanos = System.nanoTime() - begunNanos - startNanos;
        CopyResult result =
            run(
                run,
                planned.earlier(),
                new RunMeasurements(watch, counters, ceilings, plannedNanos, startNanos));
        listener.ended(result, plan.target().storage().writeMethod());
        if (result.fault() == null) {
          acknowledge(target, result.outcome());
        }
        return result;
      }
    }
  }

  /// The copy is done: what fails from here on is no reason to do it again.
  private void acknowledge(Target target, RunOutcome outcome) {
    try {
      endOpener.acknowledge(target, outcome::acknowledge);
    } catch (Fault e) {
      listener.warns(
          "the copy is complete, but its journal could not be removed: " + e.getMessage());
    }
  }

  private CopyResult attemptTrial() {
    Job settled = endOpener.withoutDropped(job);
    try (Source source = source(settled);
        Target target = target()) {
      HostWatch watch = watch();
      Planned planned = endOpener.plan(settled, source, target);
      try (CounterWatch counters = counters(source, target)) {
        Run run = between(planned, RunOptions.of(spec.retryPolicy()));
        return run(run, EarlierRun.UNRECORDED, new RunMeasurements(watch, counters, null, 0, 0));
      }
    }
  }

  private void beforeWait(Fault.Transient fault, long waitNanos, int tries) {
    listener.waitEndedBy(retrier::cancel);
    endOpener.tryAgain(fault, waitNanos, tries);
  }

  private boolean mayBeDoneAgain(RunOutcome outcome) {
    return outcome.fault() instanceof Fault.Transient passing
        && !passing.endsRun()
        && spec.retryPolicy().retryFor().isPositive()
        && !outcome.atWork()
        && (outcome.left().undoFailure() == null || outcome.isUndoneByNext())
        && !job.from().isStandardStream();
  }

  /// Begins with what the last copy between these ends found best.
  private PlannedCopy plan(Job settled, Source source, Target target) {
    PlannedCopy copy =
        endOpener.plan(
            source,
            target,
            () -> PlannedCopy.of(settled, source, target, connectors.of(job.to()), spec.resume()));
    Plan plan = copy.planned().plan();
    Plan knowing =
        plan.knowing(
            runs.found(
                plan.source().label(),
                plan.target().label(),
                plan.target().storage().writeMethod()));
    return new PlannedCopy(copy.planned().with(knowing), copy.earlier());
  }

  /// The copy as it is done: once the engine has said that it can do it, the target gets the
  /// columns that it is to get.
  private PlannedCopy complete(PlannedCopy copy) {
    if (copy.planned().lacking().isEmpty()) {
      return copy;
    }
    Planned planned = copy.planned();
    Run.check(planned.plan());
    return endOpener.plan(planned.source(), planned.target(), copy::addingColumns);
  }

  private Ceilings ceilings() {
    return new CeilingProbes(connectors, listener, endOpener, job).measure();
  }

  private Source source(Job settled) {
    return endOpener.source(settled.from(), settled.selection());
  }

  private Target target() {
    return endOpener.target(job.to(), job.writeOptions());
  }

  private HostWatch watch() {
    return spec.measures().counters()
        ? HostWatch.prepare(place(job.from()), place(job.to()))
        : HostWatch.none();
  }

  private HostLocation place(Endpoint end) {
    return connectors.of(end).place(end);
  }

  private CounterWatch counters(Source source, Target target) {
    return spec.measures().counters() ? CounterWatch.start(source, target) : CounterWatch.none();
  }

  /// What is watched beside a run, and what was measured before it.
  ///
  /// @param plannedNanos how long it took to connect and to plan; 0 of a trial, whose time is that
  ///   of the copy alone
  /// @param startNanos how long a cluster's processes took to come; 0 without one
  private record RunMeasurements(
      HostWatch host,
      CounterWatch counters,
      @Nullable Ceilings ceilings,
      long plannedNanos,
      long startNanos) {}

  private CopyResult run(Run run, EarlierRun earlier, RunMeasurements watched) {
    Plan plan = run.plan();
    Instant startedAt = Instant.now();
    listener.stoppedBy(run::cancel);
    String id = RunId.begun(startedAt);
    watched.host.start();
    watched.counters.lookAt(run.meter());
    RunOutcome outcome = execute(run, earlier);
    Fault fault = outcome.fault();
    if (watched.startNanos > 0) {
      run.phaseLog().precededBy("start executors", watched.startNanos, "");
    }
    if (watched.plannedNanos > 0 && !run.phaseLog().list().isEmpty()) {
      run.phaseLog().precededBy(PhaseLog.PLAN, watched.plannedNanos, endOpener.waited());
    }
    HostFigures host = watched.host.finish(run.meter().rows());
    if (fault != null && mayBeDoneAgain(outcome)) {
      throw fault;
    }
    String words =
        fault == null
            ? "ok"
            : FaultMessage.of(fault) + (outcome.left().resumable() ? CAN_GO_ON : "");
    Report report =
        Reports.of(
            id,
            "copy",
            startedAt,
            words,
            plan,
            run,
            outcome,
            new Reports.Observed(
                host, watched.counters.finish(), watched.ceilings, spec.measures().goal()));
    return new CopyResult(report, outcome);
  }

  private RunOutcome execute(Run run, EarlierRun earlier) {
    try (CopyListener.Moving _ = listener.moves(run.plan(), run)) {
      return run.execute(earlier);
    }
  }
}
