package millrace.connectors.postgres.journal;

import static millrace.connectors.postgres.journal.JournalTable.begun;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.net.AtEnd;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JobLock;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.TargetDescription.NoJournal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receipts in a table beside the target, {@link JournalTable}, each written in the transaction of
/// its split's rows. A {@link JournaledLoad} writes them.
///
/// Where the rows go straight into tables that have no write-ahead log, a crash of the server
/// empties them. Their receipts are as durable as they are: in a table of the same kind,
/// `millrace_journal_unlogged`, that the same crash empties.
///
/// {@link RunLocks} keep those who go on with a run apart from what a killed one has under way.
public final class PostgresJournal implements Ledger, JobLock {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresJournal.class);

  private static final Duration WAIT = Duration.ofSeconds(20);

  private final Supplier<Session> session;
  private final Supplier<Session> connect;
  private final AtEnd atEnd;
  private final JournalTable table;
  private final RunLocks locks;

  /// What the journal said of the target when it was asked for an earlier run.
  private List<List<Entry>> runsThere = List.of();

  /// The job whose lock the target's connection holds.
  private String claimed = "";

  /// @param session gives the target's own connection, which another may take the place of
  /// @param connect opens another connection
  /// @param atEnd takes work to the end of the target's job
  /// @param unlogged whether a crash of the server empties what the rows go into
  public PostgresJournal(
      Supplier<Session> session,
      Supplier<Session> connect,
      AtEnd atEnd,
      QualifiedName target,
      boolean unlogged) {
    this(session, connect, atEnd, target, unlogged, WAIT);
  }

  /// @param wait how long it waits for what others have under way
  PostgresJournal(
      Supplier<Session> session,
      Supplier<Session> connect,
      AtEnd atEnd,
      QualifiedName target,
      boolean unlogged,
      Duration wait) {
    this.atEnd = atEnd;
    this.session = session;
    this.connect = connect;
    table = JournalTable.beside(target, unlogged);
    locks = new RunLocks(target, wait);
  }

  /// Where it is kept.
  public JournalTable table() {
    return table;
  }

  RunLocks locks() {
    return locks;
  }

  Session session() {
    return session.get();
  }

  Session connect() {
    return connect.get();
  }

  AtEnd atEnd() {
    return atEnd;
  }

  /// Why this user can't keep one; null if nothing stands against it.
  public @Nullable NoJournal whyNot() {
    String why =
        session()
            .known("keeps " + table.table().sql(), String.class, () -> table.whyNot(session()));
    return why.isEmpty() ? null : new NoJournal(why, table.isThere(session()));
  }

  /// A crash of the server empties staging tables that have no write-ahead log.
  @Override
  public Guarantees guarantees() {
    return new Guarantees(true, true, true, Attempts.FENCED);
  }

  @Override
  public void take(String job) {
    locks.takeUp(session(), job);
    claimed = job;
  }

  @Override
  public void awaitFree(String job) {
    locks.awaitFree(session(), job);
  }

  @Override
  public boolean isFree(String job) {
    return locks.isFree(session(), job);
  }

  private List<List<Entry>> runs() {
    return orNone(() -> table.runs(session()));
  }

  /// What the journal says; nothing if it is not there, or another copy that has ended drops it
  /// just now.
  private List<List<Entry>> orNone(Supplier<List<List<Entry>>> reading) {
    if (!table.isThere(session())) {
      return List.of();
    }
    try {
      return reading.get();
    } catch (Fault.User e) {
      if (session().isInTransaction() || table.isThere(session())) {
        throw e;
      }
      LOG.debug("the journal was dropped meanwhile", e);
      return List.of();
    }
  }

  @Override
  public List<Entry> read(String job) {
    runsThere = runs();
    List<RunRecord> runs =
        runsThere.stream()
            .map(each -> begun(each).run())
            .filter(run -> run.job().equals(job))
            .toList();
    return runs.isEmpty() ? List.of() : table.entries(session(), runs.getLast());
  }

  @Override
  public List<String> jobs() {
    return runs().stream().map(each -> begun(each).run().job()).distinct().toList();
  }

  @Override
  public String name() {
    return table.target().label();
  }

  private @Nullable Relation find(String staging) {
    QualifiedName name = staging.isEmpty() ? table.target() : QualifiedName.parse(staging);
    return new PostgresCatalog(session()).find(name);
  }

  @Override
  public @Nullable String tableId(String staging) {
    Relation there = find(staging);
    return there == null ? null : JournalTable.id(there.oid());
  }

  @Override
  public boolean isEmptied(String staging) {
    Relation there = find(staging);
    return there != null && EarlierRunCheck.isEmptied(session(), there);
  }

  @Override
  public long stagedRows(String staging) {
    return EarlierRunCheck.stagedRows(session(), QualifiedName.parse(staging));
  }

  /// What other copies into the target than the one that was claimed have left staged, if nobody is
  /// at work at them; one sentence each.
  public List<String> leftovers() {
    return runsThere.stream()
        .filter(each -> !(each.getLast() instanceof Entry.Complete))
        .map(JournalTable::begun)
        .filter(each -> each.isStaged() && !each.run().job().equals(claimed))
        .filter(each -> find(each.staging()) != null && locks.isFree(session(), each.run().job()))
        .map(each -> {
          QualifiedName staging = QualifiedName.parse(each.staging());
          return "another copy, begun at "
              + each.run().startedAt()
              + " and cut off, has left "
              + staging.label()
              + ": its own command resumes it with --resume, or drop it (DROP TABLE "
              + staging.sql()
              + ")";
        })
        .toList();
  }

  @Override
  public void forget(RunRecord known) {
    try {
      new JournalRemoval(table).forget(session(), known, atEnd);
    } catch (Fault.Transient e) {
      LOG.debug("the connection was lost after the end", e);
      try (Session own = connect()) {
        if (table.isThere(own)) {
          new JournalRemoval(table).forget(own, known, atEnd);
        }
      }
    }
  }
}
