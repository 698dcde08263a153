package millrace.online.window;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.load.Schedule;
import millrace.online.report.Series.WindowRun;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.Window;

/// Begins each window by the clock, one delay after its end, whether or not all of its rows are in,
/// and whether or not the one before is done. Windows that rows came for afterwards are aggregated
/// again now and then, from the lowest level upwards.
///
/// One thread starts and finishes it; others tell what clients write.
public final class Windows {

  private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final int ROUNDS_MAX = 20;
  private static final long LOOK_NANOS = 50_000_000;

  private final OnlineJob job;
  private final List<Level> levels;
  private final OnlineStore store;
  private final Aggregator aggregator;
  private final Schedule schedule;
  private final WindowListener listener;
  private final WindowState state;
  private final ExecutorService running =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("window ", 0).factory());
  private final List<Thread> clocks = new ArrayList<>();

  public Windows(
      OnlineJob job,
      OnlineStore store,
      Aggregator aggregator,
      Schedule schedule,
      WindowListener listener) {
    this.job = job;
    levels = job.layout().levels();
    this.store = store;
    this.aggregator = aggregator;
    this.schedule = schedule;
    this.listener = listener;
    state = new WindowState(levels);
  }

  /// Begins.
  public void start() {
    for (int level = 1; level < levels.size(); level++) {
      int each = level;
      clocks.add(Thread.ofPlatform().name("clock " + level).start(() -> tick(each)));
    }
    clocks.add(Thread.ofPlatform().name("late windows").start(this::tickAgain));
  }

  /// See {@link millrace.online.load.WriteListener#begins}.
  public List<Dirty> writeBegins(List<Long> windows) {
    return state.writeBegins(windows);
  }

  /// See {@link millrace.online.load.WriteListener#written}.
  public List<Dirty> written(List<Long> windows, List<Dirty> marked) {
    return state.written(windows, marked);
  }

  /// See {@link millrace.online.load.WriteListener#acknowledged}.
  public void acknowledged(List<Long> windows) {
    state.acknowledged(windows);
  }

  private void tick(int level) {
    long width = WindowState.micros(levels.get(level).window());
    long delay = WindowState.micros(job.windows().get(level - 1).delay());
    long start = WindowState.startOf(levels.get(level).window(), schedule.startMicros());
    while (Schedule.sleepUntil(schedule.nanosAt(start + width + delay))) {
      Dirty window = new Dirty(levels.get(level).name(), start);
      long last = (start + width - schedule.startMicros()) / 1_000_000 - 1;
      if (listener.watermark() < Math.min(last, schedule.seconds() - 1)) {
        listener.incomplete(window.level(), shown(start));
      }
      running.execute(() -> run(level, window, false));
      start += width;
    }
  }

  private void tickAgain() {
    long every = job.late().every().toNanos();
    while (Schedule.sleepUntil(System.nanoTime() + every)) {
      try {
        again();
        long oldest = schedule.nowMicros() - WindowState.micros(job.late().allowed());
        for (Dirty mark : state.settled(oldest - 1_000_000)) {
          store.clean(mark);
          state.cleaned(mark);
        }
      } catch (Fault e) {
        // What could not be cleaned is tried again in the next round.
        double at = schedule.elapsed();
        listener.ended(new WindowRun("marks", "", at, 0, 0, true, false, e.clause()));
      }
    }
  }

  /// One round over all levels; whether there was anything to do.
  private boolean again() {
    boolean any = false;
    for (int level = 1; level < levels.size(); level++) {
      int each = level;
      List<CompletableFuture<Void>> runs =
          state.dirty(level).stream()
              .map(window -> CompletableFuture.runAsync(() -> run(each, window, true), running))
              .toList();
      runs.forEach(CompletableFuture::join);
      any |= !runs.isEmpty();
    }
    return any;
  }

  private void run(int level, Dirty mark, boolean again) {
    if (!state.begins(mark)) {
      return;
    }
    double at = schedule.elapsed();
    long begun = System.nanoTime();
    String shown = shown(mark.start());
    listener.begins(new WindowRun(mark.level(), shown, at, 0, 0, again, true, ""));
    long rows = 0;
    String error = "";
    try {
      Window window = state.window(level, mark);
      rows = aggregator.aggregate(levels.get(level - 1), levels.get(level), window);
      state.ended(level, mark);
    } catch (RuntimeException e) {
      error = Fault.of(e).clause();
      state.failed(mark);
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    listener.ended(new WindowRun(mark.level(), shown, at, seconds, rows, again, false, error));
  }

  /// No more windows are begun; those that run are waited for.
  public void stop() throws InterruptedException {
    for (Thread clock : clocks) {
      clock.interrupt();
    }
    for (Thread clock : clocks) {
      clock.join();
    }
  }

  /// After the last write: aggregates what is left, windows that are not over yet included, until
  /// nothing is dirty and no mark is left.
  ///
  /// @return false if some could not be aggregated
  public boolean finish() throws InterruptedException {
    for (int level = 1; level < levels.size(); level++) {
      long width = WindowState.micros(levels.get(level).window());
      long start = WindowState.startOf(levels.get(level).window(), schedule.startMicros());
      for (long at = start; at < schedule.span().end(); at += width) {
        state.open(new Dirty(levels.get(level).name(), at));
      }
    }
    int rounds = 0;
    while ((again() || state.isBusy()) && rounds < ROUNDS_MAX) {
      rounds += state.isBusy() ? 0 : 1;
      Schedule.sleepUntil(System.nanoTime() + LOOK_NANOS);
    }
    running.shutdown();
    if (!running.awaitTermination(1, TimeUnit.MINUTES) || rounds == ROUNDS_MAX) {
      return false;
    }
    for (Dirty mark : store.dirty()) {
      store.clean(mark);
    }
    return true;
  }

  /// A moment of the data's clock as a user reads it.
  public static String shown(long micros) {
    return LocalDateTime.ofEpochSecond(
            Math.floorDiv(micros, 1_000_000),
            (int) Math.floorMod(micros, 1_000_000L) * 1_000,
            ZoneOffset.UTC)
        .format(SHOWN);
  }
}
