package millrace.connectors.sql.write;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A load under way: one transaction of one connection.
final class SqlWriteSession implements WriteSession {

  private final SqlLoad plan;
  private final LoadStart start;
  private final LazySession connection;
  private final SqlSession session;
  private final SqlJournal journal;
  private final @Nullable RunRecord run;
  private final Names names;
  private final TakenRows taken;
  private @Nullable StagedMerge merge;

  SqlWriteSession(SqlLoad plan, LoadStart start) {
    this.plan = plan;
    this.start = start;
    connection = start.own();
    session = connection.get();
    journal = start.journal();
    run = start.write().run();
    names = plan.dialect().names();
    taken = new TakenRows(plan, session);
  }

  /// Makes ready what writers fill.
  void begin() {
    boolean undoesTables = plan.dialect().capabilities().transactionalDdl();
    if (!undoesTables) {
      // Whatever makes tables would commit the rows.
      if (plan.isBeside()) {
        journal.unseal();
        drop(session, plan.staging());
        plan.make(plan.staging()).forEach(session::execute);
      }
      makeJournal();
    }
    session.begin(statements().begin());
    if (undoesTables && plan.makes()) {
      if (plan.mode() == Mode.REPLACE && plan.found() != null) {
        session.execute("DROP TABLE " + plan.table().sql(names));
      }
      plan.make(plan.table()).forEach(session::execute);
    } else if (plan.empties()) {
      plan.madeAgain().forEach(beside -> session.execute(beside.drop()));
      empty();
    }
    if (plan.mode() == Mode.MERGE) {
      merge = StagedMerge.begin(plan, session);
    }
    taken.begin();
  }

  /// A trigger may keep rows from being deleted, without an error.
  private void empty() {
    String table = plan.table().sql(names);
    session.update("DELETE FROM " + table);
    if (SqlJournal.holdsRows(session, table, statements().anyRow())) {
      throw new Fault.User(
          "Table "
              + plan.table().name()
              + " is not empty after all of its rows were deleted: a"
              + " trigger has kept some.",
          "Drop that trigger, or use --mode replace.");
    }
  }

  private Statements statements() {
    return plan.dialect().statements();
  }

  private void drop(SqlSession by, TableName table) {
    String drop = statements().tables().dropIfExists();
    if (!drop.isEmpty()) {
      by.execute(drop.formatted(table.sql(names)));
    } else if (plan.dialect().exists(by, table)) {
      by.execute("DROP TABLE " + table.sql(names));
    }
  }

  private void makeJournal() {
    if (run != null) {
      journal.make();
    }
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    StagedPlaces places = merge == null ? null : merge.places();
    return new SqlWriter(plan, session, taken, places, context);
  }

  /// Makes the rows appear, with the mark of the run.
  @Override
  public Completed complete(PhaseTimer steps) {
    AtomicReference<@Nullable MergeCounts> counts = new AtomicReference<>();
    StagedMerge merging = merge;
    if (merging != null) {
      steps.time("merge rows", 1, () -> counts.set(merging.run(taken)));
    }
    if (plan.isBeside()) {
      RenamedTables swap = swap();
      if (run != null) {
        journal.seal(run, plan.mode(), swap.known());
      }
      session.commit();
      steps.time("swap tables", 1, swap::run);
      session.begin(statements().begin());
    } else if (merging == null) {
      makeAgain();
    }
    if (plan.dialect().capabilities().transactionalDdl()) {
      makeJournal();
    }
    if (run != null) {
      journal.complete(run, plan.mode(), taken.rows());
    }
    List<String> notes = taken.notes();
    if (merging != null && plan.dialect().capabilities().transactionalDdl()) {
      // Else its tables are gone with the connection: to drop them would commit.
      merging.drop();
    }
    session.commit();
    return new Completed(notes, counts.get());
  }

  private RenamedTables swap() {
    List<String> again = plan.madeAgain().stream().map(TableInfo.Beside::make).toList();
    RenamedTables.Known known =
        new RenamedTables.Known(
            plan.staging().name(), plan.mode() == Mode.REPLACE, again, taken.rows());
    return new RenamedTables(plan.dialect(), session, start.exists(), plan.table(), known);
  }

  private void makeAgain() {
    plan.madeAgain().forEach(beside -> session.execute(beside.make()));
  }

  @Override
  public Aborted abort(boolean keep) {
    try {
      undo();
    } finally {
      start.undone();
    }
    return Aborted.CLEAN;
  }

  /// A connection that was stopped runs nothing more, so that another one drops what is left.
  private void undo() {
    session.rollback();
    if (plan.isBeside()) {
      if (session.isCancelled()) {
        connection.close();
      }
      if (start.exists().test(plan.staging())) {
        journal.unseal();
        drop(connection.get(), plan.staging());
      }
    }
  }

  @Override
  public void close() {
    // The connection is the target's.
  }
}
