package millrace.engine;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import millrace.fault.Fault;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.report.Report;
import millrace.spi.Source;
import millrace.spi.Splits;
import millrace.spi.Target;
import org.jspecify.annotations.Nullable;

/// Carries a plan out.
///
/// The thread that calls {@link #execute} waits for the lanes; any other may {@link #cancel} and
/// watch the {@link #meter}. A run is used once.
public final class Run {

  private static final String COPY = "copy rows";

  private final Plan plan;
  private final Source source;
  private final Target target;
  private final Meter meter;
  private final Patience patience;
  private final @Nullable LaneTuner tuner;
  private final @Nullable Pace pace;
  private final AtomicReference<Fault.@Nullable Cancelled> cancelled = new AtomicReference<>();
  private final Steps steps = new Steps();
  private volatile @Nullable Crew crew;
  private volatile @Nullable RuntimeException undoFailure;

  /// Finds out whether the engine can do what the plan leaves to it, before anything is touched.
  ///
  /// @throws Fault.User where a column can't be converted or the condition not be applied
  public static void check(Plan plan) {
    LaneSteps.check(plan);
  }

  /// A run of that plan between the two ends that it was made for; the caller closes them.
  ///
  /// @throws Fault.User as {@link #check}
  public Run(Plan plan, Source source, Target target) {
    this(plan, source, target, Patience.NONE);
  }

  /// A run that goes on for some time where nothing moves.
  ///
  /// @throws Fault.User as {@link #check}
  public Run(Plan plan, Source source, Target target, Patience patience) {
    this(plan, source, target, patience, tuner(plan), null);
  }

  /// A run that has as many lanes as that pace says, and not as it measures; for tests.
  Run(Plan plan, Source source, Target target, Pace pace) {
    this(plan, source, target, Patience.NONE, null, pace);
  }

  private Run(
      Plan plan,
      Source source,
      Target target,
      Patience patience,
      @Nullable LaneTuner tuner,
      @Nullable Pace pace) {
    check(plan);
    this.plan = plan;
    this.source = source;
    this.target = target;
    this.patience = patience;
    this.tuner = tuner;
    this.pace = pace == null ? tuner : pace;
    meter = new Meter(plan.lanes());
  }

  private static @Nullable LaneTuner tuner(Plan plan) {
    Lanes lanes = plan.lanes();
    return lanes.measured()
        ? new LaneTuner(
            lanes.first(), lanes.most(), plan.splitBytes(), plan.source().bytesEstimate())
        : null;
  }

  /// What the run has done so far; for progress and the report.
  public Meter meter() {
    return meter;
  }

  /// How many lanes were best, or were planned where nothing was to be found out. Once it has
  /// ended.
  int lanes() {
    return tuner == null ? plan.lanes().first() : tuner.best();
  }

  /// What each number of lanes that was tried moved in a second. Once it has ended.
  List<Report.LaneRate> lanesTried() {
    return tuner == null ? List.of() : tuner.tried();
  }

  /// Why no more lanes could be tried, or null where nothing stood against it.
  @Nullable String lanesLimitWhy() {
    Crew worked = crew;
    return worked == null ? null : worked.limitWhy();
  }

  /// How long each step took.
  public Steps steps() {
    return steps;
  }

  /// For how long rows moved, or were about to.
  long copyNanos() {
    return steps.list().stream()
        .filter(step -> step.name().equals(COPY))
        .mapToLong(Report.Step::nanos)
        .sum();
  }

  /// Why what was staged could not be removed after a failure, or null where it was.
  public @Nullable RuntimeException undoFailure() {
    return undoFailure;
  }

  /// Moves all rows, and makes them appear where the mode staged them.
  ///
  /// @throws Fault what went wrong first; whatever was staged has been removed
  public void execute() {
    try (RejectLog rejects = new RejectLog(plan.job().rejects(), meter, source.recordFile());
        Splits splits = source.splits(plan.splitBytes(), plan.lanes().most())) {
      steps.time("prepare target", 1, () -> target.begin(plan.lanes().most()));
      long rowsBefore = meter.rows();
      Crew lanes = new Crew(plan, source, target, meter, splits, rejects, patience, pace);
      crew = lanes;
      stopIfCancelled(lanes);
      steps.time(COPY, plan.lanes().first(), () -> work(lanes));
      steps.moved(meter.rows() - rowsBefore, meter.targetBytes(), lanes());
      stopIfFailed(lanes.failure());
      stopIfCancelled();
      rejects.judge();
      steps.time("complete target", 1, () -> target.complete(steps));
      meter.countDurable(meter.rows() - meter.rowsDurable());
    } catch (RuntimeException | Error e) {
      abandon(e);
      throw e;
    }
  }

  private void work(Crew lanes) {
    try (StallWatch _ = StallWatch.start(meter, patience.stallTimeout(), lanes::fail)) {
      lanes.work();
    }
  }

  /// Stops the run soon; {@link #execute} then throws {@link Fault.Cancelled}. From any thread.
  public void cancel(String why) {
    cancelled.compareAndSet(null, new Fault.Cancelled(why));
    Crew working = crew;
    if (working != null) {
      stopIfCancelled(working);
    }
    target.cancel();
  }

  /// A cancel that came when the last lane had ended.
  private void stopIfCancelled() {
    Fault.Cancelled stop = cancelled.get();
    if (stop != null) {
      throw stop;
    }
  }

  private void stopIfCancelled(Crew working) {
    Fault.Cancelled stop = cancelled.get();
    if (stop != null) {
      working.fail(stop);
    }
  }

  private void stopIfFailed(@Nullable Throwable cause) {
    switch (cause) {
      case null -> {}
      case OutOfMemoryError e ->
          throw new Fault.External(
              "Out of memory: the heap of "
                  + (Runtime.getRuntime().maxMemory() >> 20)
                  + " MB is too small for these rows on "
                  + lanes()
                  + " lanes.",
              "Use fewer --lanes, or give more with MILLRACE_HEAP=1g.",
              e);
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new Fault.Bug("unexpected " + cause, cause);
    }
  }

  /// Undoes what was staged; a failure to do so is told beside the failure that led here.
  private void abandon(Throwable cause) {
    try {
      target.abandon();
    } catch (RuntimeException e) {
      undoFailure = e;
      cause.addSuppressed(e);
    }
  }
}
