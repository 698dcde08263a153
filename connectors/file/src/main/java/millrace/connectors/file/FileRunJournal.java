package millrace.connectors.file;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import millrace.connectors.file.JournalContent.FilePosition;
import millrace.connectors.file.JournalContent.FileStart;
import millrace.connectors.file.JournalContent.SyncedRows;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.Publication;
import millrace.connectors.file.output.StagedFile;
import millrace.connectors.file.output.Staging;
import millrace.connectors.file.output.UploadRecord;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadLedger;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the run under way writes into its journal.
///
/// Lanes call {@link #taken}, see {@link ReceiptQueue}; all else is the target's.
public final class FileRunJournal implements LoadLedger, SplitOwners.Table {

  private static final Logger LOG = LoggerFactory.getLogger(FileRunJournal.class);

  /// So much is written between two lines unless somebody says otherwise.
  static final Amount UNIT = new Amount(64L << 20, true);

  private final Outputs outputs;
  private final JournalFile file;
  private final RunRecord run;
  private final JournalText text;
  private final @Nullable JournaledRun resumed;
  private final @Nullable JournaledRun before;
  private final long end;
  private final Staging staging;
  private final ReceiptQueue receipts;

  /// Of a run that begins from the start.
  ///
  /// @param file its owner closes it, once this is closed
  /// @param before the run of the same job that it takes the place of, or null
  /// @param uploads of that one
  FileRunJournal(
      Outputs outputs,
      JournalFile file,
      RunRecord run,
      @Nullable JournaledRun before,
      List<UploadRecord> uploads) {
    this(outputs, file, run, null, before, 0, uploads);
  }

  /// Of a run that goes on with another, or joins it.
  ///
  /// @param file its owner closes it, once this is closed; not open if another process has it
  /// @param end behind what is known of that one
  FileRunJournal(
      Outputs outputs,
      JournalFile file,
      JournaledRun resumed,
      long end,
      List<UploadRecord> uploads) {
    this(outputs, file, resumed.run(), resumed, null, end, uploads);
  }

  private FileRunJournal(
      Outputs outputs,
      JournalFile file,
      RunRecord run,
      @Nullable JournaledRun resumed,
      @Nullable JournaledRun before,
      long end,
      List<UploadRecord> uploads) {
    this.outputs = outputs;
    this.file = file;
    this.run = run;
    this.resumed = resumed;
    this.before = before;
    this.end = end;
    text = JournalContent.text(file.path());
    staging = FileJournal.staging(outputs, run.job(), uploads, file::append);
    receipts = new ReceiptQueue(file);
  }

  /// How the files begin of the run that this one goes on with; null if it begins from the start.
  @Nullable FileStart resumed() {
    return resumed == null ? null : JournalContent.start(text, resumed);
  }

  /// What that one has on the disk, in order.
  public List<SyncedRows> taken() {
    return resumed == null ? List.of() : JournalContent.taken(text, resumed);
  }

  /// Where the files are while they are written.
  public Staging staging() {
    return staging;
  }

  /// How far the run had come with a split when it was joined; null if it had not begun with it.
  public @Nullable FilePosition reached(int split) {
    FilePosition last = null;
    for (SyncedRows each : taken()) {
      last = each.receipt().split().index() == split ? each.place() : last;
    }
    return last;
  }

  /// Whether the run that was joined takes no more splits.
  public boolean hasEnded() {
    List<Entry> said = said();
    return Progress.of(said) != Progress.BEGUN
        || said.stream()
            .noneMatch(each -> each instanceof Begun begun && begun.run().id().equals(run.id()));
  }

  /// What is known of the run, receipts included that are not written down yet.
  private List<Entry> said() {
    if (file.isOpen()) {
      return receipts.flush(() -> {
        List<Entry> all = new ArrayList<>(file.read().entries());
        all.addAll(receipts.waiting());
        return all;
      });
    }
    JournalContent other = JournalFile.readOther(file.path());
    return other == null ? List.of() : other.entries();
  }

  /// Of whom {@link FileJournal#refusalToJoin} keeps any out of the files that one process joins.
  @Override
  public SplitOwners.Table owners() {
    return this;
  }

  /// Each attempt has a file of its own, and the process that has begun the run takes one of them.
  @Override
  public void put(RunRecord of, int split, long token, Consumer<List<Entry>> check) {
    if (split != SplitOwners.ALL) {
      check.accept(said());
    }
  }

  @Override
  public List<Entry> taken(RunRecord of, int split) {
    Map<Split, Entry> last = new LinkedHashMap<>();
    for (Entry each : said()) {
      if (each instanceof Entry.Taken(Receipt receipt, JsonNode _)
          && (split == SplitOwners.ALL || receipt.split().index() == split)) {
        last.put(receipt.split(), each);
      }
    }
    return List.copyOf(last.values());
  }

