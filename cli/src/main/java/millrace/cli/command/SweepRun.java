package millrace.cli.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import millrace.cli.Context;
import millrace.cli.option.OutputOptions;
import millrace.connectors.Connectors;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.copy.ScratchName;
import millrace.engine.meter.Meter;
import millrace.engine.retry.Retrier;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.RunId;
import millrace.report.Report;
import millrace.report.ReportText;
import millrace.report.sweep.Axis;
import millrace.report.sweep.Sweep;
import millrace.spi.Endpoint;
import millrace.spi.Scratch;
import org.jspecify.annotations.Nullable;

/// Makes the copies of a sweep: rounds in which every point has its turn, in an order of its own,
/// so that whatever else the machine does in between hits all alike. Each goes into a scratch
/// target that is dropped at once.
final class SweepRun {

  /// The order is the same in every sweep, so that one can be repeated.
  private static final long SEED = 5;

  /// What is shorter mostly measures how a run starts.
  private static final long SHORT_NANOS = 500_000_000;

  /// One combination of settings.
  ///
  /// @param values one of each axis
  /// @param job the copy into the real target
  /// @param retryPolicy how long it goes on if nothing moves
  record Planned(List<String> values, Job job, RetryPolicy retryPolicy) {}

  /// A copy that was made and counts.
  ///
  /// @param round from 1
  /// @param settings what it was made with
  /// @param report what it did
  /// @param line how far the sweep is, for people
  record Done(int round, Map<String, String> settings, Report report, String line) {}

  private static final class Point {
    private final Planned planned;
    private final List<Report> copies = new ArrayList<>();
    private @Nullable Fault failure;

    private Point(Planned planned) {
      this.planned = planned;
    }

    private Sweep.Point measured() {
      return new Sweep.Point(
          planned.values,
          failure == null ? copies : List.of(),
          failure == null ? null : String.valueOf(failure.getMessage()));
    }
  }

  private final Context context;
  private final List<Axis> axes;
  private final List<Point> points;
  private final int rounds;
  private final @Nullable BeforeCommand before;
  private final Consumer<Done> teller;
  private final String scratchName = ScratchName.of("sweep");
  private final Set<String> notes = new LinkedHashSet<>();
  private @Nullable Fault stopped;

  SweepRun(
      Context context,
      List<Axis> axes,
      List<Planned> points,
      int rounds,
      @Nullable String before,
      Consumer<Done> teller) {
    this.context = context;
    this.axes = axes;
    this.points = points.stream().map(Point::new).toList();
    this.rounds = rounds;
    this.before = before == null ? null : new BeforeCommand(context, before);
    this.teller = teller;
  }

  /// Makes all copies, or as many as can be made: see {@link #stopped}.
  ///
  /// @throws Fault if it ended before every setting was measured once
  Sweep execute() {
    Job first = points.getFirst().planned.job;
    if (first.from().isStandardStream()) {
      throw new Fault.User("Standard input can be read only once.", "Sweep over a file.");
    }
    if (points.stream().map(point -> point.planned.job.selection()).distinct().count() > 1) {
      throw new Fault.User(
          "A sweep copies the same rows each time, and what it is to vary says which rows those"
              + " are.",
          "Vary how rows move; --rows N says how many, --select and --where which.");
    }
    for (Point point : points) {
      scratch(point.planned.job);
    }
    context.stop().endItself();
    Instant startedAt = Instant.now();
    try {
      warmUp();
      for (int round = 1; round <= rounds; round++) {
        round(round);
      }
    } catch (Fault e) {
      if (fullRounds() == 0) {
        throw e;
      }
      stopped = e;
      notes.add("stopped after " + fullRounds() + " of " + rounds + " rounds");
    }
    return sweep(startedAt, first);
  }

  /// Why it ended before its time, or null if it did not: Ctrl-C, a command before a copy that
  /// failed, a server that is away, scratch that can't be removed. What whole rounds have measured
  /// counts all the same.
  @Nullable Fault stopped() {
    return stopped;
  }

