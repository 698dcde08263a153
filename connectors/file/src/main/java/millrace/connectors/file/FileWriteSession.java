package millrace.connectors.file;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.file.JournalContent.FileStart;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.output.Chunk;
import millrace.connectors.file.output.Destination;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.Publication;
import millrace.connectors.file.output.StagedFile;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.PhaseTimer;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Files, or standard output, that are being written.
final class FileWriteSession implements WriteSession {

  /// The share of the heap that splits may fill which are not yet due in a file. If the disk is
  /// what is slow they fill all of it, so it is what a few lanes need to go on meanwhile.
  private static final int HEAP_SHARE = 16;

  private final OutputSpec spec;
  private final Schema schema;
  private final @Nullable Outputs written;
  private final @Nullable FileRunJournal journal;
  private final FileStart begun;

  /// Null until it is ready, which it may fail to become.
  private @Nullable Destination destination;

  /// @param journal what is kept of the run, or null
  FileWriteSession(OutputSpec spec, Schema schema, @Nullable FileRunJournal journal) {
    this.spec = spec;
    this.schema = schema;
    this.journal = journal;
    written = spec.written();
    FileStart goesOn = journal == null ? null : journal.goesOn();
    begun = goesOn == null ? begun() : goesOn;
  }

  private FileStart begun() {
    List<Long> numbers =
        written != null && spec.mode() == Mode.APPEND ? written.numbers() : List.of();
    return new FileStart(
        numbers.isEmpty() ? 1 : numbers.getLast() + 1,
        written != null && spec.appendsToFile(written));
  }

  /// Makes the files, or the stream, ready for rows.
  void prepare(OutputStream standardOutput) {
    long memoryBytesMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    Outputs named = spec.outputs();
    if (named == null) {
      destination =
          Destination.stream(
              "standard output", standardOutput, spec.header(schema), memoryBytesMax);
    } else if (written == null) {
      destination =
          Destination.stream(spec.label(), open(named.path()), spec.header(schema), memoryBytesMax);
    } else if (journal == null) {
      destination =
          Destination.files(written, spec.files(), begun, head(written), memoryBytesMax, null);
    } else {
      Chunk head = begin(journal, written);
      Destination made =
          Destination.files(written, spec.files(), begun, head, memoryBytesMax, journal);
      journal.removeStaged(
          made.files().stream().map(StagedFile::staged).collect(Collectors.toSet()));
      destination = made;
    }
  }

  /// Nobody adds rows to the file meanwhile.
  private Chunk begin(FileRunJournal kept, Outputs to) {
    Chunk head;
    try (FileChannel _ = begun.appends() ? kept.lockToAdd() : null) {
      kept.begin();
      head = head(to);
    } catch (IOException e) {
      throw Outputs.unwritable(to.path(), e);
    }
    if (kept.goesOn() == null) {
      kept.begun(begun);
    }
    return head;
  }

  private Chunk head(Outputs to) {
    return begun.appends() ? spec.lineEndIfMissing(to.path()) : spec.header(schema);
  }

  private static OutputStream open(Path device) {
    try {
      return new FileOutputStream(device.toFile());
    } catch (IOException e) {
      throw Outputs.unwritable(device, e);
    }
  }

  private Destination destination() {
    if (destination == null) {
      throw new Fault.Bug("rows before the files are ready", null);
    }
    return destination;
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    Amount unit = context.writeUnit();
    if (journal != null && context.commitUnit() != null) {
      journal.unit(context.commitUnit());
    }
    return new FileWriter(
        spec,
        schema,
        destination().sink(),
        unit == null || !unit.inBytes() ? 0 : unit.number(),
        context);
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    List<StagedFile> staged = destination().finish();
    return written == null ? Completed.PLAIN : Completed.noting(publish(written, staged));
  }

  private List<String> publish(Outputs to, List<StagedFile> staged) {
    Map<Path, Path> names = new HashMap<>();
    staged.forEach(file -> names.put(file.path().toAbsolutePath(), file.staged()));
    spec.checkStillThere(to, begun.appends());
    List<String> lost;
    try (FileChannel _ = journal != null && begun.appends() ? journal.lockToAdd() : null) {
      if (begun.appends()) {
        spec.checkLineEnd(to.path(), staged.getFirst().staged());
      }
      Publication publication = publication(to, staged);
      if (journal != null) {
        journal.named(publication);
      }
      lost = publication.carryOut(path -> names.getOrDefault(path, path), to);
      if (journal != null) {
        journal.complete();
      }
    } catch (IOException e) {
      throw Outputs.unwritable(to.path(), e);
    }
    // What was added to another file has not got its name.
    staged.forEach(StagedFile::delete);
    return lost;
  }

  private Publication publication(Outputs to, List<StagedFile> staged) {
    Mode mode = spec.mode();
    boolean fills = mode == null || (mode == Mode.APPEND && !spec.files().areSeveral());
    boolean replaces = fills ? isThereEmpty(to) : mode != Mode.CREATE && mode != Mode.APPEND;
    return new Publication(
        staged.stream().map(FileWriteSession::piece).toList(),
        replaces,
        begun.appends() ? Inputs.size(to.path()) : -1,
        replaces && spec.files().areSeveral() ? others(to, staged) : List.of());
  }

  /// By a path that means the same in any folder.
  private static Publication.Piece piece(StagedFile file) {
    try {
      return new Publication.Piece(
          file.path().toAbsolutePath().toString(),
          file.length(),
          FileIdentity.content(file.staged(), 0, file.length()));
    } catch (IOException e) {
      throw Inputs.unreadable(file.staged().toString(), e);
    }
  }

  /// Whether there is something at the place of the files and nothing in it: that much is filled
  /// unasked. What has come there since the copy began is not.
  private boolean isThereEmpty(Outputs to) {
    List<Path> existing = spec.existing(to);
    return !existing.isEmpty() && existing.stream().allMatch(path -> Inputs.size(path) == 0);
  }

  /// An earlier run may have written more files than this one.
  private static List<String> others(Outputs to, List<StagedFile> staged) {
    Set<Path> ours = new HashSet<>();
    staged.forEach(file -> ours.add(file.path()));
    return to.numbers().stream()
        .map(to::numbered)
        .filter(path -> !ours.contains(path))
        .map(path -> path.toAbsolutePath().toString())
        .toList();
  }

  /// What has been written down stays for another run; the rest goes first, since the disk may be
  /// full. A split that was finished before its turn came has been taken by nobody.
  @Override
  public Aborted abort(boolean keep) {
    Destination made = destination;
    if (keep && journal != null && journal.hasTaken()) {
      if (made == null) {
        // It could not even begin to go on with another run, whose rows stay.
        return Aborted.KEPT;
      }
      made.keep();
      if (journal.keep()) {
        made.files().forEach(StagedFile::close);
        return Aborted.KEPT;
      }
    }
    if (made != null) {
      made.delete();
    }
    if (journal != null && (made != null || journal.isNew())) {
      journal.delete();
    }
    return Aborted.CLEAN;
  }

  /// What else it has open, complete and abort have closed.
  @Override
  public void close() {
    if (journal != null) {
      journal.close();
    }
  }
}
