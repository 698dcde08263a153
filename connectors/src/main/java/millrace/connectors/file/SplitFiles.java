package millrace.connectors.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.StageClock;

/// A file for each split.
final class SplitFiles implements Sink {

  private final Outputs outputs;
  private final long firstNumber;
  private final Chunk header;
  private final Map<Integer, StagedFiles> files = new ConcurrentHashMap<>();
  private volatile boolean cancelled;

  /// @param firstNumber the number of the first split's file
  /// @param header what each begins with; may be empty
  SplitFiles(Outputs outputs, long firstNumber, Chunk header) {
    this.outputs = outputs;
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
  public void finish(int split, StageClock clock) {
    clock.enter(Stage.SEND);
    of(split).finish();
  }

  @Override
  public boolean undo(int split) {
    StagedFiles begun = files.remove(split);
    if (begun != null) {
      begun.delete();
    }
    return true;
  }

  private StagedFiles of(int split) {
    return files.computeIfAbsent(
        split,
        each -> new StagedFiles(outputs::numbered, firstNumber + each, header, Long.MAX_VALUE));
  }

  /// The files in split order; one with nothing but its header where there were no splits.
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
