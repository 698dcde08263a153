package millrace.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import millrace.testkit.server.ServerPorts;
import millrace.testkit.server.ServerProcess;

/// A master of Spark's and two workers of one core each, as two hosts. They end with this JVM, and
/// executors end with their workers.
final class StandaloneCluster implements AutoCloseable {

  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Path folder;
  private final int port;
  private final List<ServerProcess> servers = new ArrayList<>();
  private final List<String> workers = new ArrayList<>();

  /// @param folder where everything is kept
  /// @param java the JDK that the workers run on
  StandaloneCluster(SparkHome home, Path folder, Path java) throws IOException {
    this.folder = folder;
    port = ServerPorts.free();
    start(
        home.server(
            java,
            "org.apache.spark.deploy.master.Master",
            List.of("--host", "127.0.0.1", "--port", Integer.toString(port), "--webui-port", "0")),
        "master",
        "I have been elected leader");
    for (String host : List.of("127.0.0.1", "127.0.0.2")) {
      int own = ServerPorts.free();
      workers.add("Worker@" + host + ":" + own);
      List<String> words = new ArrayList<>(List.of("--host", host, "--port"));
      words.addAll(List.of(Integer.toString(own), "--webui-port", "0"));
      words.addAll(List.of("--cores", "1", "--memory", "600m"));
      words.addAll(List.of("--work-dir", work().resolve(host).toString(), master()));
      start(
          home.server(java, "org.apache.spark.deploy.worker.Worker", words),
          "worker-" + host,
          "Successfully registered with master");
    }
  }

  /// Starts a server, and waits until its log says that it is there.
  private void start(List<String> command, String name, String ready) throws IOException {
    Path own = Files.createDirectories(folder.resolve(name));
    Path log = folder.resolve(name + ".log");
    ServerProcess server = ServerProcess.start(own, log, command);
    servers.add(server);
    while (!Files.readString(log).contains(ready)) {
      if (!server.isAlive()) {
        throw new IOException(name + " does not start: " + Files.readString(log));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// What `--on` names.
  String master() {
    return "spark://127.0.0.1:" + port;
  }

  /// Where the workers keep the folders of their executors.
  Path work() {
    return folder.resolve("work");
  }

  /// Those that live.
  List<ProcessHandle> executors() {
    return processes().filter(each -> line(each).contains(EXECUTOR)).toList();
  }

  /// The processes of which those of this cluster are some: others may run beside it.
  private Stream<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(each -> workers.stream().anyMatch(line(each)::contains));
  }

  /// The worker whose child it is.
  static ProcessHandle worker(ProcessHandle executor) {
    return executor.parent().orElseThrow();
  }

  /// The executor that has a connection to a server of this machine.
  ///
  /// @param local its port at the executor's end
  /// @param remote its port at the server's
  ProcessHandle executor(int local, int remote) throws IOException {
    String socket = "socket:[" + inode(local, remote) + "]";
    return executors().stream()
        .filter(each -> holds(each, socket))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no executor has " + socket));
  }

  private static String inode(int local, int remote) throws IOException {
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] words = line.strip().split(" +", -1);
        if (words[1].endsWith(String.format(":%04X", local))
            && words[2].endsWith(String.format(":%04X", remote))) {
          return words[9];
        }
      }
    }
    throw new AssertionError("there is no connection from port " + local);
  }

  private static boolean holds(ProcessHandle process, String socket) {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return files.anyMatch(each -> socket.equals(link(each)));
    } catch (IOException _) {
      // It has ended.
      return false;
    }
  }

  private static String link(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException _) {
      // It was closed meanwhile.
      return "";
    }
  }

  /// What a process was started with; empty if it has ended.
  static String line(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).replace('\0', ' ');
    } catch (IOException _) {
      return "";
    }
  }

  /// Sends a signal.
  static void signal(String name, ProcessHandle... processes) {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    Stream.of(processes).map(each -> Long.toString(each.pid())).forEach(command::add);
    try {
      if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
        throw new AssertionError(command + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Waits until no executor is left.
  void awaitNoExecutor() {
    while (!executors().isEmpty()) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// The files in a folder that hold a text, whether they are of text or not.
  static List<String> filesWith(Path folder, String text) throws IOException {
    // Some may go meanwhile.
    Process grep =
        new ProcessBuilder("grep", "-rlsaF", "--", text, folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    return new String(grep.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }

  @Override
  public void close() {
    servers.reversed().forEach(ServerProcess::kill);
    awaitNoExecutor();
  }
}
