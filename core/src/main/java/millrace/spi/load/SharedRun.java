package millrace.spi.load;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.JoinableSession;
import org.jspecify.annotations.Nullable;

/// What the process that has begun a run is told of those that have joined it. If it is told of
/// none, nothing is written and nothing asked.
final class SharedRun implements JoinableSession {

  private final LoadRows rows;
  private final LoadLedger ledger;
  private final @Nullable RunRecord run;
  private final SplitOwners.@Nullable Table owners;

  /// The last receipt of each part.
  private final Map<Part, Receipt> told = new ConcurrentHashMap<>();

  /// Where a receipt begins.
  private record Part(int split, long from) {

    static Part of(Split split) {
      return new Part(split.index(), split.from());
    }
  }

  SharedRun(LoadRows rows, LoadLedger ledger, @Nullable RunRecord run) {
    this.rows = rows;
    this.ledger = ledger;
    this.run = run;
    owners = ledger.owners();
  }

  /// Itself, if others may join.
  @Nullable JoinableSession capability(boolean whole) {
    return owners == null || run == null || whole ? null : this;
  }

  @Override
  public void taken(Receipt receipt) {
    told.put(Part.of(receipt.split()), receipt);
    rows.committed(receipt);
  }

  /// A run goes on in this process: who had joined it can't commit any more.
  void takeBack() {
    if (owners != null && run != null) {
      owners.clear(run);
    }
  }

  /// The run is complete, in the transaction that says so.
  void clear() {
    if (!told.isEmpty()) {
      takeBack();
    }
  }

  /// Before the end: nobody commits any more, and all rows are there once.
  ///
  /// @param isCounted whether the run's rows alone are in the table
  /// @throws Fault.External if there are too few rows, or too many
  void check(String staging, boolean isCounted) {
    if (owners == null || run == null || told.isEmpty()) {
      return;
    }
    owners.put(run, SplitOwners.ALL, 0, _ -> {});
    Map<Integer, SplitRows> splits = new TreeMap<>();
    List<Receipt> kept = SplitOwners.receipts(owners.taken(run, SplitOwners.ALL));
    kept.forEach(each -> rows(splits, each).keep(each));
    told.values().forEach(each -> rows(splits, each).tell(each));
    splits.values().forEach(this::check);
    long sum = kept.stream().mapToLong(Receipt::rows).sum();
    boolean isThere = isCounted && ledger.tableId(staging) != null;
    long there = isThere ? ledger.stagedRows(staging) : -1;
    if (there >= 0 && there != sum) {
      String table = staging.isEmpty() ? ledger.name() : "The staging table " + staging;
      throw wrong(there > sum, table + " holds %,d rows, and receipts tell of %,d", there, sum);
    }
  }

  private static SplitRows rows(Map<Integer, SplitRows> splits, Receipt of) {
    return splits.computeIfAbsent(of.split().index(), _ -> new SplitRows(of.split()));
  }

  private void check(SplitRows split) {
    String name = "split " + split.split.index() + " of " + split.split.resource();
    if (split.told >= 0 && split.told != split.kept) {
      throw wrong(
          split.kept > split.told,
          "The journal tells of %,d rows of " + name + ", and attempts have reported %,d",
          split.kept,
          split.told);
    }
    if (split.ends == 0) {
      throw wrong(false, "The journal tells of %,d rows of " + name + ", and not of its end", split.kept);
    }
    Set<Long> overlapping = new HashSet<>(split.starts);
    overlapping.removeAll(split.rests);
    if (split.ends > 1 || overlapping.size() > 1) {
      throw wrong(true, "The journal tells of %,d rows of " + name + ", of which some overlap", split.kept);
    }
  }

  private Fault wrong(boolean tooMany, String words, Object... counts) {
    return new Fault.External(
        String.format(Locale.ROOT, words, counts)
            + (tooMany
                ? ". Those are too many: some were written twice, or somebody else has added some."
                : ". Those are too few: some that were committed are gone, or a split was left."),
        "Compare both ends with millrace verify, or begin again with --fresh.",
        null);
  }

  /// What is known of the rows of a split.
  private static final class SplitRows {
    private final Split split;
    private final Set<Long> starts = new HashSet<>();
    private final Set<Long> rests = new HashSet<>();
    private int ends;
    private long kept;

    /// Of this process's own lanes, and of those of an earlier run, nobody tells.
    private long told = -1;

    SplitRows(Split split) {
      this.split = split;
    }

    void tell(Receipt receipt) {
      told = Math.max(told, 0) + receipt.rows();
    }

    void keep(Receipt receipt) {
      kept += receipt.rows();
      starts.add(receipt.split().from());
      Split rest = receipt.rest();
      if (rest == null || rest.isEmpty()) {
        ends++;
      } else {
        rests.add(rest.from());
      }
    }
  }
}
