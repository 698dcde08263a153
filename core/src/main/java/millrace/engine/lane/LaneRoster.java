package millrace.engine.lane;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.plan.Lanes;
import org.jspecify.annotations.Nullable;

/// Which lanes a pool has, how many there should be, and why there are not more.
///
/// Guarded by the pool's lock.
final class LaneRoster {

  /// The share of the heap that the batches of added lanes may fill, with those of the others.
  private static final int HEAP_SHARE = 2;

  private final @Nullable ConcurrencyPolicy concurrencyPolicy;
  private final Map<Integer, PooledLane> members = new TreeMap<>();
  private int wanted;
  private int most;
  private long batchBytesMax;
  private @Nullable String limitWhy;

  /// @param concurrencyPolicy what says how many there should be; null for as many as at first
  LaneRoster(Lanes planned, @Nullable ConcurrencyPolicy concurrencyPolicy) {
    this.concurrencyPolicy = concurrencyPolicy;
    wanted = planned.first();
    most = planned.most();
  }

  /// Enters a lane under the lowest number that is free.
  ///
  /// @param added whether others are at work already
  PooledLane enter(boolean added, Function<PooledLane, Lane> maker) {
    int number = 0;
    while (members.containsKey(number)) {
      number++;
    }
    PooledLane member = new PooledLane(number, added, maker);
    members.put(number, member);
    return member;
  }

  /// A lane has ended.
  void remove(PooledLane member) {
    members.remove(member.number);
  }

  List<PooledLane> all() {
    return List.copyOf(members.values());
  }

  int size() {
    return members.size();
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  /// Whether the number may change while the run goes on. With or without the lock.
  boolean changes() {
    return concurrencyPolicy != null;
  }

  /// Whether a lane may take another split; it leaves if there are enough without it. Those that
  /// have not opened yet do not count, since they may never do so: one that works always remains.
  boolean mayContinue(PooledLane member) {
    member.leaves |= othersAtWork(member) >= wanted;
    member.hasBegun |= !member.leaves;
    return !member.leaves;
  }

  private long othersAtWork(PooledLane member) {
    return members.values().stream()
        .filter(other -> other.hasBegun && !other.leaves && !other.equals(member))
        .count();
  }

  /// Whether a lane of the beginning has yet to open: none that is added may take its place.
  boolean isOpening() {
    return members.values().stream().anyMatch(member -> !member.added && !member.hasBegun);
  }

  /// A batch of so many bytes has been read.
  void sawBatch(long bytes) {
    batchBytesMax = Math.max(batchBytesMax, bytes);
  }

  /// Asks the policy how many there should be from now on.
  ///
  /// @param bytes of the source that all have read so far
  void ask(long bytes) {
    if (concurrencyPolicy != null) {
      boolean complete = leaving() == 0 && members.size() == wanted;
      wanted = concurrencyPolicy.lanes(complete, bytes, System.nanoTime());
    }
  }

  private int leaving() {
    return (int) members.values().stream().filter(member -> member.leaves).count();
  }

  /// Whether one is to be added.
  boolean wantsMore() {
    if (members.size() - leaving() >= wanted || members.size() >= most) {
      return false;
    }
    if (!fitsHeap(members.size() + 1)) {
      limit(members.size(), "the heap is too small for more rows of this length");
      return false;
    }
    return true;
  }

  private boolean fitsHeap(int lanes) {
    return lanes * Lane.BATCHES_MAX * batchBytesMax
        <= Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  /// One that was added leaves because it can't open: so many as are open are possible at once.
  void couldNotOpen(PooledLane member, String why) {
    if (!member.leaves) {
      member.leaves = true;
      limit(open(), why);
    }
  }

  /// How many have opened and not ended.
  private int open() {
    return (int) members.values().stream().filter(member -> member.hasBegun).count();
  }

  private void limit(int lanes, String why) {
    limitWhy = why;
    most = Math.max(1, lanes);
    wanted = Math.min(wanted, most);
    if (concurrencyPolicy != null) {
      concurrencyPolicy.limit(most);
    }
  }

  /// Why no more could be added than there were, or null if nothing stood against it.
  @Nullable String limitWhy() {
    return limitWhy;
  }
}
