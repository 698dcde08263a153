package millrace.connectors.duckdb;

import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// A mark that a run is complete, in the table `millrace_journal` of the database.
///
/// All of a run is one transaction, so there are no receipts: its rows are there with the mark, or
/// nothing is. On the target's thread.
final class DuckDbJournal implements JournalStore {

  private static final DuckDbSql.Table TABLE = new DuckDbSql.Table("main", "millrace_journal");

  /// What a mark says.
  ///
  /// @param at when the run was complete; null in marks of earlier versions
  /// @param rows that the table held then
  record Mark(RunRecord run, Mode mode, @Nullable String at, long rows) {}

  private final String label;
  private final DuckDbSql.Table target;
  private final DuckDbAccess access;

  /// @param label how to name the target in errors
  /// @param access the target's own
  DuckDbJournal(String label, DuckDbSql.Table target, DuckDbAccess access) {
    this.label = label;
    this.target = target;
    this.access = access;
  }

  @Override
  public Guarantees guarantees() {
    return Guarantees.MARK_ONLY;
  }

  @Override
  public @Nullable JournaledRun claim(String job) {
    List<JournaledRun> marks = list().stream().filter(one -> one.run().job().equals(job)).toList();
    return marks.isEmpty() ? null : marks.getLast();
  }

  @Override
  public List<JournaledRun> list() {
    if (!isThere()) {
      return List.of();
    }
    return catalog()
        .query(
            "SELECT details FROM " + TABLE.sql() + " WHERE lower(target) = lower(?)",
            row -> read(row.getString(1)),
            target.sql())
        .stream()
        .map(this::kept)
        .sorted(Comparator.comparing(each -> each.run().id()))
        .toList();
  }

  /// A file that does not exist is not made to look for it.
  private boolean isThere() {
    return Files.exists(access.file()) && catalog().find(TABLE) != null;
  }

  private JournaledRun kept(Mark mark) {
    String at = mark.at() == null ? mark.run().startedAt() : mark.at();
    JournaledRun.Completion completion = new JournaledRun.Completion(at, change(mark));
    return new JournaledRun(mark.run(), completion, mark.mode() == Mode.APPEND, List.of());
  }

  private String change(Mark mark) {
    if (catalog().find(target) == null) {
      return label + " is not there any more";
    }
    return mark.rows() > 0 && rows() == 0
        ? String.format(
            Locale.ROOT, "%s is empty, though it held %,d rows then", label, mark.rows())
        : "";
  }

  private long rows() {
    return catalog().number("SELECT count(*) FROM " + target.sql());
  }

  /// Marks the run complete, in the transaction of its rows.
  void complete(RunRecord done, Mode mode) {
    access.execute(
        "CREATE TABLE IF NOT EXISTS "
            + TABLE.sql()
            + " (job VARCHAR NOT NULL, target VARCHAR NOT NULL, details VARCHAR NOT NULL)");
    String at = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    boolean adds = mode == Mode.APPEND || mode == Mode.MERGE;
    // What other runs brought into a table that was emptied or replaced is not there any more.
    access.execute(
        "DELETE FROM "
            + TABLE.sql()
            + " WHERE lower(target) = lower("
            + DuckDbSql.text(target.sql())
            + ")"
            + (adds ? " AND job = " + DuckDbSql.text(done.job()) : ""));
    access.execute(
        "INSERT INTO "
            + TABLE.sql()
            + " VALUES ("
            + DuckDbSql.text(done.job())
            + ", "
            + DuckDbSql.text(target.sql())
            + ", "
            + DuckDbSql.text(JournalText.write(new Mark(done, mode, at, rows())))
            + ")");
  }

  @Override
  public void delete(RunRecord known) {
    if (!isThere()) {
      return;
    }
    access.execute(
        "DELETE FROM "
            + TABLE.sql()
            + " WHERE job = "
            + DuckDbSql.text(known.job())
            + " AND lower(target) = lower("
            + DuckDbSql.text(target.sql())
            + ")");
    if (catalog().number("SELECT count(*) FROM " + TABLE.sql()) == 0) {
      access.execute("DROP TABLE " + TABLE.sql());
    }
  }

  private DuckDbCatalog catalog() {
    return access.catalog(label);
  }

  private Mark read(String text) {
    return new JournalText(
            "The table " + TABLE + " in " + label, "Drop it: DROP TABLE " + TABLE.sql())
        .read(text, Mark.class);
  }
}
