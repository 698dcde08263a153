package millrace.online.run;

import java.util.Locale;
import java.util.SplittableRandom;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.spi.online.Readings;

/// Whether this machine can make the rows of a job at all.
final class GeneratorCheck {

  /// A row of a second that is made, and what the clients keep for it.
  private static final long BYTES_PER_ROW = 100;

  private static final int SAMPLE_ROWS = 100_000;
  private static final int ROUNDS = 20;

  /// Making rows may take so much of the processors' time; the target needs the rest.
  private static final double SHARE_MAX = 0.5;

  private GeneratorCheck() {}

  /// The most rows a second for which there is memory.
  static long memoryRows() {
    return Runtime.getRuntime().maxMemory() / BYTES_PER_ROW;
  }

  /// Makes some rows, and refuses a rate that takes too long.
  ///
  /// @throws Fault.User if the rows of a second can't be made within it
  static void check(OnlineJob.Load load) {
    long rows = load.rows();
    if (rows > memoryRows()) {
      throw new Fault.User(
          String.format(
              Locale.ROOT,
              "%s %,d is more than the clients can make: the heap has room for %,d rows.",
              load.rowsFrom(),
              rows,
              memoryRows()),
          "Give more, for example MILLRACE_HEAP=4g, or take fewer rows.");
    }
    double seconds = secondsPerRow() * rows;
    int processors = Runtime.getRuntime().availableProcessors();
    if (seconds > SHARE_MAX * processors) {
      throw new Fault.User(
          String.format(
              Locale.ROOT,
              "%s %,d is more than the clients can make: that takes %.1f s on %d processors.",
              load.rowsFrom(),
              rows,
              seconds,
              processors),
          "Take fewer rows, or another machine.");
    }
  }

  /// The best of some rounds: others may use the machine, and the JVM compiles meanwhile.
  private static double secondsPerRow() {
    Readings readings = new Readings(SAMPLE_ROWS);
    SplittableRandom random = new SplittableRandom(1);
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      readings.clear();
      long begun = System.nanoTime();
      for (int i = 0; i < SAMPLE_ROWS; i++) {
        readings.add(i, round, random.nextLong(6_001));
      }
      best = Math.min(best, System.nanoTime() - begun);
    }
    return best / 1e9 / SAMPLE_ROWS;
  }
}
