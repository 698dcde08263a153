package millrace.online.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One client: writes its devices' rows of each second at that second. A write that is late begins
/// at once after the one before, and its delay counts (no coordinated omission). Runs on a thread
/// of its own.
final class Client {

  private static final Logger LOG = LoggerFactory.getLogger(Client.class);

  private static final long WATTS_MAX = 6_000;
  private static final int ROOM_ROWS = 1_000;

  /// How often a write is made that the target refuses.
  private static final int REFUSED_TRIES_MAX = 5;

  /// So long before a second is due its rows are made.
  private static final long MAKING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /// So long after the end of the schedule a target may still be away.
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final int number;
  private final OnlineJob job;
  private final OnlineLayout layout;
  private final OnlineStore store;
  private final Schedule schedule;
  private final WriteListener listener;
  private final BooleanSupplier stopping;
  private final ProcessPauses pauses;
  private final SentSums sent;
  private final SplittableRandom random;
  private final LateRows late;
  private Readings rows;
  private Readings aside;
  private final Readings nothing = new Readings(0);
  private final long windowMicros;
  private final Window devices;
  private final int[] shuffled;
  private final TreeSet<Long> windows = new TreeSet<>();
  private @Nullable RowWriter writer;
  private long window;
  private long watts;
  private long lateRows;

  /// Of the rows that are not written yet.
  private int lateAmongRows;

  private long written;
  private long writing;
  private long tooLate;

  /// When the last second was due that the client waited for: it was behind from then on.
  private long onTimeNanos;

  /// For how long it had waited for a processor by then.
  private long queuedNanos;

  /// The same when the last write began.
  private long queuedAtBegin;

  /// @param devices which are its own: from start up to end
  /// @param watched who watches, and what ends it
  Client(
      int number,
      Window devices,
      OnlineJob job,
      OnlineStore store,
      Schedule schedule,
      RunContext watched) {
    this.number = number;
    this.job = job;
    this.store = store;
    this.schedule = schedule;
    listener = watched.listener;
    stopping = watched.stopping;
    pauses = watched.pauses;
    sent = watched.sent;
    onTimeNanos = schedule.startNanos();
    layout = job.layout();
    random = new SplittableRandom(0x5EED + number);
    late = new LateRows(job.late(), random.split());
    this.devices = devices;
    shuffled = job.load().sorted() ? new int[0] : shuffled(devices);
    rows = new Readings((int) (devices.end() - devices.start()) + ROOM_ROWS);
    aside = new Readings(ROOM_ROWS);
    windowMicros = TimeUnit.SECONDS.toMicros(layout.levels().get(1).window().toSeconds());
    writer = store.writer();
  }

  /// The places of the devices in an order that is not that of the key.
  private static int[] shuffled(Window devices) {
    int[] order = IntStream.range(0, (int) (devices.end() - devices.start())).toArray();
    SplittableRandom shuffling = new SplittableRandom(devices.start());
    for (int i = order.length - 1; i > 0; i--) {
      int other = shuffling.nextInt(i + 1);
      int device = order[i];
      order[i] = order[other];
      order[other] = device;
    }
    return order;
  }

  /// Who watches, and what ends it.
  ///
  /// @param stopping whether the run is being stopped
  /// @param pauses of this process
  /// @param sent is told of each row that is durable
  record RunContext(
      WriteListener listener, BooleanSupplier stopping, ProcessPauses pauses, SentSums sent) {}

  /// Writes until the schedule ends; then what is late and still out.
  void run() {
    try {
      for (long second = 0; second < schedule.seconds() && isRunning(); second++) {
        // Not at once after a write: other clients begin theirs at that moment.
        Schedule.sleepUntil(schedule.dueNanos(second) - MAKING_NANOS);
        make(second);
        if (System.nanoTime() < schedule.dueNanos(second)) {
          onTimeNanos = schedule.dueNanos(second);
          queuedNanos = ProcessPauses.queuedNanos();
        }
        if (!Schedule.sleepUntil(schedule.dueNanos(second)) || !isRunning()) {
          break;
        }
        writeSecond(second);
      }
      writeRest();
    } catch (Throwable e) {
      if (!(e instanceof Fault.Cancelled)) {
        listener.died(number, rows.rows() + (long) aside.rows(), Fault.of(e).clause());
      }
      throw e;
    } finally {
      // A write has several parts if there are many late rows: some may be durable.
      if (written > 0) {
        reportWrite(-1, System.nanoTime(), System.nanoTime());
      }
      closeWriter();
    }
  }

  private boolean isRunning() {
    return System.nanoTime() < schedule.endNanos() && !stopping.getAsBoolean();
  }

  /// Makes the rows of a second, before it is due if there is time.
  private void make(long second) {
    begin(second);
    long time = schedule.micros(second);
    int count = (int) (devices.end() - devices.start());
    for (int i = 0; i < count; i++) {
      long device = devices.start() + (shuffled.length == 0 ? i : shuffled[i]);
      long load = random.nextLong(WATTS_MAX + 1);
      if (!late.keepsBack(second, device, time, load)) {
        add(device, time, load);
      }
    }
    addLate(second, time);
  }

