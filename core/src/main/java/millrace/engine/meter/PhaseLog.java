package millrace.engine.meter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.spi.PhaseTimer;

/// Times the steps of a run, one after the other; the time of one within another counts for the
/// inner one alone.
///
/// One thread records them; the list may be read once the run has ended, what is under way by any
/// thread.
public final class PhaseLog implements PhaseTimer {

  /// What comes before a run.
  public static final String PLAN = "connect and plan";

  /// Rows move, or are about to.
  public static final String COPY = "copy rows";

  /// The target does what makes the rows its own; some do most of it then.
  public static final String COMPLETE = "complete target";

  /// One step of the run.
  ///
  /// @param name what was done
  /// @param nanos how long it took
  /// @param rows rows it moved, or 0
  /// @param bytes bytes it moved, or 0
  /// @param concurrency how many lanes worked at it
  public record Phase(String name, long nanos, long rows, long bytes, int concurrency) {}

  private final List<Phase> steps = new ArrayList<>();
  private long notedNanos;
  private volatile String underWay = "";
  private final Map<String, String> waits = new ConcurrentHashMap<>();

  @Override
  public void time(String name, int concurrency, Runnable work) {
    long start = System.nanoTime();
    long notedBefore = notedNanos;
    String outer = underWay;
    underWay = name;
    try {
      work.run();
    } finally {
      underWay = outer;
      long inner = notedNanos - notedBefore;
      long exclusive = System.nanoTime() - start - inner;
      steps.add(new Phase(name, exclusive, 0, 0, concurrency));
      notedNanos += exclusive;
    }
  }

  /// A step that was over before the run began.
  ///
  /// @param seen what it was seen to wait for, as a sentence without its end; may be empty
  public void precededBy(String name, long nanos, String seen) {
    steps.addFirst(new Phase(name, nanos, 0, 0, 1));
    if (!seen.isEmpty()) {
      waits.put(name, seen);
    }
  }

  /// The step that is under way waits for others. Any thread.
  ///
  /// @param seen what does and for what, as a sentence without its end
  public void waits(String seen) {
    waits.put(underWay, seen);
  }

  /// What steps were last seen to wait for, by their names.
  public Map<String, String> waits() {
    return Map.copyOf(waits);
  }

  /// Says what the last step moved, and how many lanes worked at it.
  public void moved(long rows, long bytes, int concurrency) {
    Phase last = steps.removeLast();
    steps.add(new Phase(last.name(), last.nanos(), rows, bytes, concurrency));
  }

  /// The step that is under way at this moment, the inner one of two; empty between them.
  public String underWay() {
    return underWay;
  }

  /// How long all steps of that name took.
  public long nanos(String name) {
    return steps.stream().filter(each -> each.name().equals(name)).mapToLong(Phase::nanos).sum();
  }

  /// All steps so far.
  public List<Phase> list() {
    return List.copyOf(steps);
  }
}
