package millrace.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.data.Batch;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.RunOutcome;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.spi.StageClock;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.Rejects;
import millrace.tuning.BestUnit;

/// Runs a plan for a few seconds to see how fast it goes, and undoes it.
///
/// The plan's target must be one that appears whole or not at all: a probe that is stopped leaves
/// nothing behind. The first part of the time does not count, because the JVM is still compiling.
final class Probe {

  private static final String ENOUGH = "the probe has seen enough";

  private static final long WARM_UP_MS = 1500;
  private static final long COUNTED_MS = 2500;

  /// For so long a slow target may take no rows.
  private static final long NEXT_MS_MAX = 10_000;

  private static final long LOOK_MS = 5;

  /// So much of a source is kept to be given again.
  private static final int SAMPLE_BATCHES = 4;

  private Probe() {}

  /// What was measured.
  ///
  /// @param rowsPerS rows in a second
  /// @param sourceBytesPerS bytes of the source in a second
  /// @param targetBytesPerS bytes handed to the target in a second
  /// @param lostSeconds how much longer the beginning took than at that rate: ends are opened, and
  ///   the JVM compiles
  record Rate(double rowsPerS, double sourceBytesPerS, double targetBytesPerS, double lostSeconds) {

    private Rate lost(double seconds) {
      return new Rate(rowsPerS, sourceBytesPerS, targetBytesPerS, seconds);
    }
  }

  /// What has passed by when.
  record Count(long nanos, long rows, long sourceBytes, long targetBytes) {

    static Count of(Meter meter) {
      return new Count(System.nanoTime(), meter.rows(), meter.sourceBytes(), meter.targetBytes());
    }

    Rate until(Count end) {
      double seconds = Math.max(1, end.nanos - nanos) / 1e9;
      return new Rate(
          (end.rows - rows) / seconds,
          (end.sourceBytes - sourceBytes) / seconds,
          (end.targetBytes - targetBytes) / seconds,
          0);
    }

    /// How many seconds less it would have taken until then at a rate.
    double lost(Count end, Rate rate) {
      double needed = rate.rowsPerS > 0 ? (end.rows - rows) / rate.rowsPerS : 0;
      return Math.max(0, (end.nanos - nanos) / 1e9 - needed);
    }
  }

  /// Runs the plan until it ends or enough was seen.
  ///
  /// @param stopper is told what stops the run, for Ctrl-C
  /// @throws Fault if the plan fails by itself, or what it staged could not be removed
  static Rate run(Planned planned, Consumer<Consumer<String>> stopper) {
    Run run = Copy.between(planned, RunOptions.DEFAULT);
    stopper.accept(run::cancel);
    CountDownLatch ended = new CountDownLatch(1);
    List<Count> counts = new ArrayList<>();
    counts.add(Count.of(run.meter()));
    Thread watch =
        Thread.ofPlatform().name("probe").daemon().start(() -> watch(run, ended, counts));
    RunOutcome outcome;
    try {
      outcome = run.execute();
    } finally {
      ended.countDown();
      join(watch);
    }
    boolean stoppedByUs =
        outcome.fault() instanceof Fault.Cancelled stop && ENOUGH.equals(stop.getMessage());
    if (!stoppedByUs) {
      outcome.orThrow();
    }
    RuntimeException undoFailure = outcome.left().undoFailure();
    if (undoFailure != null) {
      throw undoFailure;
    }
    // One that ended before it was warm is counted as a whole.
    Count from = counts.size() > 2 ? counts.get(1) : counts.getFirst();
    Rate rate = from.until(stoppedByUs ? counts.getLast() : Count.of(run.meter()));
    return rate.lost(counts.getFirst().lost(from, rate));
  }

  /// Measures again what is over before the JVM is as warm as the run that follows finds it: the
  /// last time counts.
  static <T> T warm(Supplier<T> measure) {
    long begun = System.nanoTime();
    T last = measure.get();
    while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(WARM_UP_MS)) {
      last = measure.get();
    }
    return last;
  }

  private static void watch(Run run, CountDownLatch ended, List<Count> counts) {
    try {
      if (!ended.await(WARM_UP_MS, TimeUnit.MILLISECONDS)) {
        counts.add(nextRows(run.meter(), ended));
        if (!ended.await(COUNTED_MS, TimeUnit.MILLISECONDS)) {
          counts.add(nextRows(run.meter(), ended));
          run.cancel(ENOUGH);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Counts at the moment when a batch has passed: a target may take seconds for one, so that
  /// between any two other moments none might have, or one too many.
  static Count nextRows(Meter meter, CountDownLatch ended) throws InterruptedException {
    Count before = Count.of(meter);
    Count now = before;
    while (now.rows == before.rows
        && now.nanos - before.nanos < TimeUnit.MILLISECONDS.toNanos(NEXT_MS_MAX)
        && !ended.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
      now = Count.of(meter);
    }
    return now;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// The first rows of a plan's source as a source of their own, in memory and without end, in the
  /// form in which the plan lets rows cross.
  ///
  /// @throws Fault.User if the source has no rows
  static Source sample(Planned planned) {
    Plan plan = planned.plan();
    List<Batch> batches = new ArrayList<>();
    try (ReadSession reading =
            planned.from().open(plan.readPlan(plan.splitBytes(), 1, false, List.of()));
        Splits splits = reading.splits();
        Reader reader =
            reading.reader(
                new ReadContext(
                    0,
                    new StageClock(),
                    new Skipped(),
                    plan.job().tuning().readUnit(),
                    BestUnit.unknown()))) {
      Split split = splits.next();
      while (split != null && batches.size() < SAMPLE_BATCHES) {
        reader.start(split);
        take(reader, batches);
        split = splits.next();
      }
    }
    if (batches.isEmpty()) {
      throw new Fault.User(plan.source().label() + " has no rows to measure the target by.", "");
    }
    return new SampleSource(plan.source(), plan.form(), batches);
  }

  private static void take(Reader reader, List<Batch> batches) {
    for (Batch batch = reader.next();
        batch != null && batches.size() < SAMPLE_BATCHES;
        batch = batches.size() < SAMPLE_BATCHES ? reader.next() : null) {
      if (batch.rows() > 0) {
        batches.add(SampleSource.copy(batch));
      }
      batch.release();
    }
  }

  /// Bad records of a sample are told by the run itself.
  private static final class Skipped implements Rejects {

    @Override
    public void reject(Reject reject) {
      // The run meets the record again.
    }

    @Override
    public boolean allowed() {
      return true;
    }
  }
}
