package millrace.report.sweep;

/// A straight line through points, by weighted least squares, with the standard errors of its two
/// numbers (for example Draper and Smith, Applied Regression Analysis).
///
/// @param slope what one more of x brings
/// @param slopeError its standard error; NaN if two points leave nothing to tell it by
/// @param intercept what there is where x is 0
/// @param interceptError its standard error, likewise
public record FittedLine(double slope, double slopeError, double intercept, double interceptError) {

  /// The line for which the sum of `weight * (y - intercept - slope * x)²` is least.
  ///
  /// @param x at least two different ones
  /// @param y as many
  /// @param weights as many, above 0: one through the square of what y is uncertain by, in any unit
  public static FittedLine of(double[] x, double[] y, double[] weights) {
    double weight = 0;
    double xMean = 0;
    double yMean = 0;
    // Of what y differs from the first by: if it is always the same, the slope is exactly 0.
    for (int i = 0; i < x.length; i++) {
      weight += weights[i];
      xMean += weights[i] * x[i];
      yMean += weights[i] * (y[i] - y[0]);
    }
    xMean /= weight;
    yMean = y[0] + yMean / weight;
    double xSquares = 0;
    double products = 0;
    for (int i = 0; i < x.length; i++) {
      xSquares += weights[i] * (x[i] - xMean) * (x[i] - xMean);
      products += weights[i] * (x[i] - xMean) * (y[i] - yMean);
    }
    if (!(xSquares > 0)) {
      throw new IllegalArgumentException("no two different x");
    }
    double slope = products / xSquares;
    double intercept = yMean - slope * xMean;
    double squares = 0;
    for (int i = 0; i < x.length; i++) {
      double rest = y[i] - intercept - slope * x[i];
      squares += weights[i] * rest * rest;
    }
    double variance = x.length > 2 ? squares / (x.length - 2) : Double.NaN;
    return new FittedLine(
        slope,
        Math.sqrt(variance / xSquares),
        intercept,
        Math.sqrt(variance * (1 / weight + xMean * xMean / xSquares)));
  }
}
