package millrace.copy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.report.Ceilings;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.Scratch;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;

/// Finds out how long a copy will take: what there is by the statistics of the source, and how fast
/// it goes by a few seconds of the copy itself into a scratch table or file, three times. Nothing
/// is left behind.
final class EstimateProbes {

  /// So often the copy is begun; the middle one counts, and the others say how sure it is.
  private static final int TRIES = 3;

  /// What probes that agree by chance do not tell.
  private static final double UNSURE = 0.05;

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
      rates.add(move());
    }
    // The first is as cold as the copy will be.
    double lost = rates.getFirst().lostSeconds();
    rates.sort(Comparator.comparingDouble(Probe.Rate::rowsPerS));
    Probe.Rate middle = rates.get(TRIES / 2);
    Ceilings ceilings = new CeilingProbes(connectors, listener, endOpener, job).measure();
    return new Estimate(
        known.rows,
        known.bytes,
        seconds(known, middle, lost),
        seconds(known, rates.getLast(), 0) * (1 - UNSURE),
        seconds(known, rates.getFirst(), lost) * (1 + UNSURE),
        middle.rowsPerS(),
        middle.sourceBytesPerS(),
        ceilings,
        notes);
  }

  /// How long it takes.
  ///
  /// @param lost seconds that the beginning takes longer
  private static double seconds(Known known, Probe.Rate rate, double lost) {
    double begun = known.plannedSeconds + lost;
    if (known.rows >= 0 && rate.rowsPerS() > 0) {
      return begun + known.rows / rate.rowsPerS();
    }
    return known.bytes >= 0 && rate.sourceBytesPerS() > 0
        ? begun + known.bytes / rate.sourceBytesPerS()
        : -1;
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

  /// Some seconds of the copy. Its target is staged, so that stopping it removes all.
  private Probe.Rate move() {
    Endpoint to = scratch();
    Job moving =
        new Job(
            job.from(),
            to,
            job.selection(),
            WriteOptions.DEFAULT,
            job.tuning(),
            new Job.RejectPolicy(job.rejects().limit(), null, job.rejects().cutsNanoseconds()),
            job.mapping());
    try (Source source = endOpener.source(job.from(), job.selection());
        Target target = endOpener.target(to, WriteOptions.DEFAULT)) {
      Planned planned = endOpener.plan(moving, source, target);
      return Probe.run(planned.with(planned.plan().withSettledLanes()), listener::stoppedBy);
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
