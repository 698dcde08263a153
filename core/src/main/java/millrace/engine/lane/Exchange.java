package millrace.engine.lane;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import millrace.data.Batch;
import millrace.fault.Fault;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The bounded queue between the reader and the writer of one lane.
///
/// One thread puts and one takes. Closing it from any thread ends both sides' waits.
final class Exchange {

  /// What crosses: the beginning of a split, its rows, places to go on from, its end.
  sealed interface Parcel {

    record Begin(Split split) implements Parcel {}

    record Rows(Batch batch) implements Parcel {}

    /// All rows of the split up to there have been put; see `RecoverableWriter.checkpoint`.
    record Checkpoint(@Nullable Split rest, long checksum) implements Parcel {}

    record End() implements Parcel {}
  }

  /// Most bytes of the source whose rows wait, unless one parcel alone has more: if documents are
  /// large, a few of them fill the heap.
  static final long BYTES_MAX = 4 << 20;

  private final int capacity;
  private final ArrayDeque<Parcel> queue = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int rowsWaiting;
  private long bytesWaiting;
  private boolean finished;
  private boolean broken;

  /// @param capacity most parcels of rows that wait; the others are small
  Exchange(int capacity) {
    this.capacity = capacity;
  }

  /// Waits for room, then puts.
  ///
  /// @throws Fault.Cancelled once the exchange is broken
  void put(Parcel parcel) {
    lock.lock();
    try {
      while (parcel instanceof Parcel.Rows(Batch batch) && !hasRoom(batch) && !broken) {
        changed.awaitUninterruptibly();
      }
      if (broken) {
        throw new Fault.Cancelled("the lane's writer has stopped");
      }
      queue.add(parcel);
      count(parcel, 1);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom(Batch batch) {
    return rowsWaiting == 0
        || (rowsWaiting < capacity && bytesWaiting + batch.sourceBytes() <= BYTES_MAX);
  }

  private void count(@Nullable Parcel parcel, int direction) {
    if (parcel instanceof Parcel.Rows(Batch batch)) {
      rowsWaiting += direction;
      bytesWaiting += direction * batch.sourceBytes();
    }
  }

  /// Waits for a parcel; null when the reader has finished and all is taken.
  ///
  /// @throws Fault.Cancelled once the exchange is broken
  @Nullable Parcel take() {
    lock.lock();
    try {
      while (queue.isEmpty() && !finished && !broken) {
        changed.awaitUninterruptibly();
      }
      if (broken) {
        throw new Fault.Cancelled("the lane's reader has stopped");
      }
      Parcel parcel = queue.poll();
      count(parcel, -1);
      changed.signalAll();
      return parcel;
    } finally {
      lock.unlock();
    }
  }

  /// The reader has put its last parcel.
  void finish() {
    lock.lock();
    try {
      finished = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The run has failed: whoever waits or comes gets a {@link Fault.Cancelled}.
  void breakOff() {
    lock.lock();
    try {
      broken = true;
      queue.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