  private void writeSecond(long second) {
    long begun = System.nanoTime();
    long paused = pauses.between(onTimeNanos, begun);
    queuedAtBegin = ProcessPauses.queuedNanos();
    long queued = queuedAtBegin - queuedNanos;
    long late = Math.max(0, begun - schedule.dueNanos(second));
    listener.starts(number, second, new WriteListener.StartDelay(late, paused, queued));
    flush();
    reportWrite(second, begun, schedule.dueNanos(second));
  }

  /// At the end nothing stays out.
  private void writeRest() {
    long begun = System.nanoTime();
    begin(-1);
    addLate(Long.MAX_VALUE, schedule.nowMicros());
    flush();
    reportWrite(-1, begun, begun);
  }

  private void begin(long second) {
    writing = second;
    rows.clear();
    aside.clear();
    windows.clear();
    window = Long.MIN_VALUE;
    watts = 0;
    lateRows = 0;
    lateAmongRows = 0;
    written = 0;
    tooLate = 0;
  }

  private void reportWrite(long second, long begun, long due) {
    long queued = second < 0 ? 0 : ProcessPauses.queuedNanos() - queuedAtBegin;
    WriteListener.Times times =
        new WriteListener.Times(Math.max(0, begun - due), System.nanoTime() - begun, queued);
    listener.wrote(
        new WriteListener.Write(number, second, written, lateRows, tooLate, watts, times));
    begin(-1);
  }

  private void addLate(long second, long nowMicros) {
    long oldest = nowMicros - micros(job.late().allowed());
    for (LateRows.Batch batch = late.next(second); batch != null; batch = late.next(second)) {
      for (int i = 0; i < batch.rows(); i++) {
        if (batch.time(i) >= oldest) {
          add(batch.device(i), batch.time(i), batch.load(i));
          lateAmongRows++;
        } else {
          addAside(batch.device(i), batch.time(i), batch.load(i));
        }
      }
    }
  }

  private void add(long device, long time, long load) {
    rows = rows.withRoom();
    rows.add(device, time, load);
    long start = Math.floorDiv(time, windowMicros) * windowMicros;
    if (start != window) {
      windows.add(start);
      window = start;
    }
  }

  private void addAside(long device, long time, long load) {
    aside = aside.withRoom();
    aside.add(device, time, load);
  }

  private void flush() {
    if (aside.rows() > 0) {
      write(layout.sideTable(), aside, List.of());
      tooLate += aside.rows();
      lateRows += aside.rows();
      count(aside);
      aside.clear();
    }
    if (rows.rows() == 0) {
      return;
    }
    List<Long> touched = List.copyOf(windows);
    List<Dirty> marks = listener.begins(touched);
    write(layout.levels().getFirst().table(), rows, marks);
    lateRows += lateAmongRows;
    lateAmongRows = 0;
    count(rows);
    sent.add(rows);
    rows.clear();
    List<Dirty> more = listener.written(touched, marks);
    while (!more.isEmpty()) {
      write(layout.levels().getFirst().table(), nothing, more);
      more = listener.written(touched, more);
    }
    listener.acknowledged(touched);
  }

  /// Only what is durable counts as sent.
  private void count(Readings durable) {
    written += durable.rows();
    for (int i = 0; i < durable.rows(); i++) {
      watts += durable.load[i];
    }
  }

  /// Until the target takes it: rows are neither lost nor written twice.
  private void write(String table, Readings some, List<Dirty> marks) {
    for (int tries = 1; ; tries++) {
      try {
        if (writer == null) {
          writer = store.writer();
        }
        writer.write(table, some, marks);
        return;
      } catch (Fault e) {
        if (isLast(e, tries)) {
          throw e;
        }
        listener.failed(writing, e.clause());
        Schedule.sleepUntil(System.nanoTime() + RetriedCalls.waitNanos(2 * tries), stopping);
        closeWriter();
      }
    }
  }

  private boolean isLast(Fault fault, int tries) {
    boolean isOver = System.nanoTime() > schedule.endNanos() + PATIENCE_NANOS;
    return stopping.getAsBoolean()
        || isOver
        || switch (fault) {
          case Fault.Transient _, Fault.External _ -> false;
          // A partition that is missing may be made meanwhile; a table that is missing is not.
          case Fault.User _, Fault.Data _ -> tries >= REFUSED_TRIES_MAX;
          case Fault.Cancelled _, Fault.Bug _ -> true;
        };
  }

  private void closeWriter() {
    RowWriter open = writer;
    writer = null;
    if (open == null) {
      return;
    }
    try {
      open.close();
    } catch (Fault e) {
      // All that was written is durable: a connection that can't be closed has lost nothing.
      LOG.debug("a writer can't be closed", e);
    }
  }

  private static long micros(Duration duration) {
    return TimeUnit.MILLISECONDS.toMicros(duration.toMillis());
  }

  /// The devices of each client.
  static List<Window> shares(long rows, int clients) {
    List<Window> shares = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      shares.add(new Window(rows * i / clients, rows * (i + 1) / clients));
    }
    return shares;
  }
}
