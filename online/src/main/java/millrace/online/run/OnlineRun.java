package millrace.online.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.judge.Judge;
import millrace.online.judge.Judgement;
import millrace.online.judge.Limits;
import millrace.online.judge.RunFacts;
import millrace.online.load.Clients;
import millrace.online.load.Schedule;
import millrace.online.load.WriteListener;
import millrace.online.report.OnlineReport;
import millrace.online.report.OnlineReport.State;
import millrace.online.report.OnlineReport.Sum;
import millrace.online.report.Series;
import millrace.online.window.Aggregator;
import millrace.online.window.WindowListener;
import millrace.online.window.Windows;
import millrace.plan.Endpoints;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.Window;
import org.jspecify.annotations.Nullable;

/// One run of a job. One thread carries it out; any may ask for the report, or stop it.
public final class OnlineRun {

  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final double BACKLOG_GROWTH_MAX = 0.01;

  private final OnlineJob job;
  private final OnlineStore store;
  private final Aggregator aggregator;
  private final Listener listener;
  private final RunMeter meter;
  private final Limits limits;
  private final long startedMillis = System.currentTimeMillis();
  private final Latencies latencies;
  private final List<String> notes = new ArrayList<>();
  private volatile @Nullable Schedule schedule;
  private volatile @Nullable Clients clients;
  private volatile @Nullable Windows windows;
  private volatile boolean stopped;
  private volatile boolean finishing;
  private volatile State state = State.RUNNING;
  private volatile List<Sum> sums = List.of();

  /// Who follows a run.
  ///
  /// @param log gets histograms of each second; null if nobody wants them
  /// @param says is told what is being done, in sentences
  /// @param tick is called each second
  public record Listener(
      @Nullable PrintStream log, Consumer<String> says, Consumer<OnlineRun> tick) {}

  /// Opens nothing.
  ///
  /// @param store is the caller's to close
  public OnlineRun(OnlineJob job, OnlineStore store, Aggregator aggregator, Listener listener) {
    this.job = job;
    this.store = store;
    this.aggregator = aggregator;
    this.listener = listener;
    meter = new RunMeter(job.load().clients());
    limits = limits(job.pass());
    latencies = new Latencies(listener.log(), startedMillis);
  }

  private static Limits limits(OnlineJob.Pass pass) {
    return new Limits(
        pass.writeStart().toMillis(),
        pass.badShare(),
        (int) pass.badRun().toSeconds(),
        pass.aggregate().toMillis() / 1e3,
        pass.badShare(),
        1,
        BACKLOG_GROWTH_MAX);
  }

  /// Carries it out: makes the tables, writes, aggregates, and adds all up.
  ///
  /// @return what it has shown
  /// @throws Fault if it could not begin
  public OnlineReport execute() {
    try {
      Offer.check(job.load().rows());
      listener.says.accept("Making the tables ...");
      store.create();
      long startMicros = Schedule.starting(0, job.load().clock(), 0).startMicros();
      store.addPartitions(ahead(startMicros));
      List<OnlineStore.Sums> given = prefill(startMicros);
      Schedule set =
          Schedule.starting(LEAD_NANOS, job.load().clock(), job.load().duration().toSeconds());
      schedule = set;
      write(set);
      finish(given);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("the run was interrupted");
    }
    return report();
  }

  private List<OnlineStore.Sums> prefill(long startMicros) {
    if (job.load().prefill()) {
      listener.says.accept("Filling the windows that are open at the start ...");
    }
    return new Prefill(job, store).run(startMicros);
  }

  private Window ahead(long micros) {
    return new Window(micros, micros + micros(job.tables().ahead()));
  }

  private static long micros(Duration duration) {
    return TimeUnit.MILLISECONDS.toMicros(duration.toMillis());
  }

  private void write(Schedule set) throws InterruptedException {
    Windows running = new Windows(job, store, aggregator, set, new OfWindows());
    windows = running;
    Clients writing = new Clients(job, store, set, new OfWrites());
    clients = writing;
    if (stopped) {
      writing.stop();
    }
    Thread making = Thread.ofPlatform().name("partitions").start(() -> makePartitions(set));
    Thread looking = Thread.ofPlatform().name("seconds").start(() -> tick(set));
    running.start();
    writing.start();
    writing.join();
    if (!stopped && writing.fault() == null) {
      // The last second is a whole one, too.
      Schedule.sleepUntil(set.endNanos() + LOOK_NANOS);
    }
    making.interrupt();
    looking.interrupt();
    making.join();
    looking.join();
    running.stop();
    latencies.tick(System.currentTimeMillis() - startedMillis);
    Fault fault = writing.fault();
    if (fault != null) {
      stopped = true;
      note(fault.getMessage() == null ? "A client ended." : fault.getMessage());
    } else if (!stopped) {
      meter.endsAt(set.seconds() - 1);
    }
  }

  private void makePartitions(Schedule set) {
    long every = Math.max(SECOND_NANOS, job.tables().ahead().toNanos() / 4);
    while (!job.tables().partition().isZero() && Schedule.sleepUntil(System.nanoTime() + every)) {
      try {
        store.addPartitions(ahead(set.nowMicros()));
      } catch (Fault.Cancelled _) {
        return;
      } catch (Fault e) {
        // The next round tries it again; a row that finds none is a write error.
        note("Partitions could not be made ahead: " + e.clause() + ".");
      }
    }
  }

