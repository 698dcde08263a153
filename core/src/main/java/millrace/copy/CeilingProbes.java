package millrace.copy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.report.Ceilings;
import millrace.report.host.DiskProbe;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.Scratch;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Measures before a copy how fast each part is by itself: the source into `null:`, rows from
/// memory into a scratch table or file, the disks. A few seconds each; nothing is left behind.
final class CeilingProbes {

  private static final WriteOptions CREATE = new WriteOptions(Mode.CREATE, false, List.of(), false);

  private static final Endpoint NOWHERE = new Endpoint("null", "", Map.of(), Secret.NONE);

  private final ConnectorRegistry connectors;
  private final CopyListener listener;
  private final EndOpener endOpener;
  private final Job job;
  private final List<Ceilings.Ceiling> measured = new ArrayList<>();
  private final List<String> notMeasured = new ArrayList<>();

  CeilingProbes(ConnectorRegistry connectors, CopyListener listener, EndOpener endOpener, Job job) {
    this.connectors = connectors;
    this.listener = listener;
    this.endOpener = endOpener;
    this.job = job;
  }

  /// What a probe does.
  private interface Work {
    Ceilings.Ceiling measure() throws IOException;
  }

  /// Measures all.
  ///
  /// @throws Fault if the copy itself can't be planned, or the user stops it
  Ceilings measure() {
    ends(Probe.Span.USUAL);
    for (Path path : connectors.of(job.from()).place(job.from()).paths()) {
      probe("reading " + path, () -> disk("source", DiskProbe.read(largest(path))));
    }
    for (Path path : connectors.of(job.to()).place(job.to()).paths()) {
      Path folder = path.toAbsolutePath().getParent();
      if (folder != null) {
        probe("writing in " + folder, () -> disk("target", DiskProbe.write(folder)));
      }
    }
    return new Ceilings(measured, notMeasured);
  }

  /// Measures all but the disks.
  ///
  /// @param span how long each may take
  /// @throws Fault likewise
  Ceilings measureEnds(Probe.Span span) {
    ends(span);
    return new Ceilings(measured, notMeasured);
  }

  private void ends(Probe.Span span) {
    // A probe that is under way when Ctrl-C comes still removes what it has made.
    listener.stoppedBy(_ -> {});
    if (job.from().isStandardStream()) {
      notMeasured.add("source and target, because standard input can be read only once");
      return;
    }
    Source sample = checkedSample();
    probe("the source into null:", () -> Probe.warm(span, () -> readSource(span)));
    if (sample != null) {
      probe("rows from memory into a scratch table or file", () -> target(sample, span));
    } else if (job.to().isStandardStream()) {
      notMeasured.add("the target, because what standard output takes can't be taken back");
    }
  }

  private void probe(String what, Work work) {
    try {
      Ceilings.Ceiling ceiling = work.measure();
      if (ceiling.bytesPerS() > 0) {
        measured.add(ceiling);
      } else {
        notMeasured.add(what + ": nothing came through in the time for it");
      }
    } catch (Fault.Cancelled e) {
      throw e;
    } catch (Fault | IOException e) {
      notMeasured.add(what + ": " + e.getMessage());
    }
  }

  /// Makes sure that the copy can be planned, and keeps some rows where the target has a scratch
  /// table or file; null if it has none.
  private @Nullable Source checkedSample() {
    Job settled = endOpener.withoutDropped(job);
    try (Source source = endOpener.source(settled.from(), settled.selection());
        Target target = endOpener.target(job.to(), job.writeOptions())) {
      Planned planned = endOpener.plan(settled, source, target);
      return keepsScratch() ? sample(planned) : null;
    }
  }

  private boolean keepsScratch() {
    Endpoint scratch = scratch();
    return scratch != null && !scratch.equals(job.to());
  }

  private @Nullable Source sample(Planned planned) {
    try {
      return Probe.sample(planned);
    } catch (Fault.Cancelled e) {
      throw e;
    } catch (Fault e) {
      notMeasured.add("the target, because no rows could be sampled: " + e.getMessage());
      return null;
    }
  }

  private @Nullable Endpoint scratch() {
    Scratch scratch = connectors.of(job.to()).capability(Scratch.class);
    return scratch == null ? null : scratch.scratch(job.to(), ScratchName.of("probe"));
  }

  private Ceilings.Ceiling readSource(Probe.Span span) {
    Job reading =
        new Job(
            job.from(),
            NOWHERE,
            job.selection(),
            WriteOptions.DEFAULT,
            job.tuning(),
            Job.RejectPolicy.NONE);
    try (Source source = endOpener.source(job.from(), job.selection());
        Target target = endOpener.target(NOWHERE, WriteOptions.DEFAULT)) {
      Planned planned = endOpener.plan(reading, source, target);
      Plan plan = planned.plan().withSettledLanes();
      Probe.Rate rate = Probe.run(planned.with(plan), span, listener::stoppedBy);
      return new Ceilings.Ceiling(
          "source alone",
          "the source into null:, " + lanes(plan),
          rate.rowsPerS(),
          rate.sourceBytesPerS(),
          "source",
          -1);
    }
  }

  /// What is scratch is made with mode `create`, which refuses a name that exists, and the run is
  /// stopped before it appears: abandoning it removes what was staged.
  private Ceilings.Ceiling target(Source sample, Probe.Span span) {
    Endpoint scratch = Objects.requireNonNull(scratch());
    Job writing =
        new Job(job.from(), scratch, Selection.ALL, CREATE, job.tuning(), Job.RejectPolicy.NONE);
    try (Target target = endOpener.target(scratch, CREATE)) {
      Planned planned = endOpener.plan(writing, sample, target);
      Plan plan = planned.plan().withSettledLanes();
      Probe.Rate rate = Probe.run(planned.with(plan), span, listener::stoppedBy);
      return new Ceilings.Ceiling(
          "target alone",
          "its first rows from memory into "
              + (connectors.of(scratch).place(scratch).paths().isEmpty()
                  ? "a scratch table or database without indexes, "
                  : "a scratch file, ")
              + lanes(plan),
          rate.rowsPerS(),
          rate.targetBytesPerS(),
          "target",
          -1);
    }
  }

  private static String lanes(Plan plan) {
    int lanes = plan.lanes().first();
    return lanes + (lanes == 1 ? " lane" : " lanes");
  }

  private static Ceilings.Ceiling disk(String side, DiskProbe.Rate rate) {
    return new Ceilings.Ceiling(side + "'s disk", rate.how(), -1, rate.bytesPerS(), side, -1);
  }

  /// The file itself, or the largest in the folder.
  private static Path largest(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return path;
    }
    try (Stream<Path> files = Files.list(path)) {
      return files
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElse(path);
    }
  }
}
