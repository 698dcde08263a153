package millrace.engine.meter;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import millrace.plan.Lanes;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import org.jspecify.annotations.Nullable;

/// Counts what a run does: one clock for the reader and one for the writer of every lane.
///
/// Any thread may read it while the run goes on.
public final class Meter {

  /// Reasons that are kept apart; a message may hold a number that is another each time.
  private static final int RETRY_REASONS_MAX = 20;

  private static final String OTHERS = "others";

  private final List<StageClock> readers = new ArrayList<>();
  private final List<StageClock> writers = new ArrayList<>();
  private final LongAdder rejects = new LongAdder();
  private final LongAdder cut = new LongAdder();
  private final LongAdder lostMembers = new LongAdder();
  private volatile String firstReject = "";
  private final LongAdder rowsDurable = new LongAdder();
  private final LongAdder commits = new LongAdder();
  private final LongAdder splits = new LongAdder();
  private final LongAdder rowsUndone = new LongAdder();
  private final LongAdder rowsSifted = new LongAdder();
  private final LongAdder sourceBytesUndone = new LongAdder();
  private final Map<Integer, Wait> waits = new ConcurrentSkipListMap<>();
  private final Map<String, Retry> retries = new LinkedHashMap<>();
  private volatile int lanes;
  private volatile long rowsBefore;
  private final long startNanos = System.nanoTime();
  private final long cpuStartNanos = processCpuNanos();

  /// What was tried again for one reason.
  ///
  /// @param why what had gone wrong
  /// @param count how many lanes were begun again for it
  /// @param nanos what they lost by it: the waits, and the work that was done again
  public record Retry(String why, long count, long nanos) {}

  /// A lane that waits before it tries again.
  ///
  /// @param why what went wrong
  /// @param secondsLeft until it tries, rounded up
  /// @param tries which try that will be, from 2
  public record Waiting(String why, long secondsLeft, int tries) {}

  /// @param reason under which it is counted
  private record Wait(String why, String reason, long untilNanos, int tries) {}

  public Meter(Lanes planned) {
    lanes = planned.first();
    for (int i = 0; i < planned.most(); i++) {
      readers.add(new StageClock());
      writers.add(new StageClock());
    }
  }

  public StageClock reader(int lane) {
    return readers.get(lane);
  }

  public StageClock writer(int lane) {
    return writers.get(lane);
  }

  /// Counts the times that were cut to microseconds.
  public LongAdder cut() {
    return cut;
  }

  /// Counts the JSON documents that lost a member, since another of their object has its name.
  public LongAdder lostMembers() {
    return lostMembers;
  }

  /// Counts a bad record.
  ///
  /// @param words tell the first with its place
  public void countReject(Supplier<String> words) {
    rejects.increment();
    if (firstReject.isEmpty()) {
      firstReject = words.get();
    }
  }

  public void countDurable(long rows) {
    rowsDurable.add(rows);
  }

  /// A lane has committed.
  ///
  /// @param ended how many splits ended with it
  public void countCommit(int ended) {
    commits.increment();
    splits.add(ended);
  }

  /// How often lanes have committed.
  public long commits() {
    return commits.sum();
  }

  /// How many splits they have done.
  public long splits() {
    return splits.sum();
  }

  /// The run goes on with one that had taken so many rows.
  public void resumesAfter(long rows) {
    rowsBefore = rows;
  }

  /// Rows that a run had taken which this one goes on with.
  public long rowsBefore() {
    return rowsBefore;
  }

  /// What a lane had read and written of splits that are to be done again.
  public void countUndone(long rows, long sourceBytes) {
    rowsUndone.add(rows);
    sourceBytesUndone.add(sourceBytes);
  }

  /// Rows that the target has set aside when all had been written.
  public void countRejectedAtEnd(long rows) {
    rowsSifted.add(rows);
  }

  /// A lane waits until it tries again.
  ///
  /// @param lostNanos what it lost by it: the wait, and what it has to do again
  public void beginWait(int lane, String why, long waitNanos, int tries, long lostNanos) {
    synchronized (retries) {
      String reason = retries.size() < RETRY_REASONS_MAX || retries.containsKey(why) ? why : OTHERS;
      waits.put(lane, new Wait(why, reason, System.nanoTime() + waitNanos, tries));
      countRetries(reason, 1, lostNanos);
    }
  }

