package millrace.connectors.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import millrace.connectors.duckdb.load.AppendColumn;
import millrace.connectors.duckdb.load.CarriedColumns;
import millrace.connectors.duckdb.load.DuckDbLoad;
import millrace.connectors.duckdb.load.DuckDbWriter;
import millrace.connectors.duckdb.load.MergeStatement;
import millrace.connectors.duckdb.load.RuleBook;
import millrace.connectors.duckdb.load.StagedRowCheck;
import millrace.connectors.duckdb.load.TemporaryStaging;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.write.SqlJournal;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// The one transaction in which a table is written.
final class DuckDbWriteSession implements WriteSession, StagedRowValidator {

  private final DuckDbAccess access;
  private final String label;
  private final TableName table;
  private final DuckDbTarget.TablePlan plan;
  private final SqlJournal journal;
  private final @Nullable RunRecord run;

  /// Null until rows can come.
  private @Nullable Loading loading;

  private boolean inTransaction;

  /// How rows come.
  ///
  /// @param stage where they wait until all are there; null if they go straight to the table
  /// @param check what finds the bad ones among them; null if nobody asked for that, or none can be
  private record Loading(
      DuckDbLoad load, @Nullable TemporaryStaging stage, @Nullable StagedRowCheck check) {}

  /// @param access the target's own
  /// @param run what is marked complete, or null
  DuckDbWriteSession(
      DuckDbAccess access,
      String label,
      TableName table,
      DuckDbTarget.TablePlan plan,
      SqlJournal journal,
      @Nullable RunRecord run) {
    this.access = access;
    this.label = label;
    this.table = table;
    this.plan = plan;
    this.journal = journal;
    this.run = run;
  }

  /// Makes the table ready and starts the statement that takes the rows.
  void prepare(WriteStart start) {
    SqlSession session = access.session();
    access.execute("BEGIN TRANSACTION");
    inTransaction = true;
    DuckDbCatalog catalog = access.catalog(label);
    List<DuckDbCatalog.UniqueIndex> uniques =
        start.setsAside() && plan.existing().found() != null
            ? catalog.uniqueIndexes(table)
            : List.of();
    prepareTable(session, catalog);
    RuleBook book =
        start.setsAside()
            ? RuleBook.read(catalog, table, slots(), merges(), uniques)
            : RuleBook.NONE;
    Loading made = loading(catalog, book, start);
    loading = made;
    DuckDbLoad load = made.load;
    if (made.stage == null) {
      String names = DuckDbSql.names(slots().stream().map(AppendColumn::name).toList());
      load.start("INSERT INTO " + DuckDbSql.name(table) + " (" + names + ") " + load.rows());
    } else {
      session.execute(made.stage.ddl());
      load.start("INSERT INTO " + TemporaryStaging.TABLE + " " + load.rows());
    }
    session.stopIfCancelled();
  }

  private void prepareTable(SqlSession session, DuckDbCatalog catalog) {
    DuckDbDefinition kept = plan.kept();
    if (plan.mode() == Mode.REPLACE) {
      session.execute("DROP TABLE IF EXISTS " + DuckDbSql.name(table));
    }
    if (kept != null) {
      kept.make(access, catalog, label, table);
    } else if (plan.makes()) {
      session.execute("CREATE SCHEMA IF NOT EXISTS " + DuckDbSql.name(table.schema()));
      session.execute(DuckDbTarget.ddl(table, plan.pairedColumns(), plan.key()));
    } else if (plan.mode() == Mode.TRUNCATE) {
      session.execute("DELETE FROM " + DuckDbSql.name(table));
    }
  }

  private Loading loading(DuckDbCatalog catalog, RuleBook book, WriteStart start) {
    boolean checks =
        start.setsAside()
            && (!book.rules().isEmpty() || slots().stream().anyMatch(AppendColumn::mayMisfit));
    CarriedColumns carried =
        checks ? CarriedColumns.PLACE : merges() ? CarriedColumns.ORDER : CarriedColumns.NOTHING;
    DuckDbLoad load =
        new DuckDbLoad(access.database(), access.connection(), slots(), carried, start.lanes());
    if (carried == CarriedColumns.NOTHING) {
      return new Loading(load, null, null);
    }
    TemporaryStaging stage = new TemporaryStaging(slots(), catalog.columns(table), carried);
    StagedRowCheck check =
        checks
            ? new StagedRowCheck(
                access.session(), access.connection(), table, slots(), book, stage, merges())
            : null;
    return new Loading(load, stage, check);
  }

  private List<AppendColumn> slots() {
    return plan.pairedColumns().slots();
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
    return new DuckDbWriter(loading().load, slots(), context);
  }

  @Override
  public long validateStaged(Rejects rejects, PhaseTimer steps) {
    Loading rows = loading();
    rows.load.finish();
    long[] refused = {0};
    if (rows.check != null) {
      steps.time("find bad rows", 1, () -> refused[0] = rows.check.run(rows.load, rejects));
    }
    return refused[0];
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    Loading rows = loading();
    rows.load.finish();
    MergeCounts merged = rows.stage == null ? null : move(rows.stage);
    finishReplacing();
    if (run != null) {
      journal.make();
      journal.complete(run, plan.mode());
    }
    access.database().moment().lock();
    try {
      inTransaction = false;
      access.execute("COMMIT");
    } finally {
      access.database().moment().unlock();
    }
    return new Completed(List.of(), merged);
  }

  /// Makes again what is faster made once the rows are there, or is no part of the statement that
  /// makes a table.
  private void finishReplacing() {
    if (plan.makesIndexes()) {
      plan.existing().indexes().forEach(access.session()::execute);
    }
    DuckDbDefinition kept = plan.kept();
    if (kept != null) {
      kept.comments().forEach(access.session()::execute);
    }
  }

  /// Moves the rows that waited into their table. Returns what a merge made of them.
  private @Nullable MergeCounts move(TemporaryStaging stage) {
    MergeCounts merged = null;
    if (merges()) {
      MergeStatement merge =
          new MergeStatement(table, plan.pairedColumns().schema(), plan.key(), stage);
      merged = merge.counts(access.catalog(label));
      access.session().execute(merge.statement());
    } else {
      access.session().execute(stage.move(table));
    }
    access.execute("DROP TABLE " + TemporaryStaging.TABLE);
    return merged;
  }

  /// Nothing is left to go on with. A file that was made for the run goes, if nothing else is in
  /// it.
  @Override
  public Aborted abort(boolean keep) {
    if (loading != null) {
      loading.load.abandon();
    }
    if (inTransaction) {
      inTransaction = false;
      rollback();
    }
    boolean remove = access.isMadeHere() && access.isOpen() && isEmpty();
    access.close();
    if (remove) {
      removeFile(access.file());
    }
    return Aborted.CLEAN;
  }

  /// Whether the file holds nothing: another run may have made a table in it since.
  private boolean isEmpty() {
    return access.catalog(label).names().isEmpty() && access.database().isMine();
  }

  /// DuckDB ends the transaction by itself if a statement failed for good; closing the connection
  /// undoes the rest in any case.
  private void rollback() {
    try {
      access.execute("ROLLBACK");
    } catch (Fault e) {
      LoggerFactory.getLogger(DuckDbWriteSession.class).debug("nothing to roll back", e);
    }
  }

  private static void removeFile(Path file) {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(Path.of(file + ".wal"));
    } catch (IOException e) {
      throw new Fault.External("Can't remove " + file + ": " + e.getMessage(), "", e);
    }
  }

  @Override
  public void close() {
    // The database is the target's.
  }
}
