package millrace.online.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a run has shown so far: made anew each second for who watches, and once at the end.
///
/// @param title one line, such as `duckdb:meters.db, 10,000 rows/s by 20 clients`
/// @param settings what the run was asked for, in the order in which it is shown
/// @param startedMillis when it began, in milliseconds since 1970
/// @param elapsedSeconds since then
/// @param outcome how it stands or ended
/// @param series what happened, over time
/// @param sums what was sent and what is in the tables; empty while it runs
/// @param notes what else the user should know, in sentences
public record OnlineReport(
    String title,
    Map<String, String> settings,
    long startedMillis,
    double elapsedSeconds,
    Outcome outcome,
    Series series,
    List<Sum> sums,
    List<String> notes) {

  /// How a run stands or ended.
  public enum State {
    RUNNING,
    PASSED,
    FAILED,
    /// This machine held the run up: nothing can be said of the target.
    INVALID,
    /// Nothing is broken, but there was nothing, or too little, to hold some criterion against.
    UNTESTED,
    /// Ended before its time, by the user or by a fault.
    STOPPED
  }

  /// How it stands or ended, and why.
  ///
  /// @param criteria each with its limit
  /// @param limits those that a chart can show
  /// @param latencies distributions over the whole run: start delay, service time, response time
  /// @param forecasts one sentence for each thing that grows, or that nothing does
  /// @param cautions what a run that passes does not keep up for ever, a clause each
  public record Outcome(
      State state,
      List<Criterion> criteria,
      Limits limits,
      List<Latency> latencies,
      List<String> forecasts,
      List<String> cautions) {

    public Outcome {
      criteria = List.copyOf(criteria);
      latencies = List.copyOf(latencies);
      forecasts = List.copyOf(forecasts);
      cautions = List.copyOf(cautions);
    }
  }

  /// One of the things that a run must hold.
  ///
  /// @param name such as `writes start on time`
  /// @param limit such as `1 s, but for 0.5 % of the seconds`
  /// @param measured such as `0.21 s at most; 0 of 300 seconds were bad`
  /// @param result whether it holds
  public record Criterion(String name, String limit, String measured, Result result) {

    /// Whether a criterion holds.
    public enum Result {
      HOLDS,
      BROKEN,
      /// It does not hold, but would if this machine had not held the run up.
      NOT_VALID,
      /// There was nothing to hold it against.
      NOT_TESTED,
      /// What was measured is too uncertain to say whether it holds.
      UNDECIDED
    }

    /// One that was tested.
    public static Criterion of(String name, String limit, String measured, boolean holds) {
      return new Criterion(name, limit, measured, holds ? Result.HOLDS : Result.BROKEN);
    }

    /// Whether it was tested and holds.
    public boolean holds() {
      return result == Result.HOLDS;
    }

    /// Whether it was tested and does not hold.
    public boolean isBroken() {
      return result == Result.BROKEN;
    }

    /// Whether nothing can be said, since this machine held the run up.
    public boolean isInvalid() {
      return result == Result.NOT_VALID;
    }

    /// Whether there was nothing to hold it against.
    public boolean isUntested() {
      return result == Result.NOT_TESTED;
    }

    /// Whether it was tested, and nothing can be said yet.
    public boolean isUndecided() {
      return result == Result.UNDECIDED;
    }
  }

  /// The limits as numbers: a second is bad if one of its writes began later than the first; an
  /// aggregate is bad if it took longer than the second.
  ///
  /// @param startDelay in milliseconds
  /// @param aggregate in seconds
  public record Limits(double startDelay, double aggregate) {}

  /// A distribution, in milliseconds.
  ///
  /// @param name such as `start delay`
  public record Latency(
      String name, long count, double p50, double p90, double p99, double p999, double max) {}

  /// What was added up at one place, in watts and rows: all must agree.
  ///
  /// @param place such as `sent`, `raw`, `minute`
  /// @param given what of the sum was filled in before the start
  /// @param differing how many rows are missing, too many or other ones than they should be
  public record Sum(String place, long rows, long sum, long given, long differing, boolean agrees) {

    /// In the place of all, if they could not be compared.
    public static final Sum UNKNOWN = new Sum("target", 0, 0, false);

    /// One that nothing was filled in of.
    public Sum(String place, long rows, long sum, boolean agrees) {
      this(place, rows, sum, 0, 0, agrees);
    }
  }

  public OnlineReport {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    sums = List.copyOf(sums);
    notes = List.copyOf(notes);
  }
}
