package millrace.online.forecast;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import millrace.online.report.Series;

/// A run whose times grow with the rows in the active partition and fall back with the next one.
///
/// @param partitions how many
/// @param partitionSeconds how long each is active
/// @param rate rows per second
/// @param writeBase milliseconds of a write into an empty partition
/// @param writeSlope milliseconds per million rows
/// @param aggregateSlope seconds per million rows, on top of 2 s
/// @param noise the standard deviation of a write, in milliseconds, and a tenth of it of an
///   aggregate, in seconds
record Saw(
    int partitions,
    int partitionSeconds,
    long rate,
    double writeBase,
    double writeSlope,
    double aggregateSlope,
    double noise) {

  /// The series of it. A second is like the one before: half of its noise is carried on.
  Series series(long seed) {
    Random random = new Random(seed);
    List<Series.Second> seconds = new ArrayList<>();
    List<Series.WindowRun> windows = new ArrayList<>();
    List<Series.PartitionSwitch> switches = new ArrayList<>();
    double carried = 0;
    for (int i = 0; i < partitions * partitionSeconds; i++) {
      int within = i % partitionSeconds;
      if (within == 0) {
        switches.add(new Series.PartitionSwitch(i, "p" + switches.size()));
      }
      double millions = within * rate / 1e6;
      carried = carried / 2 + noise * random.nextGaussian();
      double write = writeBase + writeSlope * (millions + rate / 2e6) + carried;
      seconds.add(new Series.Second(i, rate, 0, Series.StartDelay.of(5), write, write * 2, 0, 0));
      if (i % 60 == 30) {
        double took = 2 + aggregateSlope * millions + noise / 10 * random.nextGaussian();
        windows.add(new Series.WindowRun("minute", "w" + i, i, took, 1000, false, false, ""));
      }
    }
    return new Series(seconds, windows, switches);
  }
}
