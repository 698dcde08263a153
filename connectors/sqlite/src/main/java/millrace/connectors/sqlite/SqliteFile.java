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
import millrace.connectors.sql.SqlDatabase;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileFormat;
import millrace.io.FileIdentity;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/// A file of SQLite's, and what lies beside it.
///
/// While this process has a connection to a file, nothing else here may open it: whoever closes
/// it lets go of all of the process's locks on it, and others could write among our reading.
///
/// A journal beside the file belongs to it. A file without the journal that a killed process has
/// left can't be read: so none is removed, but together with a file that holds nothing.
record SqliteFile(String label, Path path) {

  /// A statement waits so long by itself; beyond that it is asked anew, so that it can be stopped.
  private static final int BUSY_MILLIS = 50;

  private static final List<String> BESIDE = List.of("-journal", "-wal", "-shm");

  /// Connections by the true path of their files; some may be closed.
  private static final Map<String, ConcurrentLinkedQueue<Connection>> OPEN =
      new ConcurrentHashMap<>();

  private String key() {
    return FileIdentity.realPath(path);
  }

  private boolean isOpen() throws SQLException {
    ConcurrentLinkedQueue<Connection> connections = OPEN.getOrDefault(key(), new ConcurrentLinkedQueue<>());
    for (Connection connection : connections) {
      if (connection.isClosed()) {
        connections.remove(connection);
      }
    }
    return !connections.isEmpty();
  }

  private List<Path> beside() {
    return BESIDE.stream().map(end -> Path.of(path + end)).toList();
  }

  boolean exists() {
    return Files.exists(path);
  }

  /// The file as a database.
  ///
  /// @param isNew whether it is removed if a copy into it is undone, and nothing else is in it
  SqlDatabase database(boolean isNew) {
    return new SqlDatabase(
        label, SqliteDialect.INSTANCE, this::exists, this::open, isNew ? this::removeEmpty : () -> {});
  }

  private Connection open(boolean writes) throws SQLException {
    check();
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.enforceForeignKeys(writes);
    if (writes) {
      config.setCacheSize(-(64 << 10));
    } else {
      // A file that is only read from is opened to write all the same: only that way SQLite can put
      // in order what a killed process has left.
      config.resetOpenMode(SQLiteOpenMode.CREATE);
    }
    // As a URI, in which a question mark is no end.
    String uri = "file:" + path.toAbsolutePath().toUri().getRawPath();
    Connection connection = config.createConnection("jdbc:sqlite:" + uri);
    OPEN.computeIfAbsent(key(), _ -> new ConcurrentLinkedQueue<>()).add(connection);
    return connection;
  }

  /// A file that SQLite has to put in order first may not look like one of its own.
  private void check() throws SQLException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new Fault.User(
          label + ": there is no folder " + folder + ".", "Make it, or correct the path.");
    }
    if (Files.isDirectory(path)) {
      throw new Fault.User(label + " is a folder.", "Name a file in it.");
    }
    if (isOpen() || beside().stream().anyMatch(Files::exists)) {
      return;
    }
    FileFormat found = FileFormat.of(path);
    if (found != null && found != FileFormat.SQLITE) {
      throw new Fault.User(
          label + " is not an SQLite database.",
          "It is " + found.what() + ". Name another file, or one that is new.");
    }
  }

  /// What tells whether the file is the same later; empty if this process has it open. A log that
  /// somebody has left is taken into the file first, as it would be when we close it.
  String identity() {
    try {
      if (isOpen() || !exists()) {
        return "";
      }
      if (beside().stream().anyMatch(Files::exists)) {
        try (Connection connection = open(false)) {
          connection.createStatement().executeQuery("SELECT count(*) FROM sqlite_schema").close();
        }
      }
      List<String> each = new ArrayList<>(List.of(FileIdentity.of(path)));
      Path log = Path.of(path + "-wal");
      if (Files.exists(log)) {
        each.add(FileIdentity.of(log));
      }
      return FileIdentity.ofAll(each);
    } catch (IOException e) {
      throw new Fault.External(label + " can't be read: " + FileTrouble.reason(e), "", e);
    } catch (SQLException e) {
      throw SqliteDialect.INSTANCE.faults().of(e, label);
    }
  }

  private void removeEmpty() {
    if (!exists()) {
      return;
    }
    try {
      boolean isEmpty;
      try (Connection connection = open(false)) {
        isEmpty = SqliteDialect.INSTANCE.tables(connection).isEmpty();
      }
      if (isEmpty && !isOpen()) {
        remove();
      }
    } catch (SQLException e) {
      throw SqliteDialect.INSTANCE.faults().of(e, label);
    }
  }

  /// Removes the file, and what lies beside it.
  void remove() {
    List<Path> files = new ArrayList<>(List.of(path));
    files.addAll(beside());
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
