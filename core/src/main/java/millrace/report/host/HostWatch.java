package millrace.report.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import millrace.spi.HostLocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches the machine while a run goes on: counters at the beginning and at the end, and twice a
/// second what no counter keeps.
///
/// Whoever starts a run prepares, starts and finishes it; a thread of its own looks in between. It
/// never fails a run: what can't be found out is named in {@link HostFigures#unknown}.
public final class HostWatch {

  private static final Logger LOG = LoggerFactory.getLogger(HostWatch.class);

  /// Lanes are looked at twice in most runs that are long enough to name a bottleneck.
  private static final long INTERVAL_MS = 500;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final List<String> unknown = new ArrayList<>();
  private final List<HostFigures.Home> homes = new ArrayList<>();
  private final List<WatchedServer> servers = new ArrayList<>();
  private @Nullable Thread preparing;
  private @Nullable Instruments found;
  private @Nullable Begun begun;
  private @Nullable Thread thread;

  /// A server and the ends that it serves.
  private record WatchedServer(String role, String label, @Nullable ServerProcesses processes) {}

  /// What was found before the run.
  private record Instruments(
      Proc proc, Disks disks, Processors processors, ProcessThreads threads) {}

  /// What was so when the run began.
  private record Begun(
      Instruments found,
      long nanos,
      Proc.Machine machine,
      Proc.Task self,
      Map<WatchedServer, Long> serverTicks,
      Map<String, Disks.Counters> counters) {}

  private HostWatch() {}

  /// Watches nothing.
  public static HostWatch none() {
    HostWatch watch = new HostWatch();
    watch.unknown.add("the machine was not watched: the run is a small one of many");
    return watch;
  }

  /// Begins to look for servers and disks, on a thread of its own, so that the caller can go on to
  /// plan; {@link #start} follows.
  public static HostWatch prepare(HostLocation source, HostLocation target) {
    HostWatch watch = new HostWatch();
    watch.preparing =
        Thread.ofPlatform()
            .name("host-look")
            .daemon()
            .start(() -> watch.look(source, target, Path.of("/")));
    return watch;
  }

  /// Begins to watch; the run begins next.
  public void start() {
    join(preparing);
    begin();
    if (begun != null) {
      thread = Thread.ofPlatform().name("host-watch").daemon().start(this::watch);
    }
  }

  /// Begins to watch without a thread of its own.
  ///
  /// @param root the folder in which `proc`, `sys` and `dev` stand
  static HostWatch of(HostLocation source, HostLocation target, Path root) {
    HostWatch watch = new HostWatch();
    watch.look(source, target, root);
    watch.begin();
    return watch;
  }

  private void look(HostLocation source, HostLocation target, Path root) {
    Proc proc = new Proc(root.resolve("proc"));
    if (!proc.exists()) {
      unknown.add(
          "no /proc on "
              + System.getProperty("os.name")
              + ": processors, servers and disks were not watched");
      return;
    }
    try {
      Disks disks = new Disks(proc, root.resolve("sys"), root.resolve("dev"));
      addHomes(disks, "source", source.paths());
      addHomes(disks, "target", target.paths());
      addServers(proc, disks, source, target);
      found = new Instruments(proc, disks, new Processors(proc), new ProcessThreads(proc));
    } catch (IOException | RuntimeException e) {
      gaveUp(e);
    }
  }

  private void begin() {
    Instruments seen = found;
    if (seen == null) {
      return;
    }
    try {
      Set<String> names = new HashSet<>();
      homes.forEach(home -> names.addAll(home.disks()));
      Map<String, Disks.Counters> counters = new HashMap<>(seen.disks.counters());
      counters.keySet().retainAll(names);
      Map<WatchedServer, Long> ticks = new HashMap<>();
      for (WatchedServer server : servers) {
        ticks.put(server, server.processes == null ? 0 : server.processes.ticks());
      }
      begun =
          new Begun(
              seen, System.nanoTime(), seen.proc.machine(), seen.proc.self(), ticks, counters);
      sample(0);
    } catch (IOException | RuntimeException e) {
      gaveUp(e);
    }
  }

  private void gaveUp(Exception e) {
    LOG.debug("host figures", e);
    unknown.add("the machine's figures can't be read: " + e);
    begun = null;
  }

  private void addHomes(Disks disks, String role, List<Path> paths) throws IOException {
    for (Path path : paths) {
      Disks.Under under = disks.under(path);
      if (under == null) {
        unknown.add("no mount is known for " + path);
      } else {
        homes.add(new HostFigures.Home(role, path.toString(), under.fileSystem(), under.disks()));
      }
    }
  }

  private void addServers(Proc proc, Disks disks, HostLocation source, HostLocation target)
      throws IOException {
    Map<HostLocation.Service, String> roles = new LinkedHashMap<>();
    source.services().forEach(service -> roles.put(service, "source"));
    target
        .services()
        .forEach(service -> roles.merge(service, "target", (one, other) -> one + " and " + other));
    for (Map.Entry<HostLocation.Service, String> entry : roles.entrySet()) {
      HostLocation.Service service = entry.getKey();
      ServerProcesses processes = find(proc, service);
      servers.add(new WatchedServer(entry.getValue(), service.label(), processes));
      List<Path> folders = processes == null ? List.of() : processes.dataFolders(service);
      if (processes != null && folders.isEmpty()) {
        unknown.add(service.label() + " does not show this user where its data is");
      }
      for (String role : entry.getValue().split(" and ", -1)) {
        addHomes(disks, role, folders);
      }
    }
  }

