package millrace.connectors.postgres;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.spi.Receipt;

/// What the lanes have been told is committed, as the journal keeps it: the last receipt of each
/// start of a split. Any thread.
final class Committed {

  private record Start(int split, long from) {}

  private final Map<Start, Long> rows = new ConcurrentHashMap<>();

  void add(Receipt receipt) {
    rows.put(new Start(receipt.split().index(), receipt.split().from()), receipt.rows());
  }

  /// All rows.
  long rows() {
    return rows.values().stream().mapToLong(Long::longValue).sum();
  }
}
