package millrace.connectors.postgres.journal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.spi.journal.Receipt;

/// What the lanes have been told is committed, as the journal keeps it: the last receipt of each
/// start of a split. Any thread.
public final class Committed {

  private record Start(int split, long from) {}

  private final Map<Start, Long> rows = new ConcurrentHashMap<>();

  public void add(Receipt receipt) {
    rows.put(new Start(receipt.split().index(), receipt.split().from()), receipt.rows());
  }

  /// All rows.
  public long rows() {
    return rows.values().stream().mapToLong(Long::longValue).sum();
  }
}
