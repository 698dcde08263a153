package millrace.report.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import millrace.spi.HostLocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// When the processes of a target waited for a processor: those of a server on this machine, or
/// this process if the target works in it. So it can be told of each call how long it was held up
/// by that, and a call that waited for something else is not taken for one.
///
/// A thread of its own looks; any may ask.
public final class ProcessWaits implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessWaits.class);

  private static final long INTERVAL_MS = 500;

  /// An hour: what comes before is forgotten.
  private static final int LOOKS_MAX = 7_200;

  /// A process that did nothing and wanted nothing for more of a call did not carry it out.
  private static final double AT_WORK_SHARE_MIN = 0.5;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final List<ServerProcesses> targets = new ArrayList<>();
  private final Deque<Look> looks = new ArrayDeque<>();
  private final Proc proc;
  private Map<Integer, Proc.Scheduled> last = new HashMap<>();

  /// What a process did, in nanoseconds.
  record Work(double ran, double waited) {

    private Work plus(Work more, double share) {
      return new Work(ran + share * more.ran, waited + share * more.waited);
    }
  }

  /// What each process did from one moment of {@link System#nanoTime} to another.
  private record Look(long from, long to, Map<Integer, Work> work) {}

  ProcessWaits(Proc proc) {
    this.proc = proc;
  }

  /// Watches nothing yet. Where there is no /proc, nothing is ever known.
  public static ProcessWaits of(HostLocation target) {
    ProcessWaits waits = new ProcessWaits(new Proc(Path.of("/proc")));
    try {
      if (waits.proc.exists()) {
        waits.find(target);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("the target's processes can't be watched", e);
    }
    return waits;
  }

  private void find(HostLocation target) throws IOException {
    for (HostLocation.Service service : target.services()) {
      ServerProcesses found =
          ServerProcesses.isLocal(service.host())
              ? ServerProcesses.find(proc, service, LOG::debug)
              : null;
      if (found != null) {
        targets.add(found);
      }
    }
    if (target.services().isEmpty() && !target.paths().isEmpty()) {
      targets.add(ServerProcesses.ofThisProcess(proc));
    }
  }

  /// Begins to look.
  public void start() {
    if (!targets.isEmpty()) {
      Thread.ofPlatform().name("process-waits").daemon().start(this::watch);
    }
  }

  private void watch() {
    try {
      long from = look(System.nanoTime());
      while (!ended.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
        from = look(from);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Looks once. If a process ends meanwhile, the next look is of all the time since the last.
  ///
  /// @param from when the last look was
  /// @return when this one was, or the last
  private long look(long from) {
    try {
      Map<Integer, Work> work = new HashMap<>();
      Map<Integer, Proc.Scheduled> now = scheduled(work);
      long to = System.nanoTime();
      add(from, to, work);
      last = now;
      return to;
    } catch (IOException | RuntimeException e) {
      LOG.debug("a look at the target's processes failed", e);
      return from;
    }
  }

  /// What all threads have done so far.
  ///
  /// @param work is told what each process has done since the last look
  private Map<Integer, Proc.Scheduled> scheduled(Map<Integer, Work> work) throws IOException {
    Map<Integer, Proc.Scheduled> all = new HashMap<>();
    for (ServerProcesses target : targets) {
      for (int process : target.alive()) {
        for (Proc.Task thread : proc.threads(process)) {
          Proc.Scheduled now = proc.scheduled(process, thread.id());
          if (now != null) {
            Proc.Scheduled before = last.getOrDefault(thread.id(), now);
            Work more =
                new Work(
                    now.ranNanos() - before.ranNanos(), now.waitedNanos() - before.waitedNanos());
            work.merge(process, more, (one, other) -> one.plus(other, 1));
            all.put(thread.id(), now);
          }
        }
      }
    }
    return all;
  }

  /// A look has ended.
  synchronized void add(long from, long to, Map<Integer, Work> work) {
    looks.add(new Look(from, to, Map.copyOf(work)));
    if (looks.size() > LOOKS_MAX) {
      looks.remove();
    }
  }

  /// For how long a call waited for a processor in the target, in nanoseconds; 0 if nobody knows.
  /// Nobody says which process carried it out, so it is the one that waited most of those that were
  /// at work, or wanted to be, for most of the call.
  ///
  /// @param from when it was begun, of {@link System#nanoTime}
  /// @param to when it ended
  public synchronized long heldNanos(long from, long to) {
    Map<Integer, Work> all = new HashMap<>();
    double known = 0;
    Iterator<Look> latest = looks.descendingIterator();
    while (latest.hasNext()) {
      Look look = latest.next();
      if (look.to <= from) {
        break;
      }
      double within = Math.min(to, look.to) - Math.max(from, look.from);
      if (within > 0) {
        known += within;
        double share = within / (look.to - look.from);
        look.work.forEach((process, work) ->
            all.merge(
                process, new Work(0, 0).plus(work, share), (one, other) -> one.plus(other, 1)));
      }
    }
    // The last look may be a while ago.
    double time = to - from;
    double seen = known;
    return known < time / 2
        ? 0
        : (long)
            all.values().stream()
                .mapToDouble(work -> held(work, seen) * time / seen)
                .max()
                .orElse(0);
  }

  /// Several threads of a process may wait at once.
  private static double held(Work work, double time) {
    double wanted = work.ran + work.waited;
    return wanted < AT_WORK_SHARE_MIN * time
        ? 0
        : Math.min(work.waited, time * work.waited / wanted);
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
