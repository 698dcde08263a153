package millrace.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import millrace.data.Batch;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.RunOutcome;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
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

  private static final long LOOK_MS = 5;
  private static final long NOTED_MS = 50;

  /// So much of a source is kept to be given again.
  private static final int SAMPLE_BATCHES = 4;

  private Probe() {}

  /// How long a probe takes.
  ///
  /// @param warmUpMs until it counts
  /// @param countedMs while it does
  /// @param nextMsMax for so long a slow target may take no rows
  record Span(long warmUpMs, long countedMs, long nextMsMax) {

    static final Span USUAL = new Span(1500, 2500, 10_000);
  }

  /// What was measured.
  ///
  /// @param rowsPerS rows in a second
  /// @param sourceBytesPerS bytes of the source in a second
  /// @param targetBytesPerS bytes handed to the target in a second
  /// @param course what had passed by when, from before the ends were opened on
  record Rate(double rowsPerS, double sourceBytesPerS, double targetBytesPerS, List<Count> course) {

    Rate {
      course = List.copyOf(course);
    }

    private Rate along(List<Count> counts) {
      return new Rate(rowsPerS, sourceBytesPerS, targetBytesPerS, counts);
    }

    /// How fast rows moved in each of some parts of the time that counts, which are as long as each
    /// other; less than one if it was too short.
    List<Double> rates(long warmUpMs, long partMs) {
      List<Double> rates = new ArrayList<>();
      Count from = null;
      for (Count at : course) {
        if (from == null && at.nanos - course.getFirst().nanos >= warmUpMs * 1_000_000) {
          from = at;
        } else if (from != null && at.nanos - from.nanos >= partMs * 1_000_000) {
          rates.add(from.until(at).rowsPerS);
          from = at;
        }
      }
      return rates;
    }

    /// How many seconds an amount takes from the beginning on, in which ends are opened and the JVM
    /// compiles.
    ///
    /// @param of which amount
    /// @param perS how much of it passes in a second after what was seen
    double secondsUntil(ToLongFunction<Count> of, long amount, double perS) {
      Count begin = course.getFirst();
      Count before = begin;
      for (Count at : course) {
        long passed = of.applyAsLong(at) - of.applyAsLong(before);
        if (passed > 0 && of.applyAsLong(at) >= amount) {
          double share = (double) (amount - of.applyAsLong(before)) / passed;
          return (before.nanos - begin.nanos + share * (at.nanos - before.nanos)) / 1e9;
        }
        before = at;
      }
      return (before.nanos - begin.nanos) / 1e9 + (amount - of.applyAsLong(before)) / perS;
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
          List.of(this, end));
    }
  }

  /// Runs the plan until it ends or enough was seen.
  ///
  /// @param stopper is told what stops the run, for Ctrl-C
  /// @throws Fault if the plan fails by itself, or what it staged could not be removed
  static Rate run(Planned planned, Span span, Consumer<Consumer<String>> stopper) {
    Run run = Copy.between(planned, RunOptions.DEFAULT);
    stopper.accept(run::cancel);
    CountDownLatch ended = new CountDownLatch(1);
    List<Count> counts = new ArrayList<>();
    counts.add(Count.of(run.meter()));
    List<Count> course = new ArrayList<>(counts);
    AtomicBoolean enough = new AtomicBoolean();
    Thread watch =
        Thread.ofPlatform()
            .name("probe")
            .daemon()
            .start(() -> {
              if (hasSeenEnough(run.meter(), ended, span, counts, course)) {
                enough.set(true);
                run.cancel(ENOUGH);
              }
            });
    RunOutcome outcome;
    try {
      outcome = run.execute();
    } finally {
      ended.countDown();
      join(watch);
    }
    // Some systems tell in words of their own that they were stopped.
    boolean stoppedByUs = enough.get() && outcome.fault() instanceof Fault.Cancelled;
    if (!stoppedByUs) {
      outcome.orThrow();
    }
    RuntimeException undoFailure = outcome.left().undoFailure();
    if (undoFailure != null) {
      throw undoFailure;
    }
    // One that ended before it was warm is counted as a whole.
    Count from = counts.size() > 2 ? counts.get(1) : counts.getFirst();
    return from.until(stoppedByUs ? counts.getLast() : Count.of(run.meter())).along(course);
  }

  /// Runs the plan to its end, and says how many seconds that took after all rows had moved, for
  /// each of them: a target makes them durable then, and its own.
  ///
  /// @param stopper is told what stops the run, for Ctrl-C
  /// @throws Fault if the plan fails
  static double endSecondsPerRow(Planned planned, Consumer<Consumer<String>> stopper) {
    Run run = Copy.between(planned, RunOptions.DEFAULT);
    stopper.accept(run::cancel);
    run.execute().orThrow();
    long nanos = 0;
    boolean hasMoved = false;
    for (PhaseLog.Phase step : run.phaseLog().list()) {
      nanos += hasMoved ? step.nanos() : 0;
      hasMoved |= step.name().equals(PhaseLog.COPY);
    }
    return nanos / 1e9 / Math.max(1, run.meter().rows());
  }

  /// Measures again what is over before the JVM is as warm as the run that follows finds it: the
  /// last time counts.
  static <T> T warm(Span span, Supplier<T> measure) {
    long begun = System.nanoTime();
    T last = measure.get();
    while (System.nanoTime() - begun < TimeUnit.MILLISECONDS.toNanos(span.warmUpMs)) {
      last = measure.get();
    }
    return last;
  }

  /// Counts once the JVM is warm, and a little later; false if the run ends meanwhile.
  private static boolean hasSeenEnough(
      Meter meter, CountDownLatch ended, Span span, List<Count> counts, List<Count> course) {
    try {
      if (follow(meter, ended, span.warmUpMs, course)) {
        return false;
      }
      counts.add(nextRows(meter, ended, span.nextMsMax));
      if (follow(meter, ended, span.countedMs, course)) {
        return false;
      }
      counts.add(nextRows(meter, ended, span.nextMsMax));
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Notes now and then what has passed; true if the run ends meanwhile.
  private static boolean follow(Meter meter, CountDownLatch ended, long ms, List<Count> course)
      throws InterruptedException {
    for (long passed = 0; passed < ms; passed += NOTED_MS) {
      if (ended.await(NOTED_MS, TimeUnit.MILLISECONDS)) {
        return true;
      }
      course.add(Count.of(meter));
    }
    return false;
  }

  /// Counts at the moment when a batch has passed: a target may take seconds for one, so that
  /// between any two other moments none might have, or one too many.
  static Count nextRows(Meter meter, CountDownLatch ended, long msMax) throws InterruptedException {
    Count before = Count.of(meter);
    Count now = before;
    while (now.rows == before.rows
        && now.nanos - before.nanos < TimeUnit.MILLISECONDS.toNanos(msMax)
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
                    BestUnit.unknown(),
                    null))) {
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
