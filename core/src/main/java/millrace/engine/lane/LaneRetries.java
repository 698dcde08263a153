package millrace.engine.lane;

import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import millrace.engine.meter.Meter;
import millrace.engine.retry.Retries;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// What becomes of lanes that fail in a way that may pass, and of their splits: what is left of
/// these comes back, the lane waits until its next try, and meanwhile any other lane may take them.
///
/// The pool holds its lock when it calls, unless a method says otherwise.
final class LaneRetries {

  private final ReentrantLock lock;

  /// Told to lanes that wait for their next try: there is nothing left to do, or it is all over.
  private final Condition overEarly;

  private final BooleanSupplier isOver;
  private final Retries retries;
  private final SplitRecovery splitRecovery;
  private final Meter meter;
  private boolean exhausted;

  /// @param lock the pool's
  /// @param isOver whether the run has failed, so that nothing is tried any more
  LaneRetries(
      ReentrantLock lock,
      BooleanSupplier isOver,
      RetryPolicy retryPolicy,
      SplitRecovery splitRecovery,
      Meter meter) {
    this.lock = lock;
    overEarly = lock.newCondition();
    this.isOver = isOver;
    retries = new Retries(retryPolicy);
    this.splitRecovery = splitRecovery;
    this.meter = meter;
  }

  /// Whether anything is tried twice. With or without the lock.
  boolean allowed() {
    return retries.allowed();
  }

  /// Whether splits wait for another lane.
  boolean areWaiting() {
    return retries.areWaiting();
  }

  /// The source has no more splits: what came back is all that is left.
  void noMoreSplits() {
    exhausted = true;
    overEarly.signalAll();
  }

  /// Whether the source has said that it has no more splits.
  boolean isSourceExhausted() {
    return exhausted;
  }

  private boolean nothingIsLeft() {
    return exhausted && !retries.areWaiting();
  }

  /// Ends all waits, because the run is over.
  void endWaits() {
    overEarly.signalAll();
  }

  /// The first split that came back, or null if there is none.
  @Nullable Split take() {
    Split split = retries.take();
    if (split != null && nothingIsLeft()) {
      overEarly.signalAll();
    }
    return split;
  }

  /// What of a failed lane's splits is to be done again. If the target can't be asked, it is asked
  /// again later. Without the lock: it may take long.
  ///
  /// @throws Fault if they can't be done again
  List<Split> whatIsLeft(PooledLane member, Fault.Transient fault, List<Lane.SplitProgress> taken) {
    while (true) {
      try {
        return splitRecovery.of(taken, fault);
      } catch (Fault.Transient unanswered) {
        if (unanswered.endsRun()) {
          throw unanswered;
        }
        lock.lock();
        try {
          await(member, waitNanos(member, unanswered, null));
        } finally {
          lock.unlock();
        }
        if (isOver.getAsBoolean()) {
          throw new Fault.Cancelled("the run was stopped");
        }
      }
    }
  }

  /// Gives back what is left of a failed lane's splits and waits until its next try. Lets go of the
  /// lock meanwhile.
  ///
  /// @return whether there is something to try
  /// @throws Fault.Transient if it has been tried often or long enough
  boolean giveBackAndWait(PooledLane member, Fault.Transient fault, List<Split> left) {
    long waitNanos = waitNanos(member, fault, member.lane.failedAt());
    retries.giveBack(left);
    await(member, waitNanos);
    return !isOver.getAsBoolean() && !nothingIsLeft();
  }

  /// How long to wait; the meter is told.
  private long waitNanos(
      PooledLane member, Fault.Transient fault, Lane.@Nullable SplitProgress tried) {
    long now = System.nanoTime();
    int failures = member.failures.incrementAndGet();
    Split triedSplit = tried == null ? null : tried.split();
    long waitNanos = retries.waitNanos(fault, triedSplit, failures, meter.rowsMoved(), now);
    meter.beginWait(
        member.number,
        String.valueOf(fault.getMessage()),
        waitNanos,
        failures + 1,
        waitNanos + (tried == null ? 0 : now - tried.sinceNanos()));
    return waitNanos;
  }

  /// Lets go of the lock meanwhile.
  private void await(PooledLane member, long waitNanos) {
    try {
      long left = waitNanos;
      while (left > 0 && !isOver.getAsBoolean() && !nothingIsLeft()) {
        left = overEarly.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      meter.endWait(member.number);
    }
  }
}
