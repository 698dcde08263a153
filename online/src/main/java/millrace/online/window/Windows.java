package millrace.online.window;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.load.ClockThread;
import millrace.online.load.RetriedCalls;
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

  /// How many rounds on end may fail at the end of a run; those that a wait does not help count
  /// more.
  private static final int FAILURES_MAX = 20;

  private static final int FAILURE_FOR_GOOD = 7;
  private static final long LOOK_NANOS = 50_000_000;
  private static final long ABANDONED_SECONDS = 10;

  private final OnlineJob job;
  private final List<Level> levels;
  private final OnlineStore store;
  private final Aggregator aggregator;
  private final Schedule schedule;
  private final WindowListener listener;
  private final WindowState state;
  private final ExecutorService running =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("window ", 0).factory());
  private final List<ClockThread> clocks = new ArrayList<>();

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
      clocks.add(ClockThread.start("clock " + level, self -> tick(self, each)));
    }
    clocks.add(ClockThread.start("late windows", this::tickAgain));
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

  private void tick(ClockThread self, int level) {
    long width = WindowState.micros(levels.get(level).window());
    long delay = WindowState.micros(job.windows().get(level - 1).delay());
    long start = WindowState.startOf(levels.get(level).window(), schedule.startMicros());
    for (long due = schedule.nanosAt(start + width + delay);
        self.sleepUntil(due);
        due = schedule.nanosAt(start + width + delay)) {
      Dirty window = new Dirty(levels.get(level).name(), start);
      long last = (start + width - schedule.startMicros()) / 1_000_000 - 1;
      if (listener.watermark() < Math.min(last, schedule.seconds() - 1)) {
        listener.incomplete(window.level(), shown(start));
      }
      // The listener is told how it ends.
      CompletableFuture<Optional<Fault>> _ = submit(level, window, false, due);
      start += width;
    }
  }

  private void tickAgain(ClockThread self) {
    long every = job.late().every().toNanos();
    while (self.sleepUntil(System.nanoTime() + every)) {
      again();
      long oldest = schedule.nowMicros() - WindowState.micros(job.late().allowed());
      state.settle(oldest - 1_000_000).forEach(this::clean);
    }
  }

  private void clean(Dirty mark) {
    try {
      store.clean(mark);
    } catch (RuntimeException e) {
      // It is tried again in the next round.
      state.notCleaned(mark);
      String error = Fault.of(e).clause();
      double at = schedule.elapsed();
      listener.ended(
          new WindowRun(
              "mark of " + mark.level(), shown(mark.start()), at, 0, 0, true, false, error));
    }
  }

  /// What became of one round over all levels.
  ///
  /// @param tried how many windows were to be aggregated
  /// @param faults of those that could not be
  private record Round(int tried, List<Fault> faults) {

    boolean failed() {
      return tried > 0 && faults.size() == tried;
    }

    boolean mayPass() {
      return faults.stream()
          .anyMatch(each -> each instanceof Fault.Transient || each instanceof Fault.External);
    }
  }

  /// One round over all levels, from the lowest upwards.
  private Round again() {
    int tried = 0;
    List<Fault> faults = new ArrayList<>();
    for (int level = 1; level < levels.size(); level++) {
      int each = level;
      List<CompletableFuture<Optional<Fault>>> runs =
          state.dirty(level).stream()
              .map(window -> submit(each, window, true, System.nanoTime()))
              .toList();
      tried += runs.size();
      runs.forEach(run -> run.join().ifPresent(faults::add));
    }
    return new Round(tried, faults);
  }

  /// Aggregates a window on a thread of its own. Once the run is abandoned, nothing is begun.
  private CompletableFuture<Optional<Fault>> submit(
      int level, Dirty mark, boolean again, long dueNanos) {
    try {
      return CompletableFuture.supplyAsync(() -> run(level, mark, again, dueNanos), running);
    } catch (RejectedExecutionException _) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
  }

  /// Aggregates a window, and says why if it fails.
  private Optional<Fault> run(int level, Dirty mark, boolean again, long dueNanos) {
    if (!state.begins(mark)) {
      return Optional.empty();
    }
    double at = (dueNanos - schedule.startNanos()) / 1e9;
    String shown = shown(mark.start());
    listener.begins(new WindowRun(mark.level(), shown, at, 0, 0, again, true, ""));
    long rows = 0;
    Fault fault = null;
    try {
      Window window = state.window(level, mark);
      rows = aggregator.aggregate(levels.get(level - 1), levels.get(level), window);
      state.ended(level, mark);
    } catch (Throwable e) {
      fault = Fault.of(e);
      state.failed(mark);
    }
    if (fault instanceof Fault.Cancelled) {
      // The run was stopped: nothing failed, and nobody knows how long it would have taken.
      return Optional.of(fault);
    }
    double seconds = (System.nanoTime() - dueNanos) / 1e9;
    String error = fault == null ? "" : fault.clause();
    listener.ended(new WindowRun(mark.level(), shown, at, seconds, rows, again, false, error));
    return Optional.ofNullable(fault);
  }

  /// No more windows are begun by the clock. Waits for late ones, not for those of the clock.
  public void stop() throws InterruptedException {
    clocks.forEach(ClockThread::end);
    for (ClockThread clock : clocks) {
      clock.join();
    }
  }

  /// Nothing is aggregated any more. The caller has cancelled what the store does.
  public void abandon() throws InterruptedException {
    clocks.forEach(ClockThread::end);
    running.shutdown();
    if (!running.awaitTermination(ABANDONED_SECONDS, TimeUnit.SECONDS)) {
      // Another engine may not notice that nobody waits for it.
      running.shutdownNow();
    }
  }

  /// After the last write: aggregates what is left, windows that are not over yet included, until
  /// nothing is dirty and no mark is left. A target that is away may come back meanwhile.
  ///
  /// @param stopped whether nobody waits for it any more
  /// @return false if some could not be aggregated
  public boolean finish(BooleanSupplier stopped) {
    for (int level = 1; level < levels.size(); level++) {
      long width = WindowState.micros(levels.get(level).window());
      long start = WindowState.startOf(levels.get(level).window(), schedule.startMicros());
      for (long at = start; at < schedule.span().end(); at += width) {
        state.open(new Dirty(levels.get(level).name(), at));
      }
    }
    int failures = 0;
    while (!stopped.getAsBoolean() && failures < FAILURES_MAX) {
      // Asked first: a window that ends in between may leave the one above it to be done.
      boolean wasBusy = state.isBusy();
      Round round = again();
      if (round.tried == 0 && !wasBusy) {
        running.shutdown();
        return cleanAll(stopped);
      }
      failures = round.failed() ? failures + (round.mayPass() ? 1 : FAILURE_FOR_GOOD) : 0;
      Schedule.sleepUntil(
          System.nanoTime() + LOOK_NANOS + RetriedCalls.waitNanos(failures), stopped);
    }
    running.shutdown();
    return false;
  }

  private boolean cleanAll(BooleanSupplier stopped) {
    for (Dirty mark : RetriedCalls.passing(stopped, store::dirty)) {
      RetriedCalls.passing(
          stopped,
          () -> {
            store.clean(mark);
            return mark;
          });
    }
    return RetriedCalls.passing(stopped, store::dirty).isEmpty();
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
