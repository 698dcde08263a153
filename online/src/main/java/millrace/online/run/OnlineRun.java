package millrace.online.run;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import millrace.fault.Fault;
import millrace.online.forecast.Forecast;
import millrace.online.job.OnlineJob;
import millrace.online.judge.Judge;
import millrace.online.judge.Judgement;
import millrace.online.judge.Limits;
import millrace.online.judge.RunFacts;
import millrace.online.load.Clients;
import millrace.online.load.ClockThread;
import millrace.online.load.Schedule;
import millrace.online.load.SentSums;
import millrace.online.report.OnlineReport;
import millrace.online.report.OnlineReport.State;
import millrace.online.report.OnlineReport.Sum;
import millrace.online.report.ProcessorUse;
import millrace.online.report.Series;
import millrace.online.window.Aggregator;
import millrace.online.window.Windows;
import millrace.spi.HostLocation;
import millrace.spi.online.OnlineStore;
import org.jspecify.annotations.Nullable;

/// One run of a job. One thread carries it out; any may ask for the report, or stop it.
public final class OnlineRun {

  private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final Duration LOOK = Duration.ofMillis(200);

  /// So long a write that is under way may go on if the run is stopped.
  private static final long STOPPING_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final OnlineJob job;
  private final OnlineStore store;
  private final Aggregator aggregator;
  private final HostLocation place;
  private final PartitionMaker partitions;
  private final PastRows past;
  private final Listener listener;
  private final RunMeter meter;
  private final Limits limits;
  private final long startedMillis = System.currentTimeMillis();
  private final long startedNanos = System.nanoTime();
  private final Latencies latencies;
  private final OnlineNotes notes;
  private final FullDisk disk = new FullDisk();
  private volatile @Nullable SelfWatch selfWatch;
  private volatile @Nullable Schedule schedule;
  private volatile @Nullable Clients clients;
  private volatile @Nullable SentSums sent;
  private volatile @Nullable TargetTroubles targetTroubles;
  private volatile @Nullable Windows windows;
  private volatile boolean stopped;
  private volatile boolean died;
  private volatile boolean finishing;

  private volatile @Nullable HeldUp held;

