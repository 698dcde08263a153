package millrace.connectors.sql.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.sink.RowSink;
import millrace.data.Form;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.Aborted;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Completed;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.Recoverable;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A load under way by several sessions, which commit in parts.
final class PartsSession implements WriteSession, Recoverable {

  private final SqlLoad plan;
  private final ServerDialect dialect;
  private final MethodChoice sending;
  private final SqlDatabase database;
  private final LazySession own;
  private final SqlLedger ledger;
  private final Predicate<TableName> exists;
  private final WriteStart start;
  private final @Nullable RunRecord run;

  private final CommittedParts committed = new CommittedParts();

  private final EmptyValues emptyValues = new EmptyValues();

  /// Of the rows of a merge, by the numbers of splits.
  private final Map<Integer, String> resources = new ConcurrentHashMap<>();

  private final @Nullable JsonNode details;

  private boolean begun;

  /// What became of the rows that the table held; empty if nothing has.
  private String emptied = "";

  private boolean made;

  /// Whether a writer was opened whose rows are not undone with their transaction.
  private volatile boolean stays;

  /// Whether a merge has made the table that its rows go into at the end.
  private boolean madeTarget;

  private final LoadEnd end = new LoadEnd();

  /// @param details what else the journal is to know of the run
  PartsSession(MethodChoice sending, LoadStart load, @Nullable JsonNode details) {
    this.sending = sending;
    this.details = details;
    plan = sending.plan();
    database = load.database();
    own = load.own();
    ledger = Objects.requireNonNull(load.ledger(), "only servers are loaded in parts");
    exists = load.exists();
    start = load.write();
    dialect = (ServerDialect) plan.dialect();
    run = start.run();
  }

  private String sql(TableName table) {
    return table.sql(dialect.names());
  }

  private List<String> laidOut() {
    return plan.columns().declarations(dialect.names(), false, CommentStyle.NONE);
  }

  /// Makes ready what the lanes write to.
  void begin() {
    JournaledRun from = start.goesOn();
    if (from != null) {
      goOn(from);
      return;
    }
    SqlSession session = own.get();
    JournaledRun before = start.before();
    if (before != null) {
      if (before.begun().isStaged()) {
        drop(session, ledger.named(before.begun().staging()));
      }
      ledger.forget(session, before.run());
    }
    boolean intoTarget = plan.landing().place() == Landing.Place.TARGET;
    if (intoTarget && plan.mode() == Mode.TRUNCATE && !plan.makes()) {
      // Before the run is known: one that goes on with it does not empty the table.
      empty(session);
    }
    if (run != null) {
      String staging = intoTarget ? "" : plan.staging().name();
      ledger.begin(session, new Entry.Begun(run, plan.mode(), staging, "", laidOut(), details));
      if (!emptied.isEmpty() && ledger.forgetOthers(session, run) > 0) {
        // What they have committed since; from now on they can't commit any more.
        empty(session);
      }
      begun = true;
    }
    make(session);
  }

  /// Of a statement that was cut off nobody knows whether it has come to its end.
  private void empty(SqlSession session) {
    String name = plan.table().name();
    emptied = name + " may have been emptied: look what it holds.";
    try {
      session.execute("TRUNCATE TABLE " + sql(plan.table()));
      emptied = name + " was emptied first: what it held is gone.";
    } catch (Fault.User | Fault.Data | Fault.External e) {
      emptied = "";
      throw e;
    }
  }

  private void make(SqlSession session) {
    if (plan.landing().place() == Landing.Place.SWAP) {
      plan.make(plan.staging()).forEach(session::execute);
      made = true;
      return;
    }
    if (plan.makes()) {
      plan.make(plan.table()).forEach(session::execute);
      madeTarget = plan.landing().staged();
    }
    if (plan.landing().staged()) {
      String number = dialect.types().ddl().apply(new Type.Int(64));
      List<String> more =
          plan.filledColumns().stream()
              .skip(plan.columns().names().size())
              .map(name -> dialect.names().quoted(name) + " " + number)
              .toList();
      session.execute(dialect.stage(plan.staging(), plan.table(), plan.stagedColumns(), more));
      made = true;
    }
  }

