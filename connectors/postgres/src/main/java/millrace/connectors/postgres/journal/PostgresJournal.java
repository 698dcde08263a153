package millrace.connectors.postgres.journal;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.journal.JournalTable.Details;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.JournaledRun.State;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
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
public final class PostgresJournal implements JournalStore {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresJournal.class);

  private static final Duration WAIT = Duration.ofSeconds(20);

  private final Supplier<Session> session;
  private final Supplier<Session> connect;
  private final JournalTable table;
  private final EarlierRunCheck earlier;
  private final RunLocks locks;

  /// The job whose lock the target's connection holds.
  private String claimed = "";

  /// @param session gives the target's own connection, which another may take the place of
  /// @param connect opens another connection
  /// @param unlogged whether a crash of the server empties what the rows go into
  public PostgresJournal(
      Supplier<Session> session,
      Supplier<Session> connect,
      QualifiedName target,
      boolean unlogged) {
    this(session, connect, target, unlogged, WAIT);
  }

  /// @param wait how long it waits for what others have under way
  PostgresJournal(
      Supplier<Session> session,
      Supplier<Session> connect,
      QualifiedName target,
      boolean unlogged,
      Duration wait) {
    this.session = session;
    this.connect = connect;
    table = JournalTable.beside(target, unlogged);
    earlier = new EarlierRunCheck(target);
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

  /// Why this user can't keep one; null if nothing stands against it.
  public @Nullable NoJournal whyNot() {
    String why = table.whyNot(session());
    return why.isEmpty() ? null : new NoJournal(why, table.isThere(session()));
  }

  @Override
  public Guarantees guarantees() {
    return Guarantees.EXACT;
  }

  @Override
  public @Nullable JournaledRun claim(String job) {
    locks.takeUp(session(), job);
    claimed = job;
    Details found = null;
    for (Details one : runs()) {
      if (one.run().job().equals(job)) {
        found = one;
      }
    }
    if (found == null) {
      return null;
    }
    JournaledRun run = kept(found);
    boolean isLost =
        found.staged()
            && !found.complete()
            && earlier.isStagingEmptied(session(), found, run.rows());
    return isLost ? run.in(State.STAGED_LOST) : run;
  }

  private List<Details> runs() {
    return table.isThere(session()) ? table.runs(session()) : List.of();
  }

  private JournaledRun kept(Details of) {
    boolean stays = !of.staged() && of.mode() != Mode.TRUNCATE;
    List<Receipt> receipts = table.receipts(session(), of.run());
    return new JournaledRun(of.run(), completion(of, receipts), stays, receipts).begun(of.mode());
  }

  private @Nullable Completion completion(Details of, List<Receipt> receipts) {
    if (!of.complete()) {
      return null;
    }
    String at = of.completeAt() == null ? of.run().startedAt() : of.completeAt();
    long committed = receipts.stream().mapToLong(Receipt::rows).sum();
    return new Completion(at, earlier.change(session(), of.targetOid(), committed));
  }

  @Override
  public List<JournaledRun> list() {
    return runs().stream().map(this::kept).toList();
  }

  @Override
  public @Nullable JournaledRun findOther(List<String> origins) {
    Relation there = new Catalog(session()).find(table.target());
    if (there == null || !table.isThere(session())) {
      return null;
    }
    // What is told of them is looked at again once they have ended.
    for (Details one : unfinishedRuns(there, origins)) {
      locks.awaitFree(session(), one.run().job());
    }
    return unfinishedRuns(there, origins).stream()
        .filter(one -> locks.isFree(session(), one.run().job()))
        .map(this::kept)
        .filter(one -> one.rows() > 0)
        .findFirst()
        .orElse(null);
  }

  /// The runs whose rows went from one of those origins straight into that table.
  private List<Details> unfinishedRuns(Relation into, List<String> origins) {
    return table.runs(session()).stream()
        .filter(one -> !one.staged() && !one.complete() && one.targetOid() == into.oid())
        .filter(one -> !Collections.disjoint(one.run().origins(), origins))
        .toList();
  }

  /// What other copies into the target than the one that was claimed have left staged, if nobody is
  /// at work at them; one sentence each.
  public List<String> leftovers() {
    Catalog catalog = new Catalog(session());
    return runs().stream()
        .filter(one -> one.staged() && !one.complete() && !one.run().job().equals(claimed))
        .filter(one -> catalog.find(one.into()) != null && locks.isFree(session(), one.run().job()))
        .map(one ->
            "another copy, begun at "
                + one.run().startedAt()
                + " and cut off, has left "
                + one.into().label()
                + ": its own command goes on with it by --resume, or drop it (DROP TABLE "
                + one.into().sql()
                + ")")
        .toList();
  }

  /// How a run stands that another goes on with: with the columns that the target has now.
  ///
  /// @throws Fault.User if the tables that it wrote to are not as it left them
  /// @throws Fault.External if its staging table is another user's, or nothing is known of it
  public Details goingOnWith(JournaledRun run) {
    Details from = table.details(session(), run.run());
    if (from == null) {
      throw table.forgotten();
    }
    if (run.complete()) {
      return from;
    }
    EarlierRunCheck.checkOwned(session(), from);
    List<String> columns = new Catalog(session()).declarations(table.target());
    earlier.checkGoingOn(session(), from, run, columns);
    return from.laidOutBy(columns);
  }

  @Override
  public void delete(RunRecord known) {
    try {
      table.forget(session(), known);
    } catch (Fault.Transient e) {
      LOG.debug("the connection was lost after the end", e);
      try (Session own = connect()) {
        if (table.isThere(own)) {
          table.forget(own, known);
        }
      }
    }
  }
}
