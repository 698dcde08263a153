package millrace.connectors.sql.write;

import java.util.List;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.load.LoadRows;
import millrace.spi.load.Place;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A table that one connection fills in one transaction.
final class WholePlace implements Place, LoadRows, Place.Transaction {

  private final SqlLoad plan;
  private final LoadStart start;
  private final LazySession own;
  private final SqlJournal journal;
  private final Names names;
  private final boolean undoesTables;

  /// The one that all rows go by: a lost one is not made again for them.
  private final SqlSession session;

  private final TakenRows taken;
  private @Nullable StagedMerge merge;
  private List<String> notes = List.of();

  WholePlace(SqlLoad plan, LoadStart start) {
    this.plan = plan;
    this.start = start;
    own = start.own();
    session = own.get();
    journal = start.journal();
    names = plan.dialect().names();
    undoesTables = plan.dialect().capabilities().transactionalDdl();
    taken = new TakenRows(plan, session);
  }

  private Statements statements() {
    return plan.dialect().statements();
  }

  private String sql(TableName table) {
    return table.sql(names);
  }

  /// Whatever makes tables would commit the rows, if it is not undone with them.
  @Override
  public Layout layout() {
    return new Layout(
        plan.isBeside() ? plan.staging().name() : plan.mode() == Mode.MERGE ? "merge" : "",
        List.of(),
        null,
        plan.makes() && !plan.isBeside(),
        undoesTables ? Making.WITHIN : Making.AFTER_ENTRY,
        false);
  }

  @Override
  public void make(String staging) {
    if (staging.isEmpty()) {
      if (plan.mode() == Mode.REPLACE && plan.found() != null) {
        session.execute("DROP TABLE " + sql(plan.table()));
      }
      plan.make(plan.table()).forEach(session::execute);
      return;
    }
    if (plan.isBeside()) {
      journal.unseal();
      drop(session, plan.staging());
      plan.make(plan.staging()).forEach(session::execute);
    }
    if (plan.mode() == Mode.MERGE) {
      merge = StagedMerge.begin(plan, session);
    }
  }

  /// A trigger may keep rows from being deleted, without an error.
  @Override
  public void empty() {
    plan.madeAgain().forEach(beside -> session.execute(beside.drop()));
    session.update("DELETE FROM " + sql(plan.table()));
    if (SqlJournal.holdsRows(session, sql(plan.table()), statements().anyRow())) {
      throw new Fault.User(
          "Table "
              + plan.table().name()
              + " is not empty after all of its rows were deleted: a"
              + " trigger has kept some.",
          "Drop that trigger, or use --mode replace.");
    }
  }

  /// What a merge stages goes with its connection.
  @Override
  public void drop(String staging) {
    if (plan.isBeside() && start.exists().test(plan.staging())) {
      journal.unseal();
      drop(own.get(), plan.staging());
    }
  }

  private void drop(SqlSession by, TableName table) {
    String drop = statements().tables().dropIfExists();
    if (!drop.isEmpty()) {
      by.execute(drop.formatted(sql(table)));
    } else if (plan.dialect().catalog().exists(by, table)) {
      by.execute("DROP TABLE " + sql(table));
    }
  }

  @Override
  public void ready() {
    taken.begin();
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    StagedPlaces places = merge == null ? null : merge.places();
    return new SqlWriter(plan, session, taken, places, context);
  }

  @Override
  public @Nullable MergeCounts add(PhaseTimer steps) {
    StagedMerge merging = merge;
    MergeCounts counts = null;
    if (merging != null) {
      counts = merging.run(taken);
      if (undoesTables) {
        // Else to drop them would commit.
        merging.drop();
      }
    } else if (!plan.isBeside()) {
      plan.madeAgain().forEach(beside -> session.execute(beside.make()));
    }
    notes = taken.notes();
    return counts;
  }

  private RenamedTables renaming() {
    List<String> again = plan.madeAgain().stream().map(TableInfo.Beside::make).toList();
    RenamedTables.Known known =
        new RenamedTables.Known(
            plan.staging().name(), plan.mode() == Mode.REPLACE, again, taken.rows());
    return new RenamedTables(plan.dialect(), session, start.exists(), plan.table(), known);
  }

  @Override
  public RenamedTables.Known checkSwap(boolean sealed) {
    return renaming().known();
  }

  @Override
  public void swap(boolean sealed) {
    renaming().run();
  }

  @Override
  public Transaction transaction() {
    return this;
  }

  @Override
  public void begin() {
    session.begin(statements().begin());
  }

  @Override
  public void commit() {
    session.commit();
  }

  @Override
  public void rollback() {
    session.rollback();
  }

  /// A connection that was stopped runs nothing more, so that another one drops what is left.
  @Override
  public void reconnect() {
    if (session.isCancelled()) {
      own.close();
    }
  }

  @Override
  public void undone() {
    start.undone();
  }

  @Override
  public Outcome outcome() {
    return new Outcome(notes, taken.rows(), false, "");
  }
}
