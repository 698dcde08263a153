package millrace.online.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import millrace.online.load.WriteListener;
import millrace.online.report.Series;

/// What is counted while a run goes on. Any thread.
final class RunMeter {

  private static final int ERRORS_MAX = 10;

  /// One second of the schedule.
  private static final class Slot {
    private long rows;
    private long lateRows;
    private double startDelayMax;
    private double startDelaySum;

    /// The latest without the pauses of this process.
    private double unpausedMax;

    /// Nor what clients waited for a processor.
    private double unqueuedMax;

    private int begun;
    private double serviceSum;
    private double serviceMax;
    private int writes;
    private int backlog;
    private int errors;
  }

  /// A window that is being aggregated.
  private record Running(Series.WindowRun run, long begunNanos) {

    private Series.WindowRun at(long nanos) {
      return new Series.WindowRun(
          run.level(),
          run.window(),
          run.atSecond(),
          (nanos - begunNanos) / 1e9,
          0,
          run.again(),
          true,
          "");
    }
  }

  private final List<Slot> slots = new ArrayList<>();
  private final List<Series.WindowRun> windows = new ArrayList<>();
  private final Map<String, Running> running = new TreeMap<>();

  /// Whose last try failed.
  private final Set<String> undone = new HashSet<>();

  private final List<Series.PartitionSwitch> switches = new ArrayList<>();
  private final Map<String, Occurrences> errors = new LinkedHashMap<>();

  /// The last second that each client has written.
  private final long[] written;

  /// The last second whose write each client has begun.
  private final long[] begun;

  /// How late that was, in milliseconds.
  private final double[] begunLate;

  /// The last second that is over.
  private long over = -1;

  private long rows;
  private long rowsAfterwards;
  private long tooLate;
  private long watts;
  private long writeErrors;
  private long incomplete;
  private long neverBegun;
  private long aggregatesEnded;
  private boolean isCrowded;

  /// For how many nanoseconds this process has stood still since a second was due.
  private final LongUnaryOperator pausedSince;

  /// @param pausedSince for how many nanoseconds this process has stood still since a second was
  ///   due
  RunMeter(int clients, LongUnaryOperator pausedSince) {
    this.pausedSince = pausedSince;
    written = new long[clients];
    Arrays.fill(written, -1);
    begun = written.clone();
    begunLate = new double[clients];
  }

  private Slot slot(long second) {
    while (slots.size() <= second) {
      slots.add(new Slot());
    }
    return slots.get((int) second);
  }

  /// A write begins.
  synchronized void starts(int client, long second, WriteListener.StartDelay delay) {
    Slot slot = slot(second);
    double late = delay.all() / 1e6;
    slot.startDelayMax = Math.max(slot.startDelayMax, late);
    slot.startDelaySum += late;
    slot.unpausedMax = Math.max(slot.unpausedMax, late - delay.paused() / 1e6);
    // Both may be of one time.
    long ofClient = Math.max(delay.paused(), delay.queued());
    slot.unqueuedMax = Math.max(slot.unqueuedMax, late - ofClient / 1e6);
    slot.begun++;
    begun[client] = second;
    begunLate[client] = late;
  }

  synchronized void wrote(WriteListener.Write write) {
    rows += write.rows();
    tooLate += write.tooLate();
    watts += write.watts();
    if (!write.isScheduled()) {
      rowsAfterwards += write.rows();
      return;
    }
    Slot slot = slot(write.second());
    slot.rows += write.rows();
    slot.lateRows += write.lateRows();
    slot.serviceSum += write.times().service() / 1e6;
    slot.serviceMax = Math.max(slot.serviceMax, write.times().service() / 1e6);
    slot.writes++;
    written[write.client()] = write.second();
  }

  /// A second of the schedule is over: writes that are due and not begun are its backlog.
  synchronized void tick(long second) {
    over = Math.max(over, second);
    int backlog = 0;
    for (long each : begun) {
      backlog += (int) Math.max(0, second - each);
    }
    slot(second).backlog = backlog;
  }

  /// The run ends: writes that have not begun never will.
  ///
  /// @param second the last that is over
  synchronized void endsAt(long second) {
    over = Math.max(over, second);
    if (over >= 0) {
      slot(over);
    }
    for (long each : begun) {
      neverBegun += Math.max(0, over - each);
    }
  }

  /// How late the writes of a second began. Those that have not were as late as that by the end of
  /// the last second, and a moment more.
  private Series.StartDelay startDelay(int second, Slot slot) {
    long missing = second > over ? 0 : Arrays.stream(begun).filter(each -> each < second).count();
    if (missing == 0) {
      double mean = slot.begun == 0 ? 0 : slot.startDelaySum / slot.begun;
      return new Series.StartDelay(slot.startDelayMax, mean, slot.startDelayMax - ofTarget(slot));
    }
    double late = (over + 1 - second) * 1e3 + 1;
    double max = Math.max(slot.startDelayMax, late);
    double lateByTarget = late - pausedSince.applyAsLong(second) / 1e6;
    double all = slot.begun + missing;
    return new Series.StartDelay(
        max,
        (slot.startDelaySum + missing * late) / all,
        max - Math.max(ofTarget(slot), lateByTarget),
        (slot.startDelaySum + behind(second)) / all);
  }

