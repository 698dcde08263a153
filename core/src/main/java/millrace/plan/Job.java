package millrace.plan;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Locale;
import millrace.endpoint.Endpoints;
import millrace.plan.mapping.Mapping;
import millrace.spi.Endpoint;
import millrace.spi.TuningHint;
import millrace.spi.read.Selection;
import millrace.spi.write.WriteOptions;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// What the user asked for: rows from here to there.
///
/// @param from where rows come from
/// @param to where they go
/// @param selection which rows and columns
/// @param writeOptions what happens to what the target holds
/// @param tuning how hard to try
/// @param rejects what happens to bad records
/// @param mapping what becomes of columns on their way
public record Job(
    Endpoint from,
    Endpoint to,
    Selection selection,
    WriteOptions writeOptions,
    Tuning tuning,
    RejectPolicy rejects,
    Mapping mapping)
    implements Serializable {

  /// One whose columns stay as they are.
  public Job(
      Endpoint from,
      Endpoint to,
      Selection selection,
      WriteOptions writeOptions,
      Tuning tuning,
      RejectPolicy rejects) {
    this(from, to, selection, writeOptions, tuning, rejects, Mapping.NONE);
  }

  /// The same between other ends.
  public Job between(Endpoint otherFrom, Endpoint otherTo) {
    return new Job(otherFrom, otherTo, selection, writeOptions, tuning, rejects, mapping);
  }

  /// The same, with that mapping.
  public Job with(Mapping other) {
    return new Job(from, to, selection, writeOptions, tuning, rejects, other);
  }

  /// The same, of those rows and columns.
  public Job with(Selection other) {
    return new Job(from, to, other, writeOptions, tuning, rejects, mapping);
  }

  /// The same, landing like that.
  public Job with(WriteOptions other) {
    return new Job(from, to, selection, other, tuning, rejects, mapping);
  }

  /// The same, trying that hard.
  public Job with(Tuning other) {
    return new Job(from, to, selection, writeOptions, other, rejects, mapping);
  }

  /// The same, setting bad records aside like that.
  public Job with(RejectPolicy other) {
    return new Job(from, to, selection, writeOptions, tuning, other, mapping);
  }

  /// The knobs; each null or 0 if the user leaves it to us.
  ///
  /// @param lanes how many lanes, or 0 to choose
  /// @param ordered whether rows must arrive in source order
  /// @param readUnit how much to ask the source for at a time
  /// @param writeUnit how much to send to the target at a time
  /// @param commitUnit how much to commit at a time
  /// @param single whether a table that is made is to be filled by a single transaction, if the
  ///   target can do that without staging: for few rows, which need not be resumed
  public record Tuning(
      int lanes,
      boolean ordered,
      @Nullable Amount readUnit,
      @Nullable Amount writeUnit,
      @Nullable Amount commitUnit,
      boolean single)
      implements Serializable {

    /// One that leaves it to the target how many transactions there are.
    public Tuning(
        int lanes,
        boolean ordered,
        @Nullable Amount readUnit,
        @Nullable Amount writeUnit,
        @Nullable Amount commitUnit) {
      this(lanes, ordered, readUnit, writeUnit, commitUnit, false);
    }

    /// All left to us.
    public static final Tuning AUTOMATIC = new Tuning(0, false, null, null, null);

    /// The units that the user gave, such as `read 500, write 1000`; empty if there are none. What
    /// becomes of the commit unit is another matter, see {@link CommitNote}.
    String units() {
      return new TuningHint(0, readUnit, writeUnit).units();
    }
  }

  /// How many bad records may be set aside, and where.
  ///
  /// @param limit how many
  /// @param fileName where they go; null if none are allowed or nobody wants them
  /// @param cutsNanoseconds whether a time of day with more digits than microseconds have is cut to
  ///   them, and counted, instead of being bad
  public record RejectPolicy(RejectLimit limit, @Nullable String fileName, boolean cutsNanoseconds)
      implements Serializable {

    /// The first bad record stops the run.
    public static final RejectPolicy NONE = new RejectPolicy(new RejectLimit.Count(0), null, false);

    /// More bad records of one split than this are not worth the wait for its end.
    private static final RejectLimit REPORTED_MAX = new RejectLimit.Count(1_000_000);

    /// One that cuts nothing.
    public RejectPolicy(RejectLimit limit, @Nullable Path file) {
      this(limit, file == null ? null : file.toString(), false);
    }

    /// @param countMax most bad records; 0 stops at the first
    public RejectPolicy(long countMax, @Nullable Path file) {
      this(new RejectLimit.Count(countMax), file);
    }

    /// Where bad records go; null if none are allowed or nobody wants them.
    public @Nullable Path file() {
      return fileName == null ? null : Endpoints.fileBeside(fileName).path();
    }

    /// Where the reasons stand beside a file of bad records.
    public static Path reasons(Path file) {
      return file.resolveSibling(file.getFileName() + ".reasons.jsonl");
    }

    /// How many were set aside, and where, as a user reads it.
    ///
    /// @param count at least 1
    public String words(long count) {
      String records =
          count == 1
              ? "1 bad record was"
              : String.format(Locale.ROOT, "%,d bad records were", count);
      Path file = file();
      return file == null
          ? records + " left out"
          : records + " set aside in " + file + ", with the reasons in " + reasons(file);
    }

    /// The same, but for what becomes of nanoseconds.
    public RejectPolicy cuttingNanoseconds(boolean cuts) {
      return new RejectPolicy(limit, fileName, cuts);
    }

    /// The same, but that none may ever be set aside.
    public RejectPolicy never() {
      return new RejectPolicy(new RejectLimit.Never(), null, cutsNanoseconds);
    }

    /// The same for a process that reports them to another: nothing is written down there.
    public RejectPolicy reported() {
      RejectLimit most = limit instanceof RejectLimit.Percent ? REPORTED_MAX : limit;
      return new RejectPolicy(most, null, cutsNanoseconds);
    }

    /// Whether any may be set aside.
    public boolean allowsAny() {
      return switch (limit) {
        case RejectLimit.Never _ -> false;
        case RejectLimit.Count(long max) -> max > 0;
        case RejectLimit.Percent _ -> true;
      };
    }
  }

  /// How many bad records may be set aside before a run is stopped.
  public sealed interface RejectLimit extends Serializable {

    /// None: rows of the target whose key did not come are deleted, by this run or one after it.
    record Never() implements RejectLimit {}

    /// So many; one more stops the run.
    record Count(long max) implements RejectLimit {}

    /// So many of a hundred records read: judged once there are enough of them, and at the end.
    ///
    /// @param max above 0, at most 100
    /// @param spelled as the user wrote it
    record Percent(double max, String spelled) implements RejectLimit {}
  }
}
