package millrace.connectors.sql.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.connectors.sql.sink.RowSink;
import millrace.data.Form;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadRows;
import millrace.spi.load.Place;
import millrace.spi.load.SplitOwners;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Tables that one connection fills in one transaction, or several sessions of a server fill that
/// commit in parts.
final class SqlPlace implements Place, LoadRows, Place.Transaction, SqlWriter.CommitRecorder {

  private final SqlLoad plan;
  private final Dialect dialect;
  private final MethodChoice sending;
  private final LoadStart start;
  private final LazySession mainSession;
  private final @Nullable RunRecord run;
  private final @Nullable JsonNode details;
  private final boolean oneTransaction;
  private final boolean undoesTables;
  private final TakenRows taken;

  /// The splits of this process, if another has begun the run.
  private @Nullable SplitOwners owners;

  /// What one connection stages for a merge; null of other loads.
  private @Nullable StagedMerge merge;

  private List<String> notes = List.of();

  /// Whether a writer was opened whose rows are not undone with their transaction.
  private volatile boolean leavesRows;

  /// @param details what else the journal is to know of the run
  SqlPlace(MethodChoice sending, LoadStart start, @Nullable JsonNode details) {
    this.sending = sending;
    this.start = start;
    this.details = details;
    plan = sending.plan();
    dialect = plan.dialect();
    mainSession = start.session();
    run = start.write().run();
    oneTransaction = plan.landing().whole();
    undoesTables = dialect.capabilities().transactionalDdl();
    taken = new TakenRows(plan, mainSession);
  }

  private String sql(TableName table) {
    return table.sql(dialect.names());
  }

  /// Whatever makes tables would commit rows of one transaction, if it is not undone with them.
  @Override
  public Layout layout() {
    return new Layout(
        plan.landing().staged() ? plan.waiting().name() : "",
        plan.columns().declarations(dialect.names(), false, CommentStyle.NONE),
        details,
        plan.makes() && !plan.fillsNewTable(),
        oneTransaction && undoesTables ? Making.WITHIN : Making.AFTER_ENTRY,
        false);
  }

  @Override
  public void make(String staging) {
    if (staging.isEmpty()) {
      if (plan.mode() == Mode.REPLACE && plan.found() != null) {
        execute("DROP TABLE " + sql(plan.table()));
      }
      plan.make(plan.table()).forEach(this::execute);
      return;
    }
    if (plan.fillsNewTable()) {
      dropSealed();
      plan.make(plan.staging()).forEach(this::execute);
    }
    if (plan.mode() == Mode.MERGE && oneTransaction) {
      merge = StagedMerge.begin(plan, mainSession.get());
    } else if (!plan.fillsNewTable()) {
      execute(dialect.writes().stage(plan.staging(), plan.table(), plan.stagedColumns(), places()));
    }
  }

  /// The columns of a staging table beside those of rows.
  private List<String> places() {
    String number = dialect.types().ddl().apply(new Type.Int(64));
    return plan.filledColumns().stream()
        .skip(plan.columns().names().size())
        .map(name -> dialect.names().quoted(name) + " " + number)
        .toList();
  }

  private void execute(String statement) {
    mainSession.get().execute(statement);
  }

  /// A trigger may keep rows from being deleted, without an error.
  @Override
  public void empty() {
    String table = sql(plan.table());
    if (!oneTransaction) {
      String truncate = dialect.statements().tables().truncate();
      execute((truncate.isEmpty() ? "DELETE FROM %s" : truncate).formatted(table));
      return;
    }
    plan.madeAgain().forEach(object -> execute(object.drop()));
    mainSession.get().update("DELETE FROM " + table);
    if (SqlJournal.holdsRows(mainSession.get(), table, dialect.statements().anyRow())) {
      throw new Fault.User(
          "Table "
              + plan.table().name()
              + " is not empty after all of its rows were deleted: a"
              + " trigger has kept some.",
          "Drop that trigger, or use --mode replace.");
    }
  }

  /// What one transaction has made goes with it, or with its connection, but for what stands beside
  /// the target. That has the same name in all copies.
  @Override
  public void drop(String staging) {
    if (!oneTransaction) {
      dropIfThere(start.journal().named(staging));
    } else if (plan.fillsNewTable() && start.exists().test(plan.staging())) {
      dropSealed();
    }
  }

  /// What another run has staged under the same name is not to take the target's place any more.
  private void dropSealed() {
    if (oneTransaction) {
      start.journal().unseal();
      dropIfThere(plan.staging());
    }
  }

  private void dropIfThere(TableName table) {
    if (start.exists().test(table)) {
      execute("DROP TABLE " + sql(table));
    }
  }

  @Override
  public void join(SplitOwners joined) {
    owners = joined;
  }

  @Override
  public void ready() {
    taken.begin();
  }