  /// Who took the processors; null if that is not known, or not yet.
  private volatile @Nullable ProcessorUse use;

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
    this(job, new OnlineStores(store, aggregator, HostLocation.NOWHERE), listener);
  }

  /// Opens nothing.
  ///
  /// @param stores are the caller's to close
  public OnlineRun(OnlineJob job, OnlineStores stores, Listener listener) {
    this(job, stores, PastRows.ofOneRun(), listener);
  }

  /// Opens nothing.
  ///
  /// @param stores are the caller's to close
  /// @param past what the tables hold before
  OnlineRun(OnlineJob job, OnlineStores stores, PastRows past, Listener listener) {
    this.job = job;
    this.past = past;
    store = stores.store();
    aggregator = stores.aggregator();
    place = stores.place();
    this.listener = listener;
    meter = new RunMeter(job.load().clients(), this::pausedSince);
    notes = new OnlineNotes(job, meter, disk);
    partitions = new PartitionMaker(job, store, notes::add);
    limits = Limits.of(job.pass());
    latencies = new Latencies(listener.log(), startedMillis);
  }

  /// Carries it out: makes the tables, writes, aggregates, and adds all up.
  ///
  /// @return what it has shown
  /// @throws Fault if it could not begin
  public OnlineReport execute() {
    try {
      GeneratorCheck.check(job.load());
      if (job.load().duration().compareTo(job.durationMin()) < 0) {
        listener.says.accept(
            "It is too short for all criteria: that takes "
                + job.durationMin().toSeconds()
                + " s or more.");
      }
      listener.says.accept("Making the tables ...");
      long startMicros = Schedule.starting(0, job.load().clock(), 0).startMicros();
      past.makeTables(job, store, startMicros);
      partitions.make(startMicros);
      List<OnlineStore.Sums> given = past.fillIn(job, store, startMicros, listener.says);
      if (!stopped) {
        write();
        finish(given);
      }
    } catch (Fault.Cancelled e) {
      if (!stopped) {
        throw e;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("the run was interrupted");
    }
    finishing = true;
    if (stopped) {
      notes.add("It was stopped: windows and sums were not completed.");
      sums = List.of();
      state = State.STOPPED;
    } else {
      state = state(judgement());
    }
    return report();
  }

  private State state(Judgement judged) {
    if (died || judged.isBroken()) {
      return State.FAILED;
    }
    if (judged.isInvalid()) {
      return State.INVALID;
    }
    return judged.passed() ? State.PASSED : State.UNTESTED;
  }

  private long pausedSince(long second) {
    Schedule set = schedule;
    SelfWatch watch = selfWatch;
    return set == null || watch == null ? 0 : watch.pausedSince(set, second);
  }

  private List<String> levels() {
    return job.windows().stream().map(OnlineJob.WindowSpec::name).toList();
  }

  private Series series() {
    Schedule set = schedule;
    SelfWatch watch = selfWatch;
    return meter.series(
        finishing, set == null || watch == null ? List.of() : watch.pauses(set), levels());
  }

  private static long micros(Duration duration) {
    return TimeUnit.MILLISECONDS.toMicros(duration.toMillis());
  }

  private void write() throws InterruptedException {
    SelfWatch watch = SelfWatch.start(place);
    selfWatch = watch;
    Schedule set =
        Schedule.starting(LEAD_NANOS, job.load().clock(), job.load().duration().toSeconds());
    schedule = set;
    HeldUp holds = new HeldUp(watch::targetHeld, place);
    held = holds;
    Windows running =
        new Windows(job, store, aggregator, set, new CountedWindows(meter, holds, () -> finishing));
    windows = running;
    SentSums durable = SentSums.of(job, set);
    sent = durable;
    RunWrites heard =
        new RunWrites(running, meter, holds, latencies, this::elapsedSeconds, this::clientDied);
    Clients writing = new Clients(job, store, set, heard, watch.pauses(), durable);
    clients = writing;
    if (stopped) {
      writing.stop();
    }
    ClockThread making = ClockThread.start("partitions", self -> partitions.run(self, set));
    TargetTroubles troubles = new TargetTroubles(store);
    targetTroubles = troubles;
    ClockThread looking = ClockThread.start("seconds", self -> tick(self, set, troubles));
    watch.begin();
    running.start();
    writing.start();
    await(writing);
    if (!stopped && writing.fault() == null) {
      // The last second is a whole one, too.
      Schedule.sleepUntil(set.endNanos() + LOOK_NANOS, () -> stopped);
    }
    long over = Math.min(set.seconds(), (long) set.elapsed());
    making.end();
    looking.end();
    if (stopped) {
      cancel();
      running.abandon();
    }
    making.join();
    looking.join();
    running.stop();
    troubles.look(elapsedSeconds());
    troubles.close();
    used(watch, holds);
    latencies.tick(elapsedMillis());
    if (!stopped) {
      // Also if clients have died: what they did not begin is missing, and late.
      meter.endsAt(over - 1);
    }
  }

  private double elapsedSeconds() {
    Schedule set = schedule;
    return set == null ? 0 : Math.max(0, set.elapsed());
  }

  /// Who took this machine's processors; empty if that is not known. Once it has ended.
  Optional<ProcessorUse> use() {
    return Optional.ofNullable(use);
  }

  private void used(SelfWatch watch, HeldUp holds) throws InterruptedException {
    ProcessorUse seen = watch.end(meter.rows(), disk).orElse(null);
    use = seen;
    if (seen != null && seen.isCrowded()) {
      meter.crowded();
      notes.crowded(seen.others(), holds.share(seen.others()));
    }
  }

  /// A target that does not answer must not keep a run that is stopped.
  private void await(Clients writing) throws InterruptedException {
    long stoppedNanos = 0;
    while (!writing.join(LOOK)) {
      if (stopped && stoppedNanos == 0) {
        stoppedNanos = System.nanoTime();
      }
      if (stopped && System.nanoTime() - stoppedNanos > STOPPING_NANOS) {
        cancel();
      }
    }
  }

  private void cancel() {
    store.cancel();
    aggregator.cancel();
  }

  private long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
  }

  private void tick(ClockThread self, Schedule set, TargetTroubles troubles) {
    long partition = micros(job.tables().partition());
    for (long second = 0; self.sleepUntil(set.dueNanos(second + 1)); second++) {
      if (second < set.seconds() && !stopped) {
        meter.tick(second);
        long at = set.micros(second);
        if (partition > 0 && (second == 0 || Math.floorMod(at, partition) < 1_000_000)) {
          meter.switched(new Series.PartitionSwitch(second, Windows.shown(at)));
        }
      }
      latencies.tick(elapsedMillis());
      troubles.look(elapsedSeconds());
      listener.tick.accept(this);
    }
  }

  /// Also after a client has died: what is in the tables is told all the same.
  private void finish(List<OnlineStore.Sums> given) {
    finishing = true;
    Windows running = windows;
    SentSums durable = sent;
    if (running == null || durable == null || stopped) {
      return;
    }
    listener.says.accept("Aggregating what is left, and adding all up ...");
    try {
      if (!running.finish(() -> stopped)) {
        notes.add("Some windows could not be aggregated.");
      }
      if (!(store instanceof NullStore)) {
        sums = new Reconciliation(job, store, given, durable, () -> stopped).sums(meter);
      }
    } catch (Fault e) {
      notes.failed("The sums could not be compared: " + e.clause() + ".");
      sums = List.of(Sum.UNKNOWN);
    }
  }

  /// Ends it soon, with the report so far. Any thread.
  public void stop() {
    stopped = true;
    Clients writing = clients;
    if (writing != null) {
      writing.stop();
    }
    if (writing == null || writing.haveEnded()) {
      // Neither making the tables nor aggregating what is left has rows that would be lost.
      cancel();
    }
  }

  /// Held against the limits so far.
  public Judgement judgement() {
    return judgement(series());
  }

  private Judgement judgement(Series series) {
    return Judge.of(facts(series), limits);
  }

  /// Whether it will fail, whatever comes in the rest of its time.
  boolean isLost() {
    return Judge.isLost(facts(series()), job.load().duration().toSeconds(), limits);
  }

  private RunFacts facts(Series series) {
    TargetTroubles troubles = targetTroubles;
    ProcessorUse seen = use;
    HeldUp holds = held;
    return new RunFacts(
        series.seconds(),
        series.windows(),
        holds == null
            ? RunFacts.Machine.NONE
            : holds.machine(series.pauses(), seen != null && seen.isCrowded() ? seen.others() : 0),
        new RunFacts.Requested(job.load().rows(), job.windows()),
        meter.aggregatesEnded(),
        meter.writeErrors(),
        troubles == null ? 0 : troubles.times(),
        sums);
  }

  /// What it has shown by now. Any thread.
  public OnlineReport report() {
    Series series = series();
    List<Forecast> forecasts = Forecasts.of(job, series, finishing);
    Judgement judged = judgement(series);
    List<String> cautions = new ArrayList<>(judged.cautions());
    forecasts.stream()
        .map(Forecast::caution)
        .filter(each -> !each.isEmpty())
        .forEach(cautions::add);
    TargetTroubles troubles = targetTroubles;
    return new OnlineReport(
        RunSettings.title(job),
        RunSettings.of(job),
        startedMillis,
        elapsedSeconds(),
        new OnlineReport.Outcome(
            state,
            judged.criteria(),
            new OnlineReport.Limits(limits.startDelayMaxMillis(), limits.aggregateMaxSeconds()),
            latencies.all(),
            forecasts.stream().map(Forecast::sentence).toList(),
            cautions),
        series,
        sums,
        notes.all(stopped, series.pauses(), troubles == null ? List.of() : troubles.notes()));
  }

  private void clientDied(long rows, String why) {
    if (!stopped) {
      died = true;
      meter.writeFailed(-1, why, elapsedSeconds());
      notes.died(why, rows);
    }
  }
}
