package millrace.online.judge;

import java.util.List;
import millrace.online.forecast.BlockMeans;
import millrace.online.forecast.Trend;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport.Criterion.Result;
import millrace.online.report.Series;

/// Whether the rows that are due and not begun become more and more.
///
/// What is behind is measured by how late writes begin: one that begins 0.4 s late has let the rows
/// of 0.4 s gather. For those that never begin it is the time since the first of them. Counting
/// writes would show nothing until one is late by a whole second.
///
/// A target that takes 98 % of the load hits the limit of one second only after a minute, and one
/// that takes 99.9 % not in a short run. The slope of the backlog tells earlier (Henning and
/// Hasselbring, Theodolite: a load is not sustained if the slope of the lag is above a threshold).
/// A run fails by it only if it is sure: if the lower end of the slope's 95 % interval is above the
/// limit. So noise around a steady backlog doesn't fail a short run. It passes only if the interval
/// is below the limit, or no wider than it: a short run that goes unevenly is undecided.
final class Backlog {

  /// Seconds. Fewer blocks make for a wide interval, shorter ones for one that is too narrow.
  private static final int BLOCK_MIN = 5;

  private static final int BLOCK_MAX = 10;

  /// So many blocks even a short run has.
  private static final int BLOCKS_MIN = 6;

  /// So long a run has to be: the job says it to its user.
  static final long SECONDS_MIN = OnlineJob.BACKLOG_MIN.toSeconds();

  /// What the share of an exact line may be off by.
  private static final double ROUNDING = 1e-9;

  private Backlog() {}

  /// How it grew.
  ///
  /// @param share by how much each second, as a share of the load
  /// @param low the lower end of the 95 % interval of the share
  /// @param high its upper end
  /// @param isKnown whether the run was long enough to tell; all else is 0 if it was not
  record Growth(double share, double low, double high, boolean isKnown) {

    Result result(double max) {
      double most = max * (1 + ROUNDING);
      if (low > most) {
        return Result.BROKEN;
      }
      return high <= most || high - low <= most ? Result.HOLDS : Result.UNDECIDED;
    }
  }

  /// The growth over a run.
  static Growth growth(List<Series.Second> seconds) {
    double[] times = seconds.stream().mapToDouble(Series.Second::second).toArray();
    double[] behind =
        seconds.stream().mapToDouble(each -> each.startDelay().behind() / 1e3).toArray();
    if (times.length < SECONDS_MIN) {
      return new Growth(0, 0, 0, false);
    }
    int block = Math.clamp(times.length / BLOCKS_MIN, BLOCK_MIN, BLOCK_MAX);
    Trend trend = Trend.of(BlockMeans.means(times, block), BlockMeans.means(behind, block));
    return new Growth(trend.slope(), trend.low(), trend.high(), true);
  }
}
