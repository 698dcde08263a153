package millrace.online.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.OnlineStore.Dirty;

/// Keeps what clients tell. Windows are aggregated as soon as a test says so.
final class RecordedWrites implements WriteListener {

  /// A write that has begun.
  record Start(int client, long second, StartDelay delay) {}

  final List<Start> started = new ArrayList<>();
  final List<Write> writes = new ArrayList<>();
  final List<String> failures = new ArrayList<>();
  final List<String> deaths = new ArrayList<>();
  final List<Long> unmarked = new ArrayList<>();
  final Set<Long> aggregated = ConcurrentHashMap.newKeySet();
  private final OnlineStore store;
  private volatile Set<Long> begun = Set.of();
  private long inDoubt;

  /// @param store is looked into before a write is acknowledged
  RecordedWrites(OnlineStore store) {
    this.store = store;
  }

  private List<Dirty> marks(List<Long> windows) {
    return windows.stream()
        .filter(aggregated::contains)
        .map(start -> new Dirty("small", start))
        .toList();
  }

  @Override
  public List<Dirty> begins(List<Long> windows) {
    begun = Set.copyOf(windows);
    return marks(windows);
  }

  /// The windows of the write that began last.
  Set<Long> begun() {
    return begun;
  }

  @Override
  public List<Dirty> written(List<Long> windows, List<Dirty> marked) {
    return marks(windows).stream().filter(mark -> !marked.contains(mark)).toList();
  }

  @Override
  public synchronized void acknowledged(List<Long> windows) {
    if (!aggregated.isEmpty()) {
      List<Dirty> there = store.dirty();
      windows.stream()
          .filter(start -> aggregated.contains(start) && !there.contains(new Dirty("small", start)))
          .forEach(unmarked::add);
    }
  }

  @Override
  public synchronized void starts(int client, long second, StartDelay startDelay) {
    started.add(new Start(client, second, startDelay));
  }

  @Override
  public synchronized void wrote(Write write) {
    writes.add(write);
  }

  @Override
  public synchronized void failed(long second, String why) {
    failures.add(why);
  }

  @Override
  public synchronized void died(int client, long rows, String why) {
    deaths.add(why);
    inDoubt += rows;
  }

  synchronized long inDoubt() {
    return inDoubt;
  }

  synchronized long rows() {
    return writes.stream().mapToLong(Write::rows).sum();
  }

  synchronized long watts() {
    return writes.stream().mapToLong(Write::watts).sum();
  }

  synchronized long tooLate() {
    return writes.stream().mapToLong(Write::tooLate).sum();
  }

  synchronized long lateRows() {
    return writes.stream().mapToLong(Write::lateRows).sum();
  }
}
