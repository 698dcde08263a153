package millrace.connectors.file;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import millrace.connectors.file.JournalContent.FileStart;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.output.Chunk;
import millrace.connectors.file.output.Destination;
import millrace.connectors.file.output.HiddenFiles;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.Publication;
import millrace.connectors.file.output.StagedFile;
import millrace.connectors.file.output.Staging;
import millrace.connectors.file.output.Uploads;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.load.LoadRows;
import millrace.spi.load.Place;
import millrace.spi.load.SplitOwners;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Files, or standard output, that are being written.
final class FilePlace implements Place, LoadRows {

  /// The share of the heap that splits may fill which are not yet due in a file. If the disk is
  /// what is slow they fill all of it, so it is what a few lanes need to go on meanwhile.
  private static final int HEAP_SHARE = 16;

  private final OutputSpec spec;
  private final Schema schema;
  private final @Nullable Outputs written;
  private final @Nullable FileRunJournal journal;

  /// Where the files are until they get their names; null if there are none.
  private final @Nullable Staging staging;

  private final OutputStream standardOutput;
  private final FileStart begun;

  /// Whether another process has begun the run.
  private boolean isJoined;

  /// Null until it is ready, which it may fail to become.
  private @Nullable Destination destination;

  /// Held while rows are added to a file that is there.
  private @Nullable FileChannel adding;

  /// All files, once they are finished.
  private List<StagedFile> finished = List.of();

  /// How they get their names; null until then.
  private @Nullable Publication publication;

  /// What could not be kept of the rights of files that were there.
  private List<String> lost = List.of();

  /// @param journal what is kept of the run, or null
  FilePlace(
      OutputSpec spec,
      Schema schema,
      @Nullable FileRunJournal journal,
      OutputStream standardOutput) {
    this.spec = spec;
    this.schema = schema;
    this.journal = journal;
    this.standardOutput = standardOutput;
    written = spec.written();
    staging = staging(written, journal);
    FileStart resumed = journal == null ? null : journal.resumed();
    begun = resumed == null ? begun() : resumed;
  }

  private static @Nullable Staging staging(
      @Nullable Outputs written, @Nullable FileRunJournal journal) {
    if (written == null || journal != null) {
      return journal == null ? null : journal.staging();
    }
    HiddenFiles hidden = HiddenFiles.ofThisProcess(written);
    return written.areStored() ? new Uploads(written, hidden.mark(), List.of(), _ -> {}) : hidden;
  }

  private FileStart begun() {
    List<Long> numbers =
        written != null && spec.mode() == Mode.APPEND ? written.numbers() : List.of();
    return new FileStart(
        numbers.isEmpty() ? 1 : numbers.getLast() + 1,
        written != null && spec.appendsToFile(written));
  }

  /// A stream is filled as it is.
  @Override
  public Layout layout() {
    boolean isStream = written == null;
    return new Layout(
        isStream ? "" : JournalContent.STAGING,
        List.of(),
        JournalText.details(begun),
        isStream,
        Making.AFTER_ENTRY,
        false);
  }

  /// Files are made once there are rows for them.
  @Override
  public void make(String staging) {
    // Until then there is none.
  }

  /// What another run has left of the same job goes when this one is written down.
  @Override
  public void drop(String staging) {
    if (destination == null) {
      return;
    }
    if (journal != null && journal.hasForgotten()) {
      // What was written is another process's by now.
      destination.files().forEach(StagedFile::close);
    } else {
      destination.delete();
    }
  }

  @Override
  public void resume(JournaledRun from) {
    FileRunJournal runJournal = Objects.requireNonNull(journal, "of a run that is resumed");
    try (FileChannel _ = begun.appends() ? runJournal.lockToAdd() : null) {
      runJournal.resume();
    } catch (IOException e) {
      throw Outputs.unwritable(Path.of(runJournal.name()), e);
    }
  }

  @Override
  public void join(SplitOwners owners) {
    isJoined = true;
  }

  /// Those of other processes are written down here, and have their files taken.
  @Override
  public void committed(Receipt receipt) {
    destination().taken(receipt);
  }

  /// Makes the files, or the stream, ready for rows.
  @Override
  public void ready() {
    long memoryBytesMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    Outputs named = spec.outputs();
    if (named == null) {
      destination =
          Destination.stream(
              "standard output", standardOutput, spec.header(schema), memoryBytesMax);
    } else if (written == null) {
      destination =
          Destination.stream(spec.label(), open(named.path()), spec.header(schema), memoryBytesMax);
    } else if (isJoined && journal != null) {
      destination =
          Destination.attempts(staging(), begun.firstNumber(), spec.header(schema), journal);
    } else {
      Destination made =
          Destination.files(staging(), spec.files(), begun, head(written), memoryBytesMax, journal);
      destination = made;
      if (journal != null) {
        staging().remove(made.files());
      }
    }
  }

  private Staging staging() {
    return Objects.requireNonNull(staging, "files");
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
  public @Nullable MergeCounts add(PhaseTimer steps) {
    finished = destination().finish();
    return null;
  }

  /// Nobody adds rows to the file from now on.
  @Override
  public Publication checkSwap(boolean sealed) {
    Outputs to = Objects.requireNonNull(written, "files");
    spec.checkStillThere(to, begun.appends());
    if (begun.appends()) {
      adding = journal == null ? null : journal.lockToAdd();
      spec.checkLineEnd(to.path(), finished.getFirst().staged());
    }
    Publication made = publication(to, finished);
    publication = made;
    return made;
  }

  @Override
  public void swap(boolean sealed) {
    lost = Objects.requireNonNull(publication, "checked").carryOut(staging());
  }

  /// What was added to another file has not got its name.
  @Override
  public void clear() {
    letAdd();
    finished.forEach(StagedFile::delete);
    if (journal != null && (spec.files().perSplit() || staging instanceof Uploads)) {
      // Of attempts of other processes that were late or were lost, and what could not be removed.
      staging().remove(List.of());
    }
  }

  private void letAdd() {
    try (FileChannel _ = adding) {
      adding = null;
    } catch (IOException e) {
      throw Outputs.unwritable(Objects.requireNonNull(written, "files").path(), e);
    }
  }

  @Override
  public Outcome outcome() {
    return new Outcome(lost, 0, false, "");
  }

  private Publication publication(Outputs to, List<StagedFile> staged) {
    Mode mode = spec.mode();
    boolean fills = mode == null || (mode == Mode.APPEND && !spec.files().areSeveral());
    boolean replaces = fills ? isThereEmpty(to) : mode != Mode.CREATE && mode != Mode.APPEND;
    return new Publication(
        staged.stream().map(FilePlace::piece).toList(),
        replaces,
        begun.appends() ? Inputs.size(to.path()) : -1,
        replaces && spec.files().areSeveral() ? others(to, staged) : List.of());
  }

  /// By a path that means the same in any folder.
  private static Publication.Piece piece(StagedFile file) {
    return new Publication.Piece(
        file.path().toAbsolutePath().toString(), file.length(), file.content());
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
  public boolean keep() {
    if (journal == null || !journal.hasTaken()) {
      return false;
    }
    Destination made = destination;
    if (made == null) {
      // It could not even begin to resume another run, whose rows stay.
      return true;
    }
    made.keep();
    boolean isResumable = journal.keep();
    if (isResumable) {
      made.files().forEach(StagedFile::close);
    }
    return isResumable;
  }

  @Override
  public void close() {
    letAdd();
    if (journal != null) {
      journal.close();
    }
  }
}
