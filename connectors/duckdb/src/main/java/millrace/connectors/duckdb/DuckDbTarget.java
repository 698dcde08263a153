package millrace.connectors.duckdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.duckdb.load.AppendColumn;
import millrace.connectors.duckdb.load.CarriedColumns;
import millrace.connectors.duckdb.load.DuckDbLoad;
import millrace.connectors.duckdb.load.DuckDbWriter;
import millrace.connectors.duckdb.load.Merge;
import millrace.connectors.duckdb.load.PairedColumns;
import millrace.connectors.duckdb.load.RuleBook;
import millrace.connectors.duckdb.load.StagedRowValidator;
import millrace.connectors.duckdb.load.TemporaryStaging;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Journal;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.Rejects;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// A table of a DuckDB file, open for writing.
///
/// Everything that a run does happens in one transaction, in every mode: until it commits, the
/// table is what it was; when it commits, all rows are there.
final class DuckDbTarget implements Target {

  /// Nanoseconds of CPU per byte of text, measured with a million rows of shape `unload` (129 MB as
  /// CSV): storing them takes 11 of it, which a copy within DuckDB pays as well.
  private static final double COLUMNS_COST = 13.5;

  private final Endpoint endpoint;
  private final WriteOptions writeOptions;
  private final Path file;
  private final DuckDbSql.Table table;
  private final String label;
  private final boolean madeHere;
  private final DuckDbJournal journal;
  private @Nullable DuckDbDatabase database;
  private @Nullable DuckDBConnection connection;
  private DuckDbCatalog.@Nullable Found found;
  private List<String> indexes = List.of();
  private @Nullable Settled settled;
  private @Nullable DuckDbLoad load;
  private boolean mayReject;
  private @Nullable TemporaryStaging temporaryStaging;
  private @Nullable StagedRowValidator stagedRowValidator;
  private volatile @Nullable Statements statements;
  private @Nullable MergeCounts merged;
  private boolean inTransaction;

  /// What fit settled.
  private record Settled(Mode mode, PairedColumns pairedColumns, List<String> key, boolean makes) {}

