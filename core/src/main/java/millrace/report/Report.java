package millrace.report;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.report.host.HostFigures;
import millrace.report.profile.Profile;
import millrace.spi.TuningHint;
import millrace.spi.write.MergeCounts;
import org.jspecify.annotations.Nullable;

/// What a run did and what it cost; kept as JSON, told as text.
///
/// Names end in their units. Built once, when the run has ended.
///
/// @param id names the run, for `runs` and `compare`
/// @param verb what was asked: copy, verify, demo
/// @param startedAt when
/// @param outcome `ok`, {@link #DIFFERENT}, or the sentence that says what went wrong
/// @param from the source's label
/// @param to the target's label
/// @param plan the plan, one fact a line
/// @param notes what became of the data, then what the plan told of it, one sentence each
/// @param elapsedNanos from the start of the first step to the end of the last
/// @param rows rows that the target took
/// @param rowsDurable rows that would have survived a crash when the run ended
/// @param rejects bad records set aside
/// @param merged what a merge made of the rows, or null if it was none or nobody could tell
/// @param sourceBytes bytes of the source that were read
/// @param targetBytes bytes handed to the target
/// @param lanes how many lanes ran; if the run found that out, how many were best
/// @param lanesWhy why not more, if it is fewer than asked or possible; may be empty
/// @param lanesTried what each number of lanes moved that the run tried; empty if none was
/// @param found what was found best if nobody had said how much: lanes and units
/// @param retries what was tried again after a transient fault; empty if nothing was
/// @param steps one after the other
/// @param stages where the lanes' time went
/// @param bottleneck one sentence: the slowest part, and what would help
/// @param cpuNanos CPU time that this process took for the run, or -1 if unknown
/// @param residentBytesMax peak resident memory of this process, or -1 if unknown
/// @param host what the machine did meanwhile, or null if nobody watched
/// @param profile which methods the time went to, or null if that was not asked
/// @param counters what the ends counted meanwhile; empty if they count nothing
/// @param countersMissing what could not be counted and why, one sentence without its end each
/// @param waits what the ends' servers were seen to wait for while lanes worked; empty if none can
///   tell
/// @param ceilings how fast each part was by itself before the run, or null if that was not asked
/// @param goal how much of the user's goal was reached, or null if there was none
public record Report(
    String id,
    String verb,
    Instant startedAt,
    String outcome,
    String from,
    String to,
    List<String> plan,
    List<String> notes,
    long elapsedNanos,
    long rows,
    long rowsDurable,
    long rejects,
    @Nullable MergeCounts merged,
    long sourceBytes,
    long targetBytes,
    int lanes,
    String lanesWhy,
    List<LaneRate> lanesTried,
    TuningHint found,
    List<Retry> retries,
    List<Phase> steps,
    List<StageTime> stages,
    String bottleneck,
    long cpuNanos,
    long residentBytesMax,
    @Nullable HostFigures host,
    @Nullable Profile profile,
    List<Counter> counters,
    List<String> countersMissing,
    List<Waited> waits,
    @Nullable Ceilings ceilings,
    @Nullable Goal goal) {

  /// The outcome of a verify that was done and found differences.
  public static final String DIFFERENT = "The two sides differ.";

  public Report {
    // A file may hold anything; what is no report is refused here.
    Stream.of(id, verb, startedAt, outcome, from, to, lanesWhy, bottleneck)
        .forEach(Objects::requireNonNull);
    plan = List.copyOf(plan);
    // Reports of earlier versions have no notes, no counters and no waits, and neither found nor
    // tried anything.
    notes = notes == null ? List.of() : List.copyOf(notes);
    lanesTried = lanesTried == null ? List.of() : List.copyOf(lanesTried);
    found = found == null ? TuningHint.NOTHING : found;
    retries = retries == null ? List.of() : List.copyOf(retries);
    counters = counters == null ? List.of() : List.copyOf(counters);
    countersMissing = countersMissing == null ? List.of() : List.copyOf(countersMissing);
    waits = waits == null ? List.of() : List.copyOf(waits);
    steps = List.copyOf(steps);
    stages = List.copyOf(stages);
  }

  /// The report of a run that was refused, or failed, before it could begin.
  ///
  /// @param outcome why
  public static Report refused(
      String id, String verb, Instant startedAt, String outcome, String from, String to) {
    return new Report(
        id,
        verb,
        startedAt,
        outcome,
        from,
        to,
        List.of(),
        List.of(),
        0,
        0,
        0,
        0,
        null,
        0,
        0,
        0,
        "",
        List.of(),
        TuningHint.NOTHING,
        List.of(),
        List.of(),
        List.of(),
        "",
        -1,
        -1,
        null,
        null,
        List.of(),
        List.of(),
        List.of(),
        null,
        null);
  }

  /// What rates in bytes are of: the source's bytes, or the target's if the source has none.
  public static long rateBytes(long sourceBytes, long targetBytes) {
    return sourceBytes > 0 ? sourceBytes : targetBytes;
  }

  /// What was measured with a number of lanes, when it was last compared with another.
  ///
  /// @param lanes how many
  /// @param bytesPerS bytes of the source that they read in a second
  public record LaneRate(int lanes, double bytesPerS) {}

  /// What was tried again for one reason.
  ///
  /// @param why what had gone wrong
  /// @param count how many lanes were begun again for it
  /// @param nanos what they lost by it: the waits, and the work that was done again
  public record Retry(String why, long count, long nanos) {}

  /// How far one counter of one end moved during the run.
  ///
  /// @param end `source` or `target`
  /// @param group what it was read from, for example `wire` or `pg_stat_wal`
  /// @param name its name there; units as there
  /// @param scope whose doing it is: `this run`, or all that happened on the `whole database` or
  ///   `whole server`
  /// @param change after the last row less before the first
  public record Counter(String end, String group, String name, String scope, long change) {}

  /// For how much of the time the processes of one end's server that had something to do were seen
  /// to wait for one thing.
  ///
  /// @param end `source` or `target`
  /// @param event the server's own name of it; empty if they waited for nothing
  /// @param what the same in words; several events may have the same
  /// @param looks how often a process was seen so
  /// @param sharePercent of all looks at that end's processes
  public record Waited(String end, String event, String what, long looks, double sharePercent) {}

  /// One step of the run.
  ///
  /// @param name what was done
  /// @param nanos how long it took
  /// @param rows rows it moved, or 0
  /// @param bytes bytes it moved, or 0
  /// @param concurrency how many lanes worked at it
  public record Phase(String name, long nanos, long rows, long bytes, int concurrency) {}

  /// The time that one side of all lanes spent in one stage.
  ///
  /// @param side `reader` or `writer`
  /// @param stage the stage's label
  /// @param nanos summed over the lanes
  /// @param sharePercent of that side's whole time
  public record StageTime(String side, String stage, long nanos, double sharePercent) {}
}
