package millrace.online;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import millrace.fault.Fault;
import millrace.spi.Counters;
import millrace.spi.HasCounters;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;

/// Tables in memory that keep the contract, and whatever trouble a test makes. Transactions see
/// what was committed when they began: rows that are written while a window is aggregated are
/// missing from its sums.
public final class MemoryStore implements OnlineStore, HasCounters {

  /// Which row.
  public record Key(int building, int floor, int device, long time) {}

  private record Mark(Dirty window, long number) {}

  private final Map<String, Map<Key, Long>> tables = new HashMap<>();
  private final Map<String, Map<Key, Long>> sent = new HashMap<>();
  private final Set<Key> sentOtherwise = new HashSet<>();
  private final Set<Mark> marks = new HashSet<>();
  private final Map<Dirty, Set<Mark>> takenIn = new HashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile boolean cancelled;

  /// Called with the table's name before a write takes effect. May wait, or throw.
  public volatile Consumer<String> beforeWrite = _ -> {};

  /// Called with the table's name after a write took effect, before the writer knows.
  public volatile Consumer<String> afterWrite = _ -> {};

  /// Called with rows that are only encoded. May wait.
  public volatile Consumer<Readings> encode = _ -> {};

  /// Called with the level's name before an aggregate begins.
  public volatile Consumer<String> beforeAggregate = _ -> {};

  /// Called with the level's name after an aggregate has read its rows, before it writes.
  public volatile Consumer<String> amidAggregate = _ -> {};

  /// Called with the table's name.
  public volatile Consumer<String> beforeSums = _ -> {};

  /// How many calls a client of its own would have made again.
  public final AtomicLong retries = new AtomicLong();