  DuckDbTarget(Endpoint endpoint, WriteOptions writeOptions, Path file) {
    this.endpoint = endpoint;
    this.writeOptions = writeOptions;
    this.file = file;
    String name = endpoint.text("table").orElse(null);
    if (name == null) {
      throw new Fault.User(
          endpoint.label() + " does not say which table.",
          "Add it: " + endpoint.label() + "?table=orders");
    }
    table = DuckDbSql.Table.parse(name);
    label = DuckDbConnector.label(endpoint, name);
    madeHere = Files.notExists(file);
    journal = new DuckDbJournal(label, file, table, this::database, this::connection);
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public TargetDescription describe() {
    if (!madeHere) {
      DuckDbCatalog catalog = new DuckDbCatalog(connection(), endpoint.label());
      found = catalog.find(table);
      indexes = catalog.indexes(table);
    }
    boolean matters = writeOptions.mode() != Mode.REPLACE || writeOptions.mayKeepTypes();
    DuckDbCatalog.Found stays = matters ? found : null;
    return TargetDescription.of(label, stays == null ? null : stays.schema(true));
  }

  @Override
  public WritePlan fit(Schema incoming) {
    Mode mode = mode();
    DuckDbCatalog.Found stays = mode == Mode.REPLACE ? null : found;
    List<String> key = mode == Mode.MERGE ? mergeKey(incoming) : incoming.key();
    PairedColumns pairedColumns =
        stays == null
            ? PairedColumns.fresh(label, incoming, key)
            : PairedColumns.existing(
                label,
                incoming,
                stays,
                mode == Mode.MERGE ? key : List.of(),
                writeOptions.byPosition());
    settled = new Settled(mode, pairedColumns, key, stays == null);
    String detail = detail(mode == Mode.REPLACE && found == null ? Mode.CREATE : mode);
    return new WritePlan(
        pairedColumns.schema(),
        mode,
        stays == null ? ddl() : "",
        pairedColumns.notes(),
        List.of(detail));
  }

  private Mode mode() {
    Mode asked = writeOptions.mode();
    if (journal.isComplete()) {
      // The rows are there, and stay unless the source has changed since.
      return asked == null ? Mode.APPEND : asked;
    }
    if (found != null && found.view()) {
      throw new Fault.User(label + " is a view.", "Name a table.");
    }
    if (asked == null) {
      if (found == null) {
        return Mode.CREATE;
      }
      if (rows() > 0) {
        throw new Fault.User(
            label + " holds rows already.",
            "Say what to do with them: --mode append adds to them, truncate empties the table"
                + " first, replace puts a new table in its place, merge updates rows by key.");
      }
      return Mode.APPEND;
    }
    if (asked == Mode.CREATE && found != null) {
      throw new Fault.User(
          label + " exists already.", "Use --mode append, truncate, replace or merge.");
    }
    if (asked == Mode.REPLACE && found != null) {
      refuseIfReferenced();
    }
    return asked;
  }

  private long rows() {
    return new DuckDbCatalog(connection(), label)
        .number("SELECT count(*) FROM (SELECT 1 FROM " + table.sql() + " LIMIT 1)");
  }

  private void refuseIfReferenced() {
    List<String> dependents = new DuckDbCatalog(connection(), label).dependents(table);
    if (!dependents.isEmpty()) {
      throw new Fault.User(
          label
              + " can't be replaced: foreign keys of "
              + String.join(", ", dependents)
              + " point to it.",
          "Use --mode truncate or merge.");
    }
  }

  private List<String> mergeKey(Schema incoming) {
    List<String> key =
        !writeOptions.key().isEmpty()
            ? writeOptions.key()
            : found != null && !found.key().isEmpty() ? found.key() : incoming.key();
    if (key.isEmpty()) {
      throw new Fault.User(
          label + " has no primary key to merge by.", "Name columns: --key id,day");
    }
    for (String name : key) {
      if (incoming.columns().stream().noneMatch(c -> c.name().equalsIgnoreCase(name))) {
        throw new Fault.User(
            "The key's column \"" + name + "\" does not come from the source.",
            "It brings " + String.join(", ", incoming.names()) + ".");
      }
    }
    return key;
  }

  private static String detail(Mode mode) {
    return switch (mode) {
      case CREATE -> "The table and all its rows appear at once, when the run is complete.";
      case REPLACE -> "The old table stays until the run is complete.";
      case APPEND, TRUNCATE ->
          "One transaction: all rows appear at once, when the run is complete.";
      case MERGE -> "Rows are staged, then merged in one transaction; the last row of a key wins.";
    };
  }

  private String ddl() {
    Settled plan = settled();
    return ddl(table, plan.pairedColumns, plan.key);
  }

  /// The statement that makes a table of those columns.
  static String ddl(DuckDbSql.Table table, PairedColumns pairedColumns, List<String> key) {
    List<String> lines = new ArrayList<>(pairedColumns.declarations());
    if (!key.isEmpty()) {
      lines.add("PRIMARY KEY (" + DuckDbSql.names(key) + ")");
    }
    return "CREATE TABLE " + table.sql() + " (\n  " + String.join(",\n  ", lines) + "\n)";
  }

  @Override
  public double cost(Form form) {
    return form.isFrames() ? -1 : COLUMNS_COST;
  }

  @Override
  public void expectSift() {
    mayReject = true;
  }

  @Override
  public void begin(int lanes) {
    DuckDBConnection connection = connection();
    Settled plan = settled();
    List<AppendColumn> slots = plan.pairedColumns.slots();
    boolean merges = plan.mode == Mode.MERGE;
    statements();
    execute("BEGIN TRANSACTION");
    inTransaction = true;
    List<RuleBook.UniqueIndex> uniques =
        mayReject && found != null
            ? new DuckDbCatalog(connection, label).uniqueIndexes(table)
            : List.of();
    prepareTable(plan);
    RuleBook book =
        mayReject
            ? RuleBook.read(new DuckDbCatalog(connection, label), table, slots, merges, uniques)
            : RuleBook.NONE;
    boolean sifts =
        mayReject && (!book.rules().isEmpty() || slots.stream().anyMatch(AppendColumn::mayMisfit));
    CarriedColumns carriedColumns =
        sifts ? CarriedColumns.PLACE : merges ? CarriedColumns.ORDER : CarriedColumns.NOTHING;
    DuckDbLoad made = new DuckDbLoad(database(), connection, slots, carriedColumns, lanes);
    load = made;
    if (carriedColumns == CarriedColumns.NOTHING) {
      String names = DuckDbSql.names(slots.stream().map(AppendColumn::name).toList());
      made.start("INSERT INTO " + table.sql() + " (" + names + ") " + made.rows());
      statements().stopIfCancelled();
      return;
    }
    TemporaryStaging stage =
        new TemporaryStaging(
            slots, new DuckDbCatalog(connection, label).columns(table), carriedColumns);
    temporaryStaging = stage;
    if (sifts) {
      stagedRowValidator =
          new StagedRowValidator(statements(), connection, table, slots, book, stage, merges);
    }
    statements().execute(stage.ddl());
    made.start("INSERT INTO " + TemporaryStaging.TABLE + " " + made.rows());
    statements().stopIfCancelled();
  }

  private void prepareTable(Settled plan) {
    if (plan.makes && plan.mode == Mode.REPLACE) {
      statements().execute("DROP TABLE IF EXISTS " + table.sql());
    }
    if (plan.makes) {
      statements().execute("CREATE SCHEMA IF NOT EXISTS " + DuckDbSql.name(table.schema()));
      statements().execute(ddl());
    } else if (plan.mode == Mode.TRUNCATE) {
      statements().execute("DELETE FROM " + table.sql());
    }
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new DuckDbWriter(load(), settled().pairedColumns.slots(), context);
  }

  @Override
  public long validateStaged(Rejects rejects, PhaseTimer steps) {
    load().finish();
    StagedRowValidator sieve = stagedRowValidator;
    long[] refused = {0};
    if (sieve != null) {
      steps.time("find bad rows", 1, () -> refused[0] = sieve.run(load(), rejects));
    }
    return refused[0];
  }

  @Override
  public void complete(PhaseTimer steps) {
    Settled plan = settled();
    load().finish();
    TemporaryStaging stage = temporaryStaging;
    if (stage != null) {
      if (plan.mode == Mode.MERGE) {
        Merge merge = new Merge(table, plan.pairedColumns.schema().names(), plan.key, stage);
        merged = merge.counts(new DuckDbCatalog(connection(), label));
        statements().execute(merge.statement());
      } else {
        statements().execute(stage.move(table));
      }
      execute("DROP TABLE " + TemporaryStaging.TABLE);
    }
    if (plan.mode == Mode.REPLACE) {
      indexes.forEach(statements()::execute);
    }
    journal.complete(plan.mode);
    database().moment().lock();
    try {
      inTransaction = false;
      execute("COMMIT");
    } finally {
      database().moment().unlock();
    }
  }

  @Override
  public @Nullable MergeCounts merged() {
    return merged;
  }

  @Override
  public void cancel() {
    Statements own = statements;
    if (own != null) {
      own.cancel();
    }
  }

  @Override
  public void abandon() {
    DuckDbLoad running = load;
    if (running != null) {
      running.abandon();
    }
    if (inTransaction) {
      inTransaction = false;
      rollback();
    }
    boolean remove = madeHere && database != null && isEmpty();
    close();
    if (remove) {
      removeFile();
    }
  }

  /// Whether the file holds nothing: another run may have made a table in it since.
  private boolean isEmpty() {
    return new DuckDbCatalog(connection(), label).names().isEmpty() && database().isMine();
  }

  /// DuckDB ends the transaction by itself where a statement failed for good; closing the
  /// connection undoes the rest in any case.
  private void rollback() {
    try {
      execute("ROLLBACK");
    } catch (Fault e) {
      org.slf4j.LoggerFactory.getLogger(DuckDbTarget.class).debug("nothing to roll back", e);
    }
  }

  private void removeFile() {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(Path.of(file + ".wal"));
    } catch (IOException e) {
      throw new Fault.External("Can't remove " + file + ": " + e.getMessage(), "", e);
    }
  }

