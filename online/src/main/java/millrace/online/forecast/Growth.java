package millrace.online.forecast;

/// How a time grows with the rows of a partition, and where that leads to.
///
/// @param slope what one more row brings, in the time's own unit
/// @param slopeLow the lower end of its 95 % interval
/// @param slopeHigh the upper end
/// @param rows at how many rows in a partition the limit would be met
/// @param rowsLow the lower end of its interval, from the upper end of the slope's
/// @param rowsHigh the upper end
/// @param hours after how many hours at the run's rate a partition has `rows`
/// @param partitionRows how many rows the largest partition of the run got
public record Growth(
    double slope,
    double slopeLow,
    double slopeHigh,
    double rows,
    double rowsLow,
    double rowsHigh,
    double hours,
    double partitionRows) {

  /// The growth of a trend that grows.
  ///
  /// The line goes through the middle of all points: there the time is known well, and only the
  /// slope makes the uncertainty.
  ///
  /// @param rowsMean the middle of the points' rows
  /// @param timeMean the mean of their times
  static Growth of(
      PooledTrend trend,
      double rowsMean,
      double timeMean,
      double limit,
      double rowsPerSecond,
      double partitionRows) {
    double rest = limit - timeMean;
    double rows = Math.max(0, rowsMean + rest / trend.slope());
    double one = Math.max(0, rowsMean + rest / trend.low());
    double other = Math.max(0, rowsMean + rest / trend.high());
    return new Growth(
        trend.slope(),
        trend.low(),
        trend.high(),
        rows,
        Math.min(one, other),
        Math.max(one, other),
        rows / rowsPerSecond / 3600,
        partitionRows);
  }

  /// Whether a partition may come to have so many rows: the lower end of the interval decides.
  public boolean isWithinPartition() {
    return rowsLow <= partitionRows;
  }
}
