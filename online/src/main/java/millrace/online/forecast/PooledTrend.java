package millrace.online.forecast;

import java.util.List;

/// One slope out of those of several partitions.
///
/// Partitions differ by more than chance within them explains: one has a compaction, another has
/// none. So it is a random-effects mean (DerSimonian and Laird, Meta-analysis in clinical trials,
/// 1986): what the slopes differ by beyond their own errors is added to each error.
///
/// @param slope what one more row brings
/// @param low the lower end of its 95 % interval
/// @param high the upper end
/// @param contradicts whether the partitions contradict each other: two slopes surely differ, and
///   one is not even half of the other, or is the only one that grows
record PooledTrend(double slope, double low, double high, boolean contradicts) {

  /// Slopes that differ by no more than this factor are not called a contradiction, however sure
  /// each of them is.
  private static final double FACTOR = 2;

  /// A difference that comes about by chance less often than this counts as one.
  private static final double CHANCE = 0.01;

  /// Points that are exactly on a line have no error, and no weight either could be divided by it.
  private static final double ERROR_MIN = 1e-9;

  /// Instead of 0, if no slope is other than that. Its fourth power is still a number.
  private static final double SMALL = 1e-60;

  /// The slope of at least two trends.
  static PooledTrend of(List<Trend> trends) {
    double most = trends.stream().mapToDouble(each -> Math.abs(each.slope())).max().orElse(0);
    double least = Math.max(SMALL, most * ERROR_MIN);
    double[] variances = new double[trends.size()];
    for (int i = 0; i < variances.length; i++) {
      double error = Math.max(least, trends.get(i).error());
      variances[i] = error * error;
    }
    double between = between(trends, variances);
    double weights = 0;
    double sum = 0;
    for (int i = 0; i < variances.length; i++) {
      weights += 1 / (variances[i] + between);
      sum += trends.get(i).slope() / (variances[i] + between);
    }
    double slope = sum / weights;
    double half = quantile(trends, between) * Math.sqrt(1 / weights);
    // With two partitions that differ, Student's t is 12.7. What each of them says bounds it too.
    double low = trends.stream().mapToDouble(Trend::low).min().orElseThrow();
    double high = trends.stream().mapToDouble(Trend::high).max().orElseThrow();
    return new PooledTrend(
        slope,
        Math.max(slope - half, Math.min(low, slope)),
        Math.min(slope + half, Math.max(high, slope)),
        contradict(trends, variances));
  }

  /// The variance of the true slopes; 0 if their own errors explain what they differ by.
  private static double between(List<Trend> trends, double[] variances) {
    double weights = 0;
    double squaredWeights = 0;
    double sum = 0;
    for (int i = 0; i < variances.length; i++) {
      double weight = 1 / variances[i];
      weights += weight;
      squaredWeights += weight * weight;
      sum += weight * trends.get(i).slope();
    }
    double mean = sum / weights;
    double q = 0;
    for (int i = 0; i < variances.length; i++) {
      double apart = trends.get(i).slope() - mean;
      q += apart * apart / variances[i];
    }
    double scale = weights - squaredWeights / weights;
    return Math.max(0, (q - (variances.length - 1)) / scale);
  }

  /// If the partitions differ, it is their number that the mean is known from.
  private static double quantile(List<Trend> trends, double between) {
    return Trend.quantile(
        between > 0
            ? trends.size() - 1.0
            : trends.stream().mapToInt(each -> each.points() - 2).sum());
  }

  private static boolean contradict(List<Trend> trends, double[] variances) {
    // So that many partitions don't make for more chance differences (Bonferroni).
    double pairs = trends.size() * (trends.size() - 1) / 2.0;
    for (int i = 0; i < variances.length; i++) {
      for (int j = 0; j < variances.length; j++) {
        Trend one = trends.get(i);
        Trend other = trends.get(j);
        double error = Math.sqrt(variances[i] + variances[j]);
        double sure = Trend.quantile(one.points() + other.points() - 4.0, CHANCE / pairs);
        boolean areApart = one.slope() - other.slope() > sure * error;
        if (areApart && one.slope() > Math.max(FACTOR * other.slope(), 0)) {
          return true;
        }
      }
    }
    return false;
  }
}
