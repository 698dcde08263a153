package millrace.spi.load;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.JoinedSession;
import org.jspecify.annotations.Nullable;

/// What the process that has begun a run is told of those that have joined it. If it is told of
/// none, nothing is written and nothing asked.
final class SharedRun implements JoinedSession.Main {

  private final LoadRows rows;
  private final LoadLedger ledger;
  private final @Nullable RunRecord run;
  private final SplitOwners.@Nullable Table owners;

  /// The last receipt of each part of a split, by its number and where the part begins.
  private final Map<Integer, Map<Long, Receipt>> told = new ConcurrentHashMap<>();

  /// Whether they may have committed what nobody has told.
  private volatile boolean isUnsettled;

  SharedRun(LoadRows rows, LoadLedger ledger, @Nullable RunRecord run) {
    this.rows = rows;
    this.ledger = ledger;
    this.run = run;
    owners = ledger.owners();
  }

  /// Itself, if others may join.
  JoinedSession.@Nullable Main capability(boolean whole) {
    return owners == null || run == null || whole ? null : this;
  }

  @Override
  public void taken(Receipt receipt) {
    Split split = receipt.split();
    Map<Long, Receipt> ofSplit =
        told.computeIfAbsent(split.index(), _ -> new ConcurrentHashMap<>());
    // Its end is told last: whatever follows comes of a late attempt.
    if (ofSplit.values().stream().noneMatch(SharedRun::isEnd)) {
      rows.committed(receipt);
      ofSplit.put(split.from(), receipt);
    }
  }

  @Override
  public List<Receipt> settle() {
    isUnsettled = true;
    List<Receipt> kept = close();
    // A journal has them in any order.
    kept.stream().sorted(Comparator.comparing(SharedRun::isEnd)).forEach(this::taken);
    isUnsettled = false;
    return kept;
  }

  boolean isUnsettled() {
    return isUnsettled;
  }

  /// Nobody commits any more.
  private List<Receipt> close() {
    if (owners == null || run == null) {
      return List.of();
    }
    owners.put(run, SplitOwners.ALL, 0, _ -> {});
    return SplitOwners.receipts(owners.taken(run, SplitOwners.ALL));
  }

  /// A run goes on in this process: who had joined it can't commit any more.
  ///
  /// @param from what it goes on with, as it was read
  /// @throws Fault.Transient if somebody has committed since
  void takeBack(JournaledRun from) {
    if (owners != null
        && run != null
        && owners.clear(run)
        && sum(SplitOwners.receipts(owners.taken(run, SplitOwners.ALL))) != sum(from.receipts())) {
      throw new Fault.Transient(
          "Other processes were still at work for the copy into " + ledger.name() + ".",
          "They are not any more: the same command resumes it.",
          0,
          null);
    }
  }

  /// The run is complete, in the transaction that says so.
  void clear() {
    if (!told.isEmpty() && owners != null && run != null) {
      owners.clear(run);
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
    List<Receipt> kept = close();
    Map<Integer, List<Receipt>> splits =
        kept.stream().collect(Collectors.groupingBy(each -> each.split().index()));
    told.keySet().forEach(split -> splits.putIfAbsent(split, List.of()));
    splits.forEach((split, receipts) -> {
      String words = "The journal tells of %,d rows of split " + split;
      if (receipts.stream().noneMatch(SharedRun::isEnd)) {
        compare(words + ", and not of its end", sum(receipts), Long.MAX_VALUE);
      }
      Map<Long, Receipt> reported = told.getOrDefault(split, Map.of());
      long count = reported.isEmpty() ? sum(receipts) : sum(reported.values());
      compare(words + ", and attempts have reported %,d", sum(receipts), count);
    });
    if (isCounted && ledger.tableId(staging) != null) {
      String name = staging.isEmpty() ? ledger.name() : "The staging table " + staging;
      String table = name.replace("%", "%%");
      long there = ledger.stagedRows(staging);
      long sum = sum(kept);
      compare(table + " holds %,d rows, and receipts tell of %,d", there < 0 ? sum : there, sum);
    }
  }

  private static boolean isEnd(Receipt receipt) {
    return receipt.rest() == null || receipt.rest().isEmpty();
  }

  private static long sum(Collection<Receipt> receipts) {
    return receipts.stream().mapToLong(Receipt::rows).sum();
  }

  private static void compare(String words, long found, long expected) {
    if (found == expected) {
      return;
    }
    String what =
        found > expected
            ? "too many: some were written twice, or somebody has added some."
            : "too few: some that were committed are gone, or a split was left.";
    throw new Fault.External(
        String.format(Locale.ROOT, words, found, expected) + ". Those are " + what,
        "Compare both ends with millrace verify, or begin again with --fresh.",
        null);
  }
}
