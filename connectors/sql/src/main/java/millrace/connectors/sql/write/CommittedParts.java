package millrace.connectors.sql.write;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import millrace.spi.journal.Receipt;

/// What writers have committed, by its receipts. Threads may share it.
public final class CommittedParts {

  /// The last of each: a later one tells of the rows of an earlier one, too.
  private final Map<ReceiptStart, Receipt> receipts = new ConcurrentHashMap<>();

  /// Where a receipt begins.
  private record ReceiptStart(int split, long from) {}

  /// Rows have been committed: all of a split up to there.
  public void add(Receipt receipt) {
    receipts.put(new ReceiptStart(receipt.split().index(), receipt.split().from()), receipt);
  }

  /// The last receipt of each part.
  public List<Receipt> receipts() {
    return List.copyOf(receipts.values());
  }

  /// Rows that were taken.
  public long rows() {
    return sum(Receipt::rows);
  }

  /// Rows that the table has left out by its own rules.
  long refused() {
    return sum(Receipt::refused);
  }

  private long sum(ToLongFunction<Receipt> of) {
    return receipts.values().stream().mapToLong(of).sum();
  }
}
