package millrace.online.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
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

  private static final long TOLD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final OnlineJob job;
  private final OnlineStore store;
  private final Consumer<String> says;
  private long rowsInAll;
  private long rowsDone;
  private long toldNanos = System.nanoTime();

  /// What failed first: what follows from it may say less.
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  /// What each level was given, in the order of the levels.
  private final List<OnlineStore.Sums> given = new ArrayList<>();

  /// @param says is told how far it is, now and then
  Prefill(OnlineJob job, OnlineStore store, Consumer<String> says) {
    this.job = job;
    this.store = store;
    this.says = says;
  }

  /// Fills the levels, each by several writers at once.
  ///
  /// @param startMicros where the data's clock starts
  /// @return what each level was given, what arrives first
  List<OnlineStore.Sums> run(long startMicros) {
    List<Level> levels = job.layout().levels();
    for (int i = 1; job.load().prefill() && i + 1 < levels.size(); i++) {
      Window times = times(levels.get(i), levels.get(i + 1), startMicros);
      rowsInAll += (times.end() - times.start()) / micros(levels.get(i)) * job.load().rows();
    }
    given.add(new OnlineStore.Sums(0, 0));
    for (int i = 1; i < levels.size(); i++) {
      boolean isOpen = job.load().prefill() && i + 1 < levels.size();
      given.add(
          isOpen
              ? fill(levels.get(i), levels.get(i + 1), startMicros)
              : new OnlineStore.Sums(0, 0));
    }
    return given;
  }

  /// The past of a window of the level above.
  private static Window times(Level level, Level above, long startMicros) {
    long width = micros(level);
    return new Window(
        Math.floorDiv(startMicros, micros(above)) * micros(above),
        Math.floorDiv(startMicros, width) * width);
  }

  private synchronized void filled(int rows) {
    rowsDone += rows;
    long now = System.nanoTime();
    if (now - toldNanos >= TOLD_NANOS) {
      toldNanos = now;
      says.accept(
          String.format(
              Locale.ROOT,
              "Filling the windows that are open at the start: %,d of %,d rows (%.0f %%) ...",
              rowsDone,
              rowsInAll,
              100.0 * rowsDone / rowsInAll));
    }
  }

  private OnlineStore.Sums fill(Level level, Level above, long startMicros) {
    Window times = times(level, above, startMicros);
    List<CompletableFuture<OnlineStore.Sums>> parts = new ArrayList<>();
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      for (int i = 0; i < WRITERS; i++) {
        long rows = job.load().rows();
        Window devices = new Window(rows * i / WRITERS, rows * (i + 1) / WRITERS);
        parts.add(CompletableFuture.supplyAsync(() -> fill(level, times, devices), writers));
      }
    }
    try {
      return parts.stream()
          .map(CompletableFuture::join)
          .reduce(
              new OnlineStore.Sums(0, 0),
              (one, other) ->
                  new OnlineStore.Sums(one.rows() + other.rows(), one.watts() + other.watts()));
    } catch (CompletionException e) {
      throw Fault.of(Objects.requireNonNullElse(failure.get(), e));
    }
  }

  private OnlineStore.Sums fill(Level level, Window times, Window devices) {
    SplittableRandom random = new SplittableRandom(devices.start() ^ micros(level));
    Readings rows = new Readings(ROWS_AT_ONCE);
    long count = 0;
    long watts = 0;
    try (OnlineStore.RowWriter writer = store.writer()) {
      for (long time = times.start();
          time < times.end() && failure.get() == null;
          time += micros(level)) {
        for (long device = devices.start(); device < devices.end(); device++) {
          long load = random.nextLong(WATTS_MAX + 1) * level.window().toSeconds();
          rows.add(device, time, load);
          count++;
          watts += load;
          if (rows.rows() == ROWS_AT_ONCE) {
            writer.write(level.table(), rows, List.of());
            filled(rows.rows());
            rows.clear();
          }
        }
      }
      writer.write(level.table(), rows, List.of());
      filled(rows.rows());
      return new OnlineStore.Sums(count, watts);
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      throw e;
    }
  }

  private static long micros(Level level) {
    return TimeUnit.SECONDS.toMicros(level.window().toSeconds());
  }
}
