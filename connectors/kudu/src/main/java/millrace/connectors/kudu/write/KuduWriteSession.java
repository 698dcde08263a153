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
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Mode;
import millrace.spi.write.Recoverable;
import millrace.spi.write.StagingName;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.KuduTransaction;
import org.jspecify.annotations.Nullable;

/// A table that is being written: itself, or another one that takes its name at the end.
final class KuduWriteSession implements WriteSession, Recoverable {

  /// Of Kudu's identifiers (`max_identifier_length`). How long names of tables and columns may be,
  /// in UTF-8.
  static final int NAME_BYTES_MAX = 256;

  private final KuduCluster cluster;
  private final KuduCalls calls;
  private final KuduLoad plan;
  private final @Nullable KuduTable there;
  private final KuduJournal journal;
  private final WriteStart start;
  private final @Nullable RunRecord run;
  private final String staging;
  private @Nullable TabletRates rates;
  private @Nullable KuduTransaction transaction;

  /// Splits that a writer has begun: one that is begun again may have left rows.
  private final Map<Integer, Boolean> begun = new ConcurrentHashMap<>();

  private final LongAdder ignored = new LongAdder();

  private Entry.@Nullable Begun kept;
  private @Nullable KuduTable table;
  private @Nullable Ranges ranges;
  private boolean looked;
  private boolean emptied;
  private boolean made;

  /// @param calls the target's own, which its cancel ends
  /// @param there the table of that name; null if there is none
  KuduWriteSession(
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
    this.start = start;
    // Rows whose key is not unique can't be written again.
    run = plan.repeatable() && !plan.transactional() ? start.run() : null;
    String id = start.run() == null ? UUID.randomUUID().toString() : start.run().id();
    String tail = id.replaceAll("[^0-9A-Za-z]", "_");
    staging = StagingName.of(cluster.address().table(), tail, NAME_BYTES_MAX);
  }

  /// Makes ready what rows are written to.
  void begin() {
    prepare();
    String name = Objects.requireNonNull(table, "made ready").getName();
    if (plan.transactional()) {
      transaction = begun();
    }
    rates = new TabletRates(cluster.web(), name, List.of("rows_inserted", "rows_upserted"));
  }

  private KuduTransaction begun() {
    try {
      return calls.get(() -> cluster.client().newTransaction());
    } catch (Fault e) {
      throw new Fault.User(
          "--atomic needs transactions, and the cluster does not begin one: " + e.clause() + ".",
          "Start masters with --txn_manager_enabled and tablet servers with"
              + " --enable_txn_system_client_init, or leave --atomic out.",
          e);
    }
  }

  private void prepare() {
    JournaledRun from = start.goesOn();
    if (from != null) {
      goOn(from);
      return;
    }
    JournaledRun before = start.before();
    if (before != null) {
      journal.forget(before.run(), calls);
    }
    TableLayout make = plan.make();
    String name = cluster.address().table();
    if (make != null) {
      table = make.make(plan.landing().staged() ? staging : name, cluster.client(), calls);
      made = true;
    } else {
      table = Objects.requireNonNull(there, "a table that rows go into");
    }
    boolean empties = make == null && plan.mode() == Mode.TRUNCATE;
    if (empties) {
      // Before the run is known: one that goes on with it does not empty the table.
      empty(table);
    }
    writeDown(table);
    if (empties && forgetOthers()) {
      // What they have committed since; from now on they can't end any more.
      empty(table);
    }
  }

  private void empty(KuduTable into) {
    emptied = true;
    // First, should this process die meanwhile.
    forgetOthers();
    new Truncate(cluster, into, calls).run();
  }

  private boolean forgetOthers() {
    return journal.forgetOthers(run == null ? "" : run.job(), calls);
  }

