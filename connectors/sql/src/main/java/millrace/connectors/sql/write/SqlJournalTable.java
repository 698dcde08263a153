package millrace.connectors.sql.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.data.Column;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;

/// The table of a journal, and how its rows are written: one for a run, and one for each receipt by
/// its split and where it begins.
///
/// @param target the target as its rows name it
record SqlJournalTable(Dialect dialect, LedgerTable table, String target) {

  /// Marks of earlier versions: those of early ones do not say when, and DuckDB's told how many
  /// rows there were.
  static List<Entry> earlier(JsonNode mark) throws JsonProcessingException {
    RunRecord run = JournalText.run(mark);
    boolean held = mark.path("held").asBoolean() || mark.path("rows").asLong() > 0;
    String at = mark.path("at").asText("");
    long rows = mark.path("rows").asLong();
    return List.of(
        Entry.Begun.of(run, JournalText.mode(mark)), new Entry.Complete(at, "", held, rows));
  }

  /// Makes it.
  void make(SqlSession by) {
    String create = dialect.statements().tables().create();
    by.execute(create.formatted(table.sql(), table.declarations(dialect.types().ddl())));
  }

  /// Gives one of a version that kept no receipts in databases that lie in files the columns that
  /// it lacks. Its rows are read by job and target.
  void upgrade(SqlSession by) {
    TableInfo found = dialect.catalog().find(by, table.table());
    List<TableInfo.ColumnInfo> there = found == null ? List.of() : found.columns();
    for (Column each : LedgerTable.KEY) {
      if (there.stream().noneMatch(column -> column.name().equalsIgnoreCase(each.name()))) {
        String column = table.declaration(each, dialect.types().ddl());
        by.execute("ALTER TABLE " + table.sql() + " ADD " + column);
      }
    }
  }

  /// The condition of rows of this target, which is a parameter.
  private String ofTarget() {
    return dialect.names().folding() == Names.Folding.IGNORED
        ? " WHERE lower(" + table.column("target") + ") = lower(?)"
        : " WHERE " + table.column("target") + " = ?";
  }

  private String ofJob() {
    return ofTarget() + " AND " + table.column("job") + " = ?";
  }

  /// What it says of the last run of a job. Sessions of a server may be writing its rows.
  List<Entry> entries(SqlSession by, String job) {
    if (dialect.locks() == null) {
      return table.details(by, ofJob(), target, job).stream().flatMap(List::stream).toList();
    }
    String runs =
        "SELECT %s FROM %s%s AND %s = -1 ORDER BY 1"
            .formatted(table.column("run"), table.sql(), ofJob(), table.column("split"));
    List<String> found = by.query(runs, row -> row.getString(1), target, job);
    return found.isEmpty() ? List.of() : table.entries(by, found.getLast());
  }

  /// The same kept in another table.
  SqlJournalTable at(TableName other) {
    LedgerTable there = new LedgerTable(table.names(), other, null, table.text());
    return new SqlJournalTable(dialect, there, target);
  }

  /// What it says of a job if it is kept beside the target, and the user keeps his elsewhere:
  /// earlier versions did keep it there, and the target's owner does.
  ///
  /// @param label how to name the target
  /// @throws Fault.User if it knows the copy as one that was cut off
  List<Entry> ofOwner(SqlSession by, String job, String label) {
    List<Entry> known;
    try {
      known = entries(by, job);
    } catch (Fault.User _) {
      // Who may not read it has written nothing there.
      return List.of();
    }
    if (!known.isEmpty() && known.stream().noneMatch(Entry.Complete.class::isInstance)) {
      throw new Fault.User(
          "The table "
              + table.sql()
              + " tells of this copy that it was cut off. The owner of the schema began it, or an"
              + " earlier version of Millrace.",
          "Go on with it there, or see which of its rows are in "
              + label
              + " and forget it: DELETE FROM %s WHERE %s = %s;"
                  .formatted(table.sql(), table.column("job"), Names.text(job)));
    }
    return known;
  }

  List<String> jobs(SqlSession by) {
    String jobs = "SELECT DISTINCT " + table.column("job") + " FROM " + table.sql() + ofTarget();
    return by.query(jobs, row -> row.getString(1), target);
  }

  /// Removes a run. One whose rows earlier versions wrote is known by its job alone.
  void delete(SqlSession by, RunRecord run) {
    if (dialect.locks() == null) {
      deleteJob(by, run.job());
    } else {
      table.delete(by, run);
    }
  }

  void deleteJob(SqlSession by, String job) {
    by.update("DELETE FROM " + table.sql() + ofJob(), target, job);
  }

  /// Removes all runs but one, and returns whether there were any. One that is a single transaction
  /// has nothing yet to keep.
  boolean deleteOthers(SqlSession by, String run) {
    String others =
        dialect.locks() == null ? "" : " AND " + table.column("run") + " <> " + Names.text(run);
    return by.update("DELETE FROM " + table.sql() + ofTarget() + others, target) > 0;
  }

  /// Writes the first entries of a run.
  void insert(SqlSession by, RunRecord run, List<? extends Entry> entries) {
    by.update(
        "INSERT INTO %s (%s) VALUES (?, -1, 0, ?, ?, ?)".formatted(table.sql(), table.columns()),
        run.id(),
        run.job(),
        target,
        JournalText.spell(entries));
  }

  /// Writes a receipt, in the transaction of its rows. Returns false if the run is not known any
  /// more.
  boolean record(SqlSession by, RunRecord run, Receipt receipt) {
    String details = JournalText.spell(new Entry.Taken(receipt, null));
    int split = receipt.split().index();
    long from = receipt.split().from();
    String update = "UPDATE %s SET %s = ?".formatted(table.sql(), table.column("details"));
    return by.update(update + table.of(split, from), details, run.id()) > 0
        || by.update(insertLike(split, from, "?") + table.of(-1, 0), details, run.id()) > 0;
  }

  /// The statement that writes a row of a run like another, whose condition follows.
  private String insertLike(int split, long from, String details) {
    return "INSERT INTO %1$s (%2$s) SELECT %3$s, %4$d, %5$d, %6$s, %7$s, %8$s FROM %1$s"
        .formatted(
            table.sql(),
            table.columns(),
            table.column("run"),
            split,
            from,
            table.column("job"),
            table.column("target"),
            details);
  }

  /// Writes down who owns a split.
  String insertOwner(RunRecord run, int split, long token) {
    return insertLike(split, token, "'owner'") + table.of(-1, 0).replace("?", Names.text(run.id()));
  }
}
