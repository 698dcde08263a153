package millrace.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.report.Report;
import millrace.spi.ReadContext;
import millrace.spi.Reader;
import millrace.spi.Source;
import millrace.spi.Split;
import millrace.spi.Splits;
import millrace.spi.StageClock;
import millrace.spi.Target;
import millrace.spi.WriteContext;
import millrace.spi.Writer;
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
  private final List<Lane> lanes = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final Steps steps = new Steps();
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
    check(plan);
    this.plan = plan;
    this.source = source;
    this.target = target;
    meter = new Meter(plan.lanes());
  }

  /// What the run has done so far; for progress and the report.
  public Meter meter() {
    return meter;
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
    try (RejectLog rejects = new RejectLog(plan.job().rejects(), meter);
        Splits splits = source.splits(plan.splitBytes(), plan.lanes())) {
      steps.time("prepare target", 1, () -> target.begin(plan.lanes()));
      long rowsBefore = meter.rows();
      steps.time(COPY, plan.lanes(), () -> runLanes(splits, rejects));
      steps.moved(meter.rows() - rowsBefore, meter.targetBytes());
      stopIfFailed();
      steps.time("complete target", 1, () -> target.complete(steps));
      meter.countDurable(meter.rows() - meter.rowsDurable());
    } catch (RuntimeException | Error e) {
      abandon(e);
      throw e;
    }
  }

  /// Stops the run soon; {@link #execute} then throws {@link Fault.Cancelled}. From any thread.
  public void cancel(String why) {
    fail(new Fault.Cancelled(why));
  }

  private void runLanes(Splits splits, RejectLog rejects) {
    Receipts journal = new Receipts(meter);
    for (int i = 0; i < plan.lanes(); i++) {
      lanes.add(
          new Lane(
              () -> nextSplit(splits),
              LaneSteps.of(plan, rejects),
              meter.reader(i),
              meter.writer(i),
              journal));
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      int number = i;
      Lane lane = lanes.get(i);
      threads.add(
          start(
              "reader-" + i,
              () ->
                  lane.read(
                      () -> reader(number, rejects),
                      () -> target.encoder(context(number, meter.reader(number), rejects)))));
      threads.add(start("writer-" + i, () -> lane.write(() -> writer(number, rejects))));
    }
    stopLanesIfFailed();
    threads.forEach(Run::join);
  }

  private @Nullable Split nextSplit(Splits splits) {
    synchronized (splits) {
      return failure.get() == null ? splits.next() : null;
    }
  }

  private Reader reader(int lane, RejectLog rejects) {
    return source.reader(
        plan.form(),
        new ReadContext(
            lane, meter.reader(lane), rejects, plan.fallback(), plan.job().tuning().readUnit()));
  }

  private Writer writer(int lane, RejectLog rejects) {
    return target.writer(plan.form(), context(lane, meter.writer(lane), rejects));
  }

  private WriteContext context(int lane, StageClock clock, RejectLog rejects) {
    return new WriteContext(
        lane, clock, rejects, plan.job().tuning().writeUnit(), plan.job().tuning().commitUnit());
  }

  private Thread start(String name, Runnable work) {
    return Thread.ofPlatform()
        .name(name)
        .start(() -> {
          try {
            work.run();
          } catch (Throwable e) {
            fail(e);
          }
        });
  }

  /// Keeps the first failure and stops every lane; later ones are only its echo.
  private void fail(Throwable cause) {
    Throwable first = failure.compareAndExchange(null, cause);
    if (first != null && !first.equals(cause) && !(cause instanceof Fault.Cancelled)) {
      first.addSuppressed(cause);
    }
    stopLanesIfFailed();
  }

  private void stopLanesIfFailed() {
    if (failure.get() != null) {
      lanes.forEach(Lane::cancel);
    }
  }

  private void stopIfFailed() {
    Throwable cause = failure.get();
    switch (cause) {
      case null -> {}
      case OutOfMemoryError e ->
          throw new Fault.External(
              "Out of memory: the heap of "
                  + (Runtime.getRuntime().maxMemory() >> 20)
                  + " MB is too small for these rows on "
                  + plan.lanes()
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

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
