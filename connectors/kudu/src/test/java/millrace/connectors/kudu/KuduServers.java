package millrace.connectors.kudu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.server.ServerPorts;
import org.apache.kudu.client.AsyncKuduScanner;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.RowResult;
import org.jspecify.annotations.Nullable;

/// A real Kudu for tests: a master and some tablet servers of the binaries that its own tests use,
/// on free ports of the loopback interface, with their files in a temporary folder.
///
/// Cells and tables may be larger than a server allows by default, so that the suites can try what
/// they try of all systems. Stopped with the JVM.
final class KuduServers implements AutoCloseable {

  private static final String BINARY = "kudu-binary-1.18.1-linux-x86_64";
  private static final Path UNPACKED = Path.of("target", "kudu-binary").toAbsolutePath();

  /// Where Debian keeps the plug-ins by which servers and clients greet each other.
  private static final String SASL_PATH = "/usr/lib/x86_64-linux-gnu/sasl2";

  /// What a flag begins with that is the master's; all others are the tablet servers'.
  private static final String MASTER = "master:";

  private static @Nullable KuduServers shared;

  private final Path folder;
  private final int masterPort;
  private final int webPort;
  private final List<Integer> ports = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();
  private final List<String> flags;
  private final KuduClient client;

  private KuduServers(int tabletServers, List<String> flags) throws IOException {
    this.flags = List.copyOf(flags);
    unpack();
    folder = Files.createTempDirectory("millrace-kudu-");
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    masterPort = ServerPorts.free();
    webPort = ServerPorts.free();
    ports.add(masterPort);
    processes.add(start(0));
    for (int i = 1; i <= tabletServers; i++) {
      ports.add(ServerPorts.free());
      processes.add(start(i));
    }
    client = new KuduClient.KuduClientBuilder("127.0.0.1:" + masterPort).build();
    awaitServers(tabletServers);
  }

  /// The cluster that tests of one JVM share, with one tablet server.
  static synchronized KuduServers shared() {
    if (shared == null) {
      shared = start(1, "--max_cell_size_bytes=16777216");
    }
    return shared;
  }

  /// A cluster of its own, which the caller closes.
  static KuduServers start(int tabletServers, String... flags) {
    try {
      return new KuduServers(tabletServers, List.of(flags));
    } catch (IOException e) {
      throw new UncheckedIOException("Kudu does not start", e);
    }
  }

  /// A client for the test's own use.
  KuduClient client() {
    return client;
  }

  /// Where the master's web server is.
  String web() {
    return "127.0.0.1:" + webPort;
  }

  /// A table as an end of a copy.
  Endpoint table(String name, Map<String, String> parameters) {
    return new Endpoint("kudu", "//127.0.0.1:" + masterPort + "/" + name, parameters, Secret.NONE);
  }

