package millrace.engine.lane;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.engine.meter.Meter;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;

/// The receipts of a run while it lasts, those of the run that it goes on with included. Lanes
/// share it.
public final class Receipts {

  /// Receipts of one split with the same start are about the same rows, the last about most.
  private record SplitStart(int split, long from) {

    static SplitStart of(Receipt receipt) {
      return new SplitStart(receipt.split().index(), receipt.split().from());
    }
  }

  private final Meter meter;

  /// In the order in which they came: of the parts of a split, the one with its end is last.
  private final Map<SplitStart, Receipt> receipts = new LinkedHashMap<>();

  /// @param before what had been taken before the run
  public Receipts(Meter meter, List<Receipt> before) {
    this.meter = meter;
    before.forEach(this::record);
  }

  /// Counts what the receipt says beyond an earlier one of the same split; the same one again
  /// counts for nothing.
  ///
  /// @return how many rows it speaks of beyond that
  public final synchronized long record(Receipt receipt) {
    Receipt before = receipts.put(SplitStart.of(receipt), receipt);
    meter.countDurable(durableRows(receipt) - durableRows(before));
    return receipt.rows() - (before == null ? 0 : before.rows());
  }

  private static long durableRows(@Nullable Receipt receipt) {
    return receipt == null || !receipt.durable() ? 0 : receipt.rows();
  }

  /// A commit has made some of them true.
  ///
  /// @param splits how many splits ended with it
  public void countCommit(int splits) {
    meter.countCommit(splits);
  }

  /// All of them, in the order in which their parts of splits were first told of.
  public synchronized List<Receipt> all() {
    return List.copyOf(receipts.values());
  }

  /// How many rows they speak of.
  public synchronized long rows() {
    return receipts.values().stream().mapToLong(Receipt::rows).sum();
  }
}