  private void goOn(JournaledRun from) {
    Entry.Begun known = from.begun();
    TableName into = known.isStaged() ? plan.staging() : plan.table();
    if (known.isStaged() != plan.landing().staged() || !exists.test(into)) {
      throw new Fault.User(
          "What was copied into " + into.name() + " is gone.", "Begin again with --fresh.");
    }
    if (known.isStaged() && !known.columns().equals(laidOut())) {
      throw new Fault.User(
          "The columns of " + plan.table().name() + " are others than when the copy began.",
          "Begin again with --fresh.");
    }
    begun = true;
    made = known.isStaged();
    for (Receipt receipt : from.receipts()) {
      committed.add(receipt);
      resources.put(receipt.split().index(), receipt.split().resource());
    }
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

  @Override
  public CommitStatus statusOf(Split split) {
    if (run == null) {
      return new CommitStatus.Unknown();
    }
    try (SqlSession fresh = SqlSession.open(database, true)) {
      CommitStatus status = ledger.statusOf(fresh, run, split);
      if (status instanceof CommitStatus.Taken taken) {
        committed.add(taken.receipt());
      }
      return status;
    }
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    return end.run(new Ending(steps));
  }

  /// One try at the end.
  private final class Ending implements LoadEnd.Steps {

    private final PhaseTimer timer;
    private final AtomicReference<@Nullable MergeCounts> merged = new AtomicReference<>();

    Ending(PhaseTimer timer) {
      this.timer = timer;
    }

    @Override
    public void run() {
      ending().run(timer, merged);
      cleared();
    }

    private PartsEnding ending() {
      return new PartsEnding(plan, own.get(), ledger, exists, run, committed, resources);
    }

    private void cleared() {
      made = false;
      madeTarget = false;
    }

    @Override
    public Completed told() {
      return completed(merged.get());
    }

    @Override
    public boolean hasCome() {
      own.close();
      if (run == null) {
        return false;
      }
      ledger.take(run.job());
      boolean hasCome = ledger.isComplete(own.get(), run);
      if (hasCome) {
        ending().clear();
        cleared();
      }
      return hasCome;
    }

    @Override
    public boolean isRepeatable() {
      return run != null || !plan.landing().staged();
    }
  }

  private Completed completed(@Nullable MergeCounts merged) {
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
    return new Completed(notes, merged);
  }

  private void drop(SqlSession session, TableName table) {
    if (exists.test(table)) {
      session.execute("DROP TABLE " + sql(table));
    }
  }

  @Override
  public Aborted abort(boolean keep) {
    if (keep && begun && run != null && !ledger.hasForgotten()) {
      return Aborted.KEPT.leaving(leaves());
    }
    Aborted aborted = Aborted.CLEAN;
    // The target's own connection may have been cancelled, or lost.
    try {
      own.close();
      SqlSession fresh = own.get();
      if (made) {
        drop(fresh, plan.staging());
      }
      if (madeTarget && !holdsRows(fresh)) {
        drop(fresh, plan.table());
      }
      if (begun && run != null) {
        ledger.forget(fresh, run);
      }
    } catch (Fault e) {
      aborted = aborted.failing(e);
    }
    return aborted.leaving(leaves());
  }

  private String leaves() {
    TableInfo found = plan.found();
    String held =
        stays && found != null
            ? plan.table().name()
                + " may hold rows of this copy: "
                + found.rowRules().notUndone()
                + ". Look what it holds before you copy again."
            : "";
    return (emptied + " " + held).strip();
  }

  private boolean holdsRows(SqlSession by) {
    return exists.test(plan.table())
        && SqlJournal.holdsRows(by, sql(plan.table()), dialect.statements().anyRow());
  }

  @Override
  public void close() {
    // The connection is the target's.
  }
}
