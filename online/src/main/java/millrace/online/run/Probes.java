package millrace.online.run;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Window;

/// The two reads that the order of a key decides between, of the rows that a run has written. A key
/// with the device first makes the one cheap, a key with the time first the other.
///
/// @param deviceDay one device in one day: the day that begins where the data's clock starts
/// @param instant all devices in one second, in the middle of the run
public record Probes(Read deviceDay, Read instant) {

  private static final int TIMES = 3;
  private static final long ALL_DEVICES = -1;
  private static final long SECOND_MICROS = TimeUnit.SECONDS.toMicros(1);
  private static final long DAY_MICROS = TimeUnit.DAYS.toMicros(1);

  /// A read.
  ///
  /// @param millis the median of three
  /// @param rows that it found
  public record Read(double millis, long rows) {}

  /// Reads both, from the table of what arrives.
  ///
  /// @param job that was run
  /// @param store its tables, still open
  /// @throws millrace.fault.Fault if they can't be read
  public static Probes read(OnlineJob job, OnlineStore store) {
    Level raw = job.layout().levels().getFirst();
    OnlineJob.Load load = job.load();
    long start = load.clock().toEpochSecond(ZoneOffset.UTC) * SECOND_MICROS;
    long device = load.rows() / 2;
    Window day = new Window(start, start + DAY_MICROS);
    long middle = start + middleSecond(load.duration()) * SECOND_MICROS;
    Window second = new Window(middle, middle + SECOND_MICROS);
    return new Probes(
        timed(() -> store.probe(raw, device, day)),
        timed(() -> store.probe(raw, ALL_DEVICES, second)));
  }

  private static long middleSecond(Duration duration) {
    return duration.toSeconds() / 2;
  }

  private static Read timed(LongSupplier read) {
    long[] nanos = new long[TIMES];
    long rows = 0;
    for (int i = 0; i < TIMES; i++) {
      long begin = System.nanoTime();
      rows = read.getAsLong();
      nanos[i] = System.nanoTime() - begin;
    }
    Arrays.sort(nanos);
    return new Read(nanos[TIMES / 2] / 1e6, rows);
  }
}
