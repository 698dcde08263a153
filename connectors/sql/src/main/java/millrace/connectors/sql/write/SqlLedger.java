package millrace.connectors.sql.write;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.Names;
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
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// Receipts in a table beside the target, or in the user's own schema, each written in the
/// transaction of its rows. A run has a row for its beginning and its end, whose split is -1, and
/// one for each split that it has taken.
///
/// On the target's thread, but for what takes a session: on that one's.
public final class SqlLedger implements Ledger, JobLock, LoadLedger {

  /// How often the journal is asked while others make and drop it.
  private static final int TRIES_MAX = 5;

  /// How long it waits for what others have under way.
  private static final Duration WAIT = Duration.ofSeconds(20);

  /// Not the name of any run.
  private static final String NO_RUN = "-";

  private final Dialect dialect;
  private final Locks locks;
  private final String label;
  private final TableName target;
  private final TableName journal;
  private final Supplier<SqlSession> session;
  private final Supplier<SqlSession> connect;
  private final Predicate<TableName> exists;
  private final String columns;
  private final LedgerTable table;
  private final SqlReceipts receipts;

  private volatile boolean forgotten;

  /// @param label how to name the target in messages
  /// @param session gives the target's own connection
  /// @param connect opens another
  /// @param exists whether there is a table
  SqlLedger(
      Dialect dialect,
      Locks locks,
      String label,
      TableName target,
      Supplier<SqlSession> session,
      Supplier<SqlSession> connect,
      Predicate<TableName> exists) {
    this.dialect = dialect;
    this.locks = locks;
    this.label = label;
    this.target = target;
    this.session = session;
    this.connect = connect;
    this.exists = exists;
    Names names = dialect.names();
    journal = new TableName(dialect.writes().ownSchema(target), names.folded(SqlJournal.TABLE));
    columns =
        names.quoted(
            List.of("run", "split", "from_position", "job", "target", "details").stream()
                .map(names::folded)
                .toList());
    JournalText text =
        new JournalText(
            "The table " + journal.name(), "Drop it: DROP TABLE " + sql(journal), _ -> List.of());
    LedgerTable.Settling settling =
        new LedgerTable.Settling(dialect.statements().begin(), locks.lockingRead(journal));
    table = new LedgerTable(names, journal, settling, text);
    receipts = new SqlReceipts(table, columns);
  }

  /// The table that it is kept in.
  public LedgerTable table() {
    return table;
  }

  private String sql(TableName table) {
    return table.sql(dialect.names());
  }

  private String identity() {
    return target.identity(dialect.names());
  }

  @Override
  public Guarantees guarantees() {
    return Guarantees.EXACT;
  }

  @Override
  public void take(String job) {
    if (!locks.lock(session.get(), lockOf(job), WAIT)) {
      throw new Fault.User(
          "This very copy into " + label + " is being run by somebody else.",
          "Wait for its end, or stop it.");
    }
  }

  @Override
  public boolean isFree(String job) {
    return locks.isFree(session.get(), lockOf(job));
  }

  private String lockOf(String job) {
    return "millrace job " + identity() + " " + job;
  }

  private String lockOfTable() {
    return "millrace journal " + sql(journal);
  }

  /// Waits for what a killed process has under way, so that nothing is taken after it was read.
  @Override
  public List<Entry> read(String job) {
    List<Entry> known = ifThere(() -> entries(table, job));
    TableName beside = target.beside(journal.name());
    return known.isEmpty() && !beside.equals(journal) && exists.test(beside)
        ? beside(new LedgerTable(dialect.names(), beside, null, table.text()), job)
        : known;
  }

  private List<Entry> entries(LedgerTable of, String job) {
    String runs =
        "SELECT %s FROM %s WHERE %s = -1 AND %s = ? AND %s = ? ORDER BY 1"
            .formatted(
                of.column("run"),
                of.sql(),
                of.column("split"),
                of.column("target"),
                of.column("job"));
    List<String> found = session.get().query(runs, row -> row.getString(1), identity(), job);
    return found.isEmpty() ? List.of() : of.entries(session.get(), found.getLast());
  }

  /// What the journal beside a target says that the user keeps none there for: earlier versions
  /// did, and the target's owner does.
  ///
  /// @throws Fault.User if it knows the copy as one that was cut off
  private List<Entry> beside(LedgerTable journal, String job) {
    List<Entry> known;
    try {
      known = entries(journal, job);
    } catch (Fault.User _) {
      // Who may not read it has written nothing there.
      return List.of();
    }
    if (!known.isEmpty() && known.stream().noneMatch(Entry.Complete.class::isInstance)) {
      throw new Fault.User(
          "The table "
              + journal.sql()
              + " tells of this copy that it was cut off. The owner of the schema began it, or an"
              + " earlier version of Millrace.",
          "Go on with it there, or see which of its rows are in "
              + label
              + " and forget it: DELETE FROM %s WHERE %s = %s;"
                  .formatted(journal.sql(), journal.column("job"), Names.text(job)));
    }
    return known;
  }

