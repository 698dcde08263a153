package millrace.connectors.sql.write;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TypeTable;
import millrace.data.Type;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// Marks of complete runs, in the table `millrace_journal` of the database.
///
/// A run is one transaction, so there are no receipts: its rows are there with the mark, or nothing
/// is. On the target's thread.
final class SqlJournal implements JournalStore {

  /// What a mark says.
  ///
  /// @param at when the run was complete
  /// @param held whether there were rows in the table then
  record Mark(RunRecord run, Mode mode, String at, boolean held) {}

  private final SqlDatabase database;
  private final String label;
  private final TableName target;
  private final Supplier<SqlSession> session;
  private final TableName journal;

  /// @param label how to name the target in messages
  /// @param session the one connection that the target writes by
  SqlJournal(SqlDatabase database, String label, TableName target, Supplier<SqlSession> session) {
    this.database = database;
    this.label = label;
    this.target = target;
    this.session = session;
    journal = target.beside(database.dialect().names().folded("millrace_journal"));
  }

  private String sql(TableName table) {
    return table.sql(database.dialect().names());
  }

  private boolean exists(TableName table) {
    return database.exists().getAsBoolean()
        && database.dialect().find(session.get(), table) != null;
  }

  /// Whether there is a row in a table.
  static boolean holdsRows(SqlSession session, String table) {
    return session.run(connection -> {
      try (java.sql.Statement statement = connection.createStatement()) {
        statement.setMaxRows(1);
        return statement.executeQuery("SELECT 1 FROM " + table).next();
      }
    });
  }

  private String identity() {
    return target.identity(database.dialect().names());
  }

  @Override
  public @Nullable JournaledRun claim(String job) {
    List<JournaledRun> marks = list().stream().filter(one -> one.run().job().equals(job)).toList();
    return marks.isEmpty() ? null : marks.getLast();
  }

  @Override
  public List<JournaledRun> list() {
    if (!exists(journal)) {
      return List.of();
    }
    return session
        .get()
        .query(
            "SELECT details FROM " + sql(journal) + " WHERE target = ?",
            row -> read(row.getString(1)),
            identity())
        .stream()
        .map(mark ->
            new JournaledRun(
                mark.run,
                new Completion(mark.at, change(mark)),
                mark.mode == Mode.APPEND,
                List.of()))
        .sorted(Comparator.comparing(each -> each.run().id()))
        .toList();
  }

  private String change(Mark mark) {
    if (!exists(target)) {
      return label + " is not there any more";
    }
    return mark.held && !holdsRows(session.get(), sql(target))
        ? label + " is empty, though it held rows then"
        : "";
  }

  @Override
  public Guarantees guarantees() {
    return Guarantees.MARK_ONLY;
  }

  /// Makes the journal's table, if there is none.
  void make() {
    if (exists(journal)) {
      return;
    }
    TypeTable types = database.dialect().types();
    String text = types.ddl().apply(Type.Text.UNLIMITED);
    String name = types.ddl().apply(new Type.Text(500));
    session
        .get()
        .execute(
            "CREATE TABLE "
                + sql(journal)
                + " (job "
                + name
                + " NOT NULL, target "
                + name
                + " NOT NULL, details "
                + text
                + " NOT NULL)");
  }

  /// Marks a run complete, in the transaction of its rows.
  void complete(RunRecord done, Mode mode) {
    SqlSession open = session.get();
    boolean adds = mode == Mode.APPEND || mode == Mode.MERGE;
    // What other runs brought into a table that was emptied or replaced is not there any more.
    if (adds) {
      forget(done.job());
    } else {
      open.update("DELETE FROM " + sql(journal) + " WHERE target = ?", identity());
    }
    String at = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Mark mark = new Mark(done, mode, at, holdsRows(open, sql(target)));
    open.update(
        "INSERT INTO " + sql(journal) + " (job, target, details) VALUES (?, ?, ?)",
        done.job(),
        identity(),
        JournalText.write(mark));
  }

  private void forget(String job) {
    session
        .get()
        .update("DELETE FROM " + sql(journal) + " WHERE job = ? AND target = ?", job, identity());
  }

  @Override
  public void delete(RunRecord known) {
    if (!exists(journal)) {
      return;
    }
    forget(known.job());
    if (!holdsRows(session.get(), sql(journal))) {
      session.get().execute("DROP TABLE " + sql(journal));
    }
  }

  private Mark read(String text) {
    return new JournalText(
            "The table " + journal.name() + " in " + database.label(),
            "Drop it: DROP TABLE " + sql(journal))
        .read(text, Mark.class);
  }
}
