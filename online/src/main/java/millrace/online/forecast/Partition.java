package millrace.online.forecast;

import java.util.ArrayList;
import java.util.List;
import millrace.online.report.Series;

/// The span in which the rows went into one range partition, from a switch to the next or to the
/// end of the run. What comes before the first switch is left out, because nobody knows how many
/// rows that partition had when the run began; a switch at second 0 says that it had none.
///
/// @param name of the partition
/// @param from when it began, in seconds
/// @param seconds of the schedule that lie in it as a whole
/// @param rowsBefore how many rows it had when each of these seconds began
/// @param rows how many it had at the end
record Partition(
    String name, double from, List<Series.Second> seconds, long[] rowsBefore, long rows) {

  /// The partitions of a run, in order.
  static List<Partition> of(Series series) {
    List<Partition> partitions = new ArrayList<>();
    List<Series.PartitionSwitch> switches = series.switches();
    for (int i = 0; i < switches.size(); i++) {
      double from = switches.get(i).atSecond();
      double to =
          i + 1 < switches.size() ? switches.get(i + 1).atSecond() : Double.POSITIVE_INFINITY;
      List<Series.Second> within =
          series.seconds().stream()
              .filter(each -> each.second() >= from && each.second() + 1 <= to)
              .toList();
      partitions.add(of(switches.get(i).partition(), from, within));
    }
    return partitions;
  }

  /// A whole run as if it had one.
  static Partition entireRun(Series series) {
    return of("", 0, series.seconds());
  }

  private static Partition of(String name, double from, List<Series.Second> seconds) {
    long[] before = new long[seconds.size()];
    long rows = 0;
    for (int i = 0; i < before.length; i++) {
      before[i] = rows;
      rows += seconds.get(i).rows();
    }
    return new Partition(name, from, seconds, before, rows);
  }

  /// When the last of its seconds ended.
  double to() {
    return seconds.isEmpty() ? from : seconds.getLast().second() + 1.0;
  }

  /// How many rows it had at a time within it.
  ///
  /// @param atSecond in seconds since the run's start
  double rowsAt(double atSecond) {
    for (int i = seconds.size() - 1; i >= 0; i--) {
      Series.Second second = seconds.get(i);
      if (second.second() <= atSecond) {
        double share = Math.min(1, atSecond - second.second());
        return rowsBefore[i] + share * second.rows();
      }
    }
    return 0;
  }
}
