package millrace.report.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import millrace.spi.HostLocation;
import org.jspecify.annotations.Nullable;

/// The processes of one server on this machine: the one that listens, and all that it has started.
///
/// One thread uses it.
final class ServerProcesses {

  /// A thread that was on a processor, or waited for one, for less of a second than this does
  /// housekeeping.
  private static final double BUSY_SHARE_MIN = 0.2;

  /// A socket that listens, as the state in /proc/net/tcp.
  private static final String LISTENS = "0A";

  private static final String CONNECTED = "01";

  private static final int LOOKS_MAX = 4;

  private final Proc proc;
  private final List<Integer> roots;
  private final String foundBy;
  private Map<Integer, Long> lastTicks = new HashMap<>();
  private Map<Integer, Long> lastDelays = new HashMap<>();
  private int samples;
  private int stoppedSamples;
  private int busyCount;
  private double busyShares;
  private double delayShares;
  private boolean delaysKnown = true;

  private ServerProcesses(Proc proc, List<Integer> roots, String foundBy) {
    this.proc = proc;
    this.roots = roots;
    this.foundBy = foundBy;
  }

  /// Whether a host is this machine.
  static boolean isLocal(String host) {
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null) {
          return true;
        }
      }
      return false;
    } catch (UnknownHostException | SocketException _) {
      return false;
    }
  }

  /// Finds them: by the socket that listens on the port, if this user may see whose that is;
  /// otherwise by the processes' name, and by the port among their arguments if several servers
  /// run. If another program listens, they are those of that name that hold a connection with it,
  /// as Kudu's tablet servers do with their master. Null if there are none: behind a proxy or a
  /// tunnel it can't be told where the server is.
  ///
  /// @param whyNot told why they were not found
  static @Nullable ServerProcesses find(
      Proc proc, HostLocation.Service service, Consumer<String> whyNot) throws IOException {
    List<Proc.Task> all = proc.processes();
    Set<String> sockets = listening(proc, service.port());
    List<Integer> named = named(all, service);
    List<Integer> servers = named.stream().filter(id -> holds(proc, id, sockets)).toList();
    if (!servers.isEmpty()) {
      return new ServerProcesses(proc, tops(all, servers), "port " + service.port());
    }
    // All others' files are looked at only now: on a machine with many processes that takes long.
    List<Proc.Task> owners = all.stream().filter(each -> holds(proc, each.id(), sockets)).toList();
    if (!owners.isEmpty()) {
      List<Integer> connected = connected(proc, named, service.port());
      if (connected.isEmpty()) {
        whyNot.accept(
            service.label()
                + " is reached through the program "
                + owners.getFirst().name()
                + ": what happens behind it is not seen");
        return null;
      }
      String by = "connections with port " + service.port();
      return new ServerProcesses(proc, tops(all, connected), by);
    }
    List<Integer> tops = tops(all, named);
    String port = Integer.toString(service.port());
    List<Integer> onPort = tops.stream().filter(id -> names(proc.arguments(id), port)).toList();
    List<Integer> roots = onPort.isEmpty() ? tops : onPort;
    if (roots.isEmpty()) {
      whyNot.accept("no process of " + service.label() + " is found on this machine");
      return null;
    }
    String foundBy =
        roots.size() == 1
            ? "name " + service.process()
            : "name " + service.process() + ", " + roots.size() + " servers together";
    return new ServerProcesses(proc, roots, foundBy);
  }

  /// This process, and all that it has started.
  static ServerProcesses ofThisProcess(Proc proc) {
    return new ServerProcesses(proc, List.of((int) ProcessHandle.current().pid()), "this process");
  }

  private static boolean holds(Proc proc, int process, Set<String> sockets) {
    return !sockets.isEmpty() && proc.openFiles(process).stream().anyMatch(sockets::contains);
  }

  private static List<Integer> named(List<Proc.Task> tasks, HostLocation.Service service) {
    return tasks.stream()
        .filter(each -> each.name().contains(service.process()))
        .map(Proc.Task::id)
        .toList();
  }

  private static boolean names(List<String> arguments, String port) {
    return arguments.stream()
        .anyMatch(each ->
            each.equals(port)
                || each.equals("-p" + port)
                || each.endsWith("port=" + port)
                || (each + ",").contains(":" + port + ","));
  }

  /// A socket as /proc/net/tcp has it.
  private record Socket(String local, String remote, String state, String file) {

    private static final String MAPPED = "0000000000000000FFFF0000";

    static Socket of(String[] fields) {
      return new Socket(
          fields[1].replace(MAPPED, ""),
          fields[2].replace(MAPPED, ""),
          fields[3],
          "socket:[" + fields[9] + "]");
    }

    String ends() {
      return local + " " + remote;
    }
  }

  private static List<Socket> sockets(Proc proc) throws IOException {
    List<String> lines = new ArrayList<>(proc.lines("net/tcp"));
    lines.addAll(proc.lines("net/tcp6"));
    return lines.stream()
        .map(line -> line.strip().split(" +", -1))
        .filter(fields -> fields.length > 9 && fields[1].contains(":"))
        .map(Socket::of)
        .toList();
  }

  private static String suffix(int port) {
    return String.format(Locale.ROOT, ":%04X", port);
  }

  private static Set<String> listening(Proc proc, int port) throws IOException {
    return sockets(proc).stream()
        .filter(socket -> socket.local.endsWith(suffix(port)) && socket.state.equals(LISTENS))
        .map(Socket::file)
        .collect(Collectors.toSet());
  }

  /// Those of the processes that hold a connection with the program that listens on that port here:
  /// both of its ends are on this machine.
  private static List<Integer> connected(Proc proc, List<Integer> processes, int port)
      throws IOException {
    List<Socket> open =
        sockets(proc).stream().filter(socket -> socket.state.equals(CONNECTED)).toList();
    Set<String> ends = open.stream().map(Socket::ends).collect(Collectors.toSet());
    Set<String> toPort =
        open.stream()
            .filter(socket -> socket.remote.endsWith(suffix(port)))
            .filter(socket -> ends.contains(socket.remote + " " + socket.local))
            .map(Socket::file)
            .collect(Collectors.toSet());
    return processes.stream().filter(id -> holds(proc, id, toPort)).toList();
  }

  /// Those of the processes whose parent is none of them.
  private static List<Integer> tops(List<Proc.Task> all, List<Integer> some) {
    Set<Integer> set = new HashSet<>(some);
    return all.stream()
        .filter(each -> set.contains(each.id()) && !set.contains(each.parent()))
        .map(Proc.Task::id)
        .toList();
  }

  /// How they were found.
  String foundBy() {
    return foundBy;
  }

  /// Where the server keeps its data: its working folder, the folders named, and those that links
  /// in these lead to. Empty if this user may not know.
  List<Path> dataFolders(HostLocation.Service service) {
    List<Path> folders = new ArrayList<>();
    for (int root : roots) {
      Path home = home(root);
      if (home != null) {
        folders.add(home);
        service.dataFolders().forEach(name -> folders.addAll(Links.below(home.resolve(name))));
      }
    }
    return folders;
  }

  /// The working folder, or, if it is hidden, the folder after `-D`.
  private @Nullable Path home(int root) {
    Path folder = proc.workingFolder(root);
    List<String> arguments = proc.arguments(root);
    int option = arguments.indexOf("-D");
    if (folder == null && option >= 0 && option + 1 < arguments.size()) {
      folder = Path.of(arguments.get(option + 1));
    }
    return folder == null || folder.getNameCount() == 0 ? null : folder;
  }

  /// Ticks of all of them since they started; those that have ended count in their parents.
  ///
  /// If a process ends between our looks at it and at its parent, all are looked at again, a few
  /// times at most.
  long ticks() throws IOException {
    Map<Integer, Long> ended = endedTicks();
    long alive = 0;
    for (int i = 0; i < LOOKS_MAX; i++) {
      alive = sum(each());
      Map<Integer, Long> endedNow = endedTicks();
      if (endedNow.equals(ended)) {
        break;
      }
      ended = endedNow;
    }
    return alive + sum(ended);
  }

  private static long sum(Map<Integer, Long> ticks) {
    return ticks.values().stream().mapToLong(Long::longValue).sum();
  }

  private Map<Integer, Long> endedTicks() {
    Map<Integer, Long> ended = new HashMap<>();
    for (int root : roots) {
      Proc.Task task = proc.process(root);
      ended.put(root, task == null ? 0 : task.children());
    }
    return ended;
  }

  /// The processes that live.
  Set<Integer> alive() throws IOException {
    return each().keySet();
  }

  /// The ticks of every process that lives; below the roots those of ended children with them.
  private Map<Integer, Long> each() throws IOException {
    Map<Integer, Long> ticks = new HashMap<>();
    for (int root : roots) {
      Proc.Task task = proc.process(root);
      if (task != null) {
        ticks.put(root, task.processorTime());
        addChildren(root, ticks);
      }
    }
    return ticks;
  }

  private void addChildren(int parent, Map<Integer, Long> ticks) throws IOException {
    for (int child : proc.children(parent)) {
      Proc.Task task = proc.process(child);
      if (task != null && !ticks.containsKey(child)) {
        ticks.put(child, task.processorTime() + task.children());
        addChildren(child, ticks);
      }
    }
  }

  /// Looks which of their threads are at work; called about twice a second.
  ///
  /// @param seconds since the call before; 0 for the first
  void sample(double seconds) throws IOException {
    Map<Integer, Long> ticks = new HashMap<>();
    Map<Integer, Long> delays = new HashMap<>();
    boolean isStopped = false;
    for (int process : each().keySet()) {
      for (Proc.Task thread : proc.threads(process)) {
        isStopped |= thread.stopped();
        ticks.put(thread.id(), thread.processorTime());
        delays.put(thread.id(), proc.delayNanos(process, thread.id()));
      }
    }
    if (seconds > 0) {
      samples++;
      stoppedSamples += isStopped ? 1 : 0;
      ticks.forEach((id, now) -> {
        double share = (now - lastTicks.getOrDefault(id, 0L)) / Proc.TICKS_PER_S / seconds;
        long delay = delays.getOrDefault(id, -1L);
        long waited = delay - lastDelays.getOrDefault(id, 0L);
        double delayShare = Math.clamp(waited / seconds / 1e9, 0, 1);
        if (share + delayShare >= BUSY_SHARE_MIN) {
          busyCount++;
          busyShares += share;
          delaysKnown &= delay >= 0;
          delayShares += delayShare;
        }
      });
    }
    lastTicks = ticks;
    lastDelays = delays;
  }

  /// How many threads were at work at once, on the average; -1 if nobody looked.
  double busyProcessesMean() {
    return samples == 0 ? -1 : (double) busyCount / samples;
  }

  /// For how much of the time one of them was stopped; 0 if nobody looked.
  double stoppedPercent() {
    return samples == 0 ? 0 : 100.0 * stoppedSamples / samples;
  }

  /// For how much of the time those had to wait for a processor; -1 if unknown.
  double waitingPercentMean() {
    return busyCount == 0 || !delaysKnown ? -1 : 100 * delayShares / busyCount;
  }

  /// How busy those were, in percent of one processor; -1 if none was.
  double busyPercentMean() {
    return busyCount == 0 ? -1 : Math.min(100, 100 * busyShares / busyCount);
  }
}
