package millrace.connectors.kudu.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.TabletRates;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadRows;
import millrace.spi.load.Place;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.StagingName;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.KuduTransaction;
import org.jspecify.annotations.Nullable;

/// A table that is being written: itself, or another one that takes its name at the end.
final class KuduPlace implements Place, LoadRows, Place.Transaction {

  /// Of Kudu's identifiers (`max_identifier_length`). How long names of tables and columns may be,
  /// in UTF-8.
  static final int NAME_BYTES_MAX = 256;

  private final KuduCluster cluster;
  private final KuduLoad plan;
  private final @Nullable KuduTable there;
  private final KuduJournal journal;
  private final @Nullable JournaledRun resumed;
  private final @Nullable RunRecord run;
  private final String staging;

  /// The target's own, which its cancel ends, until {@link #reconnect}.
  private KuduCalls calls;

  /// Splits that a writer has begun: one that is begun again may have left rows.
  private final Map<Integer, Boolean> begun = new ConcurrentHashMap<>();

  /// Whether another process has begun the run, and writes receipts down.
  private boolean joined;

  /// Whether others have told of rows of theirs.
  private volatile boolean others;

  private final LongAdder ignored = new LongAdder();

  /// What writers share; null until it is ready.
  private @Nullable Filled filled;

  private @Nullable KuduTransaction transaction;

  /// What the cluster calls the table that is made, or that the run has made which is resumed.
  private String madeId;

  /// How rows were spread over tablets; null if nobody knows, or there is no end yet.
  private @Nullable String spread;

  /// A table that writers fill.
  ///
  /// @param ranges null if nobody makes any
  private record Filled(KuduTable table, @Nullable Ranges ranges, TabletRates rates) {}

  /// @param there the table of that name; null if there is none
  /// @param start with the run that the journal keeps, if it keeps any
  KuduPlace(
      KuduCluster cluster,
      KuduCalls calls,
      KuduLoad plan,
      @Nullable KuduTable there,
      KuduJournal journal,
      WriteStart start) {
    this.cluster = cluster;
    this.calls = calls;
    this.plan = plan;
    this.there = there;
    this.journal = journal;
    resumed = start.resumed();
    run = start.run();
    madeId = resumed == null ? "" : resumed.begun().tableId();
    staging = resumed == null ? newStaging() : resumed.begun().staging();
  }

  private String newStaging() {
    String id = run == null ? UUID.randomUUID().toString() : run.id();
    String tail = id.replaceAll("[^0-9A-Za-z]", "_");
    return StagingName.of(cluster.address().table(), tail, NAME_BYTES_MAX);
  }

  @Override
  public Layout layout() {
    boolean staged = plan.landing().staged();
    boolean makesTarget = plan.make() != null && !staged && resumed == null;
    String before = there == null ? null : there.getTableId();
    return new Layout(
        staged ? staging : "",
        List.of(),
        KuduJournal.details(before),
        makesTarget,
        Making.BEFORE_ENTRY,
        true);
  }

  private String name(String table) {
    return table.isEmpty() ? cluster.address().table() : table;
  }

  @Override
  public void make(String table) {
    TableLayout make = Objects.requireNonNull(plan.make(), "a table that is made");
    KuduTable made = make.make(name(table), cluster.client(), calls);
    madeId = made.getTableId();
  }

  @Override
  public void empty() {
    new Truncate(cluster, Objects.requireNonNull(there, "a table with rows"), calls).run();
  }

  @Override
  public void drop(String table) {
    if (cluster.find(name(table), calls) != null) {
      calls.get(() -> cluster.client().deleteTable(name(table), 0));
    }
  }

  @Override
  public void join(SplitOwners owners) {
    joined = true;
  }

  @Override
  public void resume(JournaledRun from) {
    // Its receipts are written down.
  }

  @Override
  public void committed(Receipt receipt) {
    others = true;
    record(receipt, new KuduCalls(cluster.address().label()));
  }

  private void record(Receipt receipt, KuduCalls by) {
    journal.write(Objects.requireNonNull(run, "a run that is journaled"), receipt, by);
  }

