package millrace.engine.lane;

import java.util.ArrayList;
import java.util.List;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;

/// The splits of a lane that are written and not committed: small ones share a commit, so that
/// thousands of small files are not as many transactions.
///
/// The writer's thread; others once it has ended.
final class SharedCommit {

  /// A lane that fails has so many to do again.
  private static final int SPLITS_MAX = 100;

  /// A split is small if it is this part of what a split is meant to be.
  private static final int SMALL_PART = 16;

  private final Receipts receipts;
  private final long splitBytes;
  private final List<Lane.Taken> splits = new ArrayList<>();

  /// What is true of them once they are committed.
  private final List<Receipt> promised = new ArrayList<>();

  private long bytes;

  /// @param splitBytes about how many bytes of the source a split is meant to hold
  SharedCommit(Receipts receipts, long splitBytes) {
    this.receipts = receipts;
    this.splitBytes = splitBytes;
  }

  /// Whether a split of so many bytes may wait for the next one.
  boolean hasRoom(long splitRead) {
    return splitRead <= splitBytes / SMALL_PART
        && bytes + splitRead <= splitBytes
        && splits.size() + 1 < SPLITS_MAX;
  }

  void add(Lane.Taken split, Receipt receipt) {
    splits.add(split);
    promised.add(receipt);
    bytes += split.bytesRead();
  }

  boolean isEmpty() {
    return splits.isEmpty();
  }

  /// Those that wait, in order.
  List<Lane.Taken> splits() {
    return List.copyOf(splits);
  }

  /// All that wait are committed, with what the receipt tells of, if it is not null.
  void committed(@Nullable Receipt last) {
    promised.forEach(receipts::record);
    int ended = promised.size();
    if (last != null) {
      receipts.record(last);
      ended += last.rest() == null ? 1 : 0;
    }
    receipts.countCommit(ended);
    splits.clear();
    promised.clear();
    bytes = 0;
  }
}
