package millrace.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import millrace.fault.Fault;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.report.Ceilings;
import millrace.spi.Capable;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.Scratch;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.store.ReadRequests;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;

/// Finds out how long a copy will take: what there is by the statistics of the source, and how fast
/// it goes by a few seconds of the copy itself into a scratch table or file, and by one to its end
/// with few rows. Nothing is left behind.
///
/// It takes ten seconds, or a fifth of what it finds if that is more: then the copy is begun again,
/// and seen at other moments.
final class EstimateProbes {

  private static final double BUDGET_SECONDS = 10;
  private static final double BUDGET_SHARE = 0.2;

  /// The copy itself, as cold as it will be.
  private static final Probe.Span COPY = new Probe.Span(1000, 2000, 2000);

  /// Each side by itself.
  private static final Probe.Span SIDE = new Probe.Span(300, 700, 1000);

  /// So long is each look at a rate.
  private static final long LOOK_MS = 250;

  /// So often it is begun at most.
  private static final int TRIES_MAX = 5;

  /// What a copy does before and after its rows that no probe does: its journal, and counters.
  private static final double AROUND_SECONDS = 0.3;

  /// What is not begun if less than so many seconds are left.
  private static final double END_LEAST_SECONDS = 4;

  private static final double SIDES_LEAST_SECONDS = 3;

  /// The copy that is brought to its end moves as many rows as pass in so many seconds.
  private static final double ENDED_SECONDS = 1;

  private final ConnectorRegistry connectors;
  private final CopyListener listener;
  private final EndOpener endOpener;
  private final Job job;
  private final List<String> notes = new ArrayList<>();
  private final long begunNanos = System.nanoTime();

  EstimateProbes(
      ConnectorRegistry connectors, CopyListener listener, EndOpener endOpener, Job job) {
    this.connectors = connectors;
    this.listener = listener;
    this.endOpener = endOpener;
    this.job = endOpener.withoutDropped(job);
  }

  /// What is known before a row moves.
  ///
  /// @param requests of stores, but those that write rows
  private record Known(long rows, long bytes, double plannedSeconds, StoreRequests requests) {}

  /// Measures.
  ///
  /// @throws Fault.User if it can't be measured without moving rows for good
  Estimate measure() {
    if (job.from().isStandardStream() || job.to().isStandardStream()) {
      throw new Fault.User(
          "--estimate measures both sides before a row moves, and a stream can't be taken back.",
          "Name files or tables.");
    }
    Known known = look();
    List<Probe.Rate> rates = new ArrayList<>();
    double begun = passed();
    rates.add(begin());
    double longest = passed() - begun;
    double end = 0;
    if (left() > END_LEAST_SECONDS) {
      end = endSecondsPerRow(known, rates.getFirst());
    } else {
      notes.add("there was no time to bring a copy to its end: what that takes is not in it");
    }
    Ceilings ceilings =
        left() > SIDES_LEAST_SECONDS
            ? new CeilingProbes(connectors, listener, endOpener, job).measureEnds(SIDE)
            : new Ceilings(List.of(), List.of("each side alone, since there was no time for it"));
    double budget = Math.max(BUDGET_SECONDS, BUDGET_SHARE * seconds(known, rates, end));
    while (rates.size() < TRIES_MAX && passed() + longest < budget) {
      double before = passed();
      rates.add(begin());
      longest = Math.max(longest, passed() - before);
    }
    double unsure =
        new RateSpread(
                rates.stream()
                    .flatMap(each -> each.rates(COPY.warmUpMs(), LOOK_MS).stream())
                    .toList())
            .unsure();
    double seconds = seconds(known, rates, end);
    return new Estimate(
        known.rows,
        known.bytes,
        seconds,
        seconds < 0 ? -1 : seconds / (1 + unsure),
        seconds < 0 ? -1 : seconds * (1 + unsure) + AROUND_SECONDS,
        mean(rates, Probe.Rate::rowsPerS),
        mean(rates, Probe.Rate::sourceBytesPerS),
        ceilings,
        known.requests.and(writing(known, rates)),
        notes);
  }

  /// How many requests it takes to write into a store what the source has.
  private StoreRequests writing(Known known, List<Probe.Rate> rates) {
    double bytesPerS = mean(rates, Probe.Rate::sourceBytesPerS);
    double rowsPerS = mean(rates, Probe.Rate::rowsPerS);
    double rows = rows(known, rowsPerS, bytesPerS);
    FileLocation to = FileLocation.of(job.to());
    return rows >= 0 && to.isInStore() && to.path() instanceof StorePath file
        ? StoreRequests.writing(
            file, Math.round(rows / rowsPerS * mean(rates, Probe.Rate::targetBytesPerS)))
        : StoreRequests.NONE;
  }

  /// Seconds that are left of what an estimate takes.
  private double left() {
    return BUDGET_SECONDS - passed();
  }

  private double passed() {
    return (System.nanoTime() - begunNanos) / 1e9;
  }

  private Probe.Rate begin() {
    return move(job.selection(), planned -> Probe.run(planned, COPY, listener::stoppedBy));
  }

  private static double mean(List<Probe.Rate> rates, ToDoubleFunction<Probe.Rate> of) {
    return rates.stream().mapToDouble(of).average().orElse(0);
  }

