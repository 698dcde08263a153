package millrace.connectors.sql.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.sink.RowSink;
import millrace.data.Form;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadRows;
import millrace.spi.load.Place;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Tables of a server that several sessions fill, each committing in parts.
final class PartsPlace implements Place, LoadRows, Place.Transaction {

  private final SqlLoad plan;
  private final Dialect dialect;
  private final MethodChoice sending;
  private final SqlDatabase database;
  private final LazySession own;
  private final SqlLedger ledger;
  private final Predicate<TableName> exists;
  private final @Nullable RunRecord run;
  private final @Nullable JsonNode details;

  private final CommittedParts committed = new CommittedParts();
  private final EmptyTextCounter emptyValues = new EmptyTextCounter();

  /// Of the rows of a merge, by the numbers of splits.
  private final Map<Integer, String> resources = new ConcurrentHashMap<>();

  /// Whether a writer was opened whose rows are not undone with their transaction.
  private volatile boolean stays;

  /// @param details what else the journal is to know of the run
  PartsPlace(MethodChoice sending, LoadStart load, SqlLedger ledger, @Nullable JsonNode details) {
    this.sending = sending;
    this.details = details;
    this.ledger = ledger;
    plan = sending.plan();
    database = load.database();
    own = load.own();
    exists = load.exists();
    dialect = plan.dialect();
    run = load.write().run();
  }

  private String sql(TableName table) {
    return table.sql(dialect.names());
  }

  @Override
  public Layout layout() {
    boolean swaps = plan.landing().place() == Landing.Place.SWAP;
    return new Layout(
        plan.landing().staged() ? plan.staging().name() : "",
        plan.columns().declarations(dialect.names(), false, CommentStyle.NONE),
        details,
        plan.makes() && !swaps,
        Making.AFTER_ENTRY,
        false);
  }

  @Override
  public void make(String staging) {
    if (staging.isEmpty() || plan.landing().place() == Landing.Place.SWAP) {
      plan.make(staging.isEmpty() ? plan.table() : plan.staging()).forEach(own.get()::execute);
      return;
    }
    String number = dialect.types().ddl().apply(new Type.Int(64));
    List<String> more =
        plan.filledColumns().stream()
            .skip(plan.columns().names().size())
            .map(name -> dialect.names().quoted(name) + " " + number)
            .toList();
    String ddl = dialect.writes().stage(plan.staging(), plan.table(), plan.stagedColumns(), more);
    own.get().execute(ddl);
  }

  @Override
  public void empty() {
    own.get().execute("TRUNCATE TABLE " + sql(plan.table()));
  }

  @Override
  public void drop(String staging) {
    drop(ledger.named(staging));
  }

  private void drop(TableName table) {
    if (exists.test(table)) {
      own.get().execute("DROP TABLE " + sql(table));
    }
  }

  @Override
  public void committed(Receipt receipt) {
    committed.add(receipt);
    resources.put(receipt.split().index(), receipt.split().resource());
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    SqlSession session = SqlSession.open(database, true);
    try {
      boolean merges = plan.mode() == Mode.MERGE;
      StagedPlaces places = merges ? new StagedPlaces(resources) : null;
      RowSink sink = sending.sink(session, places, context);
      stays = !sending.undoes();
      return new PartsWriter(plan, session, sink, new Told(), context);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /// What the writers tell.
  private final class Told implements PartsWriter.Told {

    @Override
    public boolean keepsReceipts() {
      return run != null;
    }

    @Override
    public boolean undoes() {
      return sending.undoes();
    }

    @Override
    public void record(SqlSession by, Receipt receipt) {
      if (run != null) {
        ledger.record(by, run, receipt);
      }
    }

    @Override
    public void committed(Receipt receipt, long empty) {
      committed.add(receipt);
      emptyValues.add(empty);
    }
  }

  private SwapSteps swapSteps(boolean sealed) {
    boolean replaces = plan.mode() == Mode.REPLACE;
    return new SwapSteps(
        dialect, plan.table(), plan.staging(), replaces, sealed, exists, own.get());
  }

  @Override
  public @Nullable Object checkSwap(boolean sealed) {
    swapSteps(sealed).check();
    return null;
  }

  @Override
  public void swap(boolean sealed) {
    swapSteps(sealed).run();
  }

  @Override
  public void clear() {
    if (plan.landing().place() == Landing.Place.SWAP) {
      swapSteps(true).clear();
    } else if (plan.landing().staged()) {
      drop(plan.staging());
    }
  }

  @Override
  public Transaction transaction() {
    return this;
  }

  @Override
  public void begin() {
    own.get().begin(dialect.statements().begin());
  }

  @Override
  public void commit() {
    own.get().commit();
  }

  @Override
  public void rollback() {
    own.get().rollback();
  }

  @Override
  public @Nullable MergeCounts add(PhaseTimer steps) {
    if (plan.landing().place() == Landing.Place.TARGET
        || plan.landing().place() == Landing.Place.SWAP) {
      return null;
    }
    SqlSession session = own.get();
    if (plan.mode() == Mode.MERGE) {
      return new PartsMerge(plan, session, new StagedPlaces(resources)).run();
    }
    String table = sql(plan.table());
    if (plan.empties()) {
      session.update("DELETE FROM " + table);
    }
    String columns = dialect.names().quoted(plan.columns().names());
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
    return null;
  }

  @Override
  public void reconnect() {
    own.close();
  }

  @Override
  public Outcome outcome() {
    return new Outcome(notes(), 0, false, leaves());
  }

  private List<String> notes() {
    long left = committed.refused();
    List<String> notes = new ArrayList<>(sending.notes());
    notes.addAll(emptyValues.notes());
    if (left > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              left == 1
                  ? "%,d row was ignored by the table's own rules."
                  : "%,d rows were ignored by the table's own rules.",
              left));
    }
    return notes;
  }

  /// Rows that are not undone with their transaction.
  private String leaves() {
    TableInfo found = plan.found();
    return stays && found != null
        ? plan.table().name()
            + " may hold rows of this copy: "
            + found.rowRules().notUndone()
            + ". Look what it holds before you copy again."
        : "";
  }
}