  @Override
  public void ready() {
    String name = name(plan.landing().staged() ? staging : "");
    KuduTable table = cluster.find(name, calls);
    if (table == null) {
      throw new Fault.User(
          name + " is gone, and with it what was copied.", "Begin again with --fresh.");
    }
    List<String> counted = List.of("rows_inserted", "rows_upserted");
    filled = new Filled(table, ranges(table), new TabletRates(cluster.web(), name, counted));
  }

  private Filled filled() {
    return Objects.requireNonNull(filled, "made ready");
  }

  /// Ranges are made as rows need them if the user says how wide they are, but not their ends.
  private @Nullable Ranges ranges(KuduTable into) {
    TableLayout make = plan.make();
    RangeSteps steps = make == null ? plan.ranges() : make.growing();
    return steps == null || (steps.count() >= 0 && plan.ahead() == 0)
        ? null
        : new Ranges(cluster, into, steps, plan.ahead(), calls);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new KuduWriter(cluster, filled().table(), plan, new Writing(), context);
  }

  /// What the writers share.
  private final class Writing implements KuduWriter.Shared {

    @Override
    public boolean beginsAgain(Split split) {
      return begun.put(split.index(), true) != null || resumed != null || others;
    }

    @Override
    public boolean keepsReceipts() {
      return run != null;
    }

    @Override
    public void ignored(long rows) {
      ignored.add(rows);
    }

    @Override
    public @Nullable KuduTransaction transaction() {
      return transaction;
    }

    @Override
    public @Nullable Ranges ranges() {
      return filled().ranges();
    }

    @Override
    public void record(Receipt receipt, KuduCalls by) {
      if (!joined) {
        KuduPlace.this.record(receipt, by);
      }
    }
  }

  @Override
  public Transaction transaction() {
    return this;
  }

  /// Of all rows, or there is none: entries of the journal and tables have no transactions.
  @Override
  public void begin() {
    if (!plan.transactional()) {
      return;
    }
    try {
      transaction = calls.get(() -> cluster.client().newTransaction());
    } catch (Fault e) {
      throw new Fault.User(
          "--atomic needs transactions, and the cluster does not begin one: " + e.clause() + ".",
          "Start masters with --txn_manager_enabled and tablet servers with"
              + " --enable_txn_system_client_init, or leave --atomic out.",
          e);
    }
  }

  @Override
  public void commit() {
    KuduTransaction open = transaction;
    if (open != null) {
      calls.get(() -> {
        open.commit();
        return true;
      });
    }
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public void rollback() {
    KuduTransaction open = transaction;
    if (open != null) {
      // The target's own calls may have been cancelled.
      new KuduCalls(cluster.address().label())
          .get(() -> {
            open.rollback();
            return true;
          });
    }
  }

  /// The servers are asked once how rows are spread, while the table has the name that they know.
  @Override
  public @Nullable MergeCounts add(PhaseTimer steps) {
    if (spread == null) {
      spread = filled().rates().note("took");
    }
    return null;
  }

  @Override
  public void swap(boolean sealed) {
    String now = there == null ? null : there.getTableId();
    String before = resumed == null ? now : journal.before(resumed.begun());
    new NameSwap(cluster, staging, madeId, before).run(calls);
  }

  @Override
  public void reconnect() {
    if (calls.isCancelled()) {
      calls = new KuduCalls(cluster.address().label());
      journal.reconnect(calls);
    }
  }

  @Override
  public Outcome outcome() {
    boolean remain = (others || !begun.isEmpty()) && plan.landing().leavesRows();
    return new Outcome(
        notes(),
        0,
        remain,
        remain ? "Rows that were on their way may be in the table already, and stay." : "");
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    long left = ignored.sum();
    if (left == 1) {
      notes.add("1 row was ignored because its key was there.");
    } else if (left > 0) {
      notes.add(
          String.format(Locale.ROOT, "%,d rows were ignored because their keys were there.", left));
    }
    if (spread != null) {
      notes.add(spread);
    }
    return notes;
  }

  @Override
  public void close() {
    // The client is the target's.
    KuduTransaction open = transaction;
    transaction = null;
    if (open != null) {
      open.close();
    }
  }
}
