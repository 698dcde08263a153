package millrace.report.host;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The threads of this process: what the compiler and the collector take, and for how long the
/// lanes are on a processor or wait for one.
///
/// HotSpot starts and ends compiler threads as it needs them, and the time of a thread that has
/// ended is told nowhere: so the threads are looked at twice a second, and the last look counts.
final class ProcessThreads {

  private final Proc proc;
  private final Map<Integer, Proc.Task> first = new HashMap<>();
  private final Map<Integer, Proc.Task> last = new HashMap<>();
  private final Waits readers = new Waits("reader-");
  private final Waits writers = new Waits("writer-");
  private boolean started;

  ProcessThreads(Proc proc) {
    this.proc = proc;
  }

  /// Looks at all threads; the first look is what later ones are compared with.
  ///
  /// @param seconds since the look before; 0 for the first
  void sample(double seconds) throws IOException {
    for (Proc.Task thread : proc.threads()) {
      Proc.Task before = last.put(thread.id(), thread);
      readers.look(thread, before, seconds);
      writers.look(thread, before, seconds);
      if (!started) {
        first.put(thread.id(), thread);
      }
    }
    started = true;
  }

  /// For how much of their time the lanes' threads of one side were on a processor, or had to wait
  /// for one: of those that two looks in a row have found.
  private final class Waits {

    private final String prefix;
    private final Map<Integer, Long> lastDelays = new HashMap<>();
    private double seconds;
    private double delayS;
    private double busyS;

    Waits(String prefix) {
      this.prefix = prefix;
    }

    boolean isOf(Proc.Task thread) {
      return thread.name().startsWith(prefix);
    }

    void look(Proc.Task thread, Proc.@Nullable Task earlier, double secondsSince) {
      if (!isOf(thread)) {
        return;
      }
      long delay = proc.delayNanos(thread.id());
      Long before = lastDelays.put(thread.id(), delay);
      if (earlier != null && before != null && before >= 0 && delay >= before) {
        seconds += secondsSince;
        busyS +=
            Math.min(
                secondsSince,
                (thread.processorTime() - earlier.processorTime()) / Proc.TICKS_PER_S);
        delayS += Math.min(secondsSince, (delay - before) / 1e9);
      }
    }

    double percent() {
      return percent(delayS);
    }

    double busyPercent() {
      return percent(busyS);
    }

    private double percent(double ofThemS) {
      return seconds > 0 ? 100 * ofThemS / seconds : -1;
    }
  }

  /// For how much of their time the lanes were on a processor or had to wait for one, or null if
  /// that is unknown: the kernel does not keep it, or nobody looked twice while they ran.
  HostFigures.@Nullable LaneWaits laneWaits() {
    double reader = readers.percent();
    double writer = writers.percent();
    return reader < 0 && writer < 0
        ? null
        : new HostFigures.LaneWaits(reader, writer, readers.busyPercent(), writers.busyPercent());
  }

  /// Seconds that the just-in-time compiler took since the first look.
  double jitS() {
    return seconds(name -> name.startsWith("C1 Compiler") || name.startsWith("C2 Compiler"));
  }

  /// Seconds that the collector took; the serial one works in the VM's own thread.
  double gcS() {
    return seconds(name ->
        name.startsWith("GC Thread")
            || name.startsWith("G1 ")
            || name.startsWith("ZWorker")
            || name.startsWith("ZDriver")
            || name.startsWith("Shenandoah")
            || name.equals("VM Thread"));
  }

  private double seconds(Predicate<String> names) {
    long ticks = 0;
    for (Proc.Task thread : last.values()) {
      if (names.test(thread.name())) {
        Proc.Task before = first.get(thread.id());
        ticks += thread.processorTime() - (before == null ? 0 : before.processorTime());
      }
    }
    return ticks / Proc.TICKS_PER_S;
  }
}