  private @Nullable ServerProcesses find(Proc proc, HostLocation.Service service)
      throws IOException {
    if (!ServerProcesses.isLocal(service.host())) {
      unknown.add(service.label() + " is another machine: what happens there is not seen");
      return null;
    }
    return ServerProcesses.find(proc, service, unknown::add);
  }

  private void watch() {
    long before = System.nanoTime();
    try {
      while (!ended.await(INTERVAL_MS, TimeUnit.MILLISECONDS)) {
        long now = System.nanoTime();
        sample((now - before) / 1e9);
        before = now;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.debug("host figures: no more samples", e);
    }
  }

  /// Looks at what no counter keeps.
  ///
  /// @param seconds since the look before; 0 for the first
  void sample(double seconds) throws IOException {
    Begun from = begun;
    if (from == null) {
      return;
    }
    from.found.processors.sample();
    from.found.threads.sample(seconds);
    for (WatchedServer server : servers) {
      if (server.processes != null) {
        server.processes.sample(seconds);
      }
    }
  }

  /// Ends watching; called once.
  ///
  /// @param rows how many rows the run moved
  public HostFigures finish(long rows) {
    ended.countDown();
    join(thread);
    Begun from = begun;
    if (from != null) {
      try {
        from.found.threads.sample(0);
        return figures(from, rows);
      } catch (IOException | RuntimeException e) {
        gaveUp(e);
      }
    }
    return new HostFigures(
        -1,
        HostFigures.Hardware.of(Runtime.getRuntime().availableProcessors()),
        HostFigures.Cpu.UNKNOWN,
        null,
        List.of(),
        HostFigures.Storage.UNKNOWN,
        unknown);
  }

  private HostFigures figures(Begun from, long rows) throws IOException {
    double seconds = (System.nanoTime() - from.nanos) / 1e9;
    List<HostFigures.Server> served = new ArrayList<>();
    for (WatchedServer server : servers) {
      served.add(server(server, from.serverTicks.getOrDefault(server, 0L)));
    }
    double serversS = served.stream().mapToDouble(each -> Math.max(0, each.cpuS())).sum();
    return new HostFigures(
        seconds,
        hardware(from),
        cpu(from, serversS, rows),
        from.found.threads.laneWaits(),
        served,
        new HostFigures.Storage(
            Disks.between(from.counters, from.found.disks.counters(), seconds), homes, shareDisk()),
        unknown);
  }

  private static HostFigures.Hardware hardware(Begun from) throws IOException {
    Processors processors = from.found.processors;
    boolean clockKnown = processors.clockMhz().getCount() > 0;
    return new HostFigures.Hardware(
        processors.model(),
        from.found.proc.processors(),
        clockKnown ? processors.clockMhz().getMin() : -1,
        clockKnown ? processors.clockMhz().getAverage() : -1,
        clockKnown ? processors.clockMhz().getMax() : -1);
  }

  private static HostFigures.Server server(WatchedServer server, long ticksBefore)
      throws IOException {
    ServerProcesses processes = server.processes;
    return processes == null
        ? new HostFigures.Server(server.role, server.label, "", -1, -1, -1, -1)
        : new HostFigures.Server(
            server.role,
            server.label,
            processes.foundBy(),
            (processes.ticks() - ticksBefore) / Proc.TICKS_PER_S,
            processes.busyProcessesMean(),
            processes.busyPercentMean(),
            processes.waitingPercentMean(),
            processes.stoppedPercent());
  }

  private static HostFigures.Cpu cpu(Begun from, double serversS, long rows) throws IOException {
    Proc.Task self = from.found.proc.self();
    Proc.Machine machine = from.found.proc.machine();
    double userS = (self.user() - from.self.user()) / Proc.TICKS_PER_S;
    double systemS = (self.system() - from.self.system()) / Proc.TICKS_PER_S;
    double busyS = (machine.busy() - from.machine.busy()) / Proc.TICKS_PER_S;
    double processS = userS + systemS;
    return new HostFigures.Cpu(
        new HostFigures.Cpu.ProcessTime(
            userS, systemS, from.found.threads.jitS(), from.found.threads.gcS()),
        serversS,
        Math.max(0, busyS - processS - serversS),
        (machine.idle() - from.machine.idle()) / Proc.TICKS_PER_S,
        (machine.iowait() - from.machine.iowait()) / Proc.TICKS_PER_S,
        (machine.stolen() - from.machine.stolen()) / Proc.TICKS_PER_S,
        new HostFigures.Cpu.ProcessShare(
            rows > 0 ? processS * 1e6 / rows : -1,
            processS + serversS > 0 ? 100 * processS / (processS + serversS) : -1,
            busyS > 0 ? Math.min(100, 100 * processS / busyS) : -1));
  }

  private @Nullable Boolean shareDisk() {
    Set<String> source = disksOf("source");
    Set<String> target = disksOf("target");
    if (source.isEmpty() || target.isEmpty()) {
      return null;
    }
    return source.stream().anyMatch(target::contains);
  }

  private Set<String> disksOf(String role) {
    Set<String> names = new HashSet<>();
    for (HostFigures.Home home : homes) {
      if (home.role().equals(role)) {
        names.addAll(home.disks());
      }
    }
    return names;
  }

  private static void join(@Nullable Thread thread) {
    boolean interrupted = false;
    while (thread != null && thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
