package millrace.online.run;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Readings;

/// Gives windows that are open when the data's clock starts the rows of their past: the minutes of
/// the hour so far, the hours of the day so far. So a run of minutes sees an hour and a day end.
final class Prefill {

  private static final int ROWS_AT_ONCE = 10_000;
  private static final long WATTS_MAX = 6_000;

  private final OnlineJob job;
  private final OnlineStore store;
  private final SplittableRandom random = new SplittableRandom(0xF111);

  /// What each level was given, in the order of the levels.
  private final List<OnlineStore.Sums> given = new ArrayList<>();

  Prefill(OnlineJob job, OnlineStore store) {
    this.job = job;
    this.store = store;
  }

  /// Fills the levels.
  ///
  /// @param startMicros where the data's clock starts
  /// @return what each level was given, what arrives first
  List<OnlineStore.Sums> run(long startMicros) {
    List<Level> levels = job.layout().levels();
    given.add(new OnlineStore.Sums(0, 0));
    try (OnlineStore.RowWriter writer = store.writer()) {
      for (int i = 1; i < levels.size(); i++) {
        boolean isOpen = job.load().prefill() && i + 1 < levels.size();
        given.add(
            isOpen
                ? fill(writer, levels.get(i), levels.get(i + 1), startMicros)
                : new OnlineStore.Sums(0, 0));
      }
    }
    return given;
  }

  private OnlineStore.Sums fill(
      OnlineStore.RowWriter writer, Level level, Level above, long startMicros) {
    long width = micros(level);
    long from = Math.floorDiv(startMicros, micros(above)) * micros(above);
    long to = Math.floorDiv(startMicros, width) * width;
    Readings rows = new Readings(ROWS_AT_ONCE);
    long count = 0;
    long watts = 0;
    for (long time = from; time < to; time += width) {
      for (long device = 0; device < job.load().rows(); device++) {
        long load = random.nextLong(WATTS_MAX + 1) * level.window().toSeconds();
        rows.add(device, time, load);
        count++;
        watts += load;
        if (rows.rows() == ROWS_AT_ONCE) {
          writer.write(level.table(), rows, List.of());
          rows.clear();
        }
      }
    }
    writer.write(level.table(), rows, List.of());
    return new OnlineStore.Sums(count, watts);
  }

  private static long micros(Level level) {
    return TimeUnit.SECONDS.toMicros(level.window().toSeconds());
  }
}