  @Override
  public Counters counters() {
    return new Counters() {
      @Override
      public Reading read() {
        Alarm alarm = new Alarm(0, "calls that the client made again", "rows were held up");
        return new Reading(
            List.of(new Count("client", "retries", Scope.RUN, retries.get(), alarm)), List.of());
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }

  /// The same tables for the next run, whether or not the one before was stopped.
  public MemoryStore reopened() {
    cancelled = false;
    return this;
  }

  /// Whether somebody has stopped what is under way.
  public boolean isCancelled() {
    return cancelled;
  }

  /// Waits, unless all is cancelled meanwhile.
  public void pause(long millis) {
    long until = System.nanoTime() + millis * 1_000_000;
    while (System.nanoTime() < until && !cancelled) {
      LockSupport.parkNanos(1_000_000);
    }
    check();
  }

  private void check() {
    if (cancelled) {
      throw new Fault.Cancelled("memory was stopped");
    }
  }

  private Map<Key, Long> table(String name) {
    Map<Key, Long> table = tables.get(name);
    if (table == null) {
      throw new Fault.User("There is no table " + name + ".", "");
    }
    return table;
  }

  /// All rows of a table.
  public synchronized Map<Key, Long> rows(String table) {
    return Map.copyOf(table(table));
  }

  /// The rows of a table that writers sent, each once: those that were aggregated are not among
  /// them.
  public synchronized Map<Key, Long> sent(String table) {
    return Map.copyOf(sent.getOrDefault(table, Map.of()));
  }

  /// Rows that were sent again with another load.
  public synchronized Set<Key> sentOtherwise() {
    return Set.copyOf(sentOtherwise);
  }

  /// Takes watts from the row of one device of the first floor and gives them to another.
  public synchronized void move(String table, long time, int from, int to, long watts) {
    table(table).merge(new Key(0, 0, from, time), -watts, Long::sum);
    table(table).merge(new Key(0, 0, to, time), watts, Long::sum);
  }

  /// Deletes the rows of one device of the first floor, from one moment up to another.
  public synchronized void delete(String table, int device, long from, long to) {
    table(table)
        .keySet()
        .removeIf(key ->
            key.equals(new Key(0, 0, device, key.time())) && key.time() >= from && key.time() < to);
  }

  /// Makes tables of any names.
  public synchronized MemoryStore with(List<String> names) {
    names.forEach(name -> tables.put(name, new HashMap<>()));
    return this;
  }

  @Override
  public synchronized void create() {
    check();
    tables.clear();
    sent.clear();
    sentOtherwise.clear();
    marks.clear();
    takenIn.clear();
    with(
        List.of(
            "load_per_sec",
            "load_per_sec_small",
            "load_per_sec_middle",
            "load_per_sec_large",
            "load_per_sec_too_late",
            "load_per_sec_sent"));
  }

  @Override
  public synchronized void restore(long start, long devices) {
    check();
    Map<String, Map<Key, Long>> past = new HashMap<>(tables);
    create();
    Map.of("small", 2L, "middle", 4L, "large", 8L)
        .forEach((level, seconds) -> {
          String name = "load_per_sec_" + level;
          long width = seconds * 1_000_000;
          past.getOrDefault(name, Map.of())
              .forEach((key, load) -> {
                long device = Readings.index(key.building, key.floor, key.device);
                if (key.time < Math.floorDiv(start, width) * width && device < devices) {
                  table(name).put(key, load);
                }
              });
        });
  }

  @Override
  public List<Long> addPartitions(Window span) {
    return List.of();
  }

  @Override
  public RowWriter writer() {
    check();
    return new Writer();
  }

  @Override
  public RowWriter encoder() {
    table("load_per_sec");
    return new RowWriter() {
      @Override
      public void write(String table, Readings rows, List<Dirty> marked) {
        encode.accept(rows);
      }

      @Override
      public void close() {
        // Nothing is held.
      }
    };
  }

  private synchronized void commit(String name, Readings rows, List<Dirty> marked) {
    Map<Key, Long> table = table(name);
    for (Dirty each : marked) {
      marks.add(new Mark(each, numbers.incrementAndGet()));
    }
    Map<Key, Long> all = sent.computeIfAbsent(name, _ -> new HashMap<>());
    for (int i = 0; i < rows.rows(); i++) {
      Key key = new Key(rows.building[i], rows.floor[i], rows.device[i], rows.time[i]);
      table.putIfAbsent(key, rows.load[i]);
      Long before = all.putIfAbsent(key, rows.load[i]);
      if (before != null && before != rows.load[i]) {
        sentOtherwise.add(key);
      }
    }
  }

  /// Writes, with the trouble.
  private final class Writer implements RowWriter {
    private boolean closed;

    @Override
    public void write(String table, Readings rows, List<Dirty> marked) {
      if (closed) {
        throw new Fault.Bug("a writer is used after it was closed", null);
      }
      check();
      beforeWrite.accept(table);
      commit(table, rows, marked);
      afterWrite.accept(table);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private synchronized Set<Mark> marksOf(Dirty window) {
    Set<Mark> all = new HashSet<>();
    for (Mark each : marks) {
      if (each.window.equals(window)) {
        all.add(each);
      }
    }
    return all;
  }

  private synchronized Map<Key, Long> added(Level below, Window window) {
    Map<Key, Long> sums = new HashMap<>();
    table(below.table())
        .forEach((key, load) -> {
          if (key.time >= window.start() && key.time < window.end()) {
            sums.merge(
                new Key(key.building, key.floor, key.device, window.start()), load, Long::sum);
          }
        });
    return sums;
  }

  @Override
  public long aggregate(Level below, Level level, Window window) {
    check();
    beforeAggregate.accept(level.name());
    Dirty dirty = new Dirty(level.name(), window.start());
    Set<Mark> before = marksOf(dirty);
    Map<Key, Long> sums = added(below, window);
    amidAggregate.accept(level.name());
    synchronized (this) {
      table(level.table()).putAll(sums);
      takenIn.put(dirty, before);
    }
    return sums.size();
  }

  @Override
  public Sums sums(String table, Window span) {
    check();
    beforeSums.accept(table);
    synchronized (this) {
      long rows = 0;
      long watts = 0;
      for (Map.Entry<Key, Long> each : table(table).entrySet()) {
        if (each.getKey().time >= span.start() && each.getKey().time < span.end()) {
          rows++;
          watts += each.getValue();
        }
      }
      return new Sums(rows, watts);
    }
  }

  @Override
  public synchronized long differing(Level below, Level level, Window window) {
    Map<Key, Long> wanted = added(below, window);
    Map<Key, Long> found = new HashMap<>();
    table(level.table())
        .forEach((key, load) -> {
          if (key.time >= window.start() && key.time < window.end()) {
            found.put(key, load);
          }
        });
    Set<Key> all = new HashSet<>(wanted.keySet());
    all.addAll(found.keySet());
    return all.stream().filter(key -> !Objects.equals(wanted.get(key), found.get(key))).count();
  }

  @Override
  public long probe(Level level, long device, Window span) {
    return 0;
  }

  @Override
  public synchronized List<Dirty> dirty() {
    check();
    return new ArrayList<>(new HashSet<>(marks.stream().map(Mark::window).toList()));
  }

  @Override
  public synchronized void clean(Dirty window) {
    check();
    Set<Mark> mayGo = takenIn.get(window);
    marks.removeAll(mayGo == null ? marksOf(window) : mayGo);
  }

  @Override
  public void cancel() {
    cancelled = true;
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
