package millrace.online.forecast;

import millrace.report.sweep.FittedLine;
import org.apache.commons.statistics.distribution.TDistribution;

/// By how much one quantity grows with another, with the interval that holds the true slope in 95
/// of 100 cases.
///
/// Ordinary least squares and Student's t with `points - 2` degrees of freedom. The points have to
/// be independent of each other. Seconds are not: a slow one is followed by slow ones, and the
/// interval comes out too narrow. So take means of blocks of them, as [BlockMeans] does.
///
/// @param slope what one more of x brings
/// @param low the lower end of its interval
/// @param high the upper end of its interval
/// @param error the standard error of the slope; 0 if the points are exactly on a line
/// @param xMean the middle of x: the line goes through it and `yMean`
/// @param yMean the mean of y
/// @param points how many there were
public record Trend(
    double slope, double low, double high, double error, double xMean, double yMean, int points) {

  /// With two points the line is exact and nothing is left to tell the error by.
  public static final int POINTS_MIN = 3;

  /// How often the interval does not hold the true slope.
  private static final double CHANCE = 0.05;

  /// The trend of y over x.
  ///
  /// @param x at least two different ones
  /// @param y as many
  /// @throws IllegalArgumentException if there are fewer than [#POINTS_MIN] points, or if all x are
  ///   the same
  public static Trend of(double[] x, double[] y) {
    if (x.length < POINTS_MIN || x.length != y.length) {
      throw new IllegalArgumentException(x.length + " x and " + y.length + " y");
    }
    double[] weights = new double[x.length];
    double xMean = 0;
    double yMean = 0;
    for (int i = 0; i < x.length; i++) {
      weights[i] = 1;
      xMean += x[i] / x.length;
      yMean += y[i] / x.length;
    }
    FittedLine line = FittedLine.of(x, y, weights);
    double half = quantile(x.length - 2) * line.slopeError();
    return new Trend(
        line.slope(),
        line.slope() - half,
        line.slope() + half,
        line.slopeError(),
        xMean,
        yMean,
        x.length);
  }

  /// By how many standard errors the 95 % interval reaches to either side.
  static double quantile(double freedom) {
    return quantile(freedom, CHANCE);
  }

  /// By how many standard errors an interval reaches to either side that misses the true value with
  /// this chance.
  static double quantile(double freedom, double chance) {
    return TDistribution.of(freedom).inverseSurvivalProbability(chance / 2);
  }

  /// Whether it grows, and not by chance.
  public boolean grows() {
    return low > 0;
  }

  /// Whether it becomes less, and not by chance.
  public boolean falls() {
    return high < 0;
  }
}
