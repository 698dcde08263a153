package millrace.online.load;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeMap;
import millrace.online.job.OnlineJob;
import org.jspecify.annotations.Nullable;

/// The rows of one client that are not written when they are due, but some seconds later. One
/// thread.
final class LateRows {

  /// Rows that are written in the same second.
  static final class Batch {
    private static final int ROWS_MIN = 16;

    private long[] devices = new long[ROWS_MIN];
    private long[] times = new long[ROWS_MIN];
    private long[] loads = new long[ROWS_MIN];
    private int rows;

    private void add(long device, long time, long load) {
      if (rows == devices.length) {
        devices = Arrays.copyOf(devices, 2 * rows);
        times = Arrays.copyOf(times, 2 * rows);
        loads = Arrays.copyOf(loads, 2 * rows);
      }
      devices[rows] = device;
      times[rows] = time;
      loads[rows] = load;
      rows++;
    }

    int rows() {
      return rows;
    }

    long device(int row) {
      return devices[row];
    }

    long time(int row) {
      return times[row];
    }

    long load(int row) {
      return loads[row];
    }
  }

  private final OnlineJob.Late late;
  private final SplittableRandom random;
  private final TreeMap<Long, Batch> bySecond = new TreeMap<>();

  LateRows(OnlineJob.Late late, SplittableRandom random) {
    this.late = late;
    this.random = random;
  }

  /// Whether the next row is kept back; if so, it is.
  boolean keepsBack(long second, long device, long time, long load) {
    if (late.share() == 0 || random.nextDouble() >= late.share()) {
      return false;
    }
    bySecond.computeIfAbsent(second + delay(), _ -> new Batch()).add(device, time, load);
    return true;
  }

  /// Whole seconds, one or more. Rounding up would add half a second to the mean of an exponential
  /// distribution: its rate is the one whose mean is right after rounding.
  private long delay() {
    double mean = late.delay().toMillis() / 1e3;
    if (mean <= 1) {
      return 1;
    }
    double rate = -Math.log(1 - 1 / mean);
    return 1 + (long) (-Math.log(1 - random.nextDouble()) / rate);
  }

  /// What is due by a second; null if nothing is left.
  @Nullable Batch next(long second) {
    return bySecond.isEmpty() || bySecond.firstKey() > second
        ? null
        : bySecond.pollFirstEntry().getValue();
  }
}
