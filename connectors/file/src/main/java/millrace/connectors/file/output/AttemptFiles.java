package millrace.connectors.file.output;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.connectors.file.FileRunJournal;
import millrace.connectors.file.JournalContent.FilePosition;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.journal.Receipt;

/// The files of splits that this process works off of a run which another has begun. Each attempt
/// at a split writes a file of its own, with the whole split in it. Once that is finished its name
/// tells its length, and the other process takes it by that: see {@link SplitFiles#take}. What
/// nobody takes goes at the end of the run.
final class AttemptFiles implements Sink {

  private final Staging staging;
  private final long firstNumber;
  private final Chunk header;
  private final FileRunJournal journal;
  private final Map<Integer, StagedFile> files = new ConcurrentHashMap<>();
  private volatile boolean cancelled;

  /// @param firstNumber the number of the first split's file
  /// @param header what each begins with; may be empty
  /// @param journal of the run that is joined
  AttemptFiles(Staging staging, long firstNumber, Chunk header, FileRunJournal journal) {
    this.staging = staging;
    this.firstNumber = firstNumber;
    this.header = header;
    this.journal = journal;
  }

  @Override
  public void write(int split, Chunk chunk, StageClock clock) {
    if (cancelled) {
      throw new Fault.Cancelled("the copy was stopped");
    }
    clock.enter(Stage.SEND);
    of(split).write(chunk.bytes(), chunk.length());
  }

  /// A part of a split is nothing that another attempt could go on with.
  @Override
  public boolean reached(Receipt receipt, StageClock clock) {
    return false;
  }

  @Override
  public void finish(Receipt receipt, StageClock clock) {
    clock.enter(Stage.SEND);
    int split = receipt.split().index();
    staging.handOver(of(split), journal::hasEnded);
    files.remove(split);
  }

  @Override
  public boolean undo(int split) {
    StagedFile begun = files.remove(split);
    if (begun != null) {
      begun.delete();
    }
    return true;
  }

  private StagedFile of(int split) {
    StagedFile begun = files.get(split);
    return begun == null ? begin(split) : begun;
  }

  private StagedFile begin(int split) {
    FilePosition before = journal.reached(split);
    Path path = staging.outputs().numbered(firstNumber + split);
    StagedFile file = staging.attempt(path, before == null ? -1 : before.length());
    files.put(split, file);
    if (before == null) {
      file.write(header.bytes(), header.length());
    }
    return file;
  }

  @Override
  public void cancel() {
    cancelled = true;
  }
}