  /// The first copy finds a cold JVM, and is not counted.
  private void warmUp() {
    for (Point point : points) {
      if (copy(point) != null) {
        return;
      }
    }
    Fault failure = points.getFirst().failure;
    if (failure != null) {
      throw failure;
    }
  }

  private void round(int round) {
    List<Point> order = new ArrayList<>(points);
    Collections.shuffle(order, new Random(SEED + round));
    order.removeIf(point -> !Sweep.isRepeated(axes, point.measured()));
    int number = 0;
    for (Point point : order) {
      number++;
      Report report = copy(point);
      if (report != null) {
        point.copies.add(report);
        teller.accept(done(round, number, order.size(), point, report));
      } else if (points.stream().allMatch(each -> each.failure != null)) {
        throw Objects.requireNonNull(point.failure);
      }
    }
  }

  private Done done(int round, int number, int of, Point point, Report report) {
    Map<String, String> settings = Sweep.settings(axes, point.planned.values);
    String line =
        String.format(
            Locale.ROOT,
            "round %d of %d, copy %d of %d: %s: %s, %,.0f rows/s",
            round,
            rounds,
            number,
            of,
            Sweep.words(settings),
            ReportText.duration(report.totals().elapsedNanos()),
            report.totals().rowsPerS());
    return new Done(round, settings, report, line);
  }

  /// Copies and drops the copy; null if these settings can't be copied with. What may pass, such as
  /// a server that restarts, says nothing of settings at first: a copy that it ended, or that has
  /// waited for it, is made once more.
  private @Nullable Report copy(Point point) {
    CopyResult ending = trial(point);
    if (ending != null && isDisturbed(ending)) {
      ending = trial(point);
    }
    if (ending == null) {
      return null;
    }
    switch (ending.fault()) {
      case null -> {
        note(point, ending.report());
        return ending.report();
      }
      case Fault.Cancelled e -> throw e;
      case Fault.Bug e -> throw e;
      case Fault e -> {
        point.failure = e;
        return null;
      }
    }
  }

  private static boolean isDisturbed(CopyResult ending) {
    return ending.fault() instanceof Fault.Transient
        || !ending.report().concurrency().retries().isEmpty();
  }

  /// Copies once and drops the copy; null if it can't even begin with these settings.
  private @Nullable CopyResult trial(Point point) {
    if (before != null) {
      before.run();
    }
    Job job = intoScratch(point.planned.job);
    RetryPolicy retryPolicy = point.planned.retryPolicy;
    Execution execution = new Execution(context, CopySpec.of(job, retryPolicy), quiet());
    CopyResult ending;
    try {
      ending = execution.trial();
    } catch (Fault e) {
      discardAfter(e, job.to());
      if (saysNothingOfSettings(e)) {
        throw e;
      }
      point.failure = e;
      return null;
    }
    RuntimeException undoFailure = ending.outcome().left().undoFailure();
    if (undoFailure != null && !isPassing(undoFailure)) {
      discardAfter(undoFailure, job.to());
      throw undoFailure;
    }
    try {
      discard(job.to(), retryPolicy);
    } catch (Fault e) {
      if (undoFailure != null) {
        undoFailure.addSuppressed(e);
        throw undoFailure;
      }
      throw e;
    }
    return ending;
  }

  /// Whether the server was away when what was staged was to be removed: then it goes with all the
  /// rest once the server is back.
  private static boolean isPassing(RuntimeException undoFailure) {
    return undoFailure instanceof Fault.Transient
        || undoFailure.getCause() instanceof Fault.Transient;
  }

  /// Drops a copy. A server that is away is waited for as before a copy, unless the sweep is
  /// stopped.
  private void discard(Endpoint scratch, RetryPolicy retryPolicy) {
    Scratch scratches = scratches(scratch);
    Retrier retrier = Retrier.beforeRows(retryPolicy, (_, _, _) -> {});
    try {
      context.stop().waits(retrier::cancel);
      retrier.get(() -> {
        scratches.discard(scratch);
        return scratch;
      });
    } catch (Fault.Cancelled _) {
      scratches.discard(scratch);
    }
  }