  private void writeDown(KuduTable into) {
    if (run == null) {
      return;
    }
    journal.table().make(into.getNumReplicas(), calls);
    // Receipts of a run that was forgotten while it was under way.
    journal.table().delete(run.job(), calls);
    Entry.Begun begins =
        KuduJournal.begun(run, plan.mode(), plan.landing().staged() ? staging : "", into, there);
    journal.write(begins, null, calls);
    kept = begins;
  }

  private void goOn(JournaledRun from) {
    String name = from.begun().isStaged() ? from.begun().staging() : cluster.address().table();
    table = cluster.find(name, calls);
    if (table == null) {
      throw new Fault.User(
          name + " is gone, and with it what was copied.", "Begin again with --fresh.");
    }
    kept = from.begun();
  }

  /// Ranges are made as rows need them if the user says how wide they are, and not where they end.
  private @Nullable Ranges ranges(KuduTable into) {
    TableLayout make = plan.make();
    RangeSteps steps = make == null ? plan.ranges() : make.growing();
    return steps == null || (steps.count() >= 0 && plan.ahead() == 0)
        ? null
        : new Ranges(cluster, into, steps, plan.ahead(), calls);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    KuduTable into = Objects.requireNonNull(table, "made ready");
    return new KuduWriter(cluster, into, plan, new Writing(), context);
  }

  private synchronized @Nullable Ranges sharedRanges() {
    if (!looked) {
      looked = true;
      ranges = ranges(Objects.requireNonNull(table, "made ready"));
    }
    return ranges;
  }

  /// What the writers share.
  private final class Writing implements KuduWriter.Shared {

    @Override
    public boolean beginsAgain(Split split) {
      return begun.put(split.index(), true) != null || start.goesOn() != null;
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
      return sharedRanges();
    }

    @Override
    public void record(Receipt receipt, KuduCalls by) {
      journal.write(Objects.requireNonNull(run, "a run that is journaled"), receipt, by);
    }
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    String spread = rates == null ? null : rates.note("took");
    KuduTransaction open = transaction;
    if (open != null) {
      steps.time(
          "commit",
          1,
          () ->
              calls.get(() -> {
                open.commit();
                return true;
              }));
    }
    Entry.Begun known = kept;
    if (plan.landing().staged()) {
      if (known != null) {
        journal.write(known, Entry.Sealing.now(null), calls);
        journal.swap(known).run(calls);
      } else {
        String staged = Objects.requireNonNull(table, "made ready").getTableId();
        String before = there == null ? null : there.getTableId();
        new NameSwap(cluster, staging, staged, before).run(calls);
      }
      made = false;
    }
    if (known != null) {
      if (!plan.landing().staged() && !journal.isKnown(known.run(), calls)) {
        kept = null;
        throw journal.forgotten();
      }
      journal.write(known, Entry.Complete.now(known.tableId(), false), calls);
    }
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
    return Completed.noting(notes);
  }

  @Override
  public boolean leavesRows() {
    return !begun.isEmpty() && plan.landing().leavesRows();
  }

  @Override
  public Aborted abort(boolean keep) {
    if (keep && kept != null) {
      return Aborted.KEPT.leaving(leaves());
    }
    Aborted aborted = Aborted.CLEAN;
    // The target's own calls may have been cancelled.
    KuduCalls undoing = new KuduCalls(cluster.address().label());
    try {
      KuduTransaction open = transaction;
      if (open != null) {
        undoing.get(() -> {
          open.rollback();
          return true;
        });
      }
      Entry.Begun known = kept;
      if (known != null) {
        journal.forget(known.run(), undoing);
      } else if (made && plan.landing().staged()) {
        undoing.get(() -> cluster.client().deleteTable(staging, 0));
      }
    } catch (Fault e) {
      aborted = aborted.failing(e);
    }
    return aborted.leaving(leaves());
  }

  private String leaves() {
    String before =
        emptied ? cluster.address().label() + " was emptied first: what it held is gone. " : "";
    String after =
        leavesRows() ? "Rows that were on their way may be in the table already, and stay." : "";
    return (before + after).strip();
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
