package millrace.connectors.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.FileEnd;
import millrace.connectors.sql.KeptFiles;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.SqlTables;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.HeldState;
import millrace.connectors.sql.read.HeldStates;
import millrace.connectors.sql.read.SqlSource;
import millrace.connectors.sql.write.SqlTarget;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileFormat;
import millrace.io.FileIdentity;
import millrace.spi.ColumnsOption;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.SharedSnapshot.Held;
import millrace.spi.catalog.TableEntry;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// A database that is a file, and what lies beside it.
///
/// While this process has a connection to a file, nothing else here may open it: whoever closes it
/// lets go of all of the process's locks on it, and others could write among our reading.
///
/// A journal beside the file belongs to it. A file without the journal that a killed process has
/// left can't be read: so none is removed, but together with a file that holds nothing.
///
/// @param label how to name it in plans, reports and errors
/// @param path where it is
/// @param kind what databases of its kind have in common
record FileDatabase(String label, Path path, Kind kind) {

  /// What databases of one kind have in common.
  ///
  /// @param schema the schema of a table that is named alone; others are not known
  /// @param format how their files are told from others
  /// @param companions endings of the files that lie beside one and belong to it
  /// @param log the ending of the one that holds what others have committed; may be empty
  /// @param opener opens connections
  record Kind(
      Dialect dialect,
      String schema,
      FileFormat format,
      List<String> companions,
      String log,
      Opener opener) {}

  /// Opens connections.
  @FunctionalInterface
  interface Opener {

    /// Opens one.
    ///
    /// @param writes whether rows will be written, and the file made if it is not there
    /// @throws SQLException what the driver says against it
    Connection open(Path path, boolean writes) throws SQLException;
  }

  /// Connections by the true path of their files; some may be closed.
  private static final Map<String, ConcurrentLinkedQueue<Connection>> OPEN =
      new ConcurrentHashMap<>();

  /// The file that an endpoint names.
  ///
  /// @throws Fault.User if it names none
  static FileDatabase of(Endpoint endpoint, Kind kind) {
    if (endpoint.location().isEmpty() || endpoint.location().equals(":memory:")) {
      throw new Fault.User(
          endpoint.label() + " names no file.",
          "Write " + endpoint.scheme() + ":path/file.db?table=orders");
    }
    return new FileDatabase(endpoint.label(), Path.of(endpoint.location()), kind);
  }

  /// The tables that an endpoint names.
  List<TableEntry> tables(Endpoint endpoint) {
    checkExists(endpoint.label());
    return SqlTables.of(database(), endpoint, kind.schema);
  }

  /// Runs statements of the user's.
  public void run(Endpoint endpoint, List<String> statements, OpenContext context) {
    checkExists(endpoint.label());
    database().run(statements, context);
  }

  private void checkExists(String named) {
    if (!exists()) {
      throw new Fault.User(named + ": there is no file " + path + ".", "Correct the path.");
    }
  }

  /// Keeps the file in one state for the sources of a job. As long as it has no write-ahead log,
  /// nobody can commit meanwhile.
  Held hold(List<Endpoint> ends, int lanes, OpenContext context) {
    checkExists(ends.getFirst().label());
    if (context.shared() == null) {
      return Held.none(ends, "SQLite keeps a file in one state for the connections of one process");
    }
    String identity = identity();
    SqlDatabase database = database();
    SqlSession first = SqlSession.open(database, false);
    try {
      context.needs(first);
      SnapshotConnections all =
          kind.dialect.reads().snapshot(database, first, lanes, relation(ends.getFirst()));
      HeldState state =
          new HeldState(
              identity,
              IntStream.range(0, lanes).mapToObj(all::lane).toList(),
              List.of(),
              () -> {
                all.close();
                first.close();
              });
      HeldStates.keep(state, ends, context);
      return Held.all(ends, state::close);
    } catch (RuntimeException e) {
      first.close();
      throw e;
    }
  }

  private TableOrQuery relation(Endpoint endpoint) {
    return TableOrQuery.source(endpoint, kind.dialect.names(), kind.schema);
  }

  /// Opens what an endpoint names for reading.
  ///
  /// @param held the state in which it is read; null for that of its copy
  Source source(Endpoint endpoint, Selection selection, @Nullable HeldState held) {
    String named = TableOrQuery.label(endpoint);
    checkExists(named);
    Names names = kind.dialect.names();
    TableOrQuery relation = relation(endpoint);
    List<ColumnsOption.Named> readAs =
        ColumnsOption.of(endpoint, SqlSource.COLUMNS, SqliteTimes.WAYS);
    SqlSource.Identity identity =
        new SqlSource.Identity(
            named,
            kind.dialect.types().system()
                + " "
                + key()
                + " "
                + relation.identity(names)
                + endpoint.text(SqlSource.COLUMNS).map(" as "::concat).orElse(""),
            held == null ? this::identity : held::identity,
            "is in the very file that the copy writes to");
    SqlDatabase database = held == null ? database() : database(SqliteDialect.of(held));
    return new SqlSource(database, relation, identity, selection, readAs);
  }

