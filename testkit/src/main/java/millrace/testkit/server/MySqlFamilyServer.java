package millrace.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A real MariaDB or MySQL for tests: a superuser `root` who needs no password, and as many
/// databases as wanted.
///
/// It listens on a free port of the loopback interface. Its files lie in a temporary folder. It
/// ends with the JVM, even if that is killed. If the tests are root's, it runs as `nobody`. It
/// takes `LOAD DATA LOCAL INFILE`, and may read and write files anywhere.
///
/// What was committed survives a kill of the server, but not one of the machine: nothing is synced,
/// which is faster. The options of {@link #synced} ask for it.
///
/// One is used by any number of threads; {@link #kill} and {@link #restart} by one.
public abstract sealed class MySqlFamilyServer implements AutoCloseable
    permits MariaDbServer, MySqlServer {

  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final int START_SECONDS_MAX = 60;
  private static final int SHOWN_LOG_LINES = 10;
  private static final boolean IS_ROOT = System.getProperty("user.name").equals("root");

  private final String scheme;
  private final Path program;
  private final Path folder;
  private final Path log;
  private final int port;
  private final List<String> options;
  private @Nullable ServerProcess process;

  /// @param scheme what URLs of such a server begin with
  /// @param program the server's program
  /// @param options options for every start; later ones override earlier ones
  MySqlFamilyServer(String scheme, Path program, List<String> options) {
    this.scheme = scheme;
    this.program = program;
    this.options = List.copyOf(options);
    try {
      folder = Files.createTempDirectory("millrace-" + scheme + "-");
      own(folder);
      own(Files.createDirectory(files()));
      port = ServerPorts.free();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    log = folder.resolve("server.log");
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /// Options that make a server sync what it commits, as servers do by default.
  public static String[] synced() {
    return new String[] {"--innodb-flush-method=fsync", "--innodb-flush-log-at-trx-commit=1"};
  }

  private static void own(Path path) throws IOException {
    if (IS_ROOT) {
      Files.setOwner(
          path,
          path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    }
  }

  /// Makes the data folder, for the first server by a command, and starts the server.
  ///
  /// @param name the server's and its version's
  final void begin(String name, List<String> initializing) {
    String kept = name + "-data-" + Integer.toHexString(initializing.hashCode());
    ServerPrograms.dataFolder(kept, data(), data -> initialize(initializing, data));
    restart();
  }

  private void initialize(List<String> initializing, Path data) throws IOException {
    own(data);
    List<String> command = new ArrayList<>(initializing);
    command.add("--datadir=" + data);
    command.addAll(user());
    if (ServerProcess.start(folder, log, command).await() != 0) {
      throw new IllegalStateException(scheme + " can't be set up: " + lastLog());
    }
  }

  /// A server that root starts goes on as somebody else.
  private static List<String> user() {
    return IS_ROOT ? List.of("--user=nobody") : List.of();
  }

  private Path data() {
    return folder.resolve("data");
  }

  /// Starts the server that {@link #kill} took down, with the same files on the same port, and
  /// returns when it takes connections.
  public final void restart() {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add("--no-defaults");
    command.addAll(
        List.of(
            "--datadir=" + data(),
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--socket=" + folder.resolve("socket"),
            "--pid-file=" + folder.resolve("pid"),
            "--tmpdir=" + folder,
            "--secure-file-priv=",
            "--local-infile=1",
            "--skip-log-bin",
            "--character-set-server=utf8mb4",
            "--max-allowed-packet=64M",
            "--innodb-use-native-aio=0",
            "--innodb-flush-method=nosync",
            // A commit is written to the file, which outlives the process, and not synced.
            "--innodb-flush-log-at-trx-commit=2"));
    command.addAll(options);
    command.addAll(user());
    try {
      ServerProcess started = ServerProcess.start(folder, log, command);
      process = started;
      awaitConnections(started);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitConnections(ServerProcess started) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    SQLException last = null;
    while (started.isAlive() && System.nanoTime() < end) {
      try (Connection connection = DriverManager.getConnection(jdbcUrl(""))) {
        if (connection.isValid(START_SECONDS_MAX)) {
          return;
        }
      } catch (SQLException e) {
        last = e;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
    throw new IllegalStateException(scheme + " does not start: " + lastLog(), last);
  }

  private String lastLog() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - SHOWN_LOG_LINES), lines.size()));
    } catch (IOException e) {
      return "its log can't be read: " + e;
    }
  }

  /// Takes the server down at once, as kill -9 does: nothing is finished, nobody is told goodbye.
  /// {@link #restart} brings it back. Not for the shared one.
  public final void kill() {
    if (process != null) {
      process.kill();
      process = null;
    }
  }

  /// The port of the loopback interface that it listens on.
  public final int port() {
    return port;
  }

  /// A folder in which the server may write files (`SELECT … INTO OUTFILE`), and the tests too.
  public final Path files() {
    return folder.resolve("files");
  }

  /// The URL that a user would write, without parameters.
  ///
  /// @param password empty for none
  public final String url(String user, String password, String database) {
    String login = password.isEmpty() ? user : user + ":" + password;
    return scheme + "://" + login + "@127.0.0.1:" + port + "/" + database;
  }

  /// Where the driver finds a database, as the superuser.
  ///
  /// @param database empty for none
  public final String jdbcUrl(String database) {
    return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&allowLocalInfile=true";
  }

  /// A connection of the superuser, which the caller closes.
  ///
  /// @param database empty for none
  public final Connection connect(String database) {
    try {
      return DriverManager.getConnection(jdbcUrl(database));
    } catch (SQLException e) {
      throw new AssertionError("no connection to the test server", e);
    }
  }

  /// Makes an empty database of utf8mb4, and returns its name.
  public final String newDatabase() {
    String name = "test_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
    run("CREATE DATABASE " + name + " CHARACTER SET utf8mb4");
    return name;
  }

  /// Runs statements as the superuser, each in a transaction of its own and in no database.
  public final void run(String... statements) {
    runIn("", statements);
  }

  /// Runs statements as the superuser in a database, each in a transaction of its own.
  public final void runIn(String database, String... statements) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError("the test's own SQL fails: " + String.join("; ", statements), e);
    }
  }

  /// The server's version in its own words, for example `8.0.15` or `11.4.5-MariaDB`.
  public final String version() {
    try (Connection connection = connect("");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT version()")) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new AssertionError("the test server has no version", e);
    }
  }

  /// Ends the server, and removes its files.
  @Override
  public final void close() {
    kill();
    ServerPrograms.delete(folder);
  }
}
