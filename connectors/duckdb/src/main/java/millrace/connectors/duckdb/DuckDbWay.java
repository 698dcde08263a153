package millrace.connectors.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.sql.KeptFiles;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.write.LoadStart;
import millrace.connectors.sql.write.WayIn;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.LaneLimit;
import millrace.spi.load.LoadWalk;
import millrace.spi.write.Mode;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// A table of a DuckDB file is written by one statement that takes the rows of all lanes.
///
/// Everything that a run does happens in one transaction, in every mode: until it commits, the
/// table is what it was; when it commits, all rows are there. The file is opened when it is first
/// needed: opening makes it.
final class DuckDbWay implements WayIn, SqlDatabase.Connector {

  private final String label;
  private final String databaseLabel;
  private final Path file;
  private final long memoryBytes;
  private final @Nullable KeptFiles kept;
  private volatile @Nullable DuckDbDatabase opened;

  /// @param label the table, for errors
  /// @param databaseLabel how to name the database in errors
  /// @param memoryBytes most memory, or 0 for the default
  /// @param kept what the copies of its job leave to each other; null if it is of none
  DuckDbWay(
      String label, String databaseLabel, Path file, long memoryBytes, @Nullable KeptFiles kept) {
    this.kept = kept;
    this.label = label;
    this.databaseLabel = databaseLabel;
    this.file = file;
    this.memoryBytes = memoryBytes;
  }

  /// The file as a database. One that is not there yet is removed if a copy into it is undone, and
  /// nothing else is in it.
  SqlDatabase database() {
    Runnable undone = Files.exists(file) ? this::letGo : this::removeEmpty;
    return new SqlDatabase(
        databaseLabel, DuckDbDialect.DUCKDB, () -> Files.exists(file), this, undone);
  }

  private String key() {
    return FileIdentity.realPath(file);
  }

  @Override
  public Connection open(boolean writes) {
    DuckDbDatabase database =
        kept != null && kept.take(key()) instanceof DuckDbDatabase left
            ? left
            : DuckDbDatabase.open(databaseLabel, file, memoryBytes);
    opened = database;
    return database.own();
  }

  /// Leaves it to the next copy of the job.
  @Override
  public void close(Connection connection) throws SQLException {
    if (kept == null || !connection.equals(current().own()) || !kept.leave(key(), current())) {
      connection.close();
    }
  }

  /// A copy that is undone leaves nothing to others.
  private void letGo() {
    if (kept != null) {
      kept.letGo(key());
    }
  }

  /// The database that was opened last.
  DuckDbDatabase current() {
    DuckDbDatabase database = opened;
    if (database == null) {
      throw new Fault.Bug(databaseLabel + " is written before it is open", null);
    }
    return database;
  }

  private void removeEmpty() {
    letGo();
    if (!Files.exists(file)) {
      return;
    }
    boolean isEmpty;
    try (SqlSession session = SqlSession.open(database(), true)) {
      isEmpty = DuckDbCatalog.names(session).isEmpty() && current().isMine();
    }
    letGo();
    if (isEmpty) {
      DuckDbDatabase.delete(file);
    }
  }

  @Override
  public LaneLimit lanes(@Nullable TableInfo there) {
    return LaneLimit.NONE;
  }

  @Override
  public WritePlan writePlan(SqlLoad load, Supplier<SqlSession> session, WritePlan usual) {
    boolean replaces = load.mode() == Mode.REPLACE && load.found() != null;
    if (replaces) {
      refuseIfReferenced(session.get(), load.table());
    }
    return new WritePlan(
        usual.schema(),
        usual.mode(),
        replaces && !load.makes() ? DuckDbDefinition.sql(session.get(), load.table()) : usual.ddl(),
        usual.notes(),
        List.of(detail(load)));
  }

  private void refuseIfReferenced(SqlSession session, TableName table) {
    List<String> dependents = DuckDbCatalog.dependents(session, table);
    if (!dependents.isEmpty()) {
      throw new Fault.User(
          label
              + " can't be replaced: foreign keys of "
              + String.join(", ", dependents)
              + " point to it.",
          "Use --mode truncate or merge.");
    }
  }

  private static String detail(SqlLoad load) {
    String atOnce = "The table and all its rows appear at once, when the run is complete.";
    return switch (load.mode()) {
      case CREATE -> atOnce;
      case REPLACE ->
          load.found() == null
              ? atOnce
              : load.makes()
                  ? "The old table stays until the run is complete."
                  : "The table keeps its definition. The old one stays until the run is complete.";
      case APPEND, TRUNCATE ->
          "One transaction: all rows appear at once, when the run is complete.";
      case MERGE -> "Rows are staged, then merged in one transaction; the last row of a key wins.";
    };
  }

  @Override
  public WriteSession open(SqlLoad load, LoadStart start) {
    // This opens the database, if nothing has asked for it yet.
    start.session().get();
    DuckDbPlace place = new DuckDbPlace(current(), label, load, start);
    return LoadWalk.open(place, place, start.journal(), load.landing(), start.write());
  }
}
