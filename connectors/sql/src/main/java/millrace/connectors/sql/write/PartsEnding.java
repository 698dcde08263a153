package millrace.connectors.sql.write;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Entry;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// The end of a load by several sessions: what makes staged rows appear, with the mark that the run
/// is complete.
///
/// @param session the target's own
/// @param exists whether there is a table
/// @param run is marked complete; null if no journal is kept
/// @param committed what writers have committed
/// @param resources names of resources by the numbers of splits
record PartsEnding(
    SqlLoad plan,
    SqlSession session,
    SqlLedger ledger,
    Predicate<TableName> exists,
    @Nullable RunRecord run,
    CommittedParts committed,
    Map<Integer, String> resources) {

  /// Makes them appear.
  ///
  /// @param merged gets what a merge made of the rows
  void run(PhaseTimer steps, AtomicReference<@Nullable MergeCounts> merged) {
    dialect().checkLocks(true);
    switch (plan.landing().place()) {
      case TARGET -> inTransaction(() -> {});
      case INSERT -> steps.time("insert rows", 1, () -> inTransaction(this::insert));
      case MERGE -> steps.time("merge rows", 1, () -> inTransaction(() -> merged.set(merge())));
      case SWAP -> swap(steps);
    }
    clear();
  }

  /// Drops what is not needed any more once they have appeared; what is gone already is no fault.
  void clear() {
    if (plan.landing().place() == Landing.Place.SWAP) {
      swapSteps(true).clear();
    } else if (plan.landing().staged() && exists.test(plan.staging())) {
      session.execute("DROP TABLE " + sql(plan.staging()));
    }
  }

  /// @param begun whether the journal says that all rows were staged
  private SwapSteps swapSteps(boolean begun) {
    boolean replaces = plan.mode() == Mode.REPLACE;
    return new SwapSteps(dialect(), plan.table(), plan.staging(), replaces, begun, exists, session);
  }

  private MergeCounts merge() {
    return new PartsMerge(plan, dialect(), session, new StagedPlaces(resources)).run();
  }

  /// What changes names commits: the journal tells beforehand that nothing else is missing.
  private void swap(PhaseTimer steps) {
    boolean begun = run != null && ledger.isSealed(session, run);
    SwapSteps swap = swapSteps(begun);
    swap.check();
    if (run != null && !begun) {
      ledger.append(session, run, Entry.Sealing.now(null));
    }
    steps.time("swap tables", 1, swap::run);
    inTransaction(() -> {});
  }

  /// Does the last of the work, with the mark that the run is complete.
  private void inTransaction(Runnable work) {
    session.begin(dialect().statements().begin());
    try {
      work.run();
      if (run != null) {
        // What is emptied first has been told of then; others may have begun since.
        if (plan.landing().staged() && plan.mode() != Mode.APPEND && plan.mode() != Mode.MERGE) {
          ledger.forgetOthers(session, run);
        }
        ledger.append(session, run, Entry.Complete.now("", false));
      }
      session.commit();
    } catch (RuntimeException e) {
      session.rollback();
      throw e;
    }
  }

  private void insert() {
    String table = sql(plan.table());
    if (plan.empties()) {
      session.update("DELETE FROM " + table);
    }
    String columns = dialect().names().quoted(plan.columns().names());
    long taken =
        session.update(
            "INSERT INTO %s (%s) SELECT %s FROM %s"
                .formatted(table, columns, columns, sql(plan.staging())));
    long sent = committed.rows();
    if (taken != sent) {
      throw new Fault.External(
          String.format(
              Locale.ROOT,
              "%,d rows were staged for %s, and %,d went in.",
              sent,
              plan.table().name(),
              taken),
          "Somebody has changed the staging table. Begin again with --fresh.",
          null);
    }
  }

  private ServerDialect dialect() {
    return (ServerDialect) plan.dialect();
  }

  private String sql(TableName table) {
    return table.sql(dialect().names());
  }
}
