package millrace.connectors.file.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import millrace.connectors.file.FileRunJournal;
import millrace.connectors.file.JournalContent;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;

/// Where all lanes of a run write to.
///
/// @param sink what they call
/// @param joined the files, if splits are joined
/// @param split the files, if each split has its own
/// @param stream standard output or a device
/// @param name the stream's, for messages
public record Destination(
    Sink sink,
    @Nullable StagedFiles joined,
    @Nullable SplitFiles split,
    @Nullable OutputStream stream,
    String name) {

  /// Files that get their names when the run is complete.
  public static Destination files(
      Staging staging,
      FilesOption files,
      JournalContent.FileStart begun,
      Chunk header,
      long memoryBytesMax,
      @Nullable FileRunJournal journal) {
    Outputs outputs = staging.outputs();
    List<JournalContent.SyncedRows> taken = journal == null ? List.of() : journal.taken();
    if (files.perSplit()) {
      SplitFiles split = new SplitFiles(staging, begun.firstNumber(), header, journal);
      split.resume(taken);
      return new Destination(split, null, split, null, "");
    }
    StagedFiles joined =
        new StagedFiles(
            files.areSeveral() ? outputs::numbered : _ -> outputs.path(),
            staging,
            begun.firstNumber(),
            header,
            files.fileBytesMax(),
            journal);
    int turn = 0;
    if (!taken.isEmpty()) {
      joined.resume(taken.getLast().place());
      Receipt last = taken.getLast().receipt();
      turn = last.rest() == null ? last.split().index() + 1 : last.split().index();
    }
    return new Destination(new SplitOrder(joined, memoryBytesMax, turn), joined, null, null, "");
  }

  /// Files of attempts at splits of a run that another process has begun.
  public static Destination attempts(
      Staging staging, long firstNumber, Chunk header, FileRunJournal journal) {
    AttemptFiles sink = new AttemptFiles(staging, firstNumber, header, journal);
    return new Destination(sink, null, null, null, "");
  }

  /// A stream that takes everything at once.
  ///
  /// @param name for messages
  public static Destination stream(
      String name, OutputStream stream, Chunk header, long memoryBytesMax) {
    write(name, stream, header);
    return new Destination(
        new SplitOrder(new OneWay(name, stream), memoryBytesMax, 0), null, null, stream, name);
  }

  /// Somebody may have read already what was written.
  private static final class OneWay implements SplitOrder.Stream {
    private final String name;
    private final OutputStream stream;
    private boolean wroteOfSplit;

    private OneWay(String name, OutputStream stream) {
      this.name = name;
      this.stream = stream;
    }

    @Override
    public void write(Chunk chunk) {
      wroteOfSplit = true;
      Destination.write(name, stream, chunk);
    }

    @Override
    public void keep(Receipt receipt) {
      wroteOfSplit = false;
    }

    @Override
    public boolean undo() {
      return !wroteOfSplit;
    }
  }

  private static void write(String name, OutputStream stream, Chunk chunk) {
    try {
      stream.write(chunk.bytes(), 0, chunk.length());
    } catch (IOException e) {
      throw broken(name, e);
    }
  }

  private static Fault.External broken(String name, IOException cause) {
    return new Fault.External(
        "Can't write to " + name + ": " + FileTrouble.reason(cause) + ".",
        "Whoever reads it has stopped, or its disk is full.",
        cause);
  }

  /// Ends what is written; the files still have their other names.
  public List<StagedFile> finish() {
    sink.end();
    if (stream != null) {
      try {
        stream.flush();
      } catch (IOException e) {
        throw broken(name, e);
      }
    }
    if (joined != null) {
      return joined.finish();
    }
    return split == null ? List.of() : split.staged();
  }

  /// Takes back what no receipt speaks of.
  public void keep() {
    if (joined != null) {
      joined.undo();
    }
    if (split != null) {
      split.undoAll();
    }
  }

  /// Another process has taken that much of a split.
  public void taken(Receipt receipt) {
    if (split != null) {
      split.take(receipt);
    }
  }

  /// The files so far.
  public List<StagedFile> files() {
    if (joined != null) {
      return joined.files();
    }
    return split == null ? List.of() : split.files();
  }

  /// Removes the files that have not got their names yet.
  public void delete() {
    if (joined != null) {
      joined.delete();
    }
    if (split != null) {
      split.delete();
    }
  }
}
