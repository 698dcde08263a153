package millrace.online.forecast;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import millrace.online.report.Series;

/// What was measured: a time, by the rows that the active partition had, and by when it was.
///
/// @param rows in the active partition; all so far if there are no partitions
/// @param seconds since the begin of the run
/// @param times what was measured then
record Points(double[] rows, double[] seconds, double[] times) {

  /// What is slow at the begin has nothing to do with growth: so many blocks are left out.
  private static final int WARM_UP_BLOCKS = 2;

  /// From so many blocks on.
  private static final int WARM_UP_FROM = 12;

  /// A time of each second's writes, in milliseconds, as means of blocks of seconds. Seconds
  /// without rows say nothing and are left out.
  static Points writes(Partition partition, int block, ToDoubleFunction<Series.Second> time) {
    List<Series.Second> seconds = partition.seconds();
    int[] used =
        IntStream.range(0, seconds.size()).filter(i -> seconds.get(i).rows() > 0).toArray();
    double[] rows = new double[used.length];
    double[] at = new double[used.length];
    double[] times = new double[used.length];
    for (int i = 0; i < used.length; i++) {
      Series.Second second = seconds.get(used[i]);
      rows[i] = partition.rowsBefore()[used[i]] + second.rows() / 2.0;
      at[i] = second.second() + 0.5;
      times[i] = time.applyAsDouble(second);
    }
    return new Points(
        BlockMeans.means(rows, block), BlockMeans.means(at, block), BlockMeans.means(times, block));
  }

  /// Those of several partitions as one.
  static Points all(List<Points> each) {
    return new Points(
        joined(each, Points::rows), joined(each, Points::seconds), joined(each, Points::times));
  }

  private static double[] joined(List<Points> each, Function<Points, double[]> values) {
    return each.stream().flatMapToDouble(points -> Arrays.stream(values.apply(points))).toArray();
  }

  /// Without the begin of a run, if it is long enough.
  Points warm() {
    int from = count() >= WARM_UP_FROM ? WARM_UP_BLOCKS : 0;
    return new Points(
        Arrays.copyOfRange(rows, from, count()),
        Arrays.copyOfRange(seconds, from, count()),
        Arrays.copyOfRange(times, from, count()));
  }

  /// The time of each aggregate of a level, in seconds, by the rows when it began. One that failed,
  /// or that was done again because of late rows, is left out: it is another piece of work.
  static Points aggregates(Partition partition, List<Series.WindowRun> windows, String level) {
    List<Series.WindowRun> used =
        windows.stream()
            .filter(each -> each.level().equals(level) && !each.again() && each.error().isEmpty())
            .filter(each -> each.atSecond() >= partition.from() && each.atSecond() < partition.to())
            .toList();
    return new Points(
        used.stream().mapToDouble(each -> partition.rowsAt(each.atSecond())).toArray(),
        used.stream().mapToDouble(Series.WindowRun::atSecond).toArray(),
        used.stream().mapToDouble(Series.WindowRun::seconds).toArray());
  }

  int count() {
    return rows.length;
  }

  boolean hasTrend() {
    return Arrays.stream(rows).distinct().limit(2).count() == 2;
  }
}