  /// How long it takes; -1 if nobody knows how much there is.
  ///
  /// @param rates how it goes on; the first shows how it begins as well
  /// @param end seconds that it takes after its rows have moved, for each of them
  private static double seconds(Known known, List<Probe.Rate> rates, double end) {
    Probe.Rate first = rates.getFirst();
    double rowsPerS = mean(rates, Probe.Rate::rowsPerS);
    double bytesPerS = mean(rates, Probe.Rate::sourceBytesPerS);
    double rows = rows(known, rowsPerS, bytesPerS);
    if (rows < 0) {
      return -1;
    }
    double moved =
        known.rows >= 0
            ? first.secondsUntil(Probe.Count::rows, known.rows, rowsPerS)
            : first.secondsUntil(Probe.Count::sourceBytes, known.bytes, bytesPerS);
    return known.plannedSeconds + moved + rows * end + AROUND_SECONDS;
  }

  /// How many rows there are, by how many bytes they have if nothing else is known; -1 if nothing
  /// is.
  private static double rows(Known known, double rowsPerS, double bytesPerS) {
    if (!(rowsPerS > 0)) {
      return -1;
    }
    boolean bytesAreKnown = known.bytes >= 0 && bytesPerS > 0;
    return known.rows >= 0 ? known.rows : bytesAreKnown ? known.bytes / bytesPerS * rowsPerS : -1;
  }

  private double endSecondsPerRow(Known known, Probe.Rate rate) {
    Selection all = job.selection();
    double few = Math.min(ENDED_SECONDS, left() / 4) * rate.rowsPerS();
    double rows = rows(known, rate.rowsPerS(), rate.sourceBytesPerS());
    long limit = Math.max(1, (long) (rows < 0 ? few : Math.min(rows, few)));
    return move(
        new Selection(all.columns(), all.where(), Math.min(all.limit(), limit), all.window()),
        planned -> Probe.endSecondsPerRow(planned, listener::stoppedBy));
  }

  private Known look() {
    long begun = System.nanoTime();
    try (Source source = endOpener.source(job.from(), job.selection());
        Target target = endOpener.target(job.to(), job.writeOptions())) {
      StoreRequests before = requests(source, target);
      Planned planned = endOpener.plan(job, source, target);
      Plan plan = planned.plan();
      ReadRequests reads = planned.from().capability(ReadRequests.class);
      StoreRequests requests =
          requests(source, target)
              .since(before)
              .and(new StoreRequests(0, 0, reads == null ? 0 : reads.count(), 0));
      double seconds = (System.nanoTime() - begun) / 1e9;
      SourceDescription.Size size = plan.source().size();
      long limit = job.selection().limit();
      long rows = size.rows() < 0 ? -1 : Math.min(limit, size.rows());
      boolean isFiltered = job.selection().filters();
      if (isFiltered) {
        notes.add("nobody knows how many rows the condition leaves before they are read");
      }
      if (plan.target().state() == State.THERE) {
        notes.add(
            "the scratch table has no index, trigger or foreign key: what "
                + plan.target().contents().name()
                + " has of those takes longer");
      }
      boolean bytesAreKnown = limit == Long.MAX_VALUE && (!isFiltered || plan.filters());
      return new Known(
          isFiltered ? -1 : rows, bytesAreKnown ? size.bytes() : -1, seconds, requests);
    }
  }

  /// What the stores have counted so far that the ends lie in, one that both lie in once.
  private StoreRequests requests(Source source, Target target) {
    FileLocation from = FileLocation.of(job.from());
    FileLocation to = FileLocation.of(job.to());
    boolean isOne =
        from.isInStore()
            && to.isInStore()
            && from.path().getFileSystem().equals(to.path().getFileSystem());
    return counted(from, source).and(isOne ? StoreRequests.NONE : counted(to, target));
  }

  private static StoreRequests counted(FileLocation location, Capable end) {
    HasCounters has = location.isInStore() ? end.capability(HasCounters.class) : null;
    if (has == null) {
      return StoreRequests.NONE;
    }
    try (Counters counters = has.counters()) {
      return StoreRequests.of(counters.read().counts());
    }
  }

  /// Some of the copy. Its target is staged, so that stopping it removes all.
  private <T> T move(Selection selection, Function<Planned, T> probe) {
    Endpoint to = scratch();
    Job moving =
        new Job(
            job.from(),
            to,
            selection,
            WriteOptions.DEFAULT,
            job.tuning(),
            new Job.RejectPolicy(job.rejects().limit(), null, job.rejects().cutsNanoseconds()),
            job.mapping());
    try (Source source = endOpener.source(job.from(), selection);
        Target target = endOpener.target(to, WriteOptions.DEFAULT)) {
      Planned planned = endOpener.plan(moving, source, target);
      return probe.apply(planned.with(planned.plan().withSettledLanes()));
    } finally {
      discard(to);
    }
  }

  private Endpoint scratch() {
    Scratch scratches = connectors.of(job.to()).capability(Scratch.class);
    Endpoint scratch =
        scratches == null ? null : scratches.scratch(job.to(), ScratchName.of("estimate"));
    if (scratch == null) {
      throw new Fault.User(
          "--estimate needs a table or file of its own beside the target, and "
              + job.to().label()
              + " has none.",
          "Name a table or a file, or null: to measure the source alone.");
    }
    return scratch;
  }

  /// A copy that ended before it was stopped has made its target.
  private void discard(Endpoint scratch) {
    Scratch scratches = connectors.of(scratch).capability(Scratch.class);
    if (scratches != null) {
      scratches.discard(scratch);
    }
  }
}
