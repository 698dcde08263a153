package millrace.connectors.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import millrace.connectors.file.output.FilesOption;
import millrace.connectors.file.output.Outputs;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JobLock;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receipts of copies into files, in hidden files beside them: `.NAME.millrace-JOB.journal`, a line
/// of JSON each.
///
/// A job's journal is locked from {@link #take} or the beginning of a run until this is closed. On
/// the target's thread.
final class FileJournal implements Ledger, JobLock {

  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);

  private static final int JOB_CHARACTERS = 12;
  private static final String STAGED = ".tmp";

  private final Outputs outputs;
  private final FilesOption files;
  private @Nullable Claim claimed;

  /// The journal of the job that was asked for.
  private static final class Claim {
    private final JournalFile file;

    /// Behind the last whole line; -1 until it is read.
    private long end = -1;

    Claim(JournalFile file) {
      this.file = file;
    }

    long end() {
      if (end < 0) {
        throw new Fault.Bug("a run to go on with that was not claimed", null);
      }
      return end;
    }
  }

  FileJournal(Outputs outputs, FilesOption files) {
    this.outputs = outputs;
    this.files = files;
  }

  /// The name under which a file of that job is written.
  private static Path staged(Path file, String job) {
    return hidden(file, job, STAGED);
  }

  /// The other names of that job's files while they are written.
  static UnaryOperator<Path> staging(String job) {
    return file -> staged(file, job);
  }

  private static Path hidden(Path file, String job, String ending) {
    return file.resolveSibling("." + file.getFileName() + mark(job) + ending);
  }

  private static String mark(String job) {
    return Outputs.HIDDEN_MARK + job.substring(0, Math.min(job.length(), JOB_CHARACTERS));
  }

  private JournalFile file(String job) {
    return new JournalFile(hidden(outputs.path(), job, Outputs.JOURNAL));
  }

  /// Removes what copies of a job have written, but those files.
  static void removeStaged(Outputs outputs, String job, Set<Path> but) {
    outputs.removeStaged(mark(job) + STAGED, but);
  }

  @Override
  public Guarantees guarantees() {
    return files.perSplit() ? Guarantees.EXACT.with(Attempts.SAME_ROWS) : Guarantees.EXACT;
  }

  @Override
  public Fault.@Nullable User refusalToJoin() {
    return files.perSplit()
        ? null
        : Ledger.ofOneProcess(
            name(),
            "they are joined in one order",
            "Copy on one machine, or with files=per-split into a folder that all machines share.");
  }

  @Override
  public void take(String job) {
    close();
    Claim claim = new Claim(file(job));
    claimed = claim;
    claim.file.open();
  }

  @Override
  public List<Entry> read(String job) {
    Path journal = file(job).path();
    Claim claim = claimed;
    if (claim != null && claim.file.isOpenAt(journal)) {
      JournalContent content = claim.file.read();
      claim.end = content.end();
      return content.entries();
    }
    JournalContent content = JournalFile.readOther(journal);
    return content == null ? List.of() : content.entries();
  }

  @Override
  public List<String> jobs() {
    int before = String.valueOf(hidden(outputs.path(), "", "").getFileName()).length();
    return outputs.journals().stream()
        .map(journal -> String.valueOf(journal.getFileName()))
        .map(name -> name.substring(before, name.length() - Outputs.JOURNAL.length()))
        .toList();
  }

  @Override
  public String name() {
    return outputs.path().toString();
  }

  private JournalText text() {
    return JournalContent.text(outputs.path());
  }

  @Override
  public String change(Entry.Sealing sealing) {
    return JournalContent.publication(text(), sealing).change();
  }

  @Override
  public boolean hasAppeared(Entry.Begun begun, Entry.Sealing sealing) {
    return JournalContent.publication(text(), sealing).isBegun(staging(begun.run().job()));
  }

  /// How the files of a run begin.
  JournalContent.FileStart start(JournaledRun run) {
    return JournalContent.start(text(), run);
  }

  /// The files of a run that was cut off while they got their names have them; what it may have
  /// left when it was killed goes.
  @Override
  public void finish(JournaledRun run) {
    Claim claim = claimOf(run.run());
    Entry.Sealing named = run.sealing();
    if (named != null && !run.complete()) {
      claim.file.cut(claim.end());
      JournalContent.publication(text(), named).carryOut(staging(run.run().job()), outputs);
      claim.file.append(Entry.Complete.now("", false));
      claim.file.force();
    }
    // It may have been killed before it removed what it had added to another file.
    removeStaged(outputs, run.run().job(), Set.of());
  }

  /// The journal of a run that begins or goes on; null if none is to be kept. Nothing is changed
  /// yet.
  @Nullable FileRunJournal of(WriteStart.Journal start) {
    return switch (start) {
      case WriteStart.Journal.None() -> null;
      case WriteStart.Journal.Begin(RunRecord run, JournaledRun before) ->
          new FileRunJournal(outputs, claimOf(run).file, run, before);
      case WriteStart.Journal.Resume(JournaledRun from) -> {
        Claim claim = claimOf(from.run());
        yield new FileRunJournal(outputs, claim.file, from, claim.end());
      }
      case WriteStart.Journal.Join(JournaledRun joined) ->
          new FileRunJournal(outputs, file(joined.run().job()), joined, 0);
    };
  }

  /// The claim on a run's job, which may have found nothing.
  private Claim claimOf(RunRecord run) {
    Claim claim = claimed;
    JournalFile file = file(run.job());
    if (claim == null || !claim.file.path().equals(file.path())) {
      close();
      claim = new Claim(file);
      claimed = claim;
    }
    return claim;
  }

  @Override
  public void forget(RunRecord known) {
    Claim claim = claimed;
    Path of = hidden(outputs.path(), known.job(), Outputs.JOURNAL);
    if (claim != null && claim.file.isOpenAt(of)) {
      claim.file.delete();
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

  /// Lets go of the lock.
  void close() {
    if (claimed != null) {
      claimed.file.close();
    }
  }
}