  /// Opens what an endpoint names for writing.
  ///
  /// @param kept what the copies of its job leave to each other; null if it is of none
  Target target(Endpoint endpoint, WriteOptions options, @Nullable KeptFiles kept) {
    Names names = kind.dialect.names();
    TableName table = TableOrQuery.target(endpoint, names, kind.schema);
    if (!names.same(table.schema(), kind.schema)) {
      throw new Fault.User(
          label + " has no schema " + table.schema() + ".",
          "Name the table alone: such a file has one schema, " + kind.schema + ".");
    }
    SqlDatabase database = kept == null ? database() : database(kept);
    return new SqlTarget(database, table, TableOrQuery.label(endpoint), options);
  }

  private String key() {
    return FileIdentity.realPath(path);
  }

  private boolean isOpen() throws SQLException {
    ConcurrentLinkedQueue<Connection> connections =
        OPEN.getOrDefault(key(), new ConcurrentLinkedQueue<>());
    for (Connection connection : connections) {
      if (connection.isClosed()) {
        connections.remove(connection);
      }
    }
    return !connections.isEmpty();
  }

  private List<Path> companions() {
    return kind.companions.stream().map(end -> Path.of(path + end)).toList();
  }

  /// Whether the file is there.
  boolean exists() {
    return Files.exists(path);
  }

  /// The file as a database. One that is not there yet is removed if a copy into it is undone, and
  /// nothing else is in it.
  SqlDatabase database() {
    return database(kind.dialect);
  }

  private SqlDatabase database(Dialect dialect) {
    Runnable undone = exists() ? () -> {} : this::removeEmpty;
    return new SqlDatabase(label, dialect, this::exists, this::open, undone, new FileEnd());
  }

  /// The same for copies of a job, one of which leaves its connection to the next, unless it is
  /// undone.
  private SqlDatabase database(KeptFiles kept) {
    SqlDatabase alone = database();
    SqlDatabase.Connector connector =
        new SqlDatabase.Connector() {
          @Override
          public Connection open(boolean writes) throws SQLException {
            return kept.take(key()) instanceof Connection left
                ? left
                : FileDatabase.this.open(true);
          }

          @Override
          public void close(Connection connection) throws SQLException {
            if (!kept.leave(key(), connection)) {
              connection.close();
            }
          }
        };
    Runnable undone =
        () -> {
          kept.letGo(key());
          alone.undone().run();
        };
    return new SqlDatabase(label, kind.dialect, this::exists, connector, undone, alone.end());
  }

  private Connection open(boolean writes) throws SQLException {
    check();
    Connection connection = kind.opener.open(path, writes);
    OPEN.computeIfAbsent(key(), _ -> new ConcurrentLinkedQueue<>()).add(connection);
    return connection;
  }

  /// A file that has to be put in order first may not look like one of its own.
  private void check() throws SQLException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new Fault.User(
          label + ": there is no folder " + folder + ".", "Make it, or correct the path.");
    }
    if (Files.isDirectory(path)) {
      throw new Fault.User(label + " is a folder.", "Name a file in it.");
    }
    if (isOpen() || companions().stream().anyMatch(Files::exists)) {
      return;
    }
    FileFormat found = FileFormat.of(path);
    if (found != null && found != kind.format) {
      throw new Fault.User(
          label + " is not " + kind.format.what() + ".",
          "It is " + found.what() + ". Name another file, or one that is new.");
    }
  }

  /// What tells whether the file is the same later; empty if this process has it open, or others
  /// hold a lock on it. A log that somebody has left is taken into the file first, as it would be
  /// when we close it.
  String identity() {
    try {
      if (isOpen() || !exists()) {
        return "";
      }
      if (companions().stream().anyMatch(Files::exists) && tables() == null) {
        return "";
      }
      List<String> each = new ArrayList<>(List.of(FileIdentity.of(path)));
      Path log = Path.of(path + kind.log);
      if (!kind.log.isEmpty() && Files.exists(log)) {
        each.add(FileIdentity.of(log));
      }
      return FileIdentity.ofAll(each);
    } catch (IOException e) {
      throw new Fault.External(label + " can't be read: " + FileTrouble.reason(e), "", e);
    } catch (SQLException e) {
      throw kind.dialect.faults().of(e, label);
    }
  }

  /// Names of its tables; null if others hold a lock on it.
  private @Nullable List<String> tables() {
    try (SqlSession session = impatient()) {
      return kind.dialect.catalog().tables(session, "");
    } catch (Fault.Transient e) {
      LoggerFactory.getLogger(FileDatabase.class).debug("others hold a lock", e);
      return null;
    }
  }

  /// A session to which no fault is a lock: it waits for none.
  private SqlSession impatient() {
    SqlSession.Faults faults = (e, at) -> kind.dialect.faults().of(e, at);
    try {
      return new SqlSession(database().connector().open(false), label, faults);
    } catch (SQLException e) {
      throw faults.of(e, label);
    }
  }

  private void removeEmpty() {
    try {
      List<String> tables = exists() ? tables() : null;
      if (tables != null && tables.isEmpty() && !isOpen()) {
        remove();
      }
    } catch (SQLException e) {
      throw kind.dialect.faults().of(e, label);
    }
  }

  /// Removes the file, and what lies beside it.
  void remove() {
    List<Path> files = new ArrayList<>(List.of(path));
    files.addAll(companions());
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw new Fault.External(
            "Can't remove " + file + ": " + FileTrouble.reason(e), "Remove it.", e);
      }
    }
  }
}
