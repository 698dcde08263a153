package millrace.engine.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import millrace.engine.reject.RejectLog;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.RecoverableWriter.Leftover;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Ends the splits of a lane and has them committed. Small ones share a commit, so that thousands
/// of small files are not as many transactions.
///
/// The writer's thread; others once it has ended.
final class LaneCommits {

  /// A lane that fails has so many to do again.
  private static final int SPLITS_MAX = 100;

  /// A split is small if it is this part of what a split is meant to be.
  private static final int SMALL_PART = 16;

  private final CommitGuard guard;
  private final RejectLog rejects;
  private final Receipts receipts;
  private final long splitBytes;
  private final List<Lane.SplitProgress> splits = new ArrayList<>();

  /// What is true of them once they are committed.
  private final List<Receipt> promised = new ArrayList<>();

  private long bytes;

  /// Whether the writer is making rows durable.
  private boolean committing;

  /// @param splitBytes about how many bytes of the source a split is meant to hold
  LaneCommits(Receipts receipts, long splitBytes, CommitGuard guard, RejectLog rejects) {
    this.guard = guard;
    this.rejects = rejects;
    this.receipts = receipts;
    this.splitBytes = splitBytes;
  }

  /// Rows of a split have been written up to where it can be read on.
  ///
  /// @param rest the split from there on; null at its end
  void reached(Writer writer, Lane.SplitProgress split, @Nullable Split rest, long checksum) {
    if (!(writer instanceof RecoverableWriter recoverable)) {
      return;
    }
    if (!guard.allows()) {
      return;
    }
    Receipt receipt = commit(() -> recoverable.checkpoint(rest, checksum));
    if (receipt != null) {
      split.committed(receipt);
      committed(receipt);
    }
  }

  /// Ends a split.
  ///
  /// @return whether it is committed, and not left to wait for the next one
  boolean finish(Writer writer, Lane.SplitProgress split) {
    if (hasRoom(split.bytesRead()) && writer instanceof RecoverableWriter recoverable) {
      Receipt later = recoverable.finishLater();
      if (later != null) {
        splits.add(split);
        promised.add(later);
        bytes += split.bytesRead();
        return false;
      }
    }
    committed(commit(writer::finish));
    return true;
  }

  /// Whether a split of so many bytes may wait for the next one.
  private boolean hasRoom(long splitRead) {
    return splitRead <= splitBytes / SMALL_PART
        && bytes + splitRead <= splitBytes
        && splits.size() + 1 < SPLITS_MAX;
  }

  /// No split follows.
  void end(Writer writer) {
    if (!splits.isEmpty() && writer instanceof RecoverableWriter recoverable) {
      commit(() -> {
        recoverable.commitFinished();
        return splits.size();
      });
      committed(null);
    }
  }

  private <T extends @Nullable Object> T commit(Supplier<T> work) {
    committing = true;
    T done = guard.commits(() -> rejects.committing(work));
    committing = false;
    return done;
  }

  /// Those that have ended and wait, in order.
  List<Lane.SplitProgress> waiting() {
    return List.copyOf(splits);
  }

  /// Asks a writer that was closed what it has left of the splits that are not committed.
  ///
  /// @param begun the one that it had begun, or null
  void settle(Writer closed, Lane.@Nullable SplitProgress begun) {
    List<Lane.SplitProgress> open = new ArrayList<>(splits);
    if (begun != null) {
      open.add(begun);
    }
    if (!open.isEmpty() && closed instanceof RecoverableWriter recoverable) {
      Leftover leftover = recoverable.leftover(committing);
      open.forEach(each -> each.settle(leftover));
    }
  }

  /// All that wait are committed, with what the receipt tells of, if it is not null.
  private void committed(@Nullable Receipt last) {
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
