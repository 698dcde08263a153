package millrace.connectors.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.duckdb.load.PairedColumns;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.write.SqlJournal;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import millrace.spi.Endpoint;
import millrace.spi.journal.Ledger;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.OpenFailed;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// A table of a DuckDB file, open for writing.
///
/// Everything that a run does happens in one transaction, in every mode: until it commits, the
/// table is what it was; when it commits, all rows are there.
final class DuckDbTarget implements Target, Blockable {

  /// Nanoseconds of CPU per byte of text, measured with a million rows of shape `unload` (129 MB as
  /// CSV): storing them takes 11 of it, which a copy within DuckDB pays as well.
  private static final double COLUMNS_COST = 13.5;

  private final WriteOptions writeOptions;
  private final TableName table;
  private final String label;
  private final String databaseLabel;
  private final DuckDbAccess access;
  private final SqlJournal journal;

  /// What there is in the place of the table.
  ///
  /// @param found null if it does not exist
  /// @param indexes statements that make its secondary indexes
  record Existing(DuckDbCatalog.@Nullable Found found, List<String> indexes) {}

  /// How the table is written.
  ///
  /// @param old the definition of a table that is replaced; null if none is
  /// @param makes whether it is made of the columns that come
  record TablePlan(
      Existing existing,
      Mode mode,
      PairedColumns pairedColumns,
      List<String> key,
      @Nullable DuckDbDefinition old,
      boolean makes) {

    /// The definition by which the table is made again; null if it is not.
    @Nullable DuckDbDefinition kept() {
      return makes ? null : old;
    }

    /// Whether the indexes of the table that is replaced are made again.
    boolean makesIndexes() {
      return old != null && (!makes || old.replaced().hasAllColumns(pairedColumns.schema()));
    }
  }

  DuckDbTarget(Endpoint endpoint, TableName table, WriteOptions writeOptions, Path file) {
    this.writeOptions = writeOptions;
    this.table = table;
    label = TableOrQuery.label(endpoint);
    databaseLabel = endpoint.label();
    access = new DuckDbAccess(databaseLabel, file, endpoint.size("memory-limit", 0));
    SqlJournal.Store store =
        new SqlJournal.Store(
            databaseLabel,
            DuckDbSql.NAMES,
            _ -> "VARCHAR",
            "SELECT 1 FROM %s LIMIT 1",
            access::session,
            this::exists);
    journal = new SqlJournal(store, label, table, new TableName(DuckDbSql.MAIN, SqlJournal.TABLE));
  }

  /// A file that does not exist is not made to look for it.
  private boolean exists(TableName other) {
    return Files.exists(access.file()) && access.catalog(label).find(other) != null;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == Ledger.class ? type.cast(journal) : Target.super.capability(type);
  }

  @Override
  public DescribedTarget describe() {
    Existing existing = existing();
    DuckDbCatalog.Found found = existing.found;
    return new DescribedTable(
        existing,
        TargetDescription.of(label, state(found))
            .withColumns(found == null ? List.of() : found.targetColumns())
            .withKey(found == null ? List.of() : found.key())
            .tellingCase(false)
            .landing(
                Landing.Offer.into(Landing.Commits.WHOLE)
                    .staging(Landing.Commits.WHOLE, Landing.Place.MERGE)));
  }

  private Existing existing() {
    if (access.isMadeHere()) {
      return new Existing(null, List.of());
    }
    DuckDbCatalog catalog = access.catalog(databaseLabel);
    return new Existing(catalog.find(table), catalog.indexes(table));
  }

  private static State state(DuckDbCatalog.@Nullable Found found) {
    if (found == null) {
      return State.ABSENT;
    }
    return found.view() ? State.VIEW : State.THERE;
  }

  /// The statement that makes the table; empty if none is made.
  private String ddl(TablePlan settled) {
    DuckDbDefinition kept = settled.kept();
    return settled.makes
        ? ddl(table, settled.pairedColumns, settled.key)
        : kept == null ? "" : kept.sql();
  }

