package millrace.connectors.file;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import millrace.connectors.file.output.FilesOption;
import millrace.connectors.file.output.HiddenFiles;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.Staging;
import millrace.connectors.file.output.UploadRecord;
import millrace.connectors.file.output.Uploads;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JobLock;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// Receipts of copies into files, in hidden files beside them: `.NAME.millrace-JOB.journal`, a line
/// of JSON each.
///
/// A job's journal is locked from {@link #take} or the beginning of a run until this is closed. On
/// the target's thread.
final class FileJournal implements Ledger, JobLock {

  private static final int JOB_CHARACTERS = 12;

  private final Outputs outputs;
  private final FilesOption files;
  private @Nullable Claim claimed;

  /// The journal that was read last: what is asked of an entry is asked of one of its.
  private @Nullable JournalContent read;

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

  /// Where files of a job are while they are written.
  ///
  /// @param uploads that its journal tells of
  /// @param journal gets to know of those that are begun
  static Staging staging(
      Outputs outputs, String job, List<UploadRecord> uploads, Consumer<UploadRecord> journal) {
    return outputs.areStored()
        ? new Uploads(outputs, mark(job), uploads, journal)
        : hiddenFiles(outputs, job);
  }

  /// The same on this machine.
  static HiddenFiles hiddenFiles(Outputs outputs, String job) {
    return new HiddenFiles(outputs, mark(job));
  }

  /// The same of a run that was cut off.
  private Staging staging(RunRecord run) {
    return staging(outputs, run.job(), content(run.job()).uploads(), _ -> {});
  }

  private Path journal(String job) {
    Path file = outputs.path();
    return file.resolveSibling("." + file.getFileName() + mark(job) + Outputs.JOURNAL);
  }

  private static String mark(String job) {
    return Outputs.HIDDEN_MARK + job.substring(0, Math.min(job.length(), JOB_CHARACTERS));
  }

  private JournalFile file(String job) {
    return JournalFile.at(journal(job));
  }

  @Override
  public Guarantees guarantees() {
    Guarantees all =
        files.perSplit() ? Guarantees.EXACT.with(Attempts.SAME_ROWS) : Guarantees.EXACT;
    return outputs.areStored() ? all.paidFor() : all;
  }

  @Override
  public Fault.@Nullable User refusalToJoin() {
    return files.perSplit()
        ? null
        : Ledger.ofOneProcess(
            name(),
            "they are joined in one order",
            "Copy on one machine, or with files=per-split into a folder that all machines share, or"
                + " a store.");
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
    read = content(job);
    return read.entries();
  }

  private JournalContent content(String job) {
    Path journal = journal(job);
    Claim claim = claimed;
    if (claim != null && claim.file.isOpenAt(journal)) {
      JournalContent content = claim.file.read();
      claim.end = content.end();
      return content;
    }
    JournalContent other = JournalFile.readOther(journal);
    return other == null ? JournalContent.parse(journal, new byte[0]) : other;
  }

  @Override
  public List<String> jobs() {
    int before = String.valueOf(outputs.path().getFileName()).length() + 1 + mark("").length();
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
    String change = JournalContent.publication(text(), sealing).change(outputs);
    return change.isEmpty() && read != null ? Uploads.change(outputs, read.uploads()) : change;
  }

  @Override
  public boolean hasAppeared(Entry.Begun begun, Entry.Sealing sealing) {
    return JournalContent.publication(text(), sealing).isBegun(staging(begun.run()));
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
      JournalContent.publication(text(), named).carryOut(staging(run.run()));
      claim.file.append(Entry.Complete.now("", false));
      claim.file.force();
    }
    // It may have been killed before it removed what it had added to another file.
    staging(run.run()).remove(List.of());
  }

  /// The journal of a run that begins or goes on; null if none is to be kept. Nothing is changed
  /// yet.
  @Nullable FileRunJournal of(WriteStart.Journal start) {
    return switch (start) {
      case WriteStart.Journal.None() -> null;
      case WriteStart.Journal.Begin(RunRecord run, JournaledRun before) ->
          new FileRunJournal(outputs, claimOf(run).file, run, before, content(run.job()).uploads());
      case WriteStart.Journal.Resume(JournaledRun from) -> {
        Claim claim = claimOf(from.run());
        yield new FileRunJournal(
            outputs, claim.file, from, claim.end(), content(from.run().job()).uploads());
      }
      case WriteStart.Journal.Join(JournaledRun joined) ->
          new FileRunJournal(outputs, file(joined.run().job()), joined, 0, List.of());
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
    if (claim != null && claim.file.isOpenAt(journal(known.job()))) {
      claim.file.delete();
    } else {
      file(known.job()).deleteIfFree();
    }
  }

  /// Lets go of the lock.
  void close() {
    if (claimed != null) {
      claimed.file.close();
    }
  }
}
