package millrace.connectors.sql.write;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.data.Type;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// Marks of complete runs, in a table of the database.
///
/// A run is one transaction, so there are no receipts: its rows are there with the mark, or nothing
/// is. On the target's thread.
public final class SqlJournal implements JournalStore {

  /// The name of its table, as a user would write it.
  public static final String TABLE = "millrace_journal";

  /// What a mark says.
  ///
  /// @param at when the run was complete; null in marks of early versions
  /// @param held whether there were rows in the table then; DuckDB's told how many
  record Mark(RunRecord run, Mode mode, @Nullable String at, @JsonAlias("rows") boolean held) {}

  /// The database that it is kept in.
  ///
  /// @param label how to name it in errors
  /// @param ddl the declaration of a new column
  /// @param nextRow see {@link millrace.connectors.sql.Dialect.Capabilities}
  /// @param session the one connection that the target writes by
  /// @param exists whether there is a table; looking for it makes no file
  public record Store(
      String label,
      Names names,
      Function<Type, String> ddl,
      String nextRow,
      Supplier<SqlSession> session,
      Predicate<TableName> exists) {}

  private final Store store;
  private final String label;
  private final TableName target;
  private final TableName journal;

  /// @param label how to name the target in messages
  /// @param journal its table
  public SqlJournal(Store store, String label, TableName target, TableName journal) {
    this.store = store;
    this.label = label;
    this.target = target;
    this.journal = journal;
  }

  private String sql(TableName table) {
    return table.sql(store.names);
  }

  private SqlSession session() {
    return store.session.get();
  }

  private boolean exists(TableName table) {
    return store.exists.test(table);
  }

  /// Whether there is a row in a table.
  static boolean holdsRows(SqlSession session, String table, String nextRow) {
    String sql = "SELECT 1 FROM " + table + " " + nextRow.formatted(0);
    return !session.query(sql, row -> row.getInt(1)).isEmpty();
  }

  private boolean holdsRows(TableName table) {
    return holdsRows(session(), sql(table), store.nextRow);
  }

  private String identity() {
    return target.identity(store.names);
  }

  /// The condition of the marks of this target.
  private String ofTarget() {
    return store.names.folding() == Names.Folding.IGNORED
        ? " WHERE lower(target) = lower(?)"
        : " WHERE target = ?";
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
    return session()
        .query(
            "SELECT details FROM " + sql(journal) + ofTarget(),
            row -> read(row.getString(1)),
            identity())
        .stream()
        .map(mark ->
            new JournaledRun(
                mark.run,
                new Completion(mark.at == null ? mark.run.startedAt() : mark.at, change(mark)),
                mark.mode == Mode.APPEND,
                List.of()))
        .sorted(Comparator.comparing(each -> each.run().id()))
        .toList();
  }

  private String change(Mark mark) {
    if (!exists(target)) {
      return label + " is not there any more";
    }
    return mark.held && !holdsRows(target) ? label + " is empty, though it held rows then" : "";
  }

  @Override
  public Guarantees guarantees() {
    return Guarantees.MARK_ONLY;
  }

  /// Makes the journal's table, if there is none.
  public void make() {
    if (exists(journal)) {
      return;
    }
    String text = store.ddl.apply(Type.Text.UNLIMITED);
    String name = store.ddl.apply(new Type.Text(500));
    session()
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
  public void complete(RunRecord done, Mode mode) {
    SqlSession open = session();
    boolean adds = mode == Mode.APPEND || mode == Mode.MERGE;
    // What other runs brought into a table that was emptied or replaced is not there any more.
    if (adds) {
      forget(done.job());
    } else {
      open.update("DELETE FROM " + sql(journal) + ofTarget(), identity());
    }
    String at = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Mark mark = new Mark(done, mode, at, holdsRows(target));
    open.update(
        "INSERT INTO " + sql(journal) + " (job, target, details) VALUES (?, ?, ?)",
        done.job(),
        identity(),
        JournalText.write(mark));
  }

  private void forget(String job) {
    session().update("DELETE FROM " + sql(journal) + ofTarget() + " AND job = ?", identity(), job);
  }

  @Override
  public void delete(RunRecord known) {
    if (!exists(journal)) {
      return;
    }
    forget(known.job());
    if (!holdsRows(journal)) {
      session().execute("DROP TABLE " + sql(journal));
    }
  }

  private Mark read(String text) {
    return new JournalText(
            "The table " + journal.name() + " in " + store.label,
            "Drop it: DROP TABLE " + sql(journal))
        .read(text, Mark.class);
  }
}
