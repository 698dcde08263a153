package millrace.online.window;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.Window;

/// Which windows were aggregated, and which have to be once more, since rows came afterwards.
///
/// A row that arrives after its window was begun makes the window dirty: durably, with the row, or
/// before the row is acknowledged if the window was begun while the row was written. A window whose
/// aggregate is new makes the window above it dirty, if that was begun. So nothing that is
/// acknowledged is missing from a window for ever. Any thread.
final class WindowState {

  private final List<Level> levels;

  /// Begun at least once.
  private final Set<Dirty> begun = new HashSet<>();

  /// Being aggregated now.
  private final Set<Dirty> running = new HashSet<>();

  /// To be aggregated again.
  private final Set<Dirty> dirty = new HashSet<>();

  /// Those of the lowest level that are marked in the target.
  private final Set<Dirty> marked = new HashSet<>();

  /// How many writes are under way, by windows of the lowest level.
  private final Map<Long, Integer> writing = new HashMap<>();

  /// @param levels what arrives first
  WindowState(List<Level> levels) {
    this.levels = List.copyOf(levels);
  }

  private Dirty lowest(long start) {
    return new Dirty(levels.get(1).name(), start);
  }

  /// A write begins.
  ///
  /// @return the windows that need a mark
  synchronized List<Dirty> writeBegins(List<Long> windows) {
    windows.forEach(start -> writing.merge(start, 1, Integer::sum));
    return unmarked(windows);
  }

  private List<Dirty> unmarked(List<Long> windows) {
    return windows.stream()
        .map(this::lowest)
        .filter(window -> begun.contains(window) && !marked.contains(window))
        .toList();
  }

  /// Rows and those marks are durable.
  ///
  /// @return the windows that need a mark by now
  synchronized List<Dirty> written(List<Long> windows, List<Dirty> marks) {
    marked.addAll(marks);
    return unmarked(windows);
  }

  /// Rows and all marks are durable.
  synchronized void acknowledged(List<Long> windows) {
    for (long start : windows) {
      writing.merge(start, -1, (one, other) -> one + other == 0 ? null : one + other);
      Dirty window = lowest(start);
      if (begun.contains(window)) {
        // It was marked by this write or one before, or was begun after the marks were asked for.
        dirty.add(window);
      }
    }
  }

  /// A window is about to be aggregated: rows that arrive from now on may be missing.
  ///
  /// @return false if it is being aggregated at this moment: the older result must not come second,
  ///   so it has to be done again later
  synchronized boolean begins(Dirty window) {
    begun.add(window);
    if (!running.add(window)) {
      dirty.add(window);
      return false;
    }
    dirty.remove(window);
    return true;
  }

  /// It was aggregated: the one above has to be, too, if it was begun before.
  synchronized void ended(int level, Dirty window) {
    running.remove(window);
    if (level + 1 < levels.size()) {
      Dirty above = above(level, window.start());
      if (begun.contains(above)) {
        dirty.add(above);
      }
    }
  }

  /// It could not be aggregated.
  synchronized void failed(Dirty window) {
    running.remove(window);
    dirty.add(window);
  }

  /// Whether any window is being aggregated.
  synchronized boolean isBusy() {
    return !running.isEmpty();
  }

  /// All clients have ended. A window has to be aggregated if the clock has not come to it, or if a
  /// client died while it wrote: its rows may be durable.
  synchronized void open(Dirty window) {
    boolean isLowest = window.level().equals(levels.get(1).name());
    if (!begun.contains(window) || (isLowest && writing.remove(window.start()) != null)) {
      dirty.add(window);
    }
  }

  private Dirty above(int level, long start) {
    return new Dirty(levels.get(level + 1).name(), startOf(levels.get(level + 1).window(), start));
  }

  /// Where the window begins that a moment is in.
  static long startOf(Duration length, long micros) {
    long width = micros(length);
    return Math.floorDiv(micros, width) * width;
  }

  static long micros(Duration length) {
    return TimeUnit.MILLISECONDS.toMicros(length.toMillis());
  }

  /// The window that a mark stands for.
  Window window(int level, Dirty mark) {
    return new Window(mark.start(), mark.start() + micros(levels.get(level).window()));
  }

  /// The dirty windows of a level.
  synchronized List<Dirty> dirty(int level) {
    String name = levels.get(level).name();
    return dirty.stream()
        .filter(each -> each.level().equals(name) && !running.contains(each))
        .toList();
  }

  /// Takes marks away of windows that no row is expected for any more, and which were aggregated
  /// since. If a row does come, it brings a new mark.
  ///
  /// @param before windows that end before that take no more rows
  /// @return the marks, which are still in the target
  synchronized List<Dirty> settle(long before) {
    List<Dirty> settled = new ArrayList<>();
    for (Dirty mark : marked) {
      boolean over = window(1, mark).end() <= before && !writing.containsKey(mark.start());
      if (over && !dirty.contains(mark) && !running.contains(mark)) {
        settled.add(mark);
      }
    }
    settled.forEach(marked::remove);
    return settled;
  }

  /// A mark could not be taken away in the target.
  synchronized void notCleaned(Dirty mark) {
    marked.add(mark);
  }
}
