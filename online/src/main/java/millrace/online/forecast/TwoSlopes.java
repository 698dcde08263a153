package millrace.online.forecast;

import java.util.Arrays;
import java.util.Optional;
import millrace.report.sweep.FittedLine;

/// By how much a quantity grows with two others at once: `y = base + first * x1 + second * x2`.
///
/// Ordinary least squares, by the theorem of Frisch, Waugh and Lovell: what x1 explains is taken
/// out of y and x2, and the slope of the rest on the rest is the second one.
///
/// @param first what one more of x1 brings
/// @param second what one more of x2 brings
/// @param secondError the standard error of the second slope
/// @param base what y is if both are 0
/// @param points how many there were
record TwoSlopes(double first, double second, double secondError, double base, int points) {

  /// Of what x2 varies by, less than this beyond x1 is a rounding error.
  private static final double COLLINEAR = 1e-9;

  /// With three points the plane is exact and nothing is left to tell the error by.
  private static final int POINTS_MIN = 4;

  /// The slopes; empty if x2 grows with x1 alone, if there are too few points, or if all x1 are the
  /// same.
  static Optional<TwoSlopes> of(double[] x1, double[] x2, double[] y) {
    if (y.length < POINTS_MIN || Arrays.stream(x1).distinct().limit(2).count() < 2) {
      return Optional.empty();
    }
    double[] weights = new double[y.length];
    Arrays.fill(weights, 1);
    FittedLine ofX2 = FittedLine.of(x1, x2, weights);
    FittedLine ofY = FittedLine.of(x1, y, weights);
    double mean = Arrays.stream(x2).average().orElse(0);
    double varies = 0;
    double squares = 0;
    double products = 0;
    for (int i = 0; i < y.length; i++) {
      double rest = rest(ofX2, x1[i], x2[i]);
      varies += (x2[i] - mean) * (x2[i] - mean);
      squares += rest * rest;
      products += rest * rest(ofY, x1[i], y[i]);
    }
    if (!(squares > COLLINEAR * varies)) {
      return Optional.empty();
    }
    double second = products / squares;
    double errors = 0;
    for (int i = 0; i < y.length; i++) {
      double rest = rest(ofY, x1[i], y[i]) - second * rest(ofX2, x1[i], x2[i]);
      errors += rest * rest;
    }
    return Optional.of(
        new TwoSlopes(
            ofY.slope() - second * ofX2.slope(),
            second,
            Math.sqrt(errors / (y.length - 3) / squares),
            ofY.intercept() - second * ofX2.intercept(),
            y.length));
  }

  private static double rest(FittedLine line, double x, double y) {
    return y - line.intercept() - line.slope() * x;
  }
}
