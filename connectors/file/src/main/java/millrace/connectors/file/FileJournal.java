package millrace.connectors.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import millrace.connectors.file.JournalContent.Begun;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.Publication;
import millrace.fault.Fault;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receipts of copies into files, in hidden files beside them: `.NAME.millrace-JOB.journal`, a line
/// of JSON each.
///
/// A job's journal is locked from {@link #claim} or the beginning of a run until this is closed. On
/// the target's thread.
final class FileJournal implements JournalStore {

  private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);

  private static final int JOB_CHARACTERS = 12;
  private static final String STAGED = ".tmp";

  private final Outputs outputs;
  private final boolean adds;
  private @Nullable Claim claimed;

  /// The journal of the job that was asked for.
  ///
  /// @param found what it says of that job; null if it says nothing
  private record Claim(JournalFile file, @Nullable JournalContent found) {

    /// What it says of a run that was found by it.
    JournalContent of(JournaledRun run) {
      if (found == null || !found.run().equals(run.run())) {
        throw new Fault.Bug("a run to go on with that was not claimed", null);
      }
      return found;
    }
  }

  /// @param adds whether a copy leaves the rows that are there, so that the same one from the start
  ///   would bring its own twice
  FileJournal(Outputs outputs, boolean adds) {
    this.outputs = outputs;
    this.adds = adds;
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
    return Guarantees.EXACT;
  }

  @Override
  public @Nullable JournaledRun claim(String job) {
    close();
    JournalFile file = file(job);
    claimed = new Claim(file, null);
    JournalContent found = file.open() ? file.read() : null;
    if (found == null || !found.run().job().equals(job)) {
      return null;
    }
    claimed = new Claim(file, found);
    return kept(found);
  }

  private JournaledRun kept(JournalContent of) {
    Publication named = of.named();
    JournaledRun.Completion completion =
        of.completeAt() == null
            ? null
            : new JournaledRun.Completion(of.completeAt(), named == null ? "" : named.change());
    boolean stays = of.complete() ? adds : named != null && named.isBegun(staging(of.run().job()));
    JournaledRun run =
        new JournaledRun(
            of.run(),
            completion,
            stays,
            of.taken().stream().map(JournalContent.Taken::receipt).toList());
    return of.lacksEnd() ? run.in(JournaledRun.State.LACKS_END) : run;
  }

  @Override
  public List<JournaledRun> list() {
    Claim own = claimed;
    List<JournaledRun> all = new ArrayList<>();
    for (Path journal : outputs.journals()) {
      JournalContent content =
          own != null && own.file.isOpenAt(journal) ? own.found : JournalFile.readOther(journal);
      if (content != null) {
        all.add(kept(content));
      }
    }
    all.sort(Comparator.comparing(each -> each.run().id()));
    return all;
  }

  /// How a run was begun that is claimed.
  Begun begun(JournaledRun run) {
    return claimOf(run.run()).of(run).begun();
  }

  /// The files of a run that was cut off while they got their names have them; what it may have
  /// left when it was killed goes.
  @Override
  public void finish(JournaledRun run) {
    Claim own = claimOf(run.run());
    JournalContent from = own.of(run);
    Publication named = from.named();
    if (named != null && !from.complete()) {
      own.file.cut(from.end());
      named.carryOut(staging(run.run().job()), outputs);
      own.file.complete();
    }
    // It may have been killed before it removed what it had added to another file.
    removeStaged(outputs, run.run().job(), Set.of());
  }

  /// The journal of a run that begins or goes on; null if none is to be kept. Nothing is changed
  /// yet.
  @Nullable RunJournal of(WriteStart.Journal start) {
    return switch (start) {
      case WriteStart.Journal.None() -> null;
      case WriteStart.Journal.Begin(RunRecord run, JournaledRun _) -> {
        Claim own = claimOf(run);
        yield new RunJournal(outputs, own.file, run, null, own.found);
      }
      case WriteStart.Journal.GoOn(JournaledRun from) -> {
        Claim own = claimOf(from.run());
        yield new RunJournal(outputs, own.file, from.run(), own.of(from), null);
      }
    };
  }

  /// The claim on a run's job, which may have found nothing.
  private Claim claimOf(RunRecord run) {
    Claim own = claimed;
    JournalFile file = file(run.job());
    if (own == null || !own.file.path().equals(file.path())) {
      close();
      own = new Claim(file, null);
      claimed = own;
    }
    return own;
  }

  @Override
  public void delete(RunRecord known) {
    Claim own = claimed;
    Path of = hidden(outputs.path(), known.job(), Outputs.JOURNAL);
    if (own != null && own.file.isOpenAt(of)) {
      own.file.delete();
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
