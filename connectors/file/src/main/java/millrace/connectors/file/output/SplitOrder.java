package millrace.connectors.file.output;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Joins splits that are written at the same time into one stream, in split order.
///
/// The split whose turn it is goes straight through. The others' chunks wait in memory, up to a
/// bound for all of them together; beyond it their lanes wait. That can't lock up: splits are
/// handed out in order and each lane does its own in order, so the lane that has the turn never
/// waits for another. Splits are numbered from 0 without a gap.
final class SplitOrder implements Sink {

  /// Lengths of arrays are multiples of it, so that they fit chunks of about the same length.
  private static final int ARRAY_STEP = 8 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(SplitOrder.class);

  /// How often a waiting lane looks whether the run was cancelled.
  private static final long LOOK_NANOS = 100_000_000;

  private static final class Waiting {
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private @Nullable Receipt finished;
  }

  /// The stream that is written in order.
  interface Stream {
    void write(Chunk chunk);

    /// A split has been taken as far as the receipt says: what is written so far stays.
    default void keep(Receipt receipt) {}

    /// Takes back what was written since it last was to stay; false if it can't be taken back.
    default boolean undo() {
      return false;
    }
  }

  private final Stream stream;
  private final long memoryBytesMax;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Integer, Waiting> waiting = new HashMap<>();

  /// Arrays in which chunks have waited: garbage that has lived so long would make the heap grow.
  private final ArrayDeque<byte[]> spare = new ArrayDeque<>();

  private int turn;
  private long memoryBytes;
  private volatile boolean cancelled;

  /// Whether some of what waited was written, and the rest could not be.
  private boolean isHalfWritten;

  /// @param stream called by one thread at a time
  /// @param memoryBytesMax most bytes that wait
  /// @param turn the first split to come
  SplitOrder(Stream stream, long memoryBytesMax, int turn) {
    this.turn = turn;
    this.stream = stream;
    this.memoryBytesMax = memoryBytesMax;
  }

  @Override
  public void write(int split, Chunk chunk, StageClock clock) {
    clock.enter(Stage.TURN);
    lock.lock();
    try {
      waitForRoom(split, chunk.length());
      stopIfCancelled();
      catchUp();
      if (isDue(split)) {
        clock.enter(Stage.SEND);
        stream.write(chunk);
      } else {
        waiting.computeIfAbsent(split, _ -> new Waiting()).chunks.add(retainable(chunk));
        memoryBytes += chunk.length();
      }
    } finally {
      lock.unlock();
    }
  }

  /// The split whose turn it is, or what has come to the end of an earlier one since that was
  /// taken.
  private boolean isDue(int split) {
    return split <= turn;
  }

  @Override
  public boolean reached(Receipt receipt, StageClock clock) {
    clock.enter(Stage.TURN);
    lock.lock();
    try {
      stopIfCancelled();
      boolean due = isDue(receipt.split().index());
      if (due) {
        clock.enter(Stage.SEND);
        catchUp();
        stream.keep(receipt);
      }
      return due;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void finish(Receipt receipt, StageClock clock) {
    int split = receipt.split().index();
    clock.enter(Stage.TURN);
    lock.lock();
    try {
      stopIfCancelled();
      if (!isDue(split)) {
        waiting.computeIfAbsent(split, _ -> new Waiting()).finished = receipt;
        return;
      }
      clock.enter(Stage.SEND);
      catchUp();
      stream.keep(receipt);
      if (split == turn) {
        turn++;
        catchUpOrLeave();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Puts into the stream what waits of splits whose turn has come. If that fails, the whole of the
  /// split waits on for whoever comes next.
  private void catchUp() {
    for (Waiting next = waiting.get(turn); next != null; next = waiting.get(turn)) {
      if (isHalfWritten) {
        stream.undo();
      }
      isHalfWritten = true;
      next.chunks.forEach(stream::write);
      if (next.finished != null) {
        stream.keep(next.finished);
      }
      isHalfWritten = false;
      letGo(waiting.remove(turn));
      if (next.finished == null) {
        return;
      }
      turn++;
    }
  }

  /// The same behind a split that stays: a fault is none of that one's.
  private void catchUpOrLeave() {
    try {
      catchUp();
    } catch (Fault.Transient e) {
      LOG.debug("what waits has to wait on", e);
    } finally {
      changed.signalAll();
    }
  }

  @Override
  public void end() {
    lock.lock();
    try {
      catchUp();
    } finally {
      lock.unlock();
    }
  }

  private void letGo(@Nullable Waiting held) {
    if (held != null) {
      held.chunks.forEach(this::letGo);
      changed.signalAll();
    }
  }

  /// The chunk as it can wait: in an array of ours if its own is only lent.
  private Chunk retainable(Chunk chunk) {
    if (!chunk.lent()) {
      return chunk;
    }
    byte[] into = spare.poll();
    if (into == null || into.length < chunk.length()) {
      into = new byte[Math.ceilDiv(chunk.length(), ARRAY_STEP) * ARRAY_STEP];
    }
    System.arraycopy(chunk.bytes(), 0, into, 0, chunk.length());
    return Chunk.lent(into, chunk.length());
  }

  private void letGo(Chunk chunk) {
    memoryBytes -= chunk.length();
    if (chunk.lent()) {
      spare.push(chunk.bytes());
    }
  }

  @Override
  public boolean undo(int split) {
    lock.lock();
    try {
      letGo(waiting.remove(split));
      if (isDue(split)) {
        boolean isUndone = stream.undo();
        isHalfWritten = false;
        return isUndone;
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until the split has the turn or its chunk has room.
  private void waitForRoom(int split, int bytes) {
    try {
      while (!isDue(split) && memoryBytes + bytes > memoryBytesMax) {
        stopIfCancelled();
        catchUp();
        changed.awaitNanos(LOOK_NANOS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("interrupted while waiting for an earlier split");
    }
  }

  private void stopIfCancelled() {
    if (cancelled) {
      throw new Fault.Cancelled("the copy was stopped");
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
