package millrace.connectors.duckdb;

import java.util.List;
import java.util.Objects;
import millrace.connectors.duckdb.load.AppendColumn;
import millrace.connectors.duckdb.load.CarriedColumns;
import millrace.connectors.duckdb.load.DuckDbLoad;
import millrace.connectors.duckdb.load.DuckDbWriter;
import millrace.connectors.duckdb.load.RuleBook;
import millrace.connectors.duckdb.load.StagedRowCheck;
import millrace.connectors.duckdb.load.TemporaryStaging;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.connectors.sql.write.LoadStart;
import millrace.connectors.sql.write.Merge;
import millrace.connectors.sql.write.StagedRows;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.load.LoadRows;
import millrace.spi.load.Place;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.Rejects;
import millrace.spi.write.StagedRowValidator;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// A table that is written in one transaction.
final class DuckDbPlace implements Place, LoadRows, Place.Transaction, StagedRowValidator {

  private final DuckDbDatabase database;
  private final SqlSession session;
  private final DuckDBConnection connection;
  private final String label;
  private final SqlLoad plan;
  private final LoadStart start;
  private final List<AppendColumn> slots;

  /// Null until rows can come.
  private @Nullable Loading loading;

  /// The unique indexes of a table that was made again; null of others.
  private @Nullable List<DuckDbCatalog.UniqueIndex> replaced;

  /// How rows come.
  ///
  /// @param stage where they wait until all are there; null if they go straight to the table
  /// @param check what finds the bad ones among them; null if nobody asked for that, or none can be
  private record Loading(
      DuckDbLoad load, @Nullable TemporaryStaging stage, @Nullable StagedRowCheck check) {}

  /// The definition of a table that is made again; null if none is.
  private @Nullable DuckDbDefinition oldDefinition;

  /// @param label the table, for errors
  DuckDbPlace(DuckDbDatabase database, String label, SqlLoad plan, LoadStart start) {
    this.database = database;
    this.label = label;
    this.plan = plan;
    this.start = start;
    session = start.session().get();
    connection = session.run(open -> open.unwrap(DuckDBConnection.class));
    slots = AppendColumn.of(plan.columns());
  }

  private TableName table() {
    return plan.table();
  }

  @Override
  public Layout layout() {
    boolean makes = plan.makes() || plan.mode() == Mode.REPLACE;
    String staging = merges() ? TemporaryStaging.TABLE : "";
    return new Layout(staging, List.of(), null, makes, Making.WITHIN, false);
  }

  @Override
  public Transaction transaction() {
    return this;
  }

  @Override
  public void begin() {
    database.execute(connection, "BEGIN TRANSACTION");
    session.ownTransaction(true);
  }

  private List<DuckDbCatalog.UniqueIndex> uniques() {
    return start.write().setsAside() && plan.found() != null
        ? DuckDbCatalog.uniqueIndexes(session, table())
        : List.of();
  }

  /// What rows wait in is made once it is known what they carry.
  @Override
  public void make(String staging) {
    if (!staging.isEmpty()) {
      return;
    }
    if (plan.mode() == Mode.REPLACE) {
      replaced = uniques();
      oldDefinition = plan.makes() ? null : DuckDbDefinition.read(session, table());
      session.execute("DROP TABLE IF EXISTS " + DuckDbSql.name(table()));
    }
    if (oldDefinition != null) {
      oldDefinition.make(session, label, table());
    } else {
      session.execute("CREATE SCHEMA IF NOT EXISTS " + DuckDbSql.name(table().schema()));
      plan.make(table()).forEach(session::execute);
    }
  }

  @Override
  public void empty() {
    session.execute("DELETE FROM " + DuckDbSql.name(table()));
  }

  /// It goes with the transaction.
  @Override
  public void drop(String staging) {
    // Nothing is left of it.
  }

  /// Starts the statement that takes the rows.
  @Override
  public void ready() {
    WriteStart write = start.write();
    RuleBook book =
        write.setsAside()
            ? RuleBook.read(
                session, table(), slots, merges(), replaced == null ? uniques() : replaced)
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
  public @Nullable MergeCounts add(PhaseTimer steps) {
    Loading rows = loading();
    rows.load.finish();
    MergeCounts merged = rows.stage == null ? null : move(rows.stage);
    plan.madeAgain().forEach(object -> session.execute(object.make()));
    if (oldDefinition != null) {
      oldDefinition.comments().forEach(session::execute);
    }
    return merged;
  }

  @Override
  public void commit() {
    database.moment().lock();
    try {
      database.execute(connection, "COMMIT");
      session.ownTransaction(false);
    } finally {
      database.moment().unlock();
    }
  }

  /// Moves the rows that waited into their table. Returns what a merge made of them.
  private @Nullable MergeCounts move(TemporaryStaging stage) {
    MergeCounts merged = null;
    if (merges()) {
      TableInfo found = Objects.requireNonNull(plan.dialect().catalog().find(session, table()));
      StagedRows rows = new StagedRows(plan, session, TemporaryStaging.NAME, new StagedPlaces());
      merged = Merge.of(rows, table(), found, stage.order()).run().counts();
    } else {
      session.execute(stage.move(table()));
    }
    session.execute("DROP TABLE " + TemporaryStaging.TABLE);
    return merged;
  }

  /// DuckDB ends the transaction by itself if a statement failed for good; closing the connection
  /// undoes the rest in any case.
  @Override
  public void rollback() {
    if (loading != null) {
      loading.load.abandon();
    }
    session.ownTransaction(false);
    try {
      database.execute(connection, "ROLLBACK");
    } catch (Fault e) {
      LoggerFactory.getLogger(DuckDbPlace.class).debug("nothing to roll back", e);
    }
  }

  @Override
  public void undone() {
    start.undone();
  }

  @Override
  public Outcome outcome() {
    return new Outcome(List.of(), loading == null ? 0 : loading.load.taken().sum(), false, "");
  }
}
