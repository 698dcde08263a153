package millrace.connectors.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import millrace.spi.Journal;
import millrace.spi.JournalText;
import millrace.spi.Mode;
import millrace.spi.RunRecord;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// A mark that a run is complete, in the table `millrace_journal` of the database.
///
/// All of a run is one transaction, so there are no receipts: its rows are there with the mark, or
/// nothing is. The mark goes when the run's end has been told. On the target's thread.
final class DuckDbJournal implements Journal {

  private static final Sql.Table TABLE = new Sql.Table("main", "millrace_journal");

  /// What a mark says.
  record Mark(RunRecord run, Mode mode) {}

  private final String label;
  private final Path file;
  private final Sql.Table target;
  private final Supplier<DuckDBConnection> connection;
  private final Supplier<DuckDbDatabase> database;
  private @Nullable RunRecord run;
  private boolean complete;

  /// @param label how to name the database in errors
  DuckDbJournal(
      String label,
      Path file,
      Sql.Table target,
      Supplier<DuckDbDatabase> database,
      Supplier<DuckDBConnection> connection) {
    this.label = label;
    this.file = file;
    this.target = target;
    this.database = database;
    this.connection = connection;
  }

  @Override
  public @Nullable Kept find(String job) {
    if (Files.notExists(file)) {
      return null;
    }
    DuckDbCatalog catalog = catalog();
    if (catalog.find(TABLE) == null || catalog.find(target) == null) {
      return null;
    }
    List<String> marks =
        catalog.query(
            "SELECT details FROM " + TABLE.sql() + " WHERE job = ? AND target = ?",
            row -> row.getString(1),
            job,
            target.sql());
    if (marks.isEmpty()) {
      return null;
    }
    Mark mark = read(marks.getLast());
    return new Kept(mark.run(), true, mark.mode() == Mode.APPEND, List.of());
  }

  @Override
  public Kept resume(Kept kept) {
    complete = true;
    return kept;
  }

  @Override
  public void open(RunRecord begun, @Nullable Kept before) {
    run = begun;
  }

  @Override
  public boolean keepsParts() {
    return false;
  }

  /// Whether the copy was complete already.
  boolean isComplete() {
    return complete;
  }

  /// Marks the run complete, in the transaction of its rows.
  void complete(Mode mode) {
    RunRecord done = run;
    if (done == null) {
      return;
    }
    execute(
        "CREATE TABLE IF NOT EXISTS "
            + TABLE.sql()
            + " (job VARCHAR NOT NULL, target VARCHAR NOT NULL, details VARCHAR NOT NULL)");
    boolean adds = mode == Mode.APPEND || mode == Mode.MERGE;
    // What other runs brought into a table that was emptied or replaced is not there any more.
    execute(
        "DELETE FROM "
            + TABLE.sql()
            + " WHERE target = "
            + Sql.text(target.sql())
            + (adds ? " AND job = " + Sql.text(done.job()) : ""));
    execute(
        "INSERT INTO "
            + TABLE.sql()
            + " VALUES ("
            + Sql.text(done.job())
            + ", "
            + Sql.text(target.sql())
            + ", "
            + Sql.text(JournalText.write(new Mark(done, mode)))
            + ")");
  }

  @Override
  public void forget(RunRecord known) {
    if (catalog().find(TABLE) == null) {
      return;
    }
    execute(
        "DELETE FROM "
            + TABLE.sql()
            + " WHERE job = "
            + Sql.text(known.job())
            + " AND target = "
            + Sql.text(target.sql()));
    if (catalog().number("SELECT count(*) FROM " + TABLE.sql()) == 0) {
      execute("DROP TABLE " + TABLE.sql());
    }
  }

  private DuckDbCatalog catalog() {
    return new DuckDbCatalog(connection.get(), label);
  }

  private void execute(String sql) {
    database.get().execute(connection.get(), sql);
  }

  private Mark read(String text) {
    return new JournalText(
            "The table " + TABLE + " in " + label, "Drop it: DROP TABLE " + TABLE.sql())
        .read(text, Mark.class);
  }
}