  @Override
  public String name() {
    return outputs.path().toString();
  }

  /// What an earlier run has left of the same job goes, once what it was adding is taken back.
  @Override
  public void begin(Begun begins) {
    FileStart start = text.details(begins.details(), FileStart.class);
    try (FileChannel _ = start.appends() ? lockToAdd() : null) {
      Entry.Sealing named = before == null || before.complete() ? null : before.sealing();
      if (named != null) {
        JournalContent.publication(text, named).takeBack(staging);
      }
      if (!file.isOpen()) {
        file.create(outputs.journalModel());
      }
      beginAnew(start);
    } catch (IOException e) {
      throw Outputs.unwritable(outputs.path(), e);
    }
  }

  private void beginAnew(FileStart start) {
    try {
      file.cut(0);
      file.append(JournalContent.begun(run, start));
      staging.remove(List.of());
      file.forgetUploads();
    } catch (RuntimeException e) {
      file.delete();
      throw e;
    }
  }

  /// What comes now stands behind the last whole line of the run that it resumes.
  void resume() {
    file.cut(end);
    file.claim();
  }

  /// Waits until no other copy adds rows to the file, and lets none begin with it until the lock is
  /// let go of, be it by closing any other channel to that file.
  ///
  /// @throws Fault.User if another copy was cut off while it added its rows: what stands at the end
  ///   may be half a record, and that copy could not be brought to its end behind other rows
  FileChannel lockToAdd() {
    try {
      FileChannel target = FileChannel.open(outputs.path(), StandardOpenOption.WRITE);
      try {
        target.lock();
        outputs.journals().forEach(this::refuseBehind);
        return target;
      } catch (IOException | RuntimeException e) {
        target.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw Inputs.unreadable(outputs.path().toString(), e);
    } catch (IOException e) {
      throw Outputs.unwritable(outputs.path(), e);
    }
  }

  private void refuseBehind(Path journal) {
    boolean isThisJournal = journal.equals(file.path().toAbsolutePath());
    JournalContent other = isThisJournal ? null : JournalFile.readOther(journal);
    Begun adding = other == null ? null : adding(outputs, other);
    if (adding != null) {
      throw new Fault.User(
          "Another copy, begun at "
              + adding.run().startedAt()
              + ", was cut off while it added its rows to "
              + outputs.path()
              + ": the last record may be half a one.",
          "Give the command of that copy again with --resume first.");
    }
  }

  /// The copy that was cut off while it added its rows to a file, as another journal tells; null if
  /// it was not.
  static @Nullable Begun adding(Outputs outputs, JournalContent other) {
    Publication named = other.interrupted();
    Begun begun = other.begun();
    return named != null
            && begun != null
            && named.isAdding(FileJournal.hiddenFiles(outputs, begun.run().job()))
        ? begun
        : null;
  }

  /// So much is written between two lines.
  void unit(Amount requested) {
    receipts.unit(requested);
  }

  /// All rows up to there have been written to a file, which need not be on the disk. From any
  /// thread.
  ///
  /// @param stream what they are a part of, one behind the other
  /// @param in where they end
  public void taken(Receipt receipt, Object stream, StagedFile in, long number, long plainBytes) {
    receipts.add(receipt, stream, in, new FilePosition(number, in.length(), plainBytes));
  }

  /// The same of a split that another process has written, which is on the disk; so is this then.
  /// From any thread.
  public void told(Receipt receipt, StagedFile in, long number) {
    taken(receipt, in, in, number, in.length());
    receipts.writeAtOnce();
  }

  /// Whether there are rows of this run, or of the one that it goes on with, that another could go
  /// on behind once they are written down.
  boolean hasTaken() {
    return receipts.hasAny() || !taken().isEmpty();
  }

  /// Writes down what a run that has failed can still write, since its disk may be full.
  ///
  /// @return whether there are rows that another run can go on behind
  boolean keep() {
    try {
      receipts.flush(() -> true);
    } catch (Fault.External | Fault.Transient e) {
      LOG.debug("{} ends before the rows that were taken", file.path(), e);
    }
    return receipts.haveBeenWritten() || !taken().isEmpty();
  }

  /// It speaks of rows that are on the disk.
  @Override
  public void append(RunRecord of, Entry entry) {
    receipts.flush(() -> {
      file.append(entry);
      file.force();
      return true;
    });
  }

  /// An earlier run's goes when this one begins.
  @Override
  public void forget(RunRecord of) {
    if (of.id().equals(run.id())) {
      close();
      file.delete();
      // Those that have joined it find the journal gone from now on, and leave nothing.
      staging.remove(List.of());
    }
  }

  @Override
  public boolean hasForgotten() {
    return file.isTaken();
  }

  /// A line under way is written first.
  void close() {
    receipts.close();
  }
}
