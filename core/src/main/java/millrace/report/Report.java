package millrace.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.engine.meter.CounterWatch;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
import millrace.engine.meter.ServerWaits;
import millrace.engine.tuning.LaneTuner;
import millrace.report.host.HostFigures;
import millrace.spi.TuningHint;
import millrace.spi.write.MergeCounts;
import org.jspecify.annotations.Nullable;

/// What a run did and what it cost; kept as JSON, told as text.
///
/// The JSON is flat: the fields of all parts stand side by side in one object, in the order of the
/// parts. Scripts and the reports of earlier runs depend on their names, so that a field that moves
/// to another part keeps its name; no part may have the name of a field. Names end in their units.
/// Built once, when the run has ended.
///
/// @param header which run this is, and how it ended
/// @param job from where to where, and how
/// @param totals how much moved, and in which time
/// @param concurrency how many lanes ran, and what they had to do again
/// @param time where the time went
/// @param resources what the run took of its machine
/// @param statistics what the ends counted meanwhile
/// @param baselines what the run is measured against
public record Report(
    @JsonUnwrapped Header header,
    @JsonUnwrapped JobSummary job,
    @JsonUnwrapped Totals totals,
    @JsonUnwrapped Concurrency concurrency,
    @JsonUnwrapped TimeBreakdown time,
    @JsonUnwrapped ResourceUsage resources,
    @JsonUnwrapped EndStatistics statistics,
    @JsonUnwrapped Baselines baselines) {

  /// The outcome of a verify that was done and found differences.
  public static final String DIFFERENT = "The two sides differ.";

  /// Which run this is, and how it ended.
  ///
  /// @param id names the run, for `runs` and `compare`
  /// @param verb what was asked: copy, verify, demo
  /// @param startedAt when
  /// @param outcome `ok`, {@link #DIFFERENT}, or the sentence that says what went wrong
  public record Header(String id, String verb, Instant startedAt, String outcome) {

    /// A file may hold anything; what is no report is refused here and in the other parts.
    public Header {
      Stream.of(id, verb, startedAt, outcome).forEach(Objects::requireNonNull);
    }
  }

  /// What was planned, and what the user has to know of it.
  ///
  /// @param from the source's label
  /// @param to the target's label
  /// @param plan the plan, one fact a line
  /// @param notes what became of the data, then what the plan told of it, one sentence each
  public record JobSummary(String from, String to, List<String> plan, List<String> notes) {

    public JobSummary {
      Stream.of(from, to).forEach(Objects::requireNonNull);
      plan = List.copyOf(plan);
      notes = orEmpty(notes);
    }

    /// Of a run that has no plan.
    public static JobSummary of(String from, String to) {
      return new JobSummary(from, to, List.of(), List.of());
    }
  }

  /// How much moved, and in which time.
  ///
  /// @param elapsedNanos from the start of the first step to the end of the last
  /// @param rows rows that the target took
  /// @param rowsDurable rows that would have survived a crash when the run ended
  /// @param rejects bad records set aside
  /// @param merged what a merge made of the rows, or null if it was none or nobody could tell
  /// @param sourceBytes bytes of the source that were read
  /// @param targetBytes bytes handed to the target
  public record Totals(
      long elapsedNanos,
      long rows,
      long rowsDurable,
      long rejects,
      @Nullable MergeCounts merged,
      long sourceBytes,
      long targetBytes) {

    /// Of a run that moved nothing.
    public static final Totals NONE = read(0, 0);

    /// Of a run that read rows and wrote none.
    public static Totals read(long elapsedNanos, long rows) {
      return new Totals(elapsedNanos, rows, 0, 0, null, 0, 0);
    }

    /// What rates in bytes are of: the source's bytes, or the target's if the source has none.
    public long bytes() {
      return sourceBytes > 0 ? sourceBytes : targetBytes;
    }

    /// Rows in a second of the whole run.
    public double rowsPerS() {
      return rows * 1e9 / Math.max(1, elapsedNanos);
    }
  }

  /// How many lanes ran, and what they had to do again.
  ///
  /// @param lanes how many; if the run found that out, how many were best
  /// @param why why not more, if it is fewer than asked or possible; may be empty
  /// @param tried what each number of lanes moved that the run tried; empty if none was
  /// @param found what was found best where nobody had said how much: lanes and units
  /// @param retries what was tried again after a transient fault; empty if nothing was
  public record Concurrency(
      int lanes,
      @JsonProperty("lanes_why") String why,
      @JsonProperty("lanes_tried") List<LaneTuner.LaneRate> tried,
      TuningHint found,
      List<Meter.Retry> retries) {

    /// Of a run that had no lanes.
    public static final Concurrency NONE =
        new Concurrency(0, "", List.of(), TuningHint.NOTHING, List.of());

    /// Reports of earlier versions neither found nor tried anything.
    public Concurrency {
      Objects.requireNonNull(why);
      tried = orEmpty(tried);
      found = found == null ? TuningHint.NOTHING : found;
      retries = orEmpty(retries);
    }
  }

  /// Where the time went.
  ///
  /// @param steps one after the other
  /// @param stages what the lanes did meanwhile
  /// @param bottleneck one sentence: the slowest part, and what would help; may be empty
  public record TimeBreakdown(
      List<PhaseLog.Phase> steps, List<StageTime> stages, String bottleneck) {

    /// Of a run that did not begin.
    public static final TimeBreakdown NONE = new TimeBreakdown(List.of(), List.of(), "");

    public TimeBreakdown {
      steps = List.copyOf(steps);
      stages = List.copyOf(stages);
      Objects.requireNonNull(bottleneck);
    }
  }

  /// What the run took of its machine.
  ///
  /// @param cpuNanos CPU time that this process took for the run, or -1 if unknown
  /// @param residentBytesMax peak resident memory of this process, or -1 if unknown
  /// @param host what the machine did meanwhile, or null if nobody watched
  public record ResourceUsage(long cpuNanos, long residentBytesMax, @Nullable HostFigures host) {

    /// Of a run that nobody watched.
    public static final ResourceUsage UNKNOWN = new ResourceUsage(-1, -1, null);
  }

  /// What was counted of the two ends meanwhile, by their connections and by their servers.
  ///
  /// @param counters how far each moved; empty if the ends count nothing
  /// @param missing what could not be counted and why, one sentence without its end each
  /// @param waits what the ends' servers were seen to wait for while lanes worked; empty if none
  ///   can tell
  public record EndStatistics(
      List<CounterWatch.Counter> counters,
      @JsonProperty("counters_missing") List<String> missing,
      List<ServerWaits.Waited> waits) {

    /// Of a run of which nothing was counted.
    public static final EndStatistics NONE = new EndStatistics(List.of(), List.of(), List.of());

    public EndStatistics {
      counters = orEmpty(counters);
      missing = orEmpty(missing);
      waits = orEmpty(waits);
    }
  }

  /// What the run is measured against.
  ///
  /// @param ceilings how fast each part was by itself before the run, or null if that was not asked
  /// @param goal how much of the user's goal was reached, or null if there was none
  public record Baselines(@Nullable Ceilings ceilings, @Nullable Goal goal) {

    /// Of a run that is measured against nothing.
    public static final Baselines NONE = new Baselines(null, null);
  }

  /// The report of a run that was refused, or failed, before it could begin.
  public static Report refused(Header header, JobSummary job) {
    return new Report(
        header,
        job,
        Totals.NONE,
        Concurrency.NONE,
        TimeBreakdown.NONE,
        ResourceUsage.UNKNOWN,
        EndStatistics.NONE,
        Baselines.NONE);
  }

  /// The same with its sentences and labels changed, such as to hide what is secret in them.
  public Report with(UnaryOperator<String> change) {
    List<Meter.Retry> retries =
        concurrency.retries.stream()
            .map(each -> new Meter.Retry(change.apply(each.why()), each.count(), each.nanos()))
            .toList();
    return new Report(
        new Header(header.id, header.verb, header.startedAt, change.apply(header.outcome)),
        new JobSummary(
            change.apply(job.from),
            change.apply(job.to),
            job.plan.stream().map(change).toList(),
            job.notes.stream().map(change).toList()),
        totals,
        new Concurrency(
            concurrency.lanes,
            change.apply(concurrency.why),
            concurrency.tried,
            concurrency.found,
            retries),
        new TimeBreakdown(time.steps, time.stages, change.apply(time.bottleneck)),
        resources,
        new EndStatistics(
            statistics.counters,
            statistics.missing.stream().map(change).toList(),
            statistics.waits),
        baselines);
  }

  /// Reports of earlier versions lack some lists.
  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /// The time that one side of all lanes spent in one stage.
  ///
  /// @param side `reader` or `writer`
  /// @param stage the stage's label
  /// @param nanos summed over the lanes
  /// @param sharePercent of that side's whole time
  public record StageTime(String side, String stage, long nanos, double sharePercent) {}
}
