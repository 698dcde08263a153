package millrace.connectors.duckdb.load;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import millrace.data.Columns;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// The bounded queue between the lanes' writers and DuckDB's threads.
///
/// Writers wait here while it is full, DuckDB's threads while it is empty. Whichever side fails
/// first breaks it off, and both sides' waits end.
final class Handover {

  /// Rows on their way into DuckDB.
  ///
  /// @param batch the rows; whoever takes the parcel releases it
  /// @param rows positions of the rows to take, or null for all
  /// @param count how many rows to take
  /// @param split number of the split that they belong to
  /// @param firstRow how many rows of the split came before
  record Parcel(Columns batch, int @Nullable [] rows, int count, int split, long firstRow) {

    /// The position in the batch of the n-th row to take.
    int position(int n) {
      return rows == null ? n : rows[n];
    }
  }

  private final int capacity;
  private final ArrayDeque<Parcel> queue = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean finished;
  private @Nullable Fault broken;

  /// @param capacity most parcels that wait
  Handover(int capacity) {
    this.capacity = capacity;
  }

  /// Waits for room, then puts; the parcel is DuckDB's from then on.
  ///
  /// @throws Fault the one that broke it off
  void put(Parcel parcel) {
    lock.lock();
    try {
      while (queue.size() >= capacity && broken == null) {
        changed.awaitUninterruptibly();
      }
      if (broken != null) {
        throw broken;
      }
      queue.add(parcel);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits for a parcel; null when no more will come.
  ///
  /// @throws Fault the one that broke it off
  @Nullable Parcel take() {
    lock.lock();
    try {
      while (queue.isEmpty() && !finished && broken == null) {
        changed.awaitUninterruptibly();
      }
      if (broken != null) {
        throw broken;
      }
      Parcel parcel = queue.poll();
      changed.signalAll();
      return parcel;
    } finally {
      lock.unlock();
    }
  }

  /// All writers are done.
  void finish() {
    lock.lock();
    try {
      finished = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Whoever waits or comes gets that fault, or the one before it.
  void breakOff(Fault fault) {
    lock.lock();
    try {
      if (broken == null) {
        broken = fault;
      }
      queue.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// What broke it off, or null if nothing did.
  @Nullable Fault broken() {
    lock.lock();
    try {
      return broken;
    } finally {
      lock.unlock();
    }
  }
}