  /// What was behind of the clients whose write of a second has not begun, in milliseconds, all
  /// together: as much as when they last began one, and a second more each second; never more than
  /// the first that has not begun is late by now.
  private double behind(int second) {
    double behind = 0;
    for (int client = 0; client < begun.length; client++) {
      long first = begun[client] + 1;
      if (first <= second) {
        double most = (over + 1 - first) * 1e3 + 1;
        behind += Math.min(most, (second - first) * 1e3 + begunLate[client]);
      }
    }
    return behind;
  }

  private double ofTarget(Slot slot) {
    return isCrowded ? slot.unqueuedMax : slot.unpausedMax;
  }

  /// Others have kept the processors busy: what clients waited for one is no fault of the target.
  synchronized void crowded() {
    isCrowded = true;
  }

  synchronized void aggregates(Series.WindowRun run) {
    running.put(run.level() + run.window(), new Running(run, System.nanoTime()));
  }

  synchronized void aggregated(Series.WindowRun run) {
    aggregatesEnded++;
    // What is begun at the end is not on any clock, and counts only if it has failed.
    String window = run.level() + run.window();
    boolean onClock = running.remove(window) != null;
    boolean isAwaited = run.failed() ? undone.add(window) : undone.remove(window);
    if (onClock || run.failed() || isAwaited) {
      windows.add(run);
    }
    if (run.failed()) {
      keep(run.level() + " aggregate: " + run.error(), run.atSecond() + run.seconds());
    }
  }

  synchronized void switched(Series.PartitionSwitch to) {
    switches.add(to);
  }

  /// @param second of the schedule; -1 at its end
  /// @param atSecond when that was, since the start
  synchronized void writeFailed(long second, String why, double atSecond) {
    writeErrors++;
    if (second >= 0) {
      slot(second).errors++;
    }
    keep("write: " + why, atSecond);
  }

  /// Equal ones are one, so that what came first is not lost among what follows from it.
  private void keep(String error, double atSecond) {
    if (errors.containsKey(error) || errors.size() < ERRORS_MAX || FullDisk.isNamedBy(error)) {
      errors.merge(error, new Occurrences(1, atSecond, atSecond), Occurrences::plus);
    }
  }

  /// How often something happened.
  ///
  /// @param first when it happened first, in seconds since the start
  /// @param last when it happened last
  record Occurrences(int count, double first, double last) {

    private Occurrences plus(Occurrences later) {
      return new Occurrences(count + later.count, first, later.last);
    }
  }

  synchronized void incomplete() {
    incomplete++;
  }

  /// The last second that all clients have written; -1 if there is none.
  synchronized long watermark() {
    return Arrays.stream(written).min().orElse(-1);
  }

  /// What happened by now: seconds that all clients have written, and those that are over for a
  /// second or more, written or not; all if the run has ended.
  ///
  /// @param pauses of this process
  /// @param levels the names of all levels, the lowest first
  synchronized Series series(boolean ended, List<Series.Pause> pauses, List<String> levels) {
    List<Series.Second> seconds = new ArrayList<>();
    long last = ended ? slots.size() - 1 : Math.max(watermark(), over - 1);
    for (int i = 0; i <= last && i < slots.size(); i++) {
      Slot slot = slots.get(i);
      seconds.add(
          new Series.Second(
              i,
              slot.rows,
              slot.lateRows,
              startDelay(i, slot),
              slot.writes == 0 ? 0 : slot.serviceSum / slot.writes,
              slot.serviceMax,
              slot.backlog,
              slot.errors));
    }
    List<Series.WindowRun> all = new ArrayList<>(windows);
    running.values().forEach(each -> all.add(each.at(System.nanoTime())));
    return new Series(seconds, all, switches, pauses, levels);
  }

  synchronized long rows() {
    return rows;
  }

  /// Those that were written when the schedule had ended: they belong to no second.
  synchronized long rowsAfterwards() {
    return rowsAfterwards;
  }

  synchronized long tooLate() {
    return tooLate;
  }

  synchronized long watts() {
    return watts;
  }

  synchronized long writeErrors() {
    return writeErrors;
  }

  /// How many writes of the schedule had not begun when it ended: their rows were never sent.
  synchronized long neverBegun() {
    return neverBegun;
  }

  /// How many aggregates have ended, those that no clock began included.
  synchronized long aggregatesEnded() {
    return aggregatesEnded;
  }

  /// How many windows were begun before all of their rows were in.
  synchronized long incompleteWindows() {
    return incomplete;
  }

  /// The first kinds of errors in the order in which they came, each a clause: the cause is the
  /// first.
  synchronized Map<String, Occurrences> errors() {
    return Collections.unmodifiableMap(new LinkedHashMap<>(errors));
  }
}
