package millrace.copy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.report.Ceilings;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.Scratch;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;

/// Finds out how long a copy will take: what there is by the statistics of the source, and how fast
/// it goes by a few seconds of the copy itself into a scratch table or file, three times, and once
/// to its end with few rows. Nothing is left behind.
final class EstimateProbes {

  /// So often the copy is begun; the middle one counts, and the others say how sure it is.
  private static final int TRIES = 3;

  /// What probes that agree by chance do not tell.
  private static final double UNSURE = 0.1;

  /// The copy that is brought to its end moves as many rows as pass in so many seconds.
  private static final double ENDED_SECONDS = 2;

  private final ConnectorRegistry connectors;
  private final CopyListener listener;
  private final EndOpener endOpener;
  private final Job job;
  private final List<String> notes = new ArrayList<>();

  EstimateProbes(
      ConnectorRegistry connectors, CopyListener listener, EndOpener endOpener, Job job) {
    this.connectors = connectors;
    this.listener = listener;
    this.endOpener = endOpener;
    this.job = endOpener.withoutDropped(job);
  }

  /// What is known before a row moves.
  private record Known(long rows, long bytes, double plannedSeconds) {}

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
    for (int i = 0; i < TRIES; i++) {
      rates.add(move(job.selection(), planned -> Probe.run(planned, listener::stoppedBy)));
    }
    // As cold as the copy will be.
    Probe.Rate first = rates.getFirst();
    rates.sort(Comparator.comparingDouble(Probe.Rate::rowsPerS));
    Probe.Rate middle = rates.get(TRIES / 2);
    double end = endSecondsPerRow(known, middle);
    Ceilings ceilings = new CeilingProbes(connectors, listener, endOpener, job).measure();
    return new Estimate(
        known.rows,
        known.bytes,
        seconds(known, first, middle, end),
        seconds(known, first, rates.getLast(), end) * (1 - UNSURE),
        seconds(known, first, rates.getFirst(), end) * (1 + UNSURE),
        middle.rowsPerS(),
        middle.sourceBytesPerS(),
        ceilings,
        notes);
  }

  /// How long it takes; -1 if nobody knows how much there is.
  ///
  /// @param first shows how the copy begins
  /// @param rate how it goes on
  /// @param end seconds that it takes after its rows have moved, for each of them
  private static double seconds(Known known, Probe.Rate first, Probe.Rate rate, double end) {
    double rows = rows(known, rate);
    if (rows < 0) {
      return -1;
    }
    double moved =
        known.rows >= 0
            ? first.secondsUntil(Probe.Count::rows, known.rows, rate.rowsPerS())
            : first.secondsUntil(Probe.Count::sourceBytes, known.bytes, rate.sourceBytesPerS());
    return known.plannedSeconds + moved + rows * end;
  }

  /// How many rows there are, by how many bytes they have if nothing else is known; -1 if nothing
  /// is.
  private static double rows(Known known, Probe.Rate rate) {
    if (!(rate.rowsPerS() > 0)) {
      return -1;
    }
    boolean bytesTell = known.bytes >= 0 && rate.sourceBytesPerS() > 0;
    return known.rows >= 0
        ? known.rows
        : bytesTell ? known.bytes / rate.sourceBytesPerS() * rate.rowsPerS() : -1;
  }

  private double endSecondsPerRow(Known known, Probe.Rate rate) {
    Selection all = job.selection();
    double few = ENDED_SECONDS * rate.rowsPerS();
    double rows = rows(known, rate);
    long limit = Math.max(1, (long) (rows < 0 ? few : Math.min(rows, few)));
    return move(
        new Selection(all.columns(), all.where(), Math.min(all.limit(), limit), all.window()),
        planned -> Probe.endSecondsPerRow(planned, listener::stoppedBy));
  }

  private Known look() {
    long begun = System.nanoTime();
    try (Source source = endOpener.source(job.from(), job.selection());
        Target target = endOpener.target(job.to(), job.writeOptions())) {
      Plan plan = endOpener.plan(job, source, target).plan();
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
      boolean bytesTell = limit == Long.MAX_VALUE && (!isFiltered || plan.filters());
      return new Known(isFiltered ? -1 : rows, bytesTell ? size.bytes() : -1, seconds);
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
