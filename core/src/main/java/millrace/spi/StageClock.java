package millrace.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Adds up, for one thread of one lane, the time spent in each stage and what passed through.
///
/// Only the thread that owns it enters stages and counts; any thread may read the sums, which are
/// whole numbers that were true a moment ago. Entering a stage costs one reading of the system's
/// clock, so callers enter per batch or buffer, never per row.
public final class StageClock {

  private static final VarHandle SUM = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int ROWS = Stage.values().length;
  private static final int BYTES = ROWS + 1;

  private final long[] sums = new long[BYTES + 1];
  private volatile Stage stage = Stage.QUEUE_WAIT;
  private volatile long sinceNanos = System.nanoTime();

  /// From now on, time counts for that stage. Returns the stage before, to go back to.
  public Stage enter(Stage next) {
    long now = System.nanoTime();
    Stage before = stage;
    add(before.ordinal(), now - sinceNanos);
    sinceNanos = now;
    stage = next;
    return before;
  }

  /// Counts rows and bytes that passed.
  public void count(long rows, long bytes) {
    add(ROWS, rows);
    add(BYTES, bytes);
  }

  /// Starts to count time now; the owning thread calls it first.
  public void begin() {
    sinceNanos = System.nanoTime();
  }

  /// Rows counted so far.
  public long rows() {
    return (long) SUM.getOpaque(sums, ROWS);
  }

  /// Bytes counted so far.
  public long bytes() {
    return (long) SUM.getOpaque(sums, BYTES);
  }

  /// Nanoseconds spent in a stage, without the visit under way.
  public long nanos(Stage which) {
    return (long) SUM.getOpaque(sums, which.ordinal());
  }

  /// The stage that the thread is in.
  public Stage stage() {
    return stage;
  }

  /// For how long it has been in that stage, in nanoseconds.
  public long inStageNanos() {
    return System.nanoTime() - sinceNanos;
  }

  private void add(int index, long amount) {
    SUM.setOpaque(sums, index, (long) SUM.getOpaque(sums, index) + amount);
  }
}
