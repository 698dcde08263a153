package millrace.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import millrace.copy.Copy;
import millrace.copy.CopyContext;
import millrace.copy.CopyListener;
import millrace.copy.CopyPreview;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.copy.Increment;
import millrace.engine.Run;
import millrace.engine.remote.Cluster;
import millrace.engine.retry.RetryPolicy;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.mapping.Mapping;
import millrace.report.RunStore;
import millrace.resume.ResumeChoice;
import millrace.spi.Connector;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.forwarding.ForwardingConnector;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// A copy between two ends, as a test wants it. It takes the way of every command, through {@link
/// Copy}, with splits small enough that little data has several.
///
/// @param source opens the job's source, target its target; they may be of one scheme
/// @param splitBytes about how many bytes a split has
/// @param form the name of the form in which rows cross; null if the planner chooses
/// @param increment which rows an incremental copy reads; null of any other
/// @param measured whether counters and processes of servers are looked at, as every copy of a user
///   does; that takes as long as moving a few rows, so only tests that are about it ask for it
/// @param cluster makes the processes that work splits off, which open the ends by those
///   connectors; null if this one does
public record Copying(
    Connector source,
    Connector target,
    Job job,
    RetryPolicy retryPolicy,
    long splitBytes,
    @Nullable String form,
    @Nullable Increment increment,
    boolean measured,
    @Nullable Function<ConnectorRegistry, Cluster> cluster) {

  /// Nothing is kept in it, so that no copy begins with what another one found.
  private static final RunStore NO_RUNS = new RunStore(Path.of("target", "no-runs"));

  /// All rows on one lane in one split.
  public static Copying of(Connector source, Endpoint from, Connector target, Endpoint to) {
    Job job =
        new Job(
            from,
            to,
            Selection.ALL,
            WriteOptions.DEFAULT,
            new Job.Tuning(1, false, null, null, null),
            Job.RejectPolicy.NONE);
    return new Copying(source, target, job, RetryPolicy.NONE, 16 << 20, null, null, false, null);
  }

  public Copying select(List<String> columns) {
    return select(job.selection().withColumns(columns));
  }

  public Copying select(Selection some) {
    return with(job.with(some));
  }

  /// The same from there, by another connector of the same system.
  public Copying from(Connector other) {
    return new Copying(
        other, target, job, retryPolicy, splitBytes, form, increment, measured, cluster);
  }

  /// The same into that, by another connector of the same system.
  public Copying to(Connector other) {
    return new Copying(
        source, other, job, retryPolicy, splitBytes, form, increment, measured, cluster);
  }

  /// With something between the engine and the ends.
  public Copying between(UnaryOperator<Source> from, UnaryOperator<Target> to) {
    return from(new ForwardingConnector(source, from, UnaryOperator.identity()))
        .to(new ForwardingConnector(target, UnaryOperator.identity(), to));
  }

  public Copying landing(WriteOptions other) {
    return with(
        new Job(
            job.from(),
            job.to(),
            job.selection(),
            other,
            job.tuning(),
            job.rejects(),
            job.mapping()));
  }

  public Copying mode(@Nullable Mode mode) {
    WriteOptions old = job.writeOptions();
    return landing(new WriteOptions(mode, old.atomic(), old.key(), old.byPosition(), old.types()));
  }

  public Copying atomic(boolean atomic) {
    WriteOptions old = job.writeOptions();
    return landing(new WriteOptions(old.mode(), atomic, old.key(), old.byPosition(), old.types()));
  }

  public Copying rejects(Job.RejectPolicy other) {
    return with(job.with(other));
  }

  /// With other names, types or columns on the way.
  public Copying mapping(Mapping mapping) {
    return with(job.with(mapping));
  }

  /// The same on that many lanes.
  ///
  /// @param count how many lanes, if both ends allow that many
  /// @param bytesPerSplit about how many bytes a split has
  public Copying lanes(int count, long bytesPerSplit) {
    Job.Tuning old = job.tuning();
    Copying wide =
        tuned(
            new Job.Tuning(
                count, old.ordered(), old.readUnit(), old.writeUnit(), old.commitUnit()));
    return new Copying(
        source, target, wide.job, retryPolicy, bytesPerSplit, form, increment, measured, cluster);
  }

  /// How much is read, written and committed at a time; null for what is left to the engine.
  public Copying units(@Nullable Amount read, @Nullable Amount write, @Nullable Amount commit) {
    return tuned(new Job.Tuning(job.tuning().lanes(), job.tuning().ordered(), read, write, commit));
  }

  /// The same if rows cross in the form of that name.
  public Copying form(String name) {
    return new Copying(
        source, target, job, retryPolicy, splitBytes, name, increment, measured, cluster);
  }

  /// The same of what is new.
  public Copying incremental(Increment which) {
    return new Copying(
        source, target, job, retryPolicy, splitBytes, form, which, measured, cluster);
  }

  /// The same with all that a copy of a user looks at beside its rows.
  public Copying measuring() {
    return new Copying(
        source, target, job, retryPolicy, splitBytes, form, increment, true, cluster);
  }

  /// With few rows, which one transaction may take.
  public Copying single() {
    return tuned(new Job.Tuning(1, false, null, null, null, true));
  }

  /// The same worked off by other processes.
  public Copying on(@Nullable Function<ConnectorRegistry, Cluster> other) {
    return new Copying(
        source, target, job, retryPolicy, splitBytes, form, increment, measured, other);
  }

  public Copying patience(RetryPolicy other) {
    return new Copying(source, target, job, other, splitBytes, form, increment, measured, cluster);
  }

  /// Goes on for so long after faults that pass, and for so long if nothing moves.
  public Copying patience(Duration retryFor, Duration stallTimeout) {
    return patience(RetryPolicy.of(retryFor, stallTimeout));
  }

  private Copying tuned(Job.Tuning other) {
    return with(
        new Job(
            job.from(),
            job.to(),
            job.selection(),
            job.writeOptions(),
            other,
            job.rejects(),
            job.mapping()));
  }

  private Copying with(Job other) {
    return new Copying(
        source, target, other, retryPolicy, splitBytes, form, increment, measured, cluster);
  }

  /// Opens the target; the caller closes it.
  public Target openTarget() {
    return target.target(job.to(), job.writeOptions(), new OpenContext());
  }

  /// Plans the copy, and changes nothing.
  public Plan plan() {
    return preview(ResumeChoice.NONE).plan();
  }

  /// What a dry run says.
  ///
  /// @param choice what becomes of an earlier run
  public CopyPreview preview(ResumeChoice choice) {
    return Copy.preview(context(), spec(choice), new CopyListener() {});
  }

  /// Copies.
  public Ran run() {
    return run(_ -> {});
  }

  /// Copies.
  ///
  /// @param watch gets the run before it begins
  public Ran run(Consumer<Run> watch) {
    return run(ResumeChoice.NONE, watch, () -> {});
  }

  /// Copies.
  ///
  /// @param choice what becomes of an earlier run
  /// @param watch gets the run before it begins
  /// @param ended is done when all rows are there, and before the journal may forget the run
  public Ran run(ResumeChoice choice, Consumer<Run> watch, Runnable ended) {
    return attempt(choice, watch, ended).orThrow();
  }

  /// Copies, well or not.
  public Ran attempt() {
    return attempt(ResumeChoice.NONE, _ -> {}, () -> {});
  }

  /// Copies, well or not.
  ///
  /// @throws Fault if it could not even begin
  public Ran attempt(ResumeChoice choice, Consumer<Run> watch, Runnable ended) {
    AtomicReference<@Nullable Run> begun = new AtomicReference<>();
    List<String> warnings = new ArrayList<>();
    CopyListener listener =
        new CopyListener() {
          @Override
          public void warns(String words) {
            warnings.add(words);
          }

          @Override
          public Moving moves(Plan plan, Run run) {
            begun.set(run);
            watch.accept(run);
            return () -> {};
          }

          @Override
          public void ended(CopyResult result, String method) {
            if (result.fault() == null) {
              ended.run();
            }
          }
        };
    CopyResult result = Copy.run(context(), spec(choice), listener);
    return new Ran(Objects.requireNonNull(begun.get()), result, warnings);
  }

  private CopySpec spec(ResumeChoice choice) {
    CopySpec.Measures measures = measured ? CopySpec.Measures.NONE : CopySpec.Measures.LEAST;
    return new CopySpec(job, choice, retryPolicy, measures, increment);
  }

  private CopyContext context() {
    ConnectorRegistry ends = new ConnectorRegistry(List.of(new BothEnds(this)));
    return new CopyContext(ends, NO_RUNS, null, cluster == null ? null : cluster.apply(ends));
  }
}
