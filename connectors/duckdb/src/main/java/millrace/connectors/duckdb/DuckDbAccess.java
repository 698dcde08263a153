package millrace.connectors.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// The database that a target writes to, opened when it is first needed: opening a file makes it.
///
/// The target's thread uses it; any may {@link #cancel}.
final class DuckDbAccess implements AutoCloseable {

  private final String label;
  private final Path file;
  private final long memoryBytes;
  private final boolean isAbsent;
  private volatile @Nullable Opened opened;

  private record Opened(DuckDbDatabase database, DuckDBConnection connection, SqlSession session) {}

  /// @param label how to name the database in errors
  /// @param memoryBytes most memory, or 0 for the default
  DuckDbAccess(String label, Path file, long memoryBytes) {
    this.label = label;
    this.file = file;
    this.memoryBytes = memoryBytes;
    isAbsent = Files.notExists(file);
  }

  private Opened opened() {
    Opened known = opened;
    if (known == null) {
      DuckDbDatabase database = DuckDbDatabase.open(label, file, memoryBytes);
      try {
        DuckDBConnection connection = database.connect();
        known =
            new Opened(database, connection, new SqlSession(connection, label, DuckDbFaults::of));
      } catch (Fault e) {
        database.close();
        throw e;
      }
      opened = known;
    }
    return known;
  }

  /// Where it is.
  Path file() {
    return file;
  }

  /// Whether there was no file at first, so that it is made here.
  boolean isMadeHere() {
    return isAbsent;
  }

  /// Whether it is open.
  boolean isOpen() {
    return opened != null;
  }

  DuckDbDatabase database() {
    return opened().database;
  }

  DuckDBConnection connection() {
    return opened().connection;
  }

  /// Those that can be stopped.
  SqlSession session() {
    return opened().session;
  }

  /// @param name how it is named in errors
  DuckDbCatalog catalog(String name) {
    return new DuckDbCatalog(connection(), name);
  }

  /// Runs a statement that nobody stops.
  void execute(String sql) {
    database().execute(connection(), sql);
  }

  /// Ends the statement that runs soon.
  void cancel() {
    Opened known = opened;
    if (known != null) {
      known.session.cancel();
    }
  }

  /// Closes it, if it is open; it can be opened again.
  @Override
  public void close() {
    Opened known = opened;
    opened = null;
    if (known == null) {
      return;
    }
    known.database.closeWith(known.connection, label);
  }
}