  @Override
  public void close() {
    try {
      DuckDBConnection open = connection;
      connection = null;
      if (open != null) {
        open.close();
      }
    } catch (java.sql.SQLException e) {
      throw DuckDbFaults.of(e, label);
    } finally {
      DuckDbDatabase base = database;
      database = null;
      if (base != null) {
        base.close();
      }
    }
  }

  private DuckDbDatabase database() {
    DuckDbDatabase open = database;
    if (open == null) {
      open = DuckDbDatabase.open(endpoint.label(), file, endpoint.size("memory-limit", 0));
      database = open;
    }
    return open;
  }

  private DuckDBConnection connection() {
    DuckDBConnection open = connection;
    if (open == null) {
      open = database().connect();
      connection = open;
    }
    return open;
  }

  private Statements statements() {
    Statements own = statements;
    if (own == null) {
      own = new Statements(connection(), endpoint.label());
      statements = own;
    }
    return own;
  }

  private void execute(String sql) {
    database().execute(connection(), sql);
  }

  private Settled settled() {
    Settled plan = settled;
    if (plan == null) {
      throw new Fault.Bug("begin before fit", null);
    }
    return plan;
  }

  private DuckDbLoad load() {
    DuckDbLoad running = load;
    if (running == null) {
      throw new Fault.Bug("writer before begin", null);
    }
    return running;
  }
}
