package millrace.engine;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import millrace.plan.Lanes;
import millrace.spi.Stage;
import millrace.spi.StageClock;

/// Counts what a run does: one clock for the reader and one for the writer of every lane.
///
/// Any thread may read it while the run goes on.
public final class Meter {

  private final List<StageClock> readers = new ArrayList<>();
  private final List<StageClock> writers = new ArrayList<>();
  private final LongAdder rejects = new LongAdder();
  private final LongAdder rowsDurable = new LongAdder();
  private volatile int lanes;
  private final long startNanos = System.nanoTime();
  private final long cpuStartNanos = processCpuNanos();

  Meter(Lanes planned) {
    lanes = planned.first();
    for (int i = 0; i < planned.most(); i++) {
      readers.add(new StageClock());
      writers.add(new StageClock());
    }
  }

  StageClock reader(int lane) {
    return readers.get(lane);
  }

  StageClock writer(int lane) {
    return writers.get(lane);
  }

  void countReject() {
    rejects.increment();
  }

  void countDurable(long rows) {
    rowsDurable.add(rows);
  }

  void countLanes(int working) {
    lanes = Math.max(1, working);
  }

  /// How many lanes work at this moment; 1 once all have ended.
  public int lanes() {
    return lanes;
  }

  /// How many lanes have read any rows.
  public int lanesWithRows() {
    return (int) readers.stream().filter(clock -> clock.rows() > 0).count();
  }

  /// Rows that writers have taken.
  public long rows() {
    return writers.stream().mapToLong(StageClock::rows).sum();
  }

  /// Rows that readers have read, before any were filtered out or refused.
  long rowsRead() {
    return readers.stream().mapToLong(StageClock::rows).sum();
  }

  /// Bytes of the source that readers have read.
  public long sourceBytes() {
    return readers.stream().mapToLong(StageClock::bytes).sum();
  }

  /// Bytes that writers have handed to the target.
  public long targetBytes() {
    return writers.stream().mapToLong(StageClock::bytes).sum();
  }

  /// Records set aside.
  public long rejects() {
    return rejects.sum();
  }

  /// Rows that a receipt calls durable.
  public long rowsDurable() {
    return rowsDurable.sum();
  }

  /// Nanoseconds since the run began.
  public long elapsedNanos() {
    return System.nanoTime() - startNanos;
  }

  /// Nanoseconds of CPU time that this process has taken since the run began, or -1 where the
  /// system does not tell.
  public long cpuNanos() {
    return cpuStartNanos < 0 ? -1 : processCpuNanos() - cpuStartNanos;
  }

  private static long processCpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os
        ? os.getProcessCpuTime()
        : -1;
  }

  /// Nanoseconds spent in each stage, over all readers.
  public Map<Stage, Long> readerNanos() {
    return sum(readers);
  }

  /// Nanoseconds spent in each stage, over all writers.
  public Map<Stage, Long> writerNanos() {
    return sum(writers);
  }

  /// What most of the busy threads are doing at this moment, for the progress line.
  public Stage busiestNow() {
    Map<Stage, Integer> votes = new EnumMap<>(Stage.class);
    for (List<StageClock> side : List.of(readers, writers)) {
      for (StageClock clock : side) {
        if (clock.stage() != Stage.QUEUE_WAIT) {
          votes.merge(clock.stage(), 1, Integer::sum);
        }
      }
    }
    return votes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(Stage.QUEUE_WAIT);
  }

  private static Map<Stage, Long> sum(List<StageClock> clocks) {
    Map<Stage, Long> sums = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      sums.put(stage, clocks.stream().mapToLong(clock -> clock.nanos(stage)).sum());
    }
    return sums;
  }
}
