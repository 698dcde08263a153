package millrace.connectors.duckdb;

import java.util.List;
import millrace.connectors.duckdb.load.AppendColumn;
import millrace.connectors.duckdb.load.CarriedColumns;
import millrace.connectors.duckdb.load.DuckDbLoad;
import millrace.connectors.duckdb.load.DuckDbWriter;
import millrace.connectors.duckdb.load.MergeStatement;
import millrace.connectors.duckdb.load.RuleBook;
import millrace.connectors.duckdb.load.StagedRowCheck;
import millrace.connectors.duckdb.load.TemporaryStaging;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.write.LoadStart;
import millrace.connectors.sql.write.SqlLoad;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.Rejects;
import millrace.spi.write.StagedRowValidator;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The one transaction in which a table is written.
final class DuckDbWriteSession implements WriteSession, StagedRowValidator {

  private final DuckDbDatabase database;
  private final SqlSession session;
  private final DuckDBConnection connection;
  private final String label;
  private final SqlLoad plan;
  private final LoadStart start;
  private final List<AppendColumn> slots;

  /// Null until rows can come.
  private @Nullable Loading loading;

  private boolean inTransaction;

  /// How rows come.
  ///
  /// @param stage where they wait until all are there; null if they go straight to the table
  /// @param check what finds the bad ones among them; null if nobody asked for that, or none can be
  private record Loading(
      DuckDbLoad load, @Nullable TemporaryStaging stage, @Nullable StagedRowCheck check) {}

  /// The definition of a table that is made again; null if none is.
  private @Nullable DuckDbDefinition kept;

  /// @param label the table, for errors
  DuckDbWriteSession(DuckDbDatabase database, String label, SqlLoad plan, LoadStart start) {
    this.database = database;
    this.label = label;
    this.plan = plan;
    this.start = start;
    session = start.own().get();
    connection = session.run(open -> open.unwrap(DuckDBConnection.class));
    slots = AppendColumn.of(plan.columns());
  }

  private TableName table() {
    return plan.table();
  }

  /// Makes the table ready and starts the statement that takes the rows.
  void prepare() {
    WriteStart write = start.write();
    database.execute(connection, "BEGIN TRANSACTION");
    inTransaction = true;
    List<DuckDbCatalog.UniqueIndex> uniques =
        write.setsAside() && plan.found() != null
            ? DuckDbCatalog.uniqueIndexes(session, table())
            : List.of();
    prepareTable();
    RuleBook book =
        write.setsAside()
            ? RuleBook.read(session, table(), slots, merges(), uniques)
            : RuleBook.NONE;
    Loading made = loading(book, write);
    loading = made;
    DuckDbLoad load = made.load;
    if (made.stage == null) {
      String names = DuckDbSql.names(plan.columns().names());
      load.start("INSERT INTO " + DuckDbSql.name(table()) + " (" + names + ") " + load.rows());
    } else {
      session.execute(made.stage.ddl());
      load.start("INSERT INTO " + TemporaryStaging.TABLE + " " + load.rows());
    }
    session.stopIfCancelled();
  }

  private void prepareTable() {
    if (plan.mode() == Mode.REPLACE) {
      kept = plan.makes() ? null : DuckDbDefinition.read(session, table());
      session.execute("DROP TABLE IF EXISTS " + DuckDbSql.name(table()));
    }
    if (kept != null) {
      kept.make(session, label, table());
    } else if (plan.makes()) {
      session.execute("CREATE SCHEMA IF NOT EXISTS " + DuckDbSql.name(table().schema()));
      plan.make(table()).forEach(session::execute);
    } else if (plan.mode() == Mode.TRUNCATE) {
      session.execute("DELETE FROM " + DuckDbSql.name(table()));
    }
  }

  private Loading loading(RuleBook book, WriteStart write) {
    boolean checks =
        write.setsAside()
            && (!book.rules().isEmpty() || slots.stream().anyMatch(AppendColumn::mayMisfit));
    CarriedColumns carried =
        checks ? CarriedColumns.PLACE : merges() ? CarriedColumns.ORDER : CarriedColumns.NOTHING;
    DuckDbLoad load = new DuckDbLoad(database, connection, slots, carried, write.lanes());
    if (carried == CarriedColumns.NOTHING) {
      return new Loading(load, null, null);
    }
    TemporaryStaging stage =
        new TemporaryStaging(slots, DuckDbCatalog.columns(session, table()), carried);
    StagedRowCheck check =
        checks
            ? new StagedRowCheck(session, connection, table(), slots, book, stage, merges())
            : null;
    return new Loading(load, stage, check);
  }

  private boolean merges() {
    return plan.mode() == Mode.MERGE;
  }

  private Loading loading() {
    if (loading == null) {
      throw new Fault.Bug("rows before the table is ready", null);
    }
    return loading;
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new DuckDbWriter(loading().load, slots, context);
  }

  @Override
  public long validateStaged(Rejects rejects, PhaseTimer steps) {
    Loading rows = loading();
    rows.load.finish();
    long[] refused = {0};
    if (rows.check != null) {
      steps.time("find bad rows", 1, () -> refused[0] = rows.check.run(rows.load, rejects));
      rows.load.taken().add(-refused[0]);
    }
    return refused[0];
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    Loading rows = loading();
    rows.load.finish();
    MergeCounts merged = rows.stage == null ? null : move(rows.stage);
    plan.madeAgain().forEach(beside -> session.execute(beside.make()));
    if (kept != null) {
      kept.comments().forEach(session::execute);
    }
    RunRecord run = start.write().run();
    if (run != null) {
      start.journal().make();
      start.journal().complete(run, plan.mode(), rows.load.taken().sum());
    }
    database.moment().lock();
    try {
      inTransaction = false;
      database.execute(connection, "COMMIT");
    } finally {
      database.moment().unlock();
    }
    return new Completed(List.of(), merged);
  }

  /// Moves the rows that waited into their table. Returns what a merge made of them.
  private @Nullable MergeCounts move(TemporaryStaging stage) {
    MergeCounts merged = null;
    if (merges()) {
      Dialect.Equality equality = plan.dialect().equality(session, table(), List.of());
      MergeStatement merge =
          new MergeStatement(
              table(), plan.columns().names(), plan.key(), equality, plan.landing().steps(), stage);
      merged = merge.run(session);
    } else {
      session.execute(stage.move(table()));
    }
    session.execute("DROP TABLE " + TemporaryStaging.TABLE);
    return merged;
  }

  /// Nothing is left to go on with.
  @Override
  public Aborted abort(boolean keep) {
    if (loading != null) {
      loading.load.abandon();
    }
    if (inTransaction) {
      inTransaction = false;
      rollback();
    }
    start.undone();
    return Aborted.CLEAN;
  }

  /// DuckDB ends the transaction by itself if a statement failed for good; closing the connection
  /// undoes the rest in any case.
  private void rollback() {
    try {
      database.execute(connection, "ROLLBACK");
    } catch (Fault e) {
      LoggerFactory.getLogger(DuckDbWriteSession.class).debug("nothing to roll back", e);
    }
  }

  @Override
  public void close() {
    // The database is the target's.
  }
}
