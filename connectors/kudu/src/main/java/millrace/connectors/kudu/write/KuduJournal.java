package millrace.connectors.kudu.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.Entry.Complete;
import millrace.spi.journal.Entry.Sealing;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadLedger;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;
import org.apache.kudu.client.KuduTable;
import org.jspecify.annotations.Nullable;

/// The journal of a table, in a {@link KuduJournalTable} beside it: one part has all entries of a
/// run but its receipts. Kudu has no locks: rows are written so that they may be written again, and
/// of two runs at once each writes what the other does.
final class KuduJournal implements Ledger, LoadLedger, SplitOwners.Table {

  private static final String PART_OF_SPLIT = "%08d-";

  private static final String ADVICE = "Delete that table, and copy from the start.";

  private final KuduCluster cluster;
  private final KuduJournalTable rows;
  private final Predicate<KuduTable> holdsRows;
  private final Supplier<String> notSame;
  private final JournalText text;

  /// The target's own, until {@link #reconnect}.
  private KuduCalls calls;

  /// How many replicas its table gets if it is made.
  private int replicas = 1;

  private boolean forgotten;

  /// What else is known of a run whose rows are staged.
  ///
  /// @param before the id of the table whose place it takes; null if there was none
  private record Details(@Nullable String before) {}

  /// @param calls the target's own
  /// @param holdsRows whether there is any row in a table
  /// @param notSame why rows that are written again are not the same, as the end of a sentence;
  ///   empty if they are
  KuduJournal(
      KuduCluster cluster,
      KuduCalls calls,
      Predicate<KuduTable> holdsRows,
      Supplier<String> notSame) {
    this.cluster = cluster;
    this.calls = calls;
    this.holdsRows = holdsRows;
    this.notSame = notSame;
    rows = new KuduJournalTable(cluster);
    text =
        new JournalText(
            "The table " + TableOptions.beside(cluster.address().table(), KuduJournalTable.NAME),
            ADVICE,
            KuduJournal::earlier);
  }

  /// What versions before journals had one spelling have kept of a run.
  private static List<Entry> earlier(JsonNode head) throws JsonProcessingException {
    List<Entry> entries = new ArrayList<>();
    String into = head.path("into").asText();
    JsonNode before = head.get("before");
    entries.add(
        new Begun(
            JournalText.run(head),
            JournalText.mode(head),
            head.path("staging").asText(),
            into,
            List.of(),
            JournalText.details(new Details(before == null ? null : before.asText()))));
    if (head.path("swapping").asBoolean()) {
      entries.add(new Sealing("", null));
    }
    if (head.has("at")) {
      entries.add(new Complete(head.path("at").asText(), into, false));
    }
    return entries;
  }

  /// Rows are there before their receipt is.
  @Override
  public Guarantees guarantees() {
    return new Guarantees(true, false, false, Attempts.SAME_ROWS);
  }

  @Override
  public Fault.@Nullable User refusalToJoin() {
    String why = notSame.get();
    return why.isEmpty() ? null : Ledger.ofOneProcess(name(), why, "Copy on one machine.");
  }

  @Override
  public SplitOwners.@Nullable Table owners() {
    return notSame.get().isEmpty() ? this : null;
  }

  @Override
  public void put(RunRecord run, int split, long token, Consumer<List<Entry>> check) {
    if (split != SplitOwners.ALL) {
      check.accept(read(rows.get(run.job(), KuduJournalTable.RUN, new KuduCalls(name()))));
    }
  }

  @Override
  public List<Entry> taken(RunRecord run, int split) {
    String prefix = split == SplitOwners.ALL ? "" : PART_OF_SPLIT.formatted(split);
    return read(rows.get(run.job(), prefix, new KuduCalls(name())));
  }

  @Override
  public List<Entry> read(String job) {
    return read(rows.get(job, calls));
  }

  private List<Entry> read(Map<String, String> parts) {
    return parts.values().stream().flatMap(part -> text.entries(part).stream()).toList();
  }

  @Override
  public List<String> jobs() {
    return List.copyOf(rows.runs(calls).keySet());
  }

  @Override
  public String name() {
    return cluster.address().table();
  }

  private @Nullable KuduTable find(String staging) {
    return staging.isEmpty() ? cluster.find(calls) : cluster.find(staging, calls);
  }

