package millrace.online.forecast;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import millrace.online.report.Series;

/// What was measured in one partition: a time, by the rows that the partition had.
record Points(double[] rows, double[] times) {

  /// The mean time of a write, in milliseconds, as means of blocks of seconds. Seconds without rows
  /// say nothing and are left out.
  static Points writes(Partition partition, int block) {
    List<Series.Second> seconds = partition.seconds();
    int[] used =
        IntStream.range(0, seconds.size()).filter(i -> seconds.get(i).rows() > 0).toArray();
    double[] rows = new double[used.length];
    double[] times = new double[used.length];
    for (int i = 0; i < used.length; i++) {
      Series.Second second = seconds.get(used[i]);
      rows[i] = partition.rowsBefore()[used[i]] + second.rows() / 2.0;
      times[i] = second.writeMean();
    }
    return new Points(BlockMeans.means(rows, block), BlockMeans.means(times, block));
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
        used.stream().mapToDouble(Series.WindowRun::seconds).toArray());
  }

  int count() {
    return rows.length;
  }

  boolean hasTrend() {
    return Arrays.stream(rows).distinct().limit(2).count() == 2;
  }
}
