package millrace.online.forecast;

import java.util.Arrays;
import java.util.Optional;

/// How a time grows over a run, whatever partitions there are, and when that meets the limit.
///
/// @param perSecond what one more second brings, in the time's own unit
/// @param low the lower end of its interval
/// @param high the upper end
/// @param seconds how long after the begin of the run the limit is met, if it goes on so; at least
///   0
/// @param secondsLow the lower end of its interval
/// @param secondsHigh the upper end; infinite if the growth may be chance
record OverTime(
    double perSecond,
    double low,
    double high,
    double seconds,
    double secondsLow,
    double secondsHigh) {

  /// A growth that comes about by chance more often than this does not spoil a verdict.
  private static final double CHANCE = 0.01;

  /// Less than this share of a value is a rounding error.
  private static final double ROUNDING = 1e-9;

  /// Over the points of a run. If rows went into several partitions, what grows with the rows in
  /// there is told apart from what grows all the time: a saw-tooth is no growth.
  ///
  /// @param several whether there were several partitions
  /// @return empty if nothing can be told from them
  static Optional<OverTime> of(Points points, boolean several, double limit) {
    return several ? besidesRows(points, limit) : alone(points, limit);
  }

  private static Optional<OverTime> alone(Points points, double limit) {
    double[] at = points.seconds();
    if (at.length < Trend.POINTS_MIN || Arrays.stream(at).distinct().count() < 2) {
      return Optional.empty();
    }
    Trend trend = Trend.of(at, points.times());
    double half = Trend.quantile(at.length - 2.0, CHANCE) * trend.error();
    return Optional.of(
        of(trend.slope(), half, trend.xMean(), trend.yMean(), limit, most(points.times(), at)));
  }

  private static Optional<OverTime> besidesRows(Points points, double limit) {
    double most = Arrays.stream(points.rows()).max().orElse(0);
    return TwoSlopes.of(points.rows(), points.seconds(), points.times())
        .map(slopes -> {
          double half = Trend.quantile(slopes.points() - 3.0, CHANCE) * slopes.secondError();
          double middle = Arrays.stream(points.seconds()).average().orElse(0);
          // As high as the teeth of the saw are.
          double peak =
              slopes.base() + Math.max(0, slopes.first() * most) + slopes.second() * middle;
          return of(
              slopes.second(), half, middle, peak, limit, most(points.times(), points.seconds()));
        });
  }

  /// What a slope has to be so that it is no rounding error.
  private static double most(double[] times, double[] at) {
    double value = Arrays.stream(times).map(Math::abs).max().orElse(0);
    double span = Arrays.stream(at).max().orElse(0) - Arrays.stream(at).min().orElse(0);
    return span > 0 ? ROUNDING * value / span : 0;
  }

  /// @param half how far the interval of the slope reaches to either side
  /// @param atMean the middle of the points
  /// @param timeMean the time there
  /// @param rounding slopes that are less are 0
  private static OverTime of(
      double slope, double half, double atMean, double timeMean, double limit, double rounding) {
    double known = Math.abs(slope) <= rounding ? 0 : slope;
    double rest = limit - timeMean;
    double low = known - half;
    double high = known + half;
    double one = met(atMean, rest, high);
    double other = met(atMean, rest, low);
    return new OverTime(
        known, low, high, met(atMean, rest, known), Math.min(one, other), Math.max(one, other));
  }

  private static double met(double from, double rest, double slope) {
    return slope > 0 ? Math.max(0, from + rest / slope) : Double.POSITIVE_INFINITY;
  }

  /// Whether it grows, and not by chance.
  boolean grows() {
    return low > 0;
  }
}
