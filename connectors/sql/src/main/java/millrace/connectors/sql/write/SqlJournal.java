package millrace.connectors.sql.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.data.Type;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadLedger;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// Marks of complete runs, in a table of the database.
///
/// A run is one transaction, so there are no receipts: its rows are there with the mark, or nothing
/// is. On the target's thread.
public final class SqlJournal implements Ledger, LoadLedger {

  /// The name of its table, as a user would write it.
  public static final String TABLE = "millrace_journal";

  /// The database that it is kept in.
  ///
  /// @param label how to name it in errors
  /// @param session the one connection that the target writes by
  /// @param exists whether there is a table; looking for it makes no file
  record Store(
      String label, Dialect dialect, Supplier<SqlSession> session, Predicate<TableName> exists) {}

  private final Store store;
  private final String label;
  private final TableName target;
  private final TableName journal;
  private Entry.@Nullable Begun begun;

  /// @param label how to name the target in messages
  /// @param journal its table
  SqlJournal(Store store, String label, TableName target, TableName journal) {
    this.store = store;
    this.label = label;
    this.target = target;
    this.journal = journal;
  }

  private String sql(TableName table) {
    return table.sql(store.dialect.names());
  }

  private SqlSession session() {
    return store.session.get();
  }

  private boolean exists(TableName table) {
    return store.exists.test(table);
  }

  /// Whether there is a row in a table.
  static boolean holdsRows(SqlSession session, String table, String anyRow) {
    return !session.query(anyRow.formatted(table), row -> row.getInt(1)).isEmpty();
  }

  private boolean holdsRows(TableName table) {
    return holdsRows(session(), sql(table), store.dialect.statements().anyRow());
  }

  private String identity() {
    return target.identity(store.dialect.names());
  }

  /// The condition of the marks of this target.
  private String ofTarget() {
    return store.dialect.names().folding() == Names.Folding.IGNORED
        ? " WHERE lower(target) = lower(?)"
        : " WHERE target = ?";
  }

  @Override
  public List<Entry> read(String job) {
    if (!exists(journal)) {
      return List.of();
    }
    JournalText text = text();
    String query = "SELECT details FROM " + sql(journal) + ofTarget() + " AND job = ?";
    return session().query(query, row -> text.entries(row.getString(1)), identity(), job).stream()
        .flatMap(List::stream)
        .toList();
  }

  private JournalText text() {
    return new JournalText(
        "The table " + journal.name() + " in " + store.label,
        "Drop it: DROP TABLE " + sql(journal),
        SqlJournal::earlier);
  }

  private RenamedTables swap(Entry.Sealing sealing) {
    RenamedTables.Known known = text().details(sealing.details(), RenamedTables.Known.class);
    return new RenamedTables(store.dialect, session(), store.exists, target, known);
  }

  /// What a run has staged can take the target's place, or has done so.
  @Override
  public String change(Entry.Sealing sealing) {
    return swap(sealing).change();
  }

  /// A run that was killed while names were changed has staged all of its rows.
  @Override
  public void finish(JournaledRun run) {
    Entry.Sealing sealing = run.sealing();
    if (sealing == null) {
      return;
    }
    RenamedTables swap = swap(sealing);
    swap.run();
    session().begin(store.dialect.statements().begin());
    begun = run.begun();
    Mode mode = Objects.requireNonNull(run.mode(), "kept");
    if (mode != Mode.APPEND && mode != Mode.MERGE) {
      forgetOthers(run.run());
    }
    append(run.run(), Entry.Complete.now("", false).with(swap.known().rows()));
    session().commit();
  }

  /// What runs into this target have staged goes, and what is known of it.
  void unseal() {
    for (String job : jobs()) {
      List<Entry> said = read(job);
      if (said.stream().anyMatch(Entry.Sealing.class::isInstance)) {
        remove(job);
      }
    }
  }

  /// Marks of earlier versions: those of early ones do not say when, and DuckDB's told how many
  /// rows there were.
  private static List<Entry> earlier(JsonNode mark) throws JsonProcessingException {
    RunRecord run = JournalText.run(mark);
    boolean held = mark.path("held").asBoolean() || mark.path("rows").asLong() > 0;
    String at = mark.path("at").asText("");
    long rows = mark.path("rows").asLong();
    return List.of(
        Entry.Begun.of(run, JournalText.mode(mark)), new Entry.Complete(at, "", held, rows));
  }

  @Override
  public List<String> jobs() {
    return exists(journal)
        ? session()
            .query(
                "SELECT DISTINCT job FROM " + sql(journal) + ofTarget(),
                row -> row.getString(1),
                identity())
        : List.of();
  }

  @Override
  public String name() {
    return label;
  }

  @Override
  public @Nullable String tableId(String staging) {
    return exists(target) ? "" : null;
  }

  @Override
  public boolean isEmptied(String staging) {
    return !holdsRows(target);
  }

  @Override
  public Guarantees guarantees() {
    return Guarantees.MARK_ONLY;
  }

  private void make() {
    if (exists(journal)) {
      return;
    }
    String text = store.dialect.types().ddl().apply(Type.Text.UNLIMITED);
    String name = store.dialect.types().ddl().apply(new Type.Text(500));
    String create = store.dialect.statements().tables().create();
    String columns =
        "job %s NOT NULL, target %s NOT NULL, details %s NOT NULL".formatted(name, name, text);
    session().execute(create.formatted(sql(journal), columns));
  }

  /// What makes its table would commit rows, if it is not undone with them.
  @Override
  public void begin(Entry.Begun begins) {
    begun = Entry.Begun.of(begins.run(), begins.mode());
    if (!store.dialect.capabilities().transactionalDdl()) {
      make();
    }
  }

  /// In the transaction of the rows that it speaks of.
  @Override
  public void append(RunRecord run, Entry entry) {
    make();
    remove(run.job());
    Entry last =
        entry instanceof Entry.Complete end
            ? new Entry.Complete(end.at(), end.tableId(), holdsRows(target), end.rows())
            : entry;
    session()
        .update(
            "INSERT INTO " + sql(journal) + " (job, target, details) VALUES (?, ?, ?)",
            run.job(),
            identity(),
            JournalText.spell(
                List.of(Objects.requireNonNull(begun, "a run that has begun"), last)));
  }

  @Override
  public boolean forgetOthers(@Nullable RunRecord run) {
    return exists(journal)
        && session().update("DELETE FROM " + sql(journal) + ofTarget(), identity()) > 0;
  }

  private void remove(String job) {
    session().update("DELETE FROM " + sql(journal) + ofTarget() + " AND job = ?", identity(), job);
  }

  @Override
  public void forget(RunRecord known) {
    if (!exists(journal)) {
      return;
    }
    remove(known.job());
    if (!holdsRows(journal)) {
      session().execute("DROP TABLE " + sql(journal));
    }
  }
}
