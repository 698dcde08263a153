package millrace.connectors.file;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import millrace.connectors.file.JournalContent.FilePosition;
import millrace.connectors.file.output.StagedFile;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receipts of rows that have been written to files, on their way into the journal.
///
/// One is written down once the rows that it speaks of survive a crash: they are forced to disk, or
/// the store has the parts that hold them. That is done for many splits at a time and on a thread
/// of its own. Any thread.
final class ReceiptQueue {

  private static final Logger LOG = LoggerFactory.getLogger(ReceiptQueue.class);

  /// @param stream whose rows go one behind the other: what stays of a later file of it stays of
  ///   all
  /// @param length of the file with the rows
  private record Pending(Entry.Taken taken, Object stream, StagedFile file, long length) {}

  private final JournalFile file;
  private Amount unit = FileRunJournal.UNIT;
  private boolean isRequested;
  private final Object pendingLock = new Object();
  private List<Pending> pending = new ArrayList<>();

  /// Whether receipts are being written down, and those that are due by then will be.
  private volatile boolean isWriting;

  /// Those whose rows would not survive a crash yet. Whoever writes has them.
  private final List<Pending> waiting = new ArrayList<>();

  private @Nullable Receipt last;

  /// Whether the journal was given receipts of this run, and whether it has some for sure.
  private volatile boolean hasAppended;

  private volatile boolean hasWritten;
  private long bytesPending;
  private long rowsPending;
  private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null);

  ReceiptQueue(JournalFile file) {
    this.file = file;
  }

  /// So much is written between two lines.
  synchronized void unit(Amount requested) {
    unit = requested;
    isRequested = true;
  }

  /// All rows up to there have been written to a file.
  ///
  /// @param stream what they are a part of, one behind the other
  /// @param in where they end
  synchronized void add(Receipt receipt, Object stream, StagedFile in, FilePosition place) {
    Entry.Taken taken = new Entry.Taken(receipt, JournalText.details(place));
    boolean begins;
    synchronized (pendingLock) {
      pending.add(new Pending(taken, stream, in, place.length()));
      if (last != null && last.split().equals(receipt.split())) {
        bytesPending -= last.bytes();
        rowsPending -= last.rows();
      }
      bytesPending += receipt.bytes();
      rowsPending += receipt.rows();
      begins = !isWriting && isDue();
    }
    last = receipt;
    if (begins) {
      beginWriting();
    }
  }

  private boolean isDue() {
    return unit.isReached(rowsPending, bytesPending)
        && (isRequested || bytesPending >= file.bytesBetween());
  }

  private List<Pending> takePending() {
    synchronized (pendingLock) {
      List<Pending> ready = pending;
      pending = new ArrayList<>();
      bytesPending = 0;
      rowsPending = 0;
      return ready;
    }
  }

  /// What has become due while the last was written; empty if nothing has, and none is written
  /// then.
  private List<Pending> nextDue() {
    synchronized (pendingLock) {
      isWriting = isDue();
      return isWriting ? takePending() : List.of();
    }
  }

  /// What there is is written down before this returns.
  synchronized void writeAtOnce() {
    beginWriting();
    await();
  }

  private synchronized void beginWriting() {
    await();
    List<Pending> first = takePending();
    isWriting = true;
    writing =
        CompletableFuture.runAsync(
            () -> {
              for (List<Pending> each = first; !each.isEmpty(); each = nextDue()) {
                tryWriting(each);
              }
            },
            work -> Thread.ofPlatform().name("journal").start(work));
  }

  /// Whether there was any.
  synchronized boolean hasAny() {
    return last != null;
  }

  /// Whether the journal has some for sure.
  boolean haveBeenWritten() {
    return hasWritten;
  }

  /// What can't be written now is with the next.
  private void tryWriting(List<Pending> ready) {
    try {
      write(ready);
    } catch (Fault.Transient e) {
      LOG.debug("{} is behind", file.path(), e);
    }
  }

  private void write(List<Pending> ready) {
    waiting.addAll(ready);
    Set<StagedFile> files = new LinkedHashSet<>();
    waiting.forEach(each -> files.add(each.file));
    files.forEach(StagedFile::force);
    // What stays of a stream stays of all that comes before it.
    Set<Object> stays = new HashSet<>();
    List<Pending> written = new ArrayList<>();
    for (Pending each : waiting.reversed()) {
      if (stays.contains(each.stream) || each.file.isDurable(each.length)) {
        stays.add(each.stream);
        written.addFirst(each);
      }
    }
    waiting.removeAll(written);
    written.forEach(each -> file.append(each.taken));
    hasAppended |= !written.isEmpty();
    file.force();
    hasWritten |= hasAppended;
  }

  private void await() {
    try {
      writing.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Fault fault ? fault : new Fault.Bug("the journal failed", e);
    }
  }

  /// Writes down all that can be, and does something before anything else is. What fails is not
  /// tried again: half a line may stand at the end, and no other may follow it.
  synchronized <T> T flush(Supplier<T> then) {
    await();
    isWriting = false;
    write(takePending());
    return then.get();
  }

  /// Those that {@link #flush} had to leave, to what it does then.
  List<Entry> waiting() {
    return waiting.stream().<Entry>map(Pending::taken).toList();
  }

  /// A line under way is written first.
  void close() {
    writing.handle((_, _) -> null).join();
  }
}
