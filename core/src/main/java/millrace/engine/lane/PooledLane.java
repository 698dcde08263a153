package millrace.engine.lane;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// A lane of a pool, and what became of it so far. One that fails and is tried again stays the same
/// member of its pool, with new halves.
///
/// Guarded by the pool's lock, but for its number and how often it failed.
final class PooledLane {

  /// From 0; no two that work at the same time have the same.
  final int number;

  /// Whether it was added while others were at work, so that the run can do without it.
  final boolean added;

  /// How often in a row it has failed.
  final AtomicInteger failures = new AtomicInteger();

  private final Function<PooledLane, Lane> maker;

  /// Its reader and its writer at this moment.
  Lane lane;

  /// How many of these are still running.
  int halves = 2;

  /// Whether it has asked for a split, so that it has opened.
  boolean hasBegun;

  /// Whether it takes no further split because it is one too many.
  boolean leaves;

  /// The fault that it is to be tried again after.
  Fault.@Nullable Transient trouble;

  /// Why it could not open when it first tried.
  @Nullable String closedWhy;

  PooledLane(int number, boolean added, Function<PooledLane, Lane> maker) {
    this.number = number;
    this.added = added;
    this.maker = maker;
    lane = maker.apply(this);
  }

  /// Gives it a reader and a writer once more, of which neither runs yet.
  void renew() {
    leaves = false;
    trouble = null;
    halves = 2;
    lane = maker.apply(this);
  }
}
