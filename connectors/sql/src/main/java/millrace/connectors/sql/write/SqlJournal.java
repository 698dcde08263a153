package millrace.connectors.sql.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JobLock;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadLedger;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// A journal in a table beside the target, or in the user's own schema. A run has a row for its
/// beginning and its end, whose split is -1, and one for each split that it has taken, each written
/// in the transaction of its rows. Of a run that is one transaction there is nothing before its
/// end, and no receipt.
///
/// On the target's thread, but for what takes a session: on that one's.
public final class SqlJournal implements Ledger, LoadLedger {

  /// How often the journal is asked while others make and drop it.
  private static final int TRIES_MAX = 5;

  /// Not the name of any run.
  private static final String NO_RUN = "-";

  private final Place place;
  private final Dialect dialect;
  private final @Nullable Locks locks;
  private final TableName target;
  private final LedgerTable table;
  private final SqlJournalTable rows;
  private final @Nullable SqlJobLock lock;
  private final @Nullable OwnerRows owners;

  /// The run that is one transaction, until its end is written down.
  private Entry.@Nullable Begun begun;

  private volatile boolean forgotten;

  /// The target that a journal is for.
  ///
  /// @param label how to name it in messages
  /// @param database how to name its database
  /// @param session gives the target's own connection
  /// @param connect opens another
  /// @param exists whether there is a table; looking for it makes no file
  record Place(
      String label,
      String database,
      Supplier<SqlSession> session,
      Supplier<SqlSession> connect,
      Predicate<TableName> exists) {}

  SqlJournal(Dialect dialect, TableName target, Place place) {
    this.place = place;
    this.dialect = dialect;
    this.target = target;
    locks = dialect.locks();
    String schema = locks == null ? target.schema() : dialect.writes().ownSchema(target);
    TableName journal = new TableName(schema, dialect.names().folded(LedgerTable.NAME));
    JournalText text =
        new JournalText(
            "The table " + journal.name() + " in " + place.database,
            "Drop it: DROP TABLE " + sql(journal),
            SqlJournalTable::earlier);
    String begin = dialect.statements().begin();
    table =
        new LedgerTable(
            dialect.names(),
            journal,
            locks == null ? null : new LedgerTable.Settling(begin, locks.lockingRead(journal)),
            text);
    String identity = target.identity(dialect.names());
    rows = new SqlJournalTable(dialect, table, identity);
    owners = locks == null ? null : new OwnerRows(table, begin, rows::insertOwner, place.session);
    lock =
        locks == null
            ? null
            : new SqlJobLock(dialect.names(), locks, place.label, identity, journal, place.session);
  }

  /// The table that it is kept in.
  public LedgerTable table() {
    return table;
  }

  /// What keeps two processes from doing the same copy; null if nothing has to.
  @Nullable JobLock lock() {
    return lock;
  }

  private String sql(TableName name) {
    return name.sql(dialect.names());
  }

  private SqlSession session() {
    return place.session.get();
  }

  private boolean exists(TableName name) {
    return place.exists.test(name);
  }

  private boolean isThere() {
    return exists(table.table());
  }

  /// Whether there is a row in a table.
  static boolean holdsRows(SqlSession session, String table, String anyRow) {
    return !session.query(anyRow.formatted(table), row -> row.getInt(1)).isEmpty();
  }

  private boolean holdsRows(TableName name) {
    return holdsRows(session(), sql(name), dialect.statements().anyRow());
  }

  @Override
  public Guarantees guarantees() {
    return locks == null ? Guarantees.MARK_ONLY : Guarantees.EXACT.with(Attempts.FENCED);
  }

  /// Waits for what a killed process has under way, so that nothing is taken after it was read.
  @Override
  public List<Entry> read(String job) {
    List<Entry> known = ifThere(() -> rows.entries(session(), job));
    TableName beside = target.beside(table.table().name());
    return known.isEmpty() && !beside.equals(table.table()) && exists(beside)
        ? rows.at(beside).ofOwner(session(), job, place.label)
        : known;
  }

  @Override
  public List<String> jobs() {
    return ifThere(() -> rows.jobs(session()));
  }

  /// Asks the journal, unless it is not there: the last of other copies drops it at any moment.
  private <T> List<T> ifThere(Supplier<List<T>> query) {
    for (int tries = 1; isThere(); tries++) {
      try {
        return query.get();
      } catch (Fault.User e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
      }
    }
    return List.of();
  }

  @Override
  public String name() {
    return place.label;
  }

  /// The table that rows of a run go into.
  ///
  /// @param staging its name; empty if it is the target
  public TableName named(String staging) {
    TableName own = table.table().beside(staging);
    boolean isOwn = !staging.isEmpty() && !own.schema().equals(target.schema()) && exists(own);
    return staging.isEmpty() ? target : isOwn ? own : target.beside(staging);
  }

  @Override
  public @Nullable String tableId(String staging) {
    return exists(named(staging)) ? "" : null;
  }

  @Override
  public boolean isEmptied(String staging) {
    return !holdsRows(named(staging));
  }

  @Override
  public long stagedRows(String staging) {
    String count = "SELECT count(*) FROM " + sql(named(staging));
    return session().query(count, row -> row.getLong(1)).getFirst();
  }

  /// What a run has staged can take the target's place, or has done so.
  @Override
  public String change(Entry.Sealing sealing) {
    JsonNode details = sealing.details();
    return details == null ? "" : swap(known(details)).change();
  }