  private void tick(Schedule set) {
    long partition = micros(job.tables().partition());
    for (long second = 0; Schedule.sleepUntil(set.dueNanos(second + 1)); second++) {
      if (second < set.seconds()) {
        meter.tick(second);
        long at = set.micros(second);
        if (partition > 0 && (second == 0 || Math.floorMod(at, partition) < 1_000_000)) {
          meter.switched(new Series.PartitionSwitch(second, Windows.shown(at)));
        }
      }
      latencies.tick(System.currentTimeMillis() - startedMillis);
      listener.tick.accept(this);
    }
  }

  private void finish(List<OnlineStore.Sums> given) throws InterruptedException {
    finishing = true;
    Windows running = windows;
    if (running == null || stopped) {
      note("It was stopped: windows and sums were not completed.");
      state = State.STOPPED;
      return;
    }
    listener.says.accept("Aggregating what is left, and adding all up ...");
    try {
      if (!running.finish()) {
        note("Some windows could not be aggregated.");
      }
      if (!(store instanceof NullStore)) {
        sums = new Reconciliation(job, store, given).sums(meter);
      }
    } catch (Fault e) {
      note("The sums could not be compared: " + e.clause() + ".");
      sums = List.of(new Sum("target", 0, 0, false));
    }
    state = judgement().passed() ? State.PASSED : State.FAILED;
  }

  private synchronized void note(String sentence) {
    if (!notes.contains(sentence)) {
      notes.add(sentence);
    }
  }

  /// Ends it soon, with the report so far. Any thread.
  public void stop() {
    stopped = true;
    Clients writing = clients;
    if (writing != null) {
      writing.stop();
    }
  }

  /// Held against the limits so far.
  public Judgement judgement() {
    double rows = job.load().rows();
    return Judge.of(
        new RunFacts(
            meter.series(finishing).seconds(),
            meter.series(finishing).windows(),
            meter.writeErrors(),
            rows,
            rows / job.load().clients(),
            sums),
        limits);
  }

  /// What it has shown by now. Any thread.
  public synchronized OnlineReport report() {
    Schedule set = schedule;
    List<String> all = new ArrayList<>(notes);
    if (meter.incompleteWindows() > 0) {
      all.add(
          meter.incompleteWindows()
              + " windows were begun before all of their rows were in; they were aggregated"
              + " again.");
    }
    if (meter.tooLate() > 0) {
      all.add(
          meter.tooLate()
              + " rows came later than "
              + job.late().allowed().toSeconds()
              + " s, and are in "
              + job.layout().sideTable()
              + ".");
    }
    meter.errors().forEach(error -> all.add("Failed: " + error + "."));
    Series series = meter.series(finishing);
    return new OnlineReport(
        title(),
        settings(),
        startedMillis,
        set == null ? 0 : Math.max(0, set.elapsed()),
        new OnlineReport.Outcome(
            state,
            judgement().criteria(),
            new OnlineReport.Limits(limits.startDelayMaxMillis(), limits.aggregateMaxSeconds()),
            latencies.all(),
            Forecasts.of(job, series, finishing)),
        series,
        sums,
        all);
  }

  private String title() {
    return String.format(
        Locale.ROOT,
        "%,d rows/s by %d clients into %s",
        job.load().rows(),
        job.load().clients(),
        Endpoints.redact(job.target()));
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("duration", job.load().duration().toSeconds() + " s");
    settings.put("clock", job.load().clock().toString().replace('T', ' '));
    settings.put("key", job.tables().timeFirst() ? "time first" : "device first");
    settings.put(
        "partitions",
        job.tables().partition().isZero() ? "none" : job.tables().partition().toSeconds() + " s");
    settings.put("rows sorted", job.load().sorted() ? "yes" : "no");
    settings.put("late rows", String.format(Locale.ROOT, "%.1f %%", job.late().share() * 100));
    return settings;
  }

  /// Listens to the clients.
  private final class OfWrites implements WriteListener {

    private Windows windows() {
      Windows running = windows;
      if (running == null) {
        throw new Fault.Bug("clients write before windows are watched", null);
      }
      return running;
    }

    @Override
    public List<Dirty> begins(List<Long> starts) {
      return windows().writeBegins(starts);
    }

    @Override
    public List<Dirty> written(List<Long> starts, List<Dirty> marked) {
      return windows().written(starts, marked);
    }

    @Override
    public void acknowledged(List<Long> starts) {
      windows().acknowledged(starts);
    }

    @Override
    public void wrote(Write write) {
      meter.wrote(write);
      if (write.isScheduled()) {
        latencies.add(write.times());
      }
    }

    @Override
    public void failed(long second, String why) {
      meter.writeFailed(second, why);
    }
  }

  /// Listens to the windows.
  private final class OfWindows implements WindowListener {

    @Override
    public void begins(Series.WindowRun run) {
      // What is aggregated at the end is not on any clock.
      if (!finishing) {
        meter.aggregates(run);
      }
    }

    @Override
    public void ended(Series.WindowRun run) {
      meter.aggregated(run);
    }

    @Override
    public void incomplete(String level, String window) {
      meter.incomplete();
    }

    @Override
    public long watermark() {
      return meter.watermark();
    }
  }
}
