package millrace.connectors.file.output;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import millrace.connectors.file.FileRunJournal;
import millrace.connectors.file.JournalContent;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;

/// The files of a run, each begun with the header, all under other names until the run is complete.
///
/// One thread at a time.
final class StagedFiles implements SplitOrder.Stream {

  private final LongFunction<Path> names;
  private final Staging staging;
  private final long firstNumber;
  private final Chunk header;
  private final long fileBytesMax;
  private final List<StagedFile> files = new ArrayList<>();
  private final @Nullable FileRunJournal journal;
  private @Nullable StagedFile current;
  private long currentBytes;
  private int durableFiles;
  private long durableLength;
  private long durableBytes;

  /// @param names the files' names by number
  /// @param staging where they are until then
  /// @param firstNumber the number of the first
  /// @param header what each begins with; may be empty
  /// @param fileBytesMax the size, before compression, at which the next begins
  /// @param journal where receipts go, or null
  StagedFiles(
      LongFunction<Path> names,
      Staging staging,
      long firstNumber,
      Chunk header,
      long fileBytesMax,
      @Nullable FileRunJournal journal) {
    this.journal = journal;
    this.names = names;
    this.staging = staging;
    this.firstNumber = firstNumber;
    this.header = header;
    this.fileBytesMax = fileBytesMax;
  }

  @Override
  public void write(Chunk chunk) {
    boolean hasRows = currentBytes > header.plainBytes();
    if (current == null
        || !current.takesMore()
        || (hasRows && currentBytes + chunk.plainBytes() > fileBytesMax)) {
      begin();
    }
    if (current != null) {
      current.write(chunk.bytes(), chunk.length());
      currentBytes += chunk.plainBytes();
    }
  }

  /// Goes on behind what an earlier run has on the disk.
  void resume(JournalContent.FilePosition at) {
    for (long number = firstNumber; number <= at.number(); number++) {
      Path path = names.apply(number);
      long length = number == at.number() ? at.length() : -1;
      files.add(staging.resume(path, length));
    }
    StagedFile last = files.getLast();
    last.cutTo(at.length());
    current = last;
    currentBytes = at.plainBytes();
    keep();
  }

  /// What is written so far stays, and is written down.
  @Override
  public void keep(Receipt receipt) {
    if (current == null && files.isEmpty()) {
      // A split without rows may come before any file.
      begin();
    }
    keep();
    if (journal != null) {
      journal.taken(receipt, this, files.getLast(), firstNumber + files.size() - 1, currentBytes);
    }
  }

  private void keep() {
    files.subList(Math.max(0, durableFiles - 1), files.size() - 1).forEach(StagedFile::forgetMarks);
    if (current != null) {
      current.mark();
    }
    durableFiles = files.size();
    durableLength = files.isEmpty() ? 0 : files.getLast().length();
    durableBytes = currentBytes;
  }

  @Override
  public boolean undo() {
    boolean added = files.size() > durableFiles;
    while (files.size() > durableFiles) {
      files.getLast().delete();
      files.removeLast();
    }
    // It may have been finished, and none begun behind it.
    if (added || (!files.isEmpty() && files.getLast().length() > durableLength)) {
      current = files.isEmpty() ? null : files.getLast();
    }
    if (current != null) {
      current.cutTo(durableLength);
    }
    currentBytes = durableBytes;
    return true;
  }

  private void begin() {
    end();
    Path path = names.apply(firstNumber + files.size());
    StagedFile file = staging.begin(path);
    files.add(file);
    current = file;
    file.write(header.bytes(), header.length());
    currentBytes = header.plainBytes();
  }

  private void end() {
    if (current != null) {
      current.finish();
      current = null;
    }
  }

  /// Ends the last file; a run without rows has one with nothing but its header.
  List<StagedFile> finish() {
    if (files.isEmpty()) {
      begin();
    }
    end();
    return List.copyOf(files);
  }

  /// Whether there is none.
  boolean isEmpty() {
    return files.isEmpty();
  }

  /// All of them.
  List<StagedFile> files() {
    return List.copyOf(files);
  }

  /// Removes all of them that have not got their names yet.
  void delete() {
    files.forEach(StagedFile::delete);
  }
}