  /// If a copy could not even begin, there is no scratch, so that a server that can't be reached
  /// once more leaves none behind.
  private static void discardAfter(RuntimeException failure, Endpoint scratch) {
    try {
      scratches(scratch).discard(scratch);
    } catch (Fault e) {
      failure.addSuppressed(e);
    }
  }

  /// Whether other settings would have fared no better.
  private static boolean saysNothingOfSettings(Fault fault) {
    return switch (fault) {
      case Fault.Cancelled _, Fault.Transient _, Fault.Bug _ -> true;
      case Fault.User _, Fault.Data _, Fault.External _ -> false;
    };
  }

  private static OutputOptions quiet() {
    OutputOptions output = new OutputOptions();
    output.quiet = true;
    return output;
  }

  private void note(Point point, Report report) {
    int requested = point.planned.job.tuning().lanes();
    Report.Concurrency ran = report.concurrency();
    if (requested > ran.lanes()) {
      String why = ran.why().isEmpty() ? "" : ": " + ran.why();
      notes.add("lanes=" + requested + " ran with " + ran.lanes() + why);
    }
    for (Meter.Retry retry : ran.retries()) {
      notes.add(
          Sweep.words(Sweep.settings(axes, point.planned.values))
              + ": a copy waited "
              + ReportText.duration(retry.nanos())
              + ", and its time counts that: "
              + retry.why());
    }
  }

  private static Scratch scratches(Endpoint scratch) {
    return Objects.requireNonNull(
        Connectors.ALL.of(scratch).capability(Scratch.class), "it has made the scratch");
  }

  private Endpoint scratch(Job job) {
    Scratch scratches = Connectors.ALL.of(job.to()).capability(Scratch.class);
    Endpoint scratch = scratches == null ? null : scratches.scratch(job.to(), scratchName);
    if (scratch == null) {
      throw new Fault.User(
          "A sweep needs a table or file of its own beside the target, and "
              + job.to().label()
              + " has none.",
          "Name a table or a file, or null: to measure the source alone.");
    }
    return scratch;
  }

  /// The same copy beside its target; bad records are counted, and nobody needs them once for each
  /// copy.
  private Job intoScratch(Job job) {
    return new Job(
        job.from(),
        scratch(job),
        job.selection(),
        job.writeOptions(),
        job.tuning(),
        new Job.RejectPolicy(job.rejects().limit(), null, job.rejects().cutsNanoseconds()),
        job.mapping());
  }

  private int fullRounds() {
    return Sweep.fullRounds(axes, points.stream().map(Point::measured).toList());
  }

  private Sweep sweep(Instant startedAt, Job job) {
    int fullRounds = fullRounds();
    List<Sweep.Point> measured = new ArrayList<>();
    String from = job.from().label();
    for (Point point : points) {
      Sweep.Point all = point.measured();
      List<Report> copies = all.copies().subList(0, Math.min(fullRounds, all.copies().size()));
      measured.add(new Sweep.Point(all.values(), copies, all.failure()));
      if (!copies.isEmpty()) {
        from = copies.getFirst().job().from();
      }
    }
    LongSummaryStatistics rows =
        measured.stream()
            .flatMap(point -> point.copies().stream())
            .mapToLong(copy -> copy.totals().rows())
            .summaryStatistics();
    if (rows.getCount() > 0 && rows.getMin() < rows.getMax()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "the copies had from %,d to %,d rows: times tell settings apart only where rows are"
                  + " the same",
              rows.getMin(),
              rows.getMax()));
    }
    if (measured.stream().anyMatch(p -> p.isMeasured() && p.medianNanos() < SHORT_NANOS)) {
      notes.add("copies of less than half a second mostly measure how a run starts: use more rows");
    }
    return new Sweep(
        RunId.begun(startedAt),
        startedAt,
        from,
        job.to().labelWithTable(),
        axes,
        measured,
        List.copyOf(notes));
  }
}