  /// The wait is over, perhaps before its time: what is left of it was not lost.
  public void endWait(int lane) {
    synchronized (retries) {
      Wait over = waits.remove(lane);
      if (over != null) {
        countRetries(over.reason, 0, -Math.max(0, over.untilNanos - System.nanoTime()));
      }
    }
  }

  private void countRetries(String reason, long count, long lostNanos) {
    Retry before = retries.getOrDefault(reason, new Retry(reason, 0, 0));
    retries.put(reason, new Retry(reason, before.count() + count, before.nanos() + lostNanos));
  }

  public void countLanes(int working) {
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

  /// Rows that writers have taken; those that were undone and written again count once.
  public long rows() {
    return rowsMoved() - rowsUndone.sum() - rowsSifted.sum();
  }

  /// Rows that writers have taken, each as often as it was written.
  public long rowsMoved() {
    return writers.stream().mapToLong(StageClock::rows).sum();
  }

  /// Rows that readers have read, before any were filtered out or refused.
  public long rowsRead() {
    return readers.stream().mapToLong(StageClock::rows).sum();
  }

  /// Bytes of the source that readers have read; those that were read again count once.
  public long sourceBytes() {
    return sourceBytesMoved() - sourceBytesUndone.sum();
  }

  /// Bytes of the source that readers have read, each as often as it was read: what a rate is of.
  public long sourceBytesMoved() {
    return readers.stream().mapToLong(StageClock::bytes).sum();
  }

  /// The lane that waits longest before it tries again, or null if none waits.
  public @Nullable Waiting waiting() {
    long now = System.nanoTime();
    return waits.values().stream()
        .max(Comparator.comparingLong(wait -> wait.untilNanos - now))
        .map(wait -> new Waiting(wait.why, secondsLeft(wait.untilNanos - now), wait.tries))
        .orElse(null);
  }

  private static long secondsLeft(long nanos) {
    return Math.max(0, Math.ceilDiv(nanos, 1_000_000_000L));
  }

  /// What was tried again, by what had gone wrong.
  public List<Retry> retries() {
    synchronized (retries) {
      return List.copyOf(retries.values());
    }
  }

  /// Bytes that writers have handed to the target.
  public long targetBytes() {
    return writers.stream().mapToLong(StageClock::bytes).sum();
  }

  /// What rates in bytes are of: the source's bytes, or the target's if the source has none.
  public long rateBytes() {
    return sourceBytes() > 0 ? sourceBytes() : targetBytes();
  }

  /// Where the bad record was that was met first, and why; empty if there was none.
  public String firstReject() {
    return firstReject;
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

  /// Nanoseconds of CPU time that this process has taken since the run began, or -1 if the system
  /// does not tell.
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
        if (!clock.stage().waitsForLanes()) {
          votes.merge(clock.stage(), 1, Integer::sum);
        }
      }
    }
    return votes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(Stage.QUEUE_WAIT);
  }

  /// What each half of a lane is doing at this moment that does not wait for another half, the
  /// longest first.
  public List<String> doing() {
    record Doing(String words, long nanos) {}
    List<Doing> all = new ArrayList<>();
    for (int lane = 0; lane < readers.size(); lane++) {
      for (StageClock clock : List.of(readers.get(lane), writers.get(lane))) {
        Stage stage = clock.stage();
        String half = clock.equals(readers.get(lane)) ? "reader " : "writer ";
        if (!stage.waitsForLanes()) {
          all.add(new Doing(half + lane + ": " + stage.meaning(), clock.inStageNanos()));
        }
      }
    }
    return all.stream()
        .sorted(Comparator.comparingLong(Doing::nanos).reversed())
        .map(each -> each.words + " for " + each.nanos / 1_000_000_000L + " s")
        .toList();
  }

  private static Map<Stage, Long> sum(List<StageClock> clocks) {
    Map<Stage, Long> sums = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      sums.put(stage, clocks.stream().mapToLong(clock -> clock.nanos(stage)).sum());
    }
    return sums;
  }
}
