package millrace.online.forecast;

/// What to forecast against.
///
/// @param rowsPerSecond the run's rate
/// @param writeMaxMillis the time of a write at which the run can't keep its schedule any more
/// @param aggregateMaxSeconds the limit of an aggregate
/// @param blockSeconds how many seconds make one point of the regression: longer than what one
///   second does to the next ones
/// @param pointsMin how many points a partition needs to be looked at by itself; a third of them
///   make a run
public record ForecastConfig(
    double rowsPerSecond,
    double writeMaxMillis,
    double aggregateMaxSeconds,
    int blockSeconds,
    int pointsMin) {

  private static final int BACKLOG_POINTS = 6;

  /// Seconds.
  private static final int BACKLOG_BLOCK_MIN = 5;

  public ForecastConfig {
    if (!(rowsPerSecond > 0) || blockSeconds < 1 || pointsMin < Trend.POINTS_MIN) {
      throw new IllegalArgumentException(
          rowsPerSecond + " rows/s, blocks of " + blockSeconds + " s, " + pointsMin + " points");
    }
  }

  /// How many points a run needs.
  int pointsOfRun() {
    return Math.max(Trend.POINTS_MIN, pointsMin / 3);
  }

  /// For what is behind, in a run that is too short for other forecasts: so few points tell, since
  /// a queue grows evenly.
  ///
  /// @param seconds how long the run was
  ForecastConfig ofBacklog(int seconds) {
    boolean isLong = seconds >= blockSeconds * pointsOfRun();
    return isLong
        ? this
        : new ForecastConfig(
            rowsPerSecond,
            writeMaxMillis,
            aggregateMaxSeconds,
            Math.min(blockSeconds, Math.max(BACKLOG_BLOCK_MIN, seconds / BACKLOG_POINTS)),
            3 * BACKLOG_POINTS);
  }

  /// Writes of 1 s, aggregates of 1 minute, blocks of 10 s, 30 points. So a partition needs 5
  /// minutes for the writes and 30 for aggregates of a minute.
  public static ForecastConfig of(double rowsPerSecond) {
    return new ForecastConfig(rowsPerSecond, 1000, 60, 10, 30);
  }
}
