package millrace.connectors.duckdb;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import millrace.connectors.sql.Names;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileFormat;
import millrace.io.FileIdentity;
import millrace.spi.Option;
import org.duckdb.DuckDBConnection;

/// One database open in this process: a file, or a nameless one in memory for Parquet files and
/// queries.
///
/// All that open the same file share one instance of DuckDB, because it is opened by its real path
/// and always with the same options; so one copy may read and write the same file. Threads may
/// share a database; each of its connections is for one thread.
public final class DuckDbDatabase implements AutoCloseable {

  /// The parameter that says how much memory DuckDB may take.
  public static final Option MEMORY_LIMIT =
      new Option(
          "memory-limit",
          "most memory that DuckDB takes beside the Java heap, before it spills to disk; by"
              + " default half of the machine's, at most 4GB.",
          "8GB");

  private static final long MEMORY_DEFAULT_MAX = 4L << 30;

  /// What those that have one file open share.
  ///
  /// @param moment what keeps commits apart from the moments at which readers begin
  /// @param roots their connections; some may be closed
  private record Shared(ReentrantLock moment, Set<DuckDBConnection> roots) {
    Shared() {
      this(new ReentrantLock(), new HashSet<>());
    }

    /// How many have it open.
    int users() {
      synchronized (roots) {
        roots.removeIf(Shared::isClosed);
        return roots.size();
      }
    }

    private static boolean isClosed(DuckDBConnection root) {
      try {
        return root.isClosed();
      } catch (SQLException e) {
        throw new Fault.Bug("DuckDB does not tell whether a connection is closed", e);
      }
    }
  }

  private static final Map<String, Shared> SHARED = new ConcurrentHashMap<>();

  private final String label;
  private final DuckDBConnection root;
  private final Shared shared;

  private DuckDbDatabase(String label, DuckDBConnection root, Shared shared) {
    this.label = label;
    this.root = root;
    this.shared = shared;
  }

  /// Opens a file that exists, or makes one in a folder that exists.
  ///
  /// @param label how to name it in errors
  /// @param memoryBytes most memory, or 0 for the default
  /// @throws Fault if it can't be opened
  static DuckDbDatabase open(String label, Path file, long memoryBytes) {
    String path = realPath(label, file);
    Shared shared = SHARED.computeIfAbsent(path, _ -> new Shared());
    if (shared.users() == 0) {
      checkFormat(label, Path.of(path));
    }
    return open(label, path, memoryBytes, shared);
  }

  /// What tells whether a database's file is the same later; nothing if this process has it open.
  ///
  /// It is asked before the file is opened: who closes a file lets go of DuckDB's lock on it. A log
  /// that somebody has left behind is taken into the file first, as it would be when we close it.
  static String identity(String label, Path file, long memoryBytes) {
    String path = realPath(label, file);
    Shared shared = SHARED.get(path);
    if (shared != null && shared.users() > 0) {
      return "";
    }
    Path log = Path.of(path + ".wal");
    if (Files.exists(log)) {
      open(label, file, memoryBytes).close();
    }
    return identity(label, Files.exists(log) ? List.of(path, log.toString()) : List.of(path));
  }

  /// What tells whether files are the same later.
  public static String identity(String label, List<String> paths) {
    List<String> each = new ArrayList<>();
    try {
      for (String path : paths) {
        each.add(FileIdentity.of(Path.of(path)));
      }
    } catch (IOException e) {
      throw new Fault.External(label + " can't be read: " + FileTrouble.reason(e), "", e);
    }
    return FileIdentity.ofAll(each);
  }

  /// Opens a database in memory that nobody else sees.
  public static DuckDbDatabase inMemory(String label, long memoryBytes) {
    return open(label, ":memory:", memoryBytes, new Shared());
  }

  private static DuckDbDatabase open(String label, String path, long memoryBytes, Shared shared) {
    DuckDBConnection root = null;
    try {
      root = DuckDBConnection.newConnection("jdbc:duckdb:" + path, false, null, new Properties());
      DuckDbDatabase database = new DuckDbDatabase(label, root, shared);
      long limit = memoryBytes > 0 ? memoryBytes : defaultMemoryBytes();
      database.set("memory_limit", Names.text(limit + "B"));
      // A statement of ours never needs what would have to be fetched from the network.
      database.set("autoinstall_known_extensions", "false");
      if (path.equals(":memory:")) {
        database.set("temp_directory", Names.text(temporaryFolder()));
        // DuckDB 2.0 hands what it writes to a Parquet file to threads of their own. A statement
        // that fails or is stopped then now and then waits for ever: it holds a lock until they are
        // done, and one of them wants that lock. Without them each thread writes for itself.
        database.set("async_threads", "0");
      } else if (!database.isFile()) {
        throw new Fault.User(label + DuckDbFaults.NO_DATABASE, DuckDbFaults.NO_DATABASE_ADVICE);
      }
      utc(root);
      synchronized (shared.roots) {
        shared.roots.add(root);
      }
      return database;
    } catch (Exception e) {
      closeQuietly(root);
      throw e instanceof Fault fault ? fault : DuckDbFaults.opening(e, label);
    } catch (LinkageError e) {
      throw DuckDbFaults.noLibrary(e);
    }
  }

