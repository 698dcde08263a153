package millrace.online.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import org.jspecify.annotations.Nullable;

/// Gives windows that are open when the data's clock starts the rows of their past: the minutes of
/// the hour so far, the hours of the day so far. So a run of minutes sees an hour and a day end.
final class Prefill {

  private static final int ROWS_AT_ONCE = 10_000;
  private static final long WATTS_MAX = 6_000;

  /// More would wait for each other or for a processor.
  private static final int WRITERS = 4;

  private static final long REPORT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final OnlineJob job;
  private final OnlineStore store;
  private final Consumer<String> says;
  private long rowsInAll;
  private long rowsDone;
  private long reportedNanos = System.nanoTime();

  /// What failed first: what follows from it may say less.
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  /// @param says is told how far it is, now and then
  Prefill(OnlineJob job, OnlineStore store, Consumer<String> says) {
    this.job = job;
    this.store = store;
    this.says = says;
  }

  /// Fills the levels, each by several writers at once.
  ///
  /// @param startMicros where the data's clock starts
  /// @param devices which devices get their rows, from start up to end
  void run(long startMicros, Window devices) {
    rowsInAll = rowsOfDevice(job, startMicros) * (devices.end() - devices.start());
    List<Level> levels = job.layout().levels();
    for (int i = 1; i + 1 < levels.size(); i++) {
      fill(levels.get(i), times(levels, i, startMicros), devices);
    }
  }

  /// How many rows of the past each device has in all levels.
  static long rowsOfDevice(OnlineJob job, long startMicros) {
    List<Level> levels = job.layout().levels();
    long rows = 0;
    for (int i = 1; i + 1 < levels.size(); i++) {
      Window times = times(levels, i, startMicros);
      rows += (times.end() - times.start()) / micros(levels.get(i));
    }
    return rows;
  }

  /// What each level holds once some devices have their past, what arrives first.
  ///
  /// @param devices how many, from the first on
  static List<OnlineStore.Sums> sums(OnlineJob job, long startMicros, long devices) {
    List<Level> levels = job.layout().levels();
    List<OnlineStore.Sums> all = new ArrayList<>();
    for (int i = 0; i < levels.size(); i++) {
      boolean isOpen = i > 0 && i + 1 < levels.size();
      Window times = isOpen ? times(levels, i, startMicros) : new Window(0, 0);
      long rows = 0;
      long watts = 0;
      for (long time = times.start(); time < times.end(); time += micros(levels.get(i))) {
        for (long device = 0; device < devices; device++) {
          rows++;
          watts += watts(levels.get(i), device, time);
        }
      }
      all.add(new OnlineStore.Sums(rows, watts));
    }
    return all;
  }

  /// The past of the window that is open in the level above.
  private static Window times(List<Level> levels, int level, long startMicros) {
    return new Window(
        levels.get(level + 1).startOf(startMicros), levels.get(level).startOf(startMicros));
  }

  /// The same for a device and a time, whoever asks: a search fills in devices as it needs them.
  private static long watts(Level level, long device, long time) {
    long mixed = (time / 1_000_000 * 31 + device) * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8_FEB8_6659_FD93L;
    return Long.remainderUnsigned(mixed ^ (mixed >>> 32), WATTS_MAX + 1)
        * level.window().toSeconds();
  }

  private synchronized void filled(int rows) {
    rowsDone += rows;
    long now = System.nanoTime();
    if (now - reportedNanos >= REPORT_INTERVAL_NANOS) {
      reportedNanos = now;
      says.accept(
          String.format(
              Locale.ROOT,
              "Filling the windows that are open at the start: %,d of %,d rows (%.0f %%) ...",
              rowsDone,
              rowsInAll,
              100.0 * rowsDone / rowsInAll));
    }
  }

  private void fill(Level level, Window times, Window devices) {
    long first = devices.start();
    long count = devices.end() - first;
    List<CompletableFuture<Void>> parts = new ArrayList<>();
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      for (int i = 0; i < WRITERS; i++) {
        Window part = new Window(first + count * i / WRITERS, first + count * (i + 1) / WRITERS);
        parts.add(CompletableFuture.runAsync(() -> write(level, times, part), writers));
      }
    }
    try {
      parts.forEach(CompletableFuture::join);
    } catch (CompletionException e) {
      throw Fault.of(Objects.requireNonNullElse(failure.get(), e));
    }
  }

  private void write(Level level, Window times, Window devices) {
    Readings rows = new Readings(ROWS_AT_ONCE);
    try (OnlineStore.RowWriter writer = store.writer()) {
      for (long time = times.start();
          time < times.end() && failure.get() == null;
          time += micros(level)) {
        for (long device = devices.start(); device < devices.end(); device++) {
          rows.add(device, time, watts(level, device, time));
          if (rows.rows() == ROWS_AT_ONCE) {
            writer.write(level.table(), rows, List.of());
            filled(rows.rows());
            rows.clear();
          }
        }
      }
      writer.write(level.table(), rows, List.of());
      filled(rows.rows());
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      throw e;
    }
  }

  private static long micros(Level level) {
    return TimeUnit.SECONDS.toMicros(level.window().toSeconds());
  }
}