  @Override
  public void committed(Receipt receipt) {
    taken.addKnown(receipt);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    if (oneTransaction) {
      StagedPlaces places = merge == null ? null : merge.places();
      return new SqlWriter(
          plan, mainSession.get(), sending.sink(mainSession.get(), places, context), this, context);
    }
    SqlSession session = SqlSession.open(start.database(), true);
    try {
      StagedPlaces places = plan.mode() == Mode.MERGE ? taken.places() : null;
      RowSink sink = sending.sink(session, places, context);
      leavesRows = !sending.undoes();
      return new SqlWriter(plan, session, sink, this, context);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  @Override
  public boolean keepsReceipts() {
    return run != null && !oneTransaction;
  }

  @Override
  public boolean undoes() {
    return sending.undoes();
  }

  @Override
  public void record(SqlSession by, Receipt receipt) {
    if (run != null) {
      OwnerRows table = start.journal().owners();
      if (owners != null && table != null) {
        table.check(by, run, receipt.split(), owners.token(receipt.split()));
      }
      start.journal().record(by, run, receipt);
    }
  }

  @Override
  public void taken(Receipt receipt, long empty) {
    taken.add(receipt, empty);
  }

  private TableSwap swapOf(boolean sealed) {
    TableSwap.Known known =
        new TableSwap.Known(
            plan.staging().name(),
            plan.mode() == Mode.REPLACE,
            oneTransaction
                ? plan.madeAgain().stream().map(TableInfo.DependentObject::make).toList()
                : List.of(),
            oneTransaction ? taken.rows() : 0);
    return new TableSwap(
        dialect, mainSession.get(), start.exists(), plan.table(), plan.staging(), known, sealed);
  }

  @Override
  public TableSwap.@Nullable Known checkSwap(boolean sealed) {
    TableSwap swap = swapOf(sealed);
    swap.check();
    return oneTransaction ? swap.known() : null;
  }

  @Override
  public void swap(boolean sealed) {
    swapOf(sealed).run();
  }

  @Override
  public void clear() {
    if (plan.fillsNewTable()) {
      swapOf(true).clear();
    } else if (plan.landing().staged() && !oneTransaction) {
      dropIfThere(plan.staging());
    }
  }

  @Override
  public Transaction transaction() {
    return this;
  }

  @Override
  public void begin() {
    mainSession.get().begin(dialect.statements().begin());
  }

  @Override
  public void commit() {
    mainSession.get().commit();
  }

  @Override
  public void rollback() {
    mainSession.get().rollback();
  }

  @Override
  public @Nullable MergeCounts add(PhaseTimer steps) {
    MergeCounts counts = null;
    StagedMerge merging = merge;
    if (merging != null) {
      counts = merging.run(taken);
      if (undoesTables) {
        // Else to drop them would commit.
        merging.drop();
      }
    } else if (oneTransaction && !plan.fillsNewTable()) {
      plan.madeAgain().forEach(object -> execute(object.make()));
    } else if (plan.mode() == Mode.MERGE) {
      counts = merge();
    } else if (plan.landing().place() == Landing.Place.INSERT) {
      insertStaged();
    }
    if (oneTransaction) {
      notes = taken.notes();
    }
    return counts;
  }

  private MergeCounts merge() {
    TableInfo there = dialect.catalog().find(mainSession.get(), plan.table());
    if (there == null) {
      throw new Fault.User(
          plan.table().name() + " is gone, and staged rows were to be merged into it.",
          "Begin again with --fresh.");
    }
    StagedRows rows = new StagedRows(plan, mainSession.get(), plan.staging(), taken.places());
    return Merge.of(rows, plan.table(), there, StagedPlaces.ORDER).run().counts();
  }

  private void insertStaged() {
    String table = sql(plan.table());
    if (plan.empties()) {
      mainSession.get().update("DELETE FROM " + table);
    }
    String columns = dialect.names().quoted(plan.columns().names());
    long inserted =
        mainSession
            .get()
            .update(
                "INSERT INTO %s (%s) SELECT %s FROM %s"
                    .formatted(table, columns, columns, sql(plan.staging())));
    if (inserted != taken.sent()) {
      throw new Fault.External(
          String.format(
              Locale.ROOT,
              "%,d rows were staged for %s, and %,d went in.",
              taken.sent(),
              plan.table().name(),
              inserted),
          "Somebody has changed the staging table. Begin again with --fresh.",
          null);
    }
  }

  /// Of one transaction, a connection that was stopped runs nothing more, so that another one drops
  /// what is left.
  @Override
  public void reconnect() {
    if (!oneTransaction || mainSession.get().isCancelled()) {
      mainSession.close();
    }
  }

  @Override
  public void undone() {
    if (oneTransaction) {
      start.undone();
    }
  }

  @Override
  public Outcome outcome() {
    List<String> all = new ArrayList<>(sending.notes());
    all.addAll(oneTransaction ? notes : taken.notes());
    return new Outcome(all, oneTransaction ? taken.rows() : 0, false, leaves());
  }

  /// Rows that are not undone with their transaction.
  private String leaves() {
    TableInfo found = plan.found();
    return leavesRows && found != null
        ? plan.table().name()
            + " may hold rows of this copy: "
            + found.rowRules().notUndone()
            + ". Look what it holds before you copy again."
        : "";
  }
}
