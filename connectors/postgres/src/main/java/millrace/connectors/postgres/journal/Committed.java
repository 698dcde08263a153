package millrace.connectors.postgres.journal;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import millrace.connectors.sql.write.CommittedParts;
import millrace.spi.journal.Receipt;

/// What the lanes have been told is committed, as the journal keeps it, and what triggers left out.
/// Any thread.
public final class Committed {

  private final CommittedParts parts = new CommittedParts();
  private final LongAdder leftOutByLanes = new LongAdder();

  /// Of the last try at the end.
  private volatile long leftOutAtEnd;

  public void add(Receipt receipt) {
    parts.add(receipt);
  }

  /// Triggers of the table have left so many of the rows out that a lane has sent.
  public void leaveOutByLane(long count) {
    leftOutByLanes.add(count);
  }

  /// Triggers of the table have left so many of the rows out that were staged.
  public void leaveOutAtEnd(long count) {
    leftOutAtEnd = count;
  }

  /// How many rows of the lanes' were left out at the end.
  public long leftOutAtEnd() {
    return leftOutAtEnd;
  }

  /// How many rows were left out in all, as a sentence; empty if none was.
  public String leftOut() {
    long count = leftOutByLanes.sum() + leftOutAtEnd;
    return count == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "%,d %s ignored by triggers of the table.",
            count,
            count == 1 ? "row was" : "rows were");
  }

  /// What of each part is committed.
  List<Receipt> receipts() {
    return parts.receipts();
  }

  /// All rows.
  public long rows() {
    return parts.rows();
  }
}
