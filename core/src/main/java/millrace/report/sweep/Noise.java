package millrace.report.sweep;

import java.util.List;
import org.apache.commons.statistics.distribution.FDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/// How much the same settings differ from themselves, found from the repeats of a sweep.
///
/// Times are taken as logarithms, because noise is a share of a time, and what a whole round has in
/// common (another load on the machine meanwhile) is taken out: a two-way analysis of variance
/// without replication (for example Montgomery, Design and Analysis of Experiments, randomized
/// complete block design).
///
/// @param deviation the standard deviation of one time's logarithm; NaN if nothing was repeated
/// @param freedom how many degrees of freedom it is known from; 0 if nothing was repeated
/// @param rounds how many times each was measured
public record Noise(double deviation, int freedom, int rounds) {

  /// A difference that comes about by chance less often than this counts as one.
  private static final double CHANCE = 0.05;

  /// The noise of points that were measured equally often, the n-th of each in the same round.
  public static Noise of(List<Sweep.Point> points) {
    return ofTimes(points.stream().map(Noise::times).toArray(double[][]::new));
  }

  private static double[] times(Sweep.Point point) {
    return point.copies().stream().mapToDouble(copy -> copy.totals().elapsedNanos()).toArray();
  }

  /// The noise of times, by point and then by round.
  static Noise ofTimes(double[][] times) {
    int rounds = times.length == 0 ? 0 : times[0].length;
    int freedom = (times.length - 1) * (rounds - 1);
    if (freedom <= 0) {
      return new Noise(Double.NaN, 0, rounds);
    }
    double[][] logs = logs(times);
    double[] byRound = new double[rounds];
    double all = 0;
    for (double[] point : logs) {
      for (int j = 0; j < rounds; j++) {
        byRound[j] += point[j] / logs.length;
      }
      all += mean(point) / logs.length;
    }
    double squares = 0;
    for (double[] point : logs) {
      double average = mean(point);
      for (int j = 0; j < rounds; j++) {
        double rest = point[j] - average - byRound[j] + all;
        squares += rest * rest;
      }
    }
    return new Noise(Math.sqrt(squares / freedom), freedom, rounds);
  }

  private static double[][] logs(double[][] times) {
    double[][] logs = new double[times.length][];
    for (int i = 0; i < times.length; i++) {
      logs[i] = new double[times[i].length];
      for (int j = 0; j < logs[i].length; j++) {
        logs[i][j] = Math.log(Math.max(1, times[i][j]));
      }
    }
    return logs;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  /// Whether there are repeats to know it from.
  public boolean isKnown() {
    return freedom > 0;
  }

  /// By how much two settings may seem to differ, as a share of the time, if they do not: 95 of 100
  /// pairs differ by less. 0 if nothing was repeated.
  public double difference() {
    if (!isKnown()) {
      return 0;
    }
    double quantile = TDistribution.of(freedom).inverseSurvivalProbability(CHANCE / 2);
    return Math.expm1(quantile * deviation * Math.sqrt(2.0 / rounds));
  }

  /// Whether what these points differ by is no more than what the same settings would. False if
  /// nothing was repeated.
  public boolean explains(List<Sweep.Point> points) {
    return explainsTimes(points.stream().map(Noise::times).toArray(double[][]::new));
  }

  boolean explainsTimes(double[][] times) {
    if (!isKnown()) {
      return false;
    }
    if (times.length < 2) {
      return true;
    }
    double[][] logs = logs(times);
    double all = 0;
    for (double[] point : logs) {
      all += mean(point) / logs.length;
    }
    double between = 0;
    for (double[] point : logs) {
      double apart = mean(point) - all;
      between += apart * apart * rounds / (logs.length - 1);
    }
    if (deviation == 0) {
      return between == 0;
    }
    double ratio = between / (deviation * deviation);
    return FDistribution.of(logs.length - 1, freedom).survivalProbability(ratio) > CHANCE;
  }
}
