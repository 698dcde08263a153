package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.OpenContext;
import millrace.spi.online.Online;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.OnlineStore.Sums;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.junit.jupiter.api.AfterEach;

/// The stores that the suite of online runs opens, and the model that they are compared with.
abstract class OnlineFixture extends MemoryFixture {

  static final long SECOND = 1_000_000;
  static final long MINUTE = 60 * SECOND;
  static final long HOUR = 60 * MINUTE;
  static final long DAY = 24 * HOUR;

  static final Level RAW = new Level("raw", "suite_raw", Duration.ofSeconds(1));
  static final Level MINUTES = new Level("minute", "suite_minute", Duration.ofMinutes(1));
  static final Level HOURS = new Level("hour", "suite_hour", Duration.ofHours(1));
  static final Level DAYS = new Level("day", "suite_day", Duration.ofDays(1));
  static final List<Level> LEVELS = List.of(RAW, MINUTES, HOURS, DAYS);

  /// Two minutes before a day ends.
  static final long START = micros("2019-04-01T23:58:00");

  /// Sums of 32 such loads are no multiple of what a double can hold.
  static final long LARGE = 1L << 48;

  private static final int BUCKETS = 2;

  final OnlineModel model = new OnlineModel();
  private final List<OnlineStore> opened = new ArrayList<>();

  /// How the connector reads the column `time_stamp`.
  protected Type timeType() {
    return new Type.Timestamp(false);
  }

  static long micros(String time) {
    return ChronoUnit.MICROS.between(
        LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), LocalDateTime.parse(time));
  }

  static Window window(Level level, long time) {
    long width = level.window().toNanos() / 1000;
    long start = Math.floorDiv(time, width) * width;
    return new Window(start, start + width);
  }

  static Level below(Level level) {
    return LEVELS.get(LEVELS.indexOf(level) - 1);
  }

  /// A store with that width of partitions, not made yet.
  final OnlineStore open(boolean timeFirst, Duration partition) {
    Online online = Objects.requireNonNull(connector().capability(Online.class));
    OnlineLayout layout = new OnlineLayout(LEVELS, timeFirst, partition, BUCKETS);
    OnlineStore store = online.online(table(RAW.table()), layout, new OpenContext());
    opened.add(store);
    return store;
  }

  /// A store without partitions, made and empty.
  final OnlineStore made() {
    OnlineStore store = open(false, Duration.ZERO);
    store.create();
    return store;
  }

  @AfterEach
  void closeStores() {
    opened.forEach(OnlineStore::close);
  }

  /// One reading for each of some devices, with loads that tell them apart.
  static Readings readings(int firstDevice, int devices, long time) {
    Readings rows = new Readings(devices);
    for (int i = firstDevice; i < firstDevice + devices; i++) {
      rows.add(i, time, LARGE + 7L * i + time / SECOND % 3600);
    }
    return rows;
  }

  static Readings reading(long device, long time, long watts) {
    Readings rows = new Readings(1);
    rows.add(device, time, watts);
    return rows;
  }

  /// Writes rows, to the model too.
  final void write(OnlineStore store, String table, Readings rows, Dirty... marks) {
    try (RowWriter writer = store.writer()) {
      write(writer, table, rows, marks);
    }
  }

  final void write(RowWriter writer, String table, Readings rows, Dirty... marks) {
    writer.write(table, rows, List.of(marks));
    model.write(table, rows);
  }

  /// Aggregates the window of a level that a time is in, in the model too.
  final void aggregate(OnlineStore store, Level level, long time) {
    Window window = window(level, time);
    long rows = store.aggregate(below(level), level, window);
    assertThat(rows).isEqualTo(model.aggregate(below(level), level, window));
  }

  /// Aggregates what a span has of a level's windows, from the level's first.
  final void aggregateAll(OnlineStore store, Level level, long from, long to) {
    for (long at = from; at < to; at = window(level, at).end()) {
      aggregate(store, level, at);
    }
  }

  /// Checks that a table holds the model's rows.
  final void check(String table) {
    Schema schema =
        Schema.of(
            List.of(
                Column.of("building_id", new Type.Int(32)),
                Column.of("floor_id", new Type.Int(32)),
                Column.of("device_id", new Type.Int(32)),
                Column.of("time_stamp", timeType()),
                Column.of("device_load", new Type.Int(64)),
                Column.of("device_type", new Type.Int(32))));
    RowCheck.sameRows(schema, model.rows(table), read(table, schema));
  }

  /// The rows of a table.
  final List<Row> read(String table, Schema schema) {
    memory().put("back", schema, List.of());
    Copying.of(connector(), table(table), memory(), memory().endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return memory().rows("back");
  }

  /// Makes a table with rows.
  final void copyInto(String table, Schema schema, List<Row> rows) {
    memory().put("rows", schema, rows);
    Copying.of(memory(), memory().endpoint("rows"), connector(), table(table))
        .mode(Mode.CREATE)
        .run();
  }

  /// Checks what the store adds up in a span of a table.
  final void checkSums(OnlineStore store, String table, long start, long end) {
    Sums sums = store.sums(table, new Window(start, end));
    assertThat(sums).isEqualTo(model.sums(table, new Window(start, end)));
  }

  /// Does all tasks at once, each on a thread of its own.
  static void atOnce(List<Callable<Void>> tasks) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
      for (Future<Void> task : threads.invokeAll(tasks)) {
        try {
          task.get();
        } catch (ExecutionException e) {
          throw new AssertionError(e.getCause());
        }
      }
    }
  }
}