  private TableSwap.Known known(JsonNode details) {
    return table.text().details(details, TableSwap.Known.class);
  }

  private TableSwap swap(TableSwap.Known known) {
    return new TableSwap(
        dialect, session(), place.exists, target, named(known.staging()), known, true);
  }

  /// A staging table that is gone has taken the target's place.
  @Override
  public boolean hasAppeared(Entry.Begun of, Entry.Sealing sealing) {
    return !exists(named(of.staging()));
  }

  /// Of a run that is one transaction nothing is known before its end, but the table is made now if
  /// that would commit rows.
  @Override
  public void begin(Entry.Begun begins) {
    Landing landing = Objects.requireNonNull(begins.landing(), "a run that begins has landed");
    if (!landing.whole()) {
      alone(() -> {
        makeIfMissing();
        rows.insert(session(), begins.run(), List.of(begins));
      });
      return;
    }
    begun = Entry.Begun.of(begins.run(), begins.mode());
    if (isThere()) {
      rows.upgrade(session());
    } else if (!dialect.capabilities().transactionalDdl()) {
      rows.make(session());
    }
  }

  private void makeIfMissing() {
    if (!isThere()) {
      rows.make(session());
    }
  }

  private void alone(Runnable work) {
    if (lock == null) {
      work.run();
    } else {
      lock.alone(work);
    }
  }

  private void checkLocks(boolean asks) {
    if (locks != null) {
      locks.check(asks);
    }
  }

  @Override
  public @Nullable OwnerRows owners() {
    return owners;
  }

  /// Writes a receipt, in the transaction of its rows.
  ///
  /// @throws Fault.External if the run is not known any more: rows must not follow those that
  ///   another copy has put in their place
  public void record(SqlSession by, RunRecord run, Receipt receipt) {
    checkLocks(false);
    if (!rows.record(by, run, receipt)) {
      throw forgotten();
    }
  }

  @Override
  public boolean hasForgotten() {
    return forgotten;
  }

  private Fault forgotten() {
    forgotten = true;
    return new Fault.External(
        "What "
            + table.table().name()
            + " had to say of this copy is gone: another copy has emptied the table, or somebody"
            + " has removed it or resumed it.",
        "Compare both ends with millrace verify.",
        null);
  }

  @Override
  public CommitStatus statusOf(RunRecord run, Split split) {
    try (SqlSession fresh = place.connect.get()) {
      Receipt found = table.receipt(fresh, run, split);
      return found == null ? new CommitStatus.Nothing() : new CommitStatus.Taken(found);
    }
  }

  @Override
  public void append(RunRecord run, Entry entry) {
    if (begun != null) {
      appendWhole(begun, entry);
      return;
    }
    checkLocks(true);
    if (!table.append(session(), run, entry)) {
      throw forgotten();
    }
  }

  /// The last entry of a run that is one transaction is all that is known of it, but for its
  /// beginning.
  private void appendWhole(Entry.Begun of, Entry entry) {
    makeIfMissing();
    rows.deleteJob(session(), of.run().job());
    Entry last =
        entry instanceof Entry.Complete end
            ? new Entry.Complete(end.at(), end.tableId(), holdsRows(target), end.rows())
            : entry;
    rows.insert(session(), of.run(), List.of(of, last));
  }

  /// What runs into this target have staged goes, and what is known of it.
  void unseal() {
    for (String job : jobs()) {
      List<Entry> said = read(job);
      if (said.stream().anyMatch(Entry.Sealing.class::isInstance)) {
        rows.deleteJob(session(), job);
      }
    }
  }

  @Override
  public void retake(RunRecord run) {
    if (lock != null) {
      lock.take(run.job());
    }
  }

  @Override
  public Progress progress(RunRecord run) {
    return Progress.of(table.settledHead(session(), run));
  }

  @Override
  public boolean forgetOthers(@Nullable RunRecord run) {
    return isThere() && rows.deleteOthers(session(), run == null ? NO_RUN : run.id());
  }

  /// A run that was killed while names were changed has staged all of its rows.
  @Override
  public void finish(JournaledRun run) {
    JsonNode details = run.sealing() == null ? null : run.sealing().details();
    if (details == null && !run.begun().isStaged()) {
      return;
    }
    TableSwap swap =
        swap(
            details == null
                ? new TableSwap.Known(
                    run.begun().staging(), run.mode() == Mode.REPLACE, List.of(), 0)
                : known(details));
    if (details != null || run.state() == JournaledRun.State.LACKS_END) {
      swap.run();
      complete(run, swap.known().rows());
    }
    swap.clear();
  }

  private void complete(JournaledRun run, long count) {
    if (locks == null) {
      rows.upgrade(session());
      begun = run.begun();
    }
    session().begin(dialect.statements().begin());
    if (run.mode() == Mode.CREATE || run.mode() == Mode.REPLACE || run.mode() == Mode.TRUNCATE) {
      forgetOthers(run.run());
    }
    append(run.run(), Entry.Complete.now("", false).with(count));
    session().commit();
  }

  /// Removes a run, and the table with it if it holds no other.
  @Override
  public void forget(RunRecord known) {
    if (!isThere()) {
      return;
    }
    alone(() -> {
      rows.delete(session(), known);
      if (!holdsRows(table.table())) {
        session().execute("DROP TABLE " + table.sql());
      }
    });
  }
}
