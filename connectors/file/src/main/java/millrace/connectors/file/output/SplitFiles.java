package millrace.connectors.file.output;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.connectors.file.FileRunJournal;
import millrace.connectors.file.JournalContent;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;

/// A file for each split.
final class SplitFiles implements Sink {

  private final Staging staging;
  private final long firstNumber;
  private final Chunk header;
  private final @Nullable FileRunJournal journal;
  private final Map<Integer, StagedFiles> files = new ConcurrentHashMap<>();

  /// The numbers of splits whose files are finished.
  private final Set<Integer> finished = ConcurrentHashMap.newKeySet();

  private volatile boolean cancelled;

  /// @param firstNumber the number of the first split's file
  /// @param header what each begins with; may be empty
  /// @param journal where receipts go, or null
  SplitFiles(Staging staging, long firstNumber, Chunk header, @Nullable FileRunJournal journal) {
    this.journal = journal;
    this.staging = staging;
    this.firstNumber = firstNumber;
    this.header = header;
  }

  @Override
  public void write(int split, Chunk chunk, StageClock clock) {
    if (cancelled) {
      throw new Fault.Cancelled("the copy was stopped");
    }
    clock.enter(Stage.SEND);
    of(split).write(chunk);
  }

  @Override
  public boolean reached(Receipt receipt, StageClock clock) {
    clock.enter(Stage.SEND);
    of(receipt.split().index()).keep(receipt);
    return true;
  }

  @Override
  public void finish(Receipt receipt, StageClock clock) {
    clock.enter(Stage.SEND);
    StagedFiles of = of(receipt.split().index());
    of.keep(receipt);
    of.finish();
    finished.add(receipt.split().index());
  }

  /// Takes the file of a split that another process has finished, and writes that down.
  ///
  /// @throws Fault.User if it is not there: that process has another folder
  void take(Receipt receipt) {
    int split = receipt.split().index();
    FileRunJournal told = journal;
    if (told == null || receipt.rest() != null || finished.contains(split)) {
      return;
    }
    StagedFiles before = files.get(split);
    List<StagedFile> begun = before == null ? List.of() : before.files();
    long length = (begun.isEmpty() ? header.length() : begun.getFirst().length()) + receipt.bytes();
    Path path = staging.outputs().numbered(firstNumber + split);
    begun.forEach(StagedFile::close);
    if (!staging.take(path, length)) {
      throw unseen(path);
    }
    files.remove(split);
    of(split).resume(new JournalContent.FilePosition(firstNumber + split, length, length));
    told.told(receipt, of(split).finish().getFirst(), firstNumber + split);
    finished.add(split);
  }

  private static Fault.User unseen(Path path) {
    return new Fault.User(
        "Executors have written what becomes "
            + path
            + ", but the driver does not see it there: a folder is needed that all of them share.",
        "Name such a folder, or copy on one machine.");
  }

  @Override
  public boolean undo(int split) {
    StagedFiles begun = files.get(split);
    if (begun != null) {
      begun.undo();
      if (begun.isEmpty()) {
        files.remove(split);
      }
    }
    return true;
  }

  /// Takes back what came of splits that are not finished and does not stay.
  void undoAll() {
    List.copyOf(files.keySet()).forEach(this::undo);
  }

  /// Goes on with what an earlier run has on the disk.
  void resume(List<JournalContent.SyncedRows> taken) {
    Map<Integer, JournalContent.SyncedRows> last = new TreeMap<>();
    taken.forEach(each -> last.put(each.receipt().split().index(), each));
    last.forEach((split, at) -> {
      of(split).resume(at.place());
      if (at.receipt().rest() == null) {
        of(split).finish();
        finished.add(split);
      }
    });
  }

  /// The files so far.
  List<StagedFile> files() {
    return files.values().stream().flatMap(each -> each.files().stream()).toList();
  }

  private StagedFiles of(int split) {
    return files.computeIfAbsent(
        split,
        each ->
            new StagedFiles(
                staging.outputs()::numbered,
                staging,
                firstNumber + each,
                header,
                Long.MAX_VALUE,
                journal));
  }

  /// The files in split order; one with nothing but its header if there were no splits.
  List<StagedFile> staged() {
    if (files.isEmpty()) {
      of(0);
    }
    List<StagedFile> staged = new ArrayList<>();
    new TreeMap<>(files).values().forEach(each -> staged.addAll(each.finish()));
    return staged;
  }

  /// Removes all of them.
  void delete() {
    files.values().forEach(StagedFiles::delete);
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