  /// Says what else a file is: DuckDB would fetch something from the network to open an SQLite
  /// database. Not asked while we have the file open: who closes it lets go of DuckDB's lock on it.
  private static void checkFormat(String label, Path path) {
    FileFormat found = FileFormat.of(path);
    if (found != null && found != FileFormat.DUCKDB) {
      throw new Fault.User(
          label + DuckDbFaults.NO_DATABASE,
          "It is " + found.what() + ". " + DuckDbFaults.NO_DATABASE_ADVICE);
    }
  }

  /// Whether what was opened is a DuckDB file. DuckDB opens a Parquet, CSV or JSON file as well: as
  /// a database in memory with a view on it, where what is written is gone when it is closed.
  private boolean isFile() throws SQLException {
    try (Statement statement = root.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT type = 'duckdb' AND path IS NOT NULL FROM duckdb_databases()"
                    + " WHERE database_name = current_database()")) {
      return found.next() && found.getBoolean(1);
    }
  }

  /// Removes a file of DuckDB's that nobody has open, with its log.
  ///
  /// @throws Fault.External if it is there and can't be removed
  public static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".wal"));
    } catch (IOException e) {
      throw new Fault.External(
          "Can't remove " + file + ": " + FileTrouble.reason(e), "Remove it.", e);
    }
  }

  private static void closeQuietly(
      org.duckdb.@org.jspecify.annotations.Nullable DuckDBConnection c) {
    try {
      if (c != null) {
        c.close();
      }
    } catch (SQLException e) {
      org.slf4j.LoggerFactory.getLogger(DuckDbDatabase.class).debug("close failed", e);
    }
  }

  private static String realPath(String label, Path file) {
    if (Files.isDirectory(file)) {
      throw new Fault.User(label + " is a folder.", "Name a file in it.");
    }
    try {
      if (Files.exists(file)) {
        return openable(label, file.toRealPath());
      }
      Path absolute = file.toAbsolutePath();
      Path folder = absolute.getParent();
      if (folder == null || !Files.isDirectory(folder)) {
        throw new Fault.User(
            label + ": there is no folder " + folder + ".", "Make it, or correct the path.");
      }
      return openable(label, folder.toRealPath().resolve(absolute.getFileName()));
    } catch (IOException e) {
      throw new Fault.External(label + " can't be reached: " + FileTrouble.reason(e), "", e);
    }
  }

  /// The path as the driver takes it. Links have been followed: what they lead to counts.
  private static String openable(String label, Path real) {
    String path = real.toString();
    if (path.contains(";") || !path.equals(path.strip())) {
      // The driver would open another file: it ends the path there, and takes the rest for options.
      throw new Fault.User(
          label + ": DuckDB's driver can't open a file with a semicolon or a blank at the end.",
          "Rename the file.");
    }
    if (File.separatorChar != '\\' && path.contains("\\")) {
      // DuckDB takes it for the end of a folder's name.
      throw new Fault.User(
          label + ": DuckDB can't open a file with a backslash in its path, " + path + ".",
          "Rename the file, or the folder.");
    }
    return path;
  }

  private static long defaultMemoryBytes() {
    long machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    return Math.min(MEMORY_DEFAULT_MAX, machine / 2);
  }

  /// What does not fit in memory lies in a folder that nobody else may look into; DuckDB would make
  /// one that all may read.
  private static String temporaryFolder() throws IOException {
    Path folder = Files.createTempDirectory("millrace-duckdb-");
    folder.toFile().deleteOnExit();
    return folder.toString();
  }

  /// How the database is named in errors.
  public String label() {
    return label;
  }

  /// Held while one of our transactions commits, and while readers begin theirs: so that all the
  /// lanes of a source see one state.
  public ReentrantLock moment() {
    return shared.moment;
  }

  /// A connection for one thread; the caller closes it.
  public DuckDBConnection connect() {
    try {
      DuckDBConnection connection = root.duplicate();
      utc(connection);
      return connection;
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    }
  }

  /// Instants are counted in UTC; in any other zone their text and their casts would differ.
  private static void utc(DuckDBConnection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
    }
  }

  /// Its own connection; whoever closes it closes the database.
  DuckDBConnection own() {
    return root;
  }

  /// Sets an option of the whole database.
  public void set(String option, String value) {
    // The database's own connection may be at work.
    try (DuckDBConnection other = root.duplicate()) {
      execute(other, "SET GLOBAL " + option + " = " + value);
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    }
  }

  /// Sets how many threads DuckDB works with, if nobody else has the file open.
  ///
  /// DuckDB ends its threads and starts others, and holds everybody up until they have ended; a
  /// thread that waits for the rows of another's load would never end. So who shares a file takes
  /// the threads that there are.
  public void threads(int threads) {
    synchronized (shared.roots) {
      if (isMine()) {
        set("threads", Integer.toString(threads));
      }
    }
  }

  /// Runs a statement.
  ///
  /// @throws Fault what DuckDB said against it
  public void execute(DuckDBConnection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    }
  }

  /// Whether nobody else in this process has the file open.
  boolean isMine() {
    return shared.users() == 1;
  }

  /// Closes a connection, and then the database.
  ///
  /// @param label how to name it in errors
  public void closeWith(DuckDBConnection connection, String label) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    } finally {
      close();
    }
  }

  @Override
  public void close() {
    try {
      root.close();
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    }
  }
}
