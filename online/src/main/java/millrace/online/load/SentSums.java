package millrace.online.load;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;

/// What clients know that they have sent: the watts of each device in each window, late rows where
/// they belong, and none of those that went aside.
///
/// The windows are the finest of the levels for which there is memory, or else the whole run. Each
/// client adds rows of its own devices, on its thread; the sums are read when all have ended.
public final class SentSums {

  /// Of the heap.
  private static final double SHARE_MAX = 0.125;

  private static final int ROWS_AT_ONCE = 10_000;

  /// No row of a device in a window.
  private static final long NONE = -1;

  private final long firstMicros;
  private final long widthMicros;

  /// Of each window, of each device.
  private final long[][] watts;

  /// @param first the first window; others of the same length follow
  private SentSums(Window first, int windows, long devices) {
    firstMicros = first.start();
    widthMicros = first.end() - first.start();
    watts = new long[windows][(int) devices];
    for (long[] each : watts) {
      Arrays.fill(each, NONE);
    }
  }

  private static SentSums aligned(Window span, long widthMicros, long devices) {
    long start = Math.floorDiv(span.start(), widthMicros) * widthMicros;
    Window first = new Window(start, start + widthMicros);
    return new SentSums(first, count(span, widthMicros), devices);
  }

  private static int count(Window span, long widthMicros) {
    return Math.toIntExact(
        Math.floorDiv(Math.max(span.start(), span.end() - 1), widthMicros)
            - Math.floorDiv(span.start(), widthMicros)
            + 1);
  }

  /// For a run of that schedule; nothing is sent yet.
  public static SentSums of(OnlineJob job, Schedule schedule) {
    return of(job, schedule.span(), (long) (Runtime.getRuntime().maxMemory() * SHARE_MAX));
  }

  /// @param bytesMax so much memory there is
  static SentSums of(OnlineJob job, Window span, long bytesMax) {
    long devices = job.load().rows();
    return job.layout().levels().stream()
        .skip(1)
        .mapToLong(level -> level.window().toNanos() / 1_000)
        .filter(width -> count(span, width) * devices * Long.BYTES <= bytesMax)
        .mapToObj(width -> aligned(span, width, devices))
        .findFirst()
        .orElseGet(() -> new SentSums(span, 1, devices));
  }

  /// Rows are durable.
  public void add(Readings rows) {
    for (int i = 0; i < rows.rows(); i++) {
      long[] window = watts[(int) ((rows.time[i] - firstMicros) / widthMicros)];
      int device = rows.index(i);
      window[device] = Math.max(0, window[device]) + rows.load[i];
    }
  }

  /// Compares them with a table of rows, in the database if it can: they are written into a table
  /// of their own for that.
  ///
  /// @param raw the table
  /// @param table the one that they are written into
  /// @param stopped whether nobody waits for it any more
  /// @return how many devices differ, each window by itself
  public long differing(OnlineStore store, Level raw, String table, BooleanSupplier stopped) {
    long differing = 0;
    Level sent = new Level("sent", table, raw.window());
    for (int i = 0; i < watts.length; i++) {
      long start = firstMicros + i * widthMicros;
      write(store, table, watts[i], start, stopped);
      Window window = new Window(start, start + widthMicros);
      differing += RetriedCalls.passing(stopped, () -> store.differing(raw, sent, window));
    }
    return differing;
  }

  /// All together.
  public long watts() {
    return Arrays.stream(watts).flatMapToLong(Arrays::stream).filter(each -> each != NONE).sum();
  }

  /// Whether they can be compared with windows of a level.
  public boolean isWithin(Level level) {
    long width = level.window().toNanos() / 1_000;
    return width % widthMicros == 0 && firstMicros % widthMicros == 0;
  }

  private static void write(
      OnlineStore store, String table, long[] window, long start, BooleanSupplier stopped) {
    Readings rows = new Readings(ROWS_AT_ONCE);
    for (int device = 0; device < window.length; device++) {
      if (window[device] != NONE) {
        rows.add(device, start, window[device]);
      }
      if (rows.rows() == ROWS_AT_ONCE || (device == window.length - 1 && rows.rows() > 0)) {
        RetriedCalls.passing(
            stopped,
            () -> {
              try (OnlineStore.RowWriter writer = store.writer()) {
                writer.write(table, rows, List.of());
                return true;
              }
            });
        rows.clear();
      }
    }
  }
}