  private void refuseIfReferenced() {
    List<String> dependents = access.catalog(label).dependents(table);
    if (!dependents.isEmpty()) {
      throw new Fault.User(
          label
              + " can't be replaced: foreign keys of "
              + String.join(", ", dependents)
              + " point to it.",
          "Use --mode truncate or merge.");
    }
  }

  private static String detail(TablePlan settled) {
    String whole = "The table and all its rows appear at once, when the run is complete.";
    return switch (settled.mode) {
      case CREATE -> whole;
      case REPLACE ->
          settled.kept() != null
              ? "The table keeps its definition. The old one stays until the run is complete."
              : settled.existing.found != null
                  ? "The old table stays until the run is complete."
                  : whole;
      case APPEND, TRUNCATE ->
          "One transaction: all rows appear at once, when the run is complete.";
      case MERGE -> "Rows are staged, then merged in one transaction; the last row of a key wins.";
    };
  }

  /// The statement that makes a table of those columns.
  static String ddl(TableName table, PairedColumns pairedColumns, List<String> key) {
    List<String> lines = new ArrayList<>(pairedColumns.declarations());
    if (!key.isEmpty()) {
      lines.add("PRIMARY KEY (" + DuckDbSql.names(key) + ")");
    }
    return "CREATE TABLE " + DuckDbSql.name(table) + " (\n  " + String.join(",\n  ", lines) + "\n)";
  }

  @Override
  public void cancel() {
    access.cancel();
  }

  @Override
  public void close() {
    access.close();
  }

  /// The table as it was looked at.
  private final class DescribedTable implements DescribedTarget {

    private final Existing existing;
    private final TargetDescription description;
    private @Nullable DuckDbDefinition replaced;

    DescribedTable(Existing existing, TargetDescription description) {
      this.existing = existing;
      this.description = description;
    }

    @Override
    public TargetDescription description() {
      return description;
    }

    @Override
    public boolean holdsRows() {
      String first = "(SELECT 1 FROM " + DuckDbSql.name(table) + " LIMIT 1)";
      return access.catalog(label).number("SELECT count(*) FROM " + first) > 0;
    }

    @Override
    public boolean keepsDefinition(Schema incoming) {
      DuckDbDefinition old = old();
      return old != null && old.replaced().stays(incoming, writeOptions);
    }

    /// The definition of the table that is there, to be replaced; null if there is none.
    private @Nullable DuckDbDefinition old() {
      DuckDbCatalog.Found found = existing.found;
      if (found == null) {
        return null;
      }
      if (replaced == null) {
        refuseIfReferenced();
        replaced = DuckDbDefinition.read(access.catalog(label), table, label, found);
      }
      return replaced;
    }

    @Override
    public PlannedTarget plan(WriteRequest request) {
      Schema incoming = request.incoming();
      Mode mode = request.mode();
      List<TargetColumn> partners = request.partners();
      DuckDbDefinition old = mode == Mode.REPLACE && !request.isComplete() ? old() : null;
      DuckDbCatalog.Found stays = partners.isEmpty() ? null : existing.found;
      List<String> key = mode == Mode.MERGE ? request.key() : incoming.key();
      PairedColumns pairedColumns =
          stays == null
              ? PairedColumns.fresh(label, incoming, key)
              : PairedColumns.existing(
                  label, incoming, partners, mode == Mode.MERGE ? key : List.of(), request.notes());
      TablePlan settled = new TablePlan(existing, mode, pairedColumns, key, old, stays == null);
      List<String> notes = new ArrayList<>(pairedColumns.notes());
      if (old != null && settled.makes) {
        notes.addAll(old.replaced().notes(incoming));
      }
      WritePlan plan =
          new WritePlan(
              pairedColumns.schema(), mode, ddl(settled), notes, List.of(detail(settled)));
      return PlannedTarget.ofColumns(plan, COLUMNS_COST, start -> open(settled, start));
    }
  }

  private WriteSession open(TablePlan settled, WriteStart start) {
    DuckDbWriteSession session =
        new DuckDbWriteSession(access, label, table, settled, journal, start.run());
    return OpenFailed.undoing(session, false, () -> session.prepare(start));
  }
}