  @Override
  public @Nullable String tableId(String staging) {
    KuduTable there = find(staging);
    return there == null ? null : there.getTableId();
  }

  @Override
  public boolean isEmptied(String staging) {
    KuduTable there = find(staging);
    return there != null && !holdsRows.test(there);
  }

  @Override
  public void finish(JournaledRun run) {
    if (run.state() == JournaledRun.State.LACKS_END) {
      swap(run.begun()).run(calls);
      write(run.begun(), Complete.now(run.begun().tableId(), false), calls);
    }
  }

  /// Calls of the target may have been stopped: from now on others are made.
  void reconnect(KuduCalls other) {
    calls = other;
  }

  /// Its table gets as many replicas as the target has.
  void replicas(int count) {
    replicas = count;
  }

  /// What else is known of a run.
  ///
  /// @param before the id of the table whose place another takes; null if there is none
  static JsonNode details(@Nullable String before) {
    return JournalText.details(new Details(before));
  }

  /// The id of the table whose place that of a run takes; null if there was none.
  @Nullable String before(Begun run) {
    return text.details(run.details(), Details.class).before;
  }

  private NameSwap swap(Begun run) {
    return new NameSwap(cluster, run.staging(), run.tableId(), before(run));
  }

  @Override
  public void begin(Begun run) {
    rows.make(replicas, calls);
    // Receipts of a run that was forgotten while it was under way.
    rows.delete(run.run().job(), calls);
    write(run, null, calls);
  }

  @Override
  public void append(RunRecord run, Entry entry) {
    write(known(run), entry, calls);
  }

  /// How a run has begun that is under way.
  ///
  /// @throws Fault.External if it is not known any more
  private Begun known(RunRecord run) {
    for (Entry each : read(run.job())) {
      if (each instanceof Begun begun && begun.run().id().equals(run.id())) {
        return begun;
      }
    }
    forgotten = true;
    throw new Fault.External(
        "What "
            + TableOptions.beside(name(), KuduJournalTable.NAME)
            + " had to say of this copy is gone: another copy has emptied the table, or somebody"
            + " has removed it or begun the same copy again.",
        "Compare both ends with millrace verify.",
        null);
  }

  @Override
  public boolean hasForgotten() {
    return forgotten;
  }

  @Override
  public Progress progress(RunRecord run) {
    return Progress.of(read(run.job()));
  }

  /// Keeps what is known of a run.
  ///
  /// @param last how far it is, if it has not just begun; else null
  private void write(Begun run, @Nullable Entry last, KuduCalls by) {
    List<Entry> all = last == null ? List.of(run) : List.of(run, last);
    rows.put(run.run().job(), KuduJournalTable.RUN, JournalText.spell(all), by);
  }

  /// Keeps a receipt.
  void write(RunRecord run, Receipt receipt, KuduCalls by) {
    Split split = receipt.split();
    String part = PART_OF_SPLIT.formatted(split.index()) + "%020d".formatted(split.from());
    rows.put(run.job(), part, JournalText.spell(new Entry.Taken(receipt, null)), by);
  }

  /// Those that are under way find out at their end.
  @Override
  public boolean forgetOthers(@Nullable RunRecord run) {
    String job = run == null ? "" : run.job();
    List<String> others =
        rows.runs(calls).entrySet().stream()
            .filter(each -> !each.getKey().equals(job) && isIn(text.entries(each.getValue())))
            .map(Map.Entry::getKey)
            .toList();
    others.forEach(each -> rows.delete(each, calls));
    return !others.isEmpty();
  }

  private static boolean isIn(List<Entry> known) {
    return known.stream()
        .anyMatch(
            each -> each instanceof Complete || (each instanceof Begun begun && !begun.isStaged()));
  }

  /// With the table that a run had staged, if it has not ended.
  @Override
  public void forget(RunRecord run) {
    List<Entry> known = read(run.job());
    boolean complete = known.stream().anyMatch(Complete.class::isInstance);
    for (Entry each : known) {
      if (each instanceof Begun begun && begun.isStaged() && !complete) {
        KuduTable staged = cluster.find(begun.staging(), calls);
        if (staged != null && staged.getTableId().equals(begun.tableId())) {
          calls.get(() -> cluster.client().deleteTable(begun.staging(), 0));
        }
      }
    }
    rows.delete(run.job(), calls);
  }
}
