package millrace.testkit;

import java.util.List;
import java.util.function.Consumer;
import millrace.engine.Run;
import millrace.plan.Job;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planner;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// A copy by the engine between two ends, as a test wants it; with splits small enough that little
/// data has several.
///
/// @param lanes how many, where both ends allow that many
/// @param splitBytes about how many bytes a split has
public record Copying(
    Connector source,
    Endpoint from,
    Connector target,
    Endpoint to,
    Selection selection,
    WriteOptions writeOptions,
    Job.RejectPolicy rejects,
    int lanes,
    long splitBytes) {

  /// All rows on one lane in one split.
  public static Copying of(Connector source, Endpoint from, Connector target, Endpoint to) {
    return new Copying(
        source,
        from,
        target,
        to,
        Selection.ALL,
        WriteOptions.DEFAULT,
        Job.RejectPolicy.NONE,
        1,
        16 << 20);
  }

  public Copying select(List<String> columns) {
    return select(selection.withColumns(columns));
  }

  public Copying select(Selection some) {
    return new Copying(source, from, target, to, some, writeOptions, rejects, lanes, splitBytes);
  }

  /// The same from there, by another connector of the same system.
  public Copying from(Connector other) {
    return new Copying(
        other, from, target, to, selection, writeOptions, rejects, lanes, splitBytes);
  }

  /// The same into that, by another connector of the same system.
  public Copying to(Connector other) {
    return new Copying(
        source, from, other, to, selection, writeOptions, rejects, lanes, splitBytes);
  }

  public Copying landing(WriteOptions other) {
    return new Copying(source, from, target, to, selection, other, rejects, lanes, splitBytes);
  }

  public Copying mode(@Nullable Mode mode) {
    return landing(
        new WriteOptions(
            mode,
            writeOptions.atomic(),
            writeOptions.key(),
            writeOptions.byPosition(),
            writeOptions.types()));
  }

  public Copying atomic(boolean atomic) {
    return landing(
        new WriteOptions(
            writeOptions.mode(),
            atomic,
            writeOptions.key(),
            writeOptions.byPosition(),
            writeOptions.types()));
  }

  public Copying rejects(Job.RejectPolicy other) {
    return new Copying(source, from, target, to, selection, writeOptions, other, lanes, splitBytes);
  }

  public Copying lanes(int count, long bytesPerSplit) {
    return new Copying(
        source, from, target, to, selection, writeOptions, rejects, count, bytesPerSplit);
  }

  /// Opens the source; the caller closes it.
  public Source openSource() {
    return source.source(from, selection, new OpenContext());
  }

  /// Opens the target; the caller closes it.
  public Target openTarget() {
    return target.target(to, writeOptions, new OpenContext());
  }

  /// Plans the copy, and changes nothing.
  public Plan plan() {
    try (Source open = openSource();
        Target landingPlace = openTarget()) {
      return Planner.plan(job(), open, landingPlace);
    }
  }

  /// Copies.
  ///
  /// @return the run, to look at its meter
  public Run run() {
    return run(_ -> {});
  }

  /// Copies.
  ///
  /// @param watch gets the run before it begins
  public Run run(Consumer<Run> watch) {
    try (Source open = openSource();
        Target landingPlace = openTarget()) {
      Run run = new Run(plan(open, landingPlace), open, landingPlace);
      watch.accept(run);
      run.execute();
      return run;
    }
  }

  Job job() {
    Job.Tuning tuning = new Job.Tuning(lanes, false, null, null, null);
    return new Job(from, to, selection, writeOptions, tuning, rejects);
  }

  /// The plan with as many lanes as asked for, also where the source is small.
  Plan plan(Source open, Target landingPlace) {
    return plan(job(), open, landingPlace);
  }

  /// The same for a job with more to it.
  public Plan plan(Job job, Source open, Target landingPlace) {
    return small(Planner.plan(job, open, landingPlace));
  }

  /// The plan with as many lanes as asked for, also if the source is small.
  public Plan small(Plan plan) {
    int ends = Math.min(plan.source().lanes().max(), plan.target().lanes().max());
    int most = plan.limits() ? 1 : ends;
    return plan.with(Lanes.fixed(Math.min(lanes, most), plan.lanes().why()), splitBytes);
  }
}
