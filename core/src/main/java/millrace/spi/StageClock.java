package millrace.spi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Adds up, for one thread of one lane, the time spent in each stage and what passed through.
///
/// One thread at a time enters stages and counts, the one that owns it or, under a lock, another on
/// its behalf while it waits; any thread may read the sums, which are whole numbers that were true
/// a moment ago. Entering a stage costs one reading of the system's clock, so callers enter per
/// batch or buffer, never per row.
// Sums are indexed by ordinal: they live as long as the process and are never stored.
@SuppressWarnings("EnumOrdinal")
public final class StageClock {

  private static final VarHandle SUM = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int ROWS = Stage.values().length;
  private static final int BYTES = ROWS + 1;

  private static final int REFUSED = BYTES + 1;

  private final long[] sums = new long[REFUSED + 1];
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

  /// Counts a batch; the lane calls it, for readers with the source's bytes.
  public void passed(long rows, long bytes) {
    add(ROWS, rows);
    add(BYTES, bytes);
  }

  /// Takes rows back that have been or will be counted with their batch: the target has refused
  /// them. Writers call it.
  public void refused(long rows) {
    add(ROWS, -rows);
    add(REFUSED, rows);
  }

  /// Counts bytes that a writer has handed to its target; writers call it.
  public void sent(long bytes) {
    add(BYTES, bytes);
  }

  /// What has been added up so far, for {@link #add(long[])}.
  public long[] sums() {
    long[] copy = new long[sums.length];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = (long) SUM.getOpaque(sums, i);
    }
    return copy;
  }

  /// Adds what a clock of another process has added up.
  public void add(long[] others) {
    for (int i = 0; i < others.length; i++) {
      add(i, others[i]);
    }
  }

  /// Starts to count time now; the owning thread calls it first.
  public void begin() {
    sinceNanos = System.nanoTime();
  }

  /// Rows counted so far.
  public long rows() {
    return (long) SUM.getOpaque(sums, ROWS);
  }

  /// Rows that were taken back so far.
  public long rowsRefused() {
    return (long) SUM.getOpaque(sums, REFUSED);
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
