package millrace.connectors.file;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The files of a run, each begun with the header, all under other names until the run is complete.
///
/// One thread at a time.
final class StagedFiles implements SplitOrder.Stream {

  private final LongFunction<Path> names;
  private final long firstNumber;
  private final Chunk header;
  private final long fileBytesMax;
  private final List<StagedFile> files = new ArrayList<>();
  private @Nullable StagedFile current;
  private long currentBytes;
  private int keptFiles;
  private long keptLength;
  private long keptBytes;

  /// @param names the files' names by number
  /// @param firstNumber the number of the first
  /// @param header what each begins with; may be empty
  /// @param fileBytesMax the size, before compression, at which the next begins
  StagedFiles(LongFunction<Path> names, long firstNumber, Chunk header, long fileBytesMax) {
    this.names = names;
    this.firstNumber = firstNumber;
    this.header = header;
    this.fileBytesMax = fileBytesMax;
  }

  @Override
  public void write(Chunk chunk) {
    boolean hasRows = currentBytes > header.plainBytes();
    if (current == null || (hasRows && currentBytes + chunk.plainBytes() > fileBytesMax)) {
      begin();
    }
    if (current != null) {
      current.write(chunk.bytes(), chunk.length());
      currentBytes += chunk.plainBytes();
    }
  }

  @Override
  public void keep() {
    keptFiles = files.size();
    keptLength = current == null ? 0 : current.length();
    keptBytes = currentBytes;
  }

  @Override
  public boolean undo() {
    while (files.size() > keptFiles) {
      files.removeLast().delete();
    }
    current = files.isEmpty() ? null : files.getLast();
    if (current != null) {
      current.cutTo(keptLength);
    }
    currentBytes = keptBytes;
    return true;
  }

  private void begin() {
    end();
    StagedFile file = new StagedFile(names.apply(firstNumber + files.size()));
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

  /// Removes all of them that have not got their names yet.
  void delete() {
    files.forEach(StagedFile::delete);
  }
}