  /// The rows of a table as Kudu's client scans them.
  List<List<@Nullable Object>> rows(String name, List<String> columns) throws KuduException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    KuduScanner scanner =
        client
            .newScannerBuilder(client.openTable(name))
            .readMode(AsyncKuduScanner.ReadMode.READ_YOUR_WRITES)
            .setProjectedColumnNames(columns)
            .build();
    try {
      for (RowResult row : scanner) {
        List<@Nullable Object> values = new ArrayList<>();
        for (String column : columns) {
          values.add(row.isNull(column) ? null : value(row, column));
        }
        rows.add(values);
      }
    } finally {
      scanner.close();
    }
    return rows;
  }

  private static Object value(RowResult row, String column) {
    return switch (row.getColumnType(column)) {
      case BINARY -> row.getBinaryCopy(column);
      case DATE -> row.getDate(column).toString();
      case UNIXTIME_MICROS -> {
        long micros = row.getLong(column);
        LocalDateTime time =
            LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, 1_000_000L),
                1_000 * (int) Math.floorMod(micros, 1_000_000L),
                ZoneOffset.UTC);
        boolean isPlain =
            row.getSchema().getColumn(column).getComment().equals("timestamp without time zone");
        yield isPlain ? time : time.atOffset(ZoneOffset.UTC);
      }
      default -> row.getObject(column);
    };
  }

  /// Deletes a table if it is there.
  void drop(String name) {
    try {
      if (client.tableExists(name)) {
        client.deleteTable(name, 0);
      }
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }

  /// Gives a table the name of another, which is dropped.
  void rename(String table, String name) {
    drop(name);
    try {
      client.alterTable(table, new org.apache.kudu.client.AlterTableOptions().renameTable(name));
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }

  /// Deletes all rows of a table.
  void empty(String name) {
    try {
      org.apache.kudu.client.KuduTable table = client.openTable(name);
      org.apache.kudu.client.KuduSession session = client.newSession();
      for (org.apache.kudu.client.RowResult row :
          client.newScannerBuilder(table).setProjectedColumnIndexes(List.of(0)).build()) {
        org.apache.kudu.client.Delete delete = table.newDelete();
        delete.getRow().addObject(0, row.getObject(0));
        session.apply(delete);
      }
      session.close();
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }

  /// Kills a server as kill -9 does; 0 is the master.
  void kill(int server) {
    Process process = processes.get(server);
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Starts a server again that was killed.
  void startAgain(int server) {
    try {
      processes.set(server, start(server));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process start(int server) throws IOException {
    Path home = UNPACKED.resolve(BINARY);
    String name = server == 0 ? "master" : "tserver";
    Path data = folder.resolve(name + server);
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve("kudu-" + name).toString());
    command.addAll(
        List.of(
            "--fs_wal_dir=" + data,
            "--fs_data_dirs=" + data,
            "--rpc_bind_addresses=127.0.0.1:" + ports.get(server),
            "--webserver_interface=127.0.0.1",
            "--webserver_port=" + (server == 0 ? webPort : 0),
            "--unlock_unsafe_flags",
            "--unlock_experimental_flags",
            "--time_source=system_unsync",
            "--never_fsync",
            "--enable_minidumps=false",
            "--log_preallocate_segments=false",
            "--log_container_preallocate_bytes=0",
            "--rpc_authentication=disabled",
            "--rpc_encryption=disabled",
            "--logtostderr"));
    if (server == 0) {
      command.add("--max_num_columns=1100");
    } else {
      command.add("--tserver_master_addrs=127.0.0.1:" + masterPort);
      command.add("--heartbeat_interval_ms=200");
    }
    for (String flag : flags) {
      boolean ofMaster = flag.startsWith(MASTER);
      if (ofMaster == (server == 0)) {
        command.add(flag.substring(ofMaster ? MASTER.length() : 0));
      }
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(
        ProcessBuilder.Redirect.appendTo(folder.resolve(name + server + ".log").toFile()));
    Map<String, String> environment = new HashMap<>();
    environment.put("LD_LIBRARY_PATH", home.resolve("lib").toString());
    environment.put("SASL_PATH", SASL_PATH);
    builder.environment().putAll(environment);
    return builder.start();
  }

  private void awaitServers(int wanted) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < end) {
      if (processes.stream().anyMatch(process -> !process.isAlive())) {
        throw new IOException("a server has ended: " + logs());
      }
      if (serversUp() >= wanted) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    throw new IOException("the tablet servers are not up: " + logs());
  }

  /// None if the master is not up yet.
  private int serversUp() {
    try {
      return client.listTabletServers().getTabletServersCount();
    } catch (KuduException _) {
      return 0;
    }
  }

  private String logs() throws IOException {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < processes.size(); i++) {
      Path log = folder.resolve((i == 0 ? "master" : "tserver") + i + ".log");
      List<String> lines = Files.readAllLines(log);
      all.append(log).append(lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }
    return all.toString();
  }

  /// Unpacks the binaries once; whoever comes second uses what is there.
  private static synchronized void unpack() throws IOException {
    if (Files.isDirectory(UNPACKED)) {
      return;
    }
    URL found = KuduServers.class.getClassLoader().getResource(BINARY + "/bin/kudu-tserver");
    if (found == null) {
      throw new IOException(BINARY + " is not on the class path");
    }
    String jar = found.getPath().substring("file:".length(), found.getPath().indexOf('!'));
    Path temporary = UNPACKED.resolveSibling("kudu-binary-" + ProcessHandle.current().pid());
    try (JarFile file = new JarFile(jar)) {
      Enumeration<JarEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        boolean wanted = entry.getName().startsWith(BINARY) && !entry.isDirectory();
        if (wanted) {
          Path to = temporary.resolve(entry.getName());
          Files.createDirectories(to.getParent());
          try (InputStream in = file.getInputStream(entry)) {
            Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
          }
          if (entry.getName().contains("/bin/") && !to.toFile().setExecutable(true)) {
            throw new IOException(to + " can't be made executable");
          }
        }
      }
    }
    try {
      Files.move(temporary, UNPACKED);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException _) {
      // Another process of the tests was faster.
      deleteAll(temporary);
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    try {
      for (Process process : processes) {
        process.waitFor();
      }
      deleteAll(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (java.util.stream.Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
