package millrace.connectors.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.Publication;
import millrace.connectors.file.output.StagedFile;
import millrace.fault.Fault;
import millrace.spi.journal.Journal;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receipts of a copy into files, in a hidden file beside them: `.NAME.millrace-JOB.journal`, a
/// line of JSON each.
///
/// A line is written once the rows that it speaks of have been forced to disk, which is done for
/// many splits at a time and on a thread of its own. The file is locked as long as the copy goes
/// on: a process that is killed lets go of it. Lanes call {@link #taken}; all else is the target's.
public final class FileJournal implements Journal {

  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);

  /// So much is written between two lines where nobody says otherwise.
  static final Amount UNIT = new Amount(64L << 20, true);

  private static final int JOB_CHARACTERS = 12;
  private static final String STAGED = ".tmp";

  /// What stands between a file's name and the job in its hidden names.
  public static final String MARK = ".millrace-";

  /// What the name of a journal ends in.
  public static final String JOURNAL = ".journal";

  /// One line; all of its parts but one are null.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record Line(
      @Nullable Begun begun,
      @Nullable Taken taken,
      @Nullable Publication named,
      boolean complete,
      @Nullable String at) {}

  /// A copy begins.
  ///
  /// @param run null where no journal is kept
  /// @param firstNumber the number of its first file, where files are numbered
  /// @param appends whether its rows are added to a file that is there
  public record Begun(@Nullable RunRecord run, long firstNumber, boolean appends) {}

  /// Rows that are on the disk.
  ///
  /// @param number of the file that they end in
  /// @param length of that file with them
  /// @param plainBytes the same before compression
  public record Taken(Receipt receipt, long number, long length, long plainBytes) {}

  /// What is to be read of a journal.
  ///
  /// @param completeAt when the copy was complete; null if it is not
  /// @param end behind the last whole line
  private record State(
      RunRecord run,
      Begun begun,
      List<Taken> taken,
      @Nullable Publication named,
      @Nullable String completeAt,
      long end) {

    boolean complete() {
      return completeAt != null;
    }
  }

  private record Pending(Taken taken, StagedFile file) {}

  private final Outputs outputs;
  private final boolean adds;
  private @Nullable FileChannel channel;
  private @Nullable State before;
  private @Nullable State goesOn;
  private @Nullable RunRecord run;
  private Path path;
  private Amount unit = UNIT;
  private List<Pending> pending = new ArrayList<>();
  private @Nullable Receipt lastTaken;
  private volatile boolean hasWritten;
  private boolean isNew;
  private long bytesPending;
  private long rowsPending;
  private CompletableFuture<Void> writing = CompletableFuture.completedFuture(null);

  /// @param adds whether a copy leaves the rows that are there, so that the same one from the start
  ///   would bring its own twice
  FileJournal(Outputs outputs, boolean adds) {
    this.outputs = outputs;
    this.adds = adds;
    path = outputs.path();
  }

  /// The name under which a file of that job is written.
  static Path staged(Path file, String job) {
    return hidden(file, job, STAGED);
  }

  private static Path hidden(Path file, String job, String ending) {
    return file.resolveSibling("." + file.getFileName() + mark(job) + ending);
  }

  private static String mark(String job) {
    return MARK + job.substring(0, Math.min(job.length(), JOB_CHARACTERS));
  }

  @Override
  public @Nullable JournaledRun find(String job) {
    path = hidden(outputs.path(), job, JOURNAL);
    if (!open(StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return null;
    }
    State found = read(path, bytes());
    if (found == null || !found.run.job().equals(job)) {
      return null;
    }
    before = found;
    return kept(found);
  }

  private JournaledRun kept(State of) {
    Publication named = of.named;
    Completion completion =
        of.completeAt == null
            ? null
            : new Completion(of.completeAt, named == null ? "" : named.change());
    boolean stays =
        of.complete() ? adds : named != null && named.isBegun(file -> staged(file, of.run.job()));
    return kept(of, completion, stays);
  }

  private static JournaledRun kept(State of, @Nullable Completion completion, boolean stays) {
    return new JournaledRun(
        of.run, completion, stays, of.taken.stream().map(Taken::receipt).toList());
  }

  @Override
  public List<JournaledRun> list() {
    List<JournaledRun> all = new ArrayList<>();
    for (Path journal : outputs.journals()) {
      // Who closes another channel to the own journal lets go of its lock.
      boolean isOwn = channel != null && journal.equals(path.toAbsolutePath());
      State own = before == null ? goesOn : before;
      State state = isOwn ? own : readOther(journal);
      if (state != null) {
        all.add(kept(state));
      }
    }
    all.sort(Comparator.comparing(each -> each.run().id()));
    return all;
  }

  /// Opens and locks the journal; false where there is none.
  private boolean open(StandardOpenOption... options) {
    try {
      FileChannel opened = FileChannel.open(path, options);
      channel = opened;
      FileLock lock = opened.tryLock();
      if (lock == null) {
        throw underWay();
      }
      return true;
    } catch (OverlappingFileLockException _) {
      throw underWay();
    } catch (NoSuchFileException _) {
      return false;
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private static Fault.User underWay() {
    return new Fault.User(
        "The same copy is under way already, in another process.",
        "Wait for it, or stop it and say --resume.");
  }

  /// What a journal says; null where nothing was begun. A last line that was cut is not there.
  private static @Nullable State read(Path journal, byte[] bytes) {
    Begun begun = null;
    RunRecord known = null;
    // A later receipt of a split with the same start takes the place of an earlier one.
    Map<Split, Taken> taken = new LinkedHashMap<>();
    Publication named = null;
    String completeAt = null;
    int end = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        Line line = line(journal, new String(bytes, end, at - end, StandardCharsets.UTF_8));
        begun = line.begun == null ? begun : line.begun;
        known = line.begun == null ? known : line.begun.run();
        named = line.named == null ? named : line.named;
        if (line.complete && known != null) {
          // Journals of earlier versions do not say when.
          completeAt = line.at == null ? known.startedAt() : line.at;
        }
        if (line.taken != null) {
          taken.put(line.taken.receipt().split(), line.taken);
        }
        end = at + 1;
      }
    }
    return begun == null || known == null
        ? null
        : new State(known, begun, List.copyOf(taken.values()), named, completeAt, end);
  }

  private byte[] bytes() {
    try {
      ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(channel().size()));
      while (all.hasRemaining() && channel().read(all) > 0) {
        // Read by the channel that holds the lock: who closes another one lets go of it.
      }
      return Arrays.copyOf(all.array(), all.position());
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), e);
    }
  }

  private static Line line(Path journal, String text) {
    return new JournalText("The journal " + journal, "Remove it and copy from the start.")
        .read(text, Line.class);
  }

  /// A copy that had all its rows and was cut off while its files got their names is complete but
  /// for what {@link #complete()} does.
  @Override
  public JournaledRun resume(JournaledRun journaledRun) {
    State from = before;
    if (from == null) {
      throw new Fault.Bug("nothing was found to go on with", null);
    }
    before = null;
    goesOn = from;
    run = journaledRun.run();
    return from.named == null || from.complete()
        ? journaledRun
        : kept(from, new Completion(now(), ""), adds);
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public void complete() {
    State from = goesOn;
    if (from != null && from.named != null && !from.complete()) {
      cut(from.end);
      from.named.carryOut(staging());
      markComplete();
    }
    // It may have been killed before it removed what it had added to another file.
    removeStaged(Set.of());
  }

  /// What a copy that goes on writes comes behind the last whole line.
  void goOn() {
    if (goesOn != null) {
      cut(goesOn.end);
    }
  }

  private void cut(long length) {
    try {
      channel().truncate(length);
      channel().position(length);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  @Override
  public void open(RunRecord begun, @Nullable JournaledRun journaledRun) {
    run = begun;
    before = goesOn == null ? before : goesOn;
    goesOn = null;
  }

  /// Whether receipts are kept.
  boolean isOpen() {
    return run != null;
  }

  /// Whether the copy has its files already, under their names.
  boolean isComplete() {
    return goesOn != null && goesOn.named != null;
  }

  /// How the copy was begun that this one goes on with; null where it begins from the start.
  @Nullable Begun goesOn() {
    return goesOn == null ? null : goesOn.begun;
  }

  /// What that one has on the disk, in order.
  public List<Taken> taken() {
    return goesOn == null ? List.of() : goesOn.taken;
  }

  /// The other name of a file while it is written.
  public UnaryOperator<Path> staging() {
    String job = run().job();
    return file -> staged(file, job);
  }

  /// Makes ready for a copy from the start: what an earlier one has left of the same job goes.
  void begin() {
    State old = before;
    if (old != null && old.named != null && !old.complete()) {
      old.named.takeBack(staging());
    }
    boolean opened =
        channel != null
            || open(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (!opened) {
      throw Outputs.unwritable(path, new NoSuchFileException(path.toString()));
    }
    isNew = true;
    cut(0);
    removeStaged(Set.of());
  }

  /// Whether a copy has begun it from the start, so that it speaks of nothing that others did.
  boolean isNew() {
    return isNew;
  }

  /// Waits until no other copy adds rows to the file, and lets none begin with it until the lock is
  /// let go of, be it by closing any other channel to that file.
  ///
  /// @throws Fault.User where another copy was cut off while it added its rows: what stands at the
  ///   end may be half a record, and that copy could not be brought to its end behind other rows
  FileChannel lockToAdd() {
    try {
      FileChannel file = FileChannel.open(outputs.path(), StandardOpenOption.WRITE);
      try {
        file.lock();
        outputs.journals().forEach(this::refuseBehind);
        return file;
      } catch (IOException | RuntimeException e) {
        file.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw Inputs.unreadable(outputs.path().toString(), e);
    } catch (IOException e) {
      throw Outputs.unwritable(outputs.path(), e);
    }
  }

  private void refuseBehind(Path journal) {
    // Who closes a channel to the own journal lets go of its lock.
    State other = journal.equals(path.toAbsolutePath()) ? null : readOther(journal);
    if (other != null && isAdding(other)) {
      throw new Fault.User(
          "Another copy, begun at "
              + other.run.startedAt()
              + ", was cut off while it added its rows to "
              + outputs.path()
              + ": the last record may be half a one.",
          "Give the command of that copy again with --resume first.");
    }
  }

  private static boolean isAdding(State state) {
    String job = state.run.job();
    Publication named = state.named;
    return named != null && !state.complete() && named.isAdding(file -> staged(file, job));
  }

  private static @Nullable State readOther(Path journal) {
    try {
      return read(journal, Files.readAllBytes(journal));
    } catch (NoSuchFileException _) {
      return null;
    } catch (IOException e) {
      throw Inputs.unreadable(journal.toString(), e);
    }
  }

  /// Removes what earlier copies of the same job have written, but those files.
  void removeStaged(Set<Path> but) {
    outputs.removeStaged(mark(run().job()) + STAGED, but);
  }

  /// Writes down how the copy is begun.
  void begun(Begun begun) {
    append(new Line(begun, null, null, false, null));
  }

  /// So much is written between two lines.
  synchronized void unit(Amount asked) {
    unit = asked;
  }

  /// All rows up to there have been written to a file, which need not be on the disk. From any
  /// thread.
  ///
  /// @param file where they end
  public synchronized void taken(Receipt receipt, StagedFile file, long number, long plainBytes) {
    pending.add(new Pending(new Taken(receipt, number, file.length(), plainBytes), file));
    Receipt last = lastTaken;
    if (last != null && last.split().equals(receipt.split())) {
      bytesPending -= last.bytes();
      rowsPending -= last.rows();
    }
    bytesPending += receipt.bytes();
    rowsPending += receipt.rows();
    lastTaken = receipt;
    boolean due = unit.inBytes() ? bytesPending >= unit.number() : rowsPending >= unit.number();
    if (due && writing.isDone()) {
      await();
      List<Pending> ready = pending;
      pending = new ArrayList<>();
      bytesPending = 0;
      rowsPending = 0;
      writing =
          CompletableFuture.runAsync(
              () -> write(ready), work -> Thread.ofPlatform().name("journal").start(work));
    }
  }

  /// Whether there are rows of this run, or of the one that it goes on with, that another could go
  /// on behind once they are written down.
  synchronized boolean hasTaken() {
    return lastTaken != null || !taken().isEmpty();
  }

  private void write(List<Pending> ready) {
    Set<StagedFile> files = new LinkedHashSet<>();
    ready.forEach(each -> files.add(each.file));
    files.forEach(StagedFile::force);
    for (Pending each : ready) {
      append(new Line(null, each.taken, null, false, null));
      hasWritten = true;
    }
    force();
  }

  private void await() {
    try {
      writing.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Fault fault ? fault : new Fault.Bug("the journal failed", e);
    }
  }

  /// Writes down all that there is. What fails is not tried again: half a line may stand at the
  /// end, and no other may follow it.
  private synchronized void flush() {
    await();
    List<Pending> ready = pending;
    pending = new ArrayList<>();
    write(ready);
  }

  /// Writes down what a run that has failed can still write, since its disk may be full.
  ///
  /// @return whether there are rows that another run can go on behind
  boolean keep() {
    try {
      flush();
    } catch (Fault.External e) {
      LOG.debug("{} ends before the rows that were taken", path, e);
    }
    return hasWritten || !taken().isEmpty();
  }

  /// All rows are on the disk: says which files are about to get their names.
  void named(Publication publication) {
    flush();
    append(new Line(null, null, publication, false, null));
    force();
  }

  /// The files have their names.
  void markComplete() {
    append(new Line(null, null, null, true, now()));
    force();
  }

  private void append(Line line) {
    try {
      ByteBuffer bytes =
          ByteBuffer.wrap((JournalText.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel().write(bytes);
      }
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private void force() {
    try {
      channel().force(true);
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
  }

  private FileChannel channel() {
    if (channel == null) {
      throw new Fault.Bug("the journal is not open", null);
    }
    return channel;
  }

  /// The run under way.
  RunRecord run() {
    if (run == null) {
      throw new Fault.Bug("no run has been begun", null);
    }
    return run;
  }

  @Override
  public void forget(RunRecord known) {
    Path of = hidden(outputs.path(), known.job(), JOURNAL);
    if (channel != null && of.equals(path)) {
      delete();
      return;
    }
    try (FileChannel other = FileChannel.open(of, StandardOpenOption.WRITE);
        FileLock lock = other.tryLock()) {
      if (lock != null) {
        Files.deleteIfExists(of);
      }
    } catch (NoSuchFileException | OverlappingFileLockException e) {
      LOG.debug("{} is gone, or in use", of, e);
    } catch (IOException e) {
      throw Outputs.unwritable(of, e);
    }
  }

  /// Removes the journal.
  void delete() {
    try {
      if (channel != null) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw Outputs.unwritable(path, e);
    }
    close();
  }

  /// Lets go of the lock. A line under way is written first.
  void close() {
    writing.handle((_, _) -> null).join();
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw Outputs.unwritable(path, e);
      }
    }
  }
}
