package millrace.connectors.kudu.write;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.JournaledRun.State;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
import org.apache.kudu.client.KuduTable;
import org.jspecify.annotations.Nullable;

/// The journal of a table, in a {@link JournalTable} beside it. Kudu has no locks: rows are written
/// so that they may be written again, and of two runs at once each writes what the other does.
final class KuduJournal implements JournalStore {

  private static final String ADVICE = "Delete that table, and copy from the start.";

  private final KuduCluster cluster;
  private final JournalTable rows;
  private final KuduCalls calls;
  private final Predicate<KuduTable> holdsRows;
  private final JournalText text;

  /// What is known of a run.
  ///
  /// @param staging the table that it writes, if that is another one
  /// @param into the id of the table that it writes
  /// @param before the id of the table whose place it takes; null if there was none
  /// @param swapping whether all rows are staged, and the names are being changed
  /// @param at when the run was complete; null if it is not
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Head(
      RunRecord run,
      Mode mode,
      @Nullable String staging,
      String into,
      @Nullable String before,
      boolean swapping,
      @Nullable String at) {

    Head swapped() {
      return new Head(run, mode, staging, into, before, true, at);
    }

    Head completed() {
      String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      return new Head(run, mode, staging, into, before, false, now);
    }
  }

  /// @param calls the target's own
  /// @param holdsRows whether there is any row in a table
  KuduJournal(KuduCluster cluster, KuduCalls calls, Predicate<KuduTable> holdsRows) {
    this.cluster = cluster;
    this.calls = calls;
    this.holdsRows = holdsRows;
    rows = new JournalTable(cluster);
    text =
        new JournalText(
            "The table " + TableOptions.beside(cluster.address().table(), JournalTable.NAME),
            ADVICE);
  }

  /// Where it is kept.
  JournalTable table() {
    return rows;
  }

  /// Rows are there before their receipt is.
  @Override
  public Guarantees guarantees() {
    return new Guarantees(true, false);
  }

  @Override
  public @Nullable JournaledRun claim(String job) {
    Map<String, String> parts = rows.get(job, calls);
    String head = parts.get(JournalTable.RUN);
    return head == null ? null : journaled(text.read(head, Head.class), parts);
  }

  /// What is kept of the run of a job; null if nothing is.
  @Nullable Head head(String job) {
    String head = rows.get(job, calls).get(JournalTable.RUN);
    return head == null ? null : text.read(head, Head.class);
  }

  private JournaledRun journaled(Head head, Map<String, String> parts) {
    List<Receipt> receipts = new ArrayList<>();
    parts.forEach((part, value) -> {
      if (!part.equals(JournalTable.RUN)) {
        receipts.add(text.read(value, Receipt.class));
      }
    });
    // Truncate empties the table once more; a staged table is left out.
    boolean stays = head.staging == null && head.mode != Mode.TRUNCATE;
    JournaledRun run = new JournaledRun(head.run, null, stays, receipts).begun(head.mode);
    if (head.at != null) {
      return run.completed(new Completion(head.at, change(head, run)));
    }
    if (head.swapping) {
      return run.in(State.LACKS_END);
    }
    return isLost(head, run) ? run.in(State.STAGED_LOST) : run;
  }

  private String change(Head head, JournaledRun run) {
    KuduTable now = cluster.find(calls);
    if (now == null || !now.getTableId().equals(head.into)) {
      return "the table was deleted or made anew since";
    }
    return run.rows() > 0 && !holdsRows.test(now) ? "the table is empty now" : "";
  }

  private boolean isLost(Head head, JournaledRun run) {
    KuduTable now = head.staging == null ? cluster.find(calls) : cluster.find(head.staging, calls);
    return now == null
        || !now.getTableId().equals(head.into)
        || (run.rows() > 0 && !holdsRows.test(now));
  }

  @Override
  public List<JournaledRun> list() {
    List<JournaledRun> all = new ArrayList<>();
    for (String job : rows.runs(calls).keySet()) {
      JournaledRun run = claim(job);
      if (run != null) {
        all.add(run);
      }
    }
    all.sort(Comparator.comparing(each -> each.run().id()));
    return all;
  }

  @Override
  public @Nullable JournaledRun findOther(List<String> origins) {
    for (JournaledRun each : list()) {
      boolean adds = !each.complete() && each.stays();
      if (adds && !Collections.disjoint(each.run().origins(), origins)) {
        return each;
      }
    }
    return null;
  }

  @Override
  public void finish(JournaledRun run) {
    Head head = head(run.run().job());
    if (head != null && head.swapping) {
      new NameSwap(cluster, head).run(calls);
      write(head.completed(), calls);
    }
  }

  /// Keeps what is known of a run.
  void write(Head head, KuduCalls by) {
    rows.put(head.run.job(), JournalTable.RUN, JournalText.write(head), by);
  }

  /// Keeps a receipt.
  void write(RunRecord run, Receipt receipt, KuduCalls by) {
    String part = "%08d-%020d".formatted(receipt.split().index(), receipt.split().from());
    rows.put(run.job(), part, JournalText.write(receipt), by);
  }

  @Override
  public void delete(RunRecord run) {
    forget(run, calls);
  }

  /// With the table that a run had staged, if it has not ended.
  void forget(RunRecord run, KuduCalls by) {
    String found = rows.get(run.job(), by).get(JournalTable.RUN);
    Head head = found == null ? null : text.read(found, Head.class);
    if (head != null && head.staging != null && head.at == null) {
      KuduTable staged = cluster.find(head.staging, by);
      if (staged != null && staged.getTableId().equals(head.into)) {
        by.get(() -> cluster.client().deleteTable(head.staging, 0));
      }
    }
    rows.delete(run.job(), by);
  }
}