  @Override
  public List<String> jobs() {
    String jobs =
        "SELECT DISTINCT %s FROM %s WHERE %s = -1 AND %s = ?"
            .formatted(
                table.column("job"), sql(journal), table.column("split"), table.column("target"));
    return ifThere(() -> session.get().query(jobs, row -> row.getString(1), identity()));
  }

  /// Asks the journal, unless it is not there: the last of other copies drops it at any moment.
  private <T> List<T> ifThere(Supplier<List<T>> query) {
    for (int tries = 1; exists.test(journal); tries++) {
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
    return label;
  }

  /// The table that rows of a run go into.
  ///
  /// @param staging its name; empty if it is the target
  public TableName named(String staging) {
    TableName own = journal.beside(staging);
    boolean isOwn = !staging.isEmpty() && !own.schema().equals(target.schema()) && exists.test(own);
    return staging.isEmpty() ? target : isOwn ? own : target.beside(staging);
  }

  @Override
  public @Nullable String tableId(String staging) {
    return exists.test(named(staging)) ? "" : null;
  }

  @Override
  public boolean isEmptied(String staging) {
    return !holdsRows(session.get(), named(staging));
  }

  private boolean holdsRows(SqlSession by, TableName table) {
    return SqlJournal.holdsRows(by, sql(table), dialect.statements().anyRow());
  }

  /// A staging table that is gone has taken the target's place.
  @Override
  public boolean hasAppeared(Entry.Begun begun, Entry.Sealing sealing) {
    return !exists.test(named(begun.staging()));
  }

  /// Nobody drops its table meanwhile.
  @Override
  public void begin(Entry.Begun begun) {
    SqlSession by = session.get();
    alone(
        by,
        () -> {
          if (!exists.test(journal)) {
            by.execute(receipts.ddl(dialect));
          }
          by.update(
              "INSERT INTO %s (%s) VALUES (?, -1, 0, ?, ?, ?)".formatted(sql(journal), columns),
              begun.run().id(),
              begun.run().job(),
              identity(),
              JournalText.spell(begun));
        });
  }

  private void alone(SqlSession by, Runnable work) {
    if (!locks.lock(by, lockOfTable(), WAIT)) {
      throw new Fault.Transient(
          journal.name() + " is being made or dropped by somebody else for a long time.",
          "Try again.",
          0,
          null);
    }
    try {
      work.run();
    } finally {
      locks.unlock(by, lockOfTable());
    }
  }

  /// Writes a receipt, in the transaction of its rows.
  ///
  /// @throws Fault.External if the run is not known any more: rows must not follow those that
  ///   another copy has put in their place
  public void record(SqlSession by, RunRecord run, Receipt receipt) {
    locks.check(false);
    if (!receipts.record(by, run, receipt)) {
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
            + journal.name()
            + " had to say of this copy is gone: another copy has emptied the table, or somebody"
            + " has removed it or gone on with it.",
        "Compare both ends with millrace verify.",
        null);
  }

  @Override
  public CommitStatus statusOf(RunRecord run, Split split) {
    try (SqlSession fresh = connect.get()) {
      Receipt found = table.receipt(fresh, run, split);
      return found == null ? new CommitStatus.Nothing() : new CommitStatus.Taken(found);
    }
  }

  @Override
  public void append(RunRecord run, Entry entry) {
    locks.check(true);
    if (!table.append(session.get(), run, entry)) {
      throw forgotten();
    }
  }

  @Override
  public void retake(RunRecord run) {
    take(run.job());
  }

  @Override
  public Progress progress(RunRecord run) {
    return Progress.of(table.settledHead(session.get(), run));
  }

  @Override
  public boolean forgetOthers(@Nullable RunRecord run) {
    return exists.test(journal)
        && session
                .get()
                .update(
                    "DELETE FROM %s WHERE %s = ? AND %s <> ?"
                        .formatted(sql(journal), table.column("target"), table.column("run")),
                    identity(),
                    run == null ? NO_RUN : run.id())
            > 0;
  }

  @Override
  public void finish(JournaledRun run) {
    if (!run.begun().isStaged()) {
      return;
    }
    SwapSteps steps =
        new SwapSteps(
            dialect,
            target,
            named(run.begun().staging()),
            run.begun().mode() == Mode.REPLACE,
            true,
            exists,
            session.get());
    if (run.state() == JournaledRun.State.LACKS_END) {
      steps.run();
      append(run.run(), Entry.Complete.now("", false));
    }
    steps.clear();
  }

  /// Removes a run, and the table with it if it holds no other.
  @Override
  public void forget(RunRecord known) {
    if (!exists.test(journal)) {
      return;
    }
    SqlSession by = session.get();
    alone(
        by,
        () -> {
          table.delete(by, known);
          if (!holdsRows(by, journal)) {
            by.execute("DROP TABLE " + sql(journal));
          }
        });
  }
}
