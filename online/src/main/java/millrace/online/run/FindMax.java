package millrace.online.run;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.judge.Judgement;
import millrace.online.load.Schedule;
import millrace.online.report.OnlineReport;
import millrace.online.report.ProcessorUse;
import millrace.online.search.LoadSearch;
import millrace.online.search.Measured;
import millrace.online.search.SearchConfig;
import millrace.online.search.SearchResult;
import millrace.online.search.SearchText;
import millrace.online.search.Trial;
import millrace.online.search.Verdict;
import org.jspecify.annotations.Nullable;

/// Searches for the highest rate of a job that passes. A trial ends as soon as it can't pass any
/// more. One thread.
public final class FindMax {

  /// What the clients alone offer is tried for so long.
  private static final Duration ALONE = Duration.ofSeconds(5);

  /// Clients that start later than this share of the job's limit, in the 99th percentile, do not
  /// offer the rate: the rest is the target's. Less than the least is chance, more than the most is
  /// no rate that clients keep up with.
  private static final double ALONE_SHARE = 0.25;

  private static final double ALONE_MILLIS_LEAST = 50;
  private static final double ALONE_MILLIS_MOST = 250;

  /// A machine that others keep busy may be late by chance.
  private static final int ALONE_TRIES = 2;

  private final OnlineJob job;
  private final Function<OnlineJob, OnlineStores> opens;
  private final OnlineRun.Listener listener;
  private final OnlineRun.Listener endingWhatIsLost;
  private final Consumer<Progress> trialListener;
  private volatile boolean stopped;
  private volatile @Nullable OnlineRun running;

  /// What the clients alone offer.
  ///
  /// @param rows a second; the job's own rate also if not even that was offered
  /// @param isOffered whether clients started on time at that rate
  /// @param crowd others' share of the processors when clients did not start on time, from 0 to 1;
  ///   empty if others took little
  public record Offered(long rows, boolean isOffered, Optional<Double> crowd) {}

  /// A trial that has ended.
  ///
  /// @param use who took this machine's processors; empty if that is not known
  public record Progress(Measured measured, OnlineReport report, Optional<ProcessorUse> use) {}

  /// @param opens gives a trial its tables; they are closed after it
  /// @param listener of each run
  /// @param trialListener is told of each trial
  public FindMax(
      OnlineJob job,
      Function<OnlineJob, OnlineStores> opens,
      OnlineRun.Listener listener,
      Consumer<Progress> trialListener) {
    this.job = job;
    this.opens = opens;
    this.listener = listener;
    this.trialListener = trialListener;
    endingWhatIsLost =
        new OnlineRun.Listener(
            listener.log(),
            listener.says(),
            run -> {
              listener.tick().accept(run);
              if (run.isLost()) {
                run.stop();
              }
            });
  }

  /// What the clients alone offer: the highest rate, doubled from the job's own, at which nearly
  /// all start on time. They make of their rows what the target takes, and send nothing.
  ///
  /// @throws Fault if the target's tables can't be made
  public Offered offered() {
    Offered offered = new Offered(job.load().rows(), false, Optional.empty());
    try (OnlineStores target = opens.apply(job)) {
      target.store().claim();
      target.store().create();
      OnlineStores alone = OnlineStores.encoding(target.store());
      for (long rate = offered.rows; rate <= GeneratorCheck.memoryRows() && !stopped; rate *= 2) {
        Offered tried = alone(rate, alone);
        if (!tried.isOffered) {
          return new Offered(offered.rows, offered.isOffered, tried.crowd);
        }
        offered = tried;
      }
    }
    return offered;
  }

  private Offered alone(long rate, OnlineStores stores) {
    OnlineJob alone = job.with(job.load().with(rate, ALONE).withPrefill(false));
    double limit = ALONE_SHARE * job.pass().writeStart().toMillis();
    double most = Math.clamp(limit, ALONE_MILLIS_LEAST, ALONE_MILLIS_MOST);
    Offered tried = new Offered(rate, false, Optional.empty());
    try {
      for (int tries = 0; tries < ALONE_TRIES && !tried.isOffered && !stopped; tries++) {
        // Nothing is aggregated or added up there, whatever a run says of that.
        OnlineRun.Listener silent = new OnlineRun.Listener(null, _ -> {}, listener.tick());
        OnlineRun run = begin(alone, stores, PastRows.ofOneRun(), silent);
        double late = run.execute().outcome().latencies().getFirst().p99();
        Optional<Double> crowd =
            run.use().filter(ProcessorUse::isCrowded).map(ProcessorUse::others);
        tried = new Offered(rate, late <= most, crowd);
      }
    } catch (Fault.User _) {
      // The machine can't make so many rows: that is what is asked here.
    }
    return tried;
  }

  /// How many rows of the past each device has in the tables of each run; 0 if the job has none.
  public long pastRowsOfDevice() {
    long start = Schedule.starting(0, job.load().clock(), 0).startMicros();
    return job.load().prefill() ? Prefill.rowsOfDevice(job, start) : 0;
  }

  /// Searches. All runs begin with the same past, which is filled in once.
  public SearchResult search(SearchConfig config) {
    LoadSearch search = LoadSearch.of(config);
    PastRows past = PastRows.shared();
    // Between two runs nobody else may take the tables.
    try (OnlineStores keeping = opens.apply(job)) {
      keeping.store().claim();
      for (Optional<Trial> next = search.next();
          next.isPresent() && !stopped;
          next = search.next()) {
        Trial trial = next.get();
        listener.says().accept(SearchText.begins(trial));
        OnlineJob tried = job.with(job.load().with(trial.rate(), trial.duration()));
        try (OnlineStores stores = opens.apply(tried)) {
          OnlineRun run = begin(tried, stores, past, endingWhatIsLost);
          OnlineReport report = run.execute();
          search = search.with(verdict(report, run.judgement(), trial));
          trialListener.accept(new Progress(search.history().getLast(), report, run.use()));
        }
      }
    }
    return search.result();
  }

  private OnlineRun begin(
      OnlineJob tried, OnlineStores stores, PastRows past, OnlineRun.Listener heard) {
    OnlineRun run = new OnlineRun(tried, stores, past, heard);
    running = run;
    if (stopped) {
      run.stop();
    }
    return run;
  }

  private Verdict verdict(OnlineReport report, Judgement judgement, Trial trial) {
    Verdict.Outcome outcome =
        switch (report.outcome().state()) {
          case PASSED -> Verdict.Outcome.PASSED;
          case FAILED -> Verdict.Outcome.FAILED;
          case INVALID, UNTESTED -> Verdict.Outcome.INVALID;
          case STOPPED, RUNNING -> stopped ? Verdict.Outcome.STOPPED : lost(judgement);
        };
    Duration ran = Duration.ofMillis((long) (report.elapsedSeconds() * 1_000));
    Duration counted = ran.compareTo(trial.duration()) > 0 ? trial.duration() : ran;
    return new Verdict(outcome, judgement.badShare(), counted, report.outcome().criteria());
  }

  /// A run that could not pass any more was ended. Whether others have held it up is known since.
  private static Verdict.Outcome lost(Judgement judgement) {
    return judgement.isInvalid() && !judgement.isBroken()
        ? Verdict.Outcome.INVALID
        : Verdict.Outcome.FAILED;
  }

  /// Ends it soon. Any thread.
  public void stop() {
    stopped = true;
    OnlineRun run = running;
    if (run != null) {
      run.stop();
    }
  }
}
