package millrace.online.judge;

import millrace.online.job.OnlineJob;

/// What a run must hold. "Brief spikes are allowed" is said by a share and by a longest run: both
/// must be held.
///
/// @param startDelayMaxMillis a write that begins later than this after its schedule makes its
///   second a bad one
/// @param badSecondShareMax the share of seconds that may be bad, from 0 to 1
/// @param badSecondRunMax how many seconds on end may be bad
/// @param aggregateMaxSeconds an aggregate that takes longer than this is a bad one
/// @param badAggregateShareMax the share of aggregates that may be bad, from 0 to 1, all levels
///   together; with the default, none of fewer than 200
/// @param badAggregateRunMax how many aggregates of one level may be bad on end
/// @param backlogGrowthMax by how much the backlog may grow, as a share of the load
public record Limits(
    double startDelayMaxMillis,
    double badSecondShareMax,
    int badSecondRunMax,
    double aggregateMaxSeconds,
    double badAggregateShareMax,
    int badAggregateRunMax,
    double backlogGrowthMax) {

  /// One second, one minute, half a percent, and a backlog that grows by no more than 1 % of the
  /// load.
  public static final Limits DEFAULT = new Limits(1000, 0.005, 5, 60, 0.005, 1, 0.01);

  /// Those of a job.
  public static Limits of(OnlineJob.Pass pass) {
    return new Limits(
        pass.writeStart().toMillis(),
        pass.badShare(),
        (int) pass.badRun().toSeconds(),
        pass.aggregate().toMillis() / 1e3,
        pass.badShare(),
        DEFAULT.badAggregateRunMax,
        DEFAULT.backlogGrowthMax);
  }

  public Limits {
    if (!(startDelayMaxMillis >= 0) || !(aggregateMaxSeconds >= 0) || !(backlogGrowthMax >= 0)) {
      throw new IllegalArgumentException("a limit is at least 0");
    }
    if (!isShare(badSecondShareMax) || !isShare(badAggregateShareMax)) {
      throw new IllegalArgumentException("a share is from 0 to 1");
    }
    if (badSecondRunMax < 0 || badAggregateRunMax < 0) {
      throw new IllegalArgumentException("a count is at least 0");
    }
  }

  private static boolean isShare(double value) {
    return value >= 0 && value <= 1;
  }
}
