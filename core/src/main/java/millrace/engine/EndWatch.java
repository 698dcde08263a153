package millrace.engine;

import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.retry.StallGuard;
import millrace.engine.retry.StallWatch;
import millrace.fault.Fault;
import millrace.plan.Planned;
import millrace.spi.Blockable;

/// Watches what the ends of a run wait for, for others' locks among other things, and ends what
/// takes longer than the user wants to wait.
///
/// Work is done on the run's thread; any thread may ask, and {@link #cancel}.
final class EndWatch {

  private final Blockable source;
  private final Blockable target;
  private final RetryPolicy retryPolicy;
  private final Meter meter;
  private final PhaseLog phases;
  private volatile String targetWaitsFor = "";
  private volatile String waits = "";
  private volatile boolean opening;

  EndWatch(Planned planned, RetryPolicy retryPolicy, Meter meter, PhaseLog phases) {
    source = Blockable.of(planned.source());
    target = Blockable.of(planned.target());
    this.retryPolicy = retryPolicy;
    this.meter = meter;
    this.phases = phases;
  }

  /// What one of the ends waits for while no row moves, such as "the target waits for …"; empty if
  /// rows move, or nobody can say.
  String waits() {
    return waits;
  }

  /// What others have that the target waits for, as the end of a sentence; empty if nothing.
  String targetWaits() {
    return targetWaitsFor;
  }

  /// What the source waits for.
  Blockable source() {
    return source;
  }

  /// Opens the source, which may have to wait for others.
  ///
  /// @param begin throws if the run was cancelled
  <T> T openSource(Runnable begin, Supplier<T> work) {
    opening = true;
    try {
      begin.run();
      return new StallGuard(retryPolicy, this::sourceWaits)
          .get("the source is being opened", source, work);
    } finally {
      opening = false;
      waits = "";
    }
  }

  private void sourceWaits(String sentence) {
    waits = sentence;
    phases.waits(sentence);
  }

  /// Prepares the target, during which rows count as a sign of life.
  <T> T prepareTarget(Supplier<T> work) {
    return target(StallWatch.rows(meter, () -> "the target is being prepared" + askTarget()), work);
  }

  /// Does work of the target's own, such as its end: indexes may take hours without a row that
  /// moves, so only waiting for others is standing still.
  ///
  /// @param doing what is being done, as the beginning of a sentence
  <T> T whileTargetWorks(String doing, Supplier<T> work) {
    return target(
        () -> {
          String waitsFor = askTarget();
          return waitsFor.isEmpty() ? null : doing + waitsFor;
        },
        work);
  }

  private <T> T target(StallWatch.Look look, Supplier<T> work) {
    try {
      return StallWatch.watched(retryPolicy.stallTimeout(), look, target::cancel, work);
    } finally {
      targetWaitsFor = "";
    }
  }

  private String askTarget() {
    String waitsFor = target.waitsFor();
    String words = waitsFor == null ? "" : " and waits for " + waitsFor;
    targetWaitsFor = words;
    if (waitsFor != null) {
      phases.waits("the target waits for " + waitsFor);
    }
    return words;
  }

  /// Watches the lanes while they work.
  ///
  /// @param end is given what they are ended by
  void whileLanesWork(Consumer<Fault> end, Runnable work) {
    try (StallWatch _ =
        StallWatch.start(
            retryPolicy.stallTimeout(),
            StallWatch.rows(
                meter, source, target, sentence -> waits = sentence == null ? "" : sentence),
            end)) {
      work.run();
    } finally {
      waits = "";
    }
  }

  /// Ends what an end is waiting for.
  void cancel() {
    if (opening) {
      source.cancel();
    }
    target.cancel();
  }

  /// The same for what both ends do while lanes are at work.
  void cancelBoth() {
    source.cancel();
    target.cancel();
  }
}
