package millrace.connectors.duckdb.parquet;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileIdentity;
import millrace.io.FileRights;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.RunRecord;
import org.jspecify.annotations.Nullable;

/// A mark that a Parquet file is complete, in a hidden file beside it:
/// `.NAME.millrace-JOB.journal`.
///
/// The file appears whole, so there are no receipts. The mark is written down before the file gets
/// its name, with what the file holds: if the process is killed in between, the file itself tells
/// whether it got there. On the target's thread.
final class ParquetJournal implements JournalStore {

  private static final int JOB_CHARACTERS = 12;
  private static final String ENDING = ".journal";

  /// What is written down.
  ///
  /// @param length of the file
  /// @param content a hash of blocks of it
  /// @param named whether it has its name
  /// @param at when it was about to get it
  record Mark(RunRecord run, long length, String content, boolean named, String at) {}

  private final Path file;

  ParquetJournal(Path file) {
    this.file = Path.of(FileIdentity.realPath(file));
  }

  private Path path(String job) {
    String name = prefix() + job.substring(0, Math.min(job.length(), JOB_CHARACTERS)) + ENDING;
    return file.resolveSibling(name);
  }

  private String prefix() {
    return "." + file.getFileName() + ".millrace-";
  }

  @Override
  public Guarantees guarantees() {
    return Guarantees.MARK_ONLY;
  }

  @Override
  public @Nullable JournaledRun claim(String job) {
    JournaledRun found = kept(path(job));
    return found == null || !found.run().job().equals(job) ? null : found;
  }

  @Override
  public List<JournaledRun> list() {
    List<JournaledRun> all = new ArrayList<>();
    try (DirectoryStream<Path> siblings =
        Files.newDirectoryStream(
            file.resolveSibling(""),
            sibling -> {
              String name = String.valueOf(sibling.getFileName());
              return name.startsWith(prefix()) && name.endsWith(ENDING);
            })) {
      for (Path journal : siblings) {
        JournaledRun found = kept(journal);
        if (found != null) {
          all.add(found);
        }
      }
    } catch (IOException e) {
      throw new Fault.External(
          "Can't read the folder of " + file + ": " + FileTrouble.reason(e) + ".", "", e);
    }
    all.sort(Comparator.comparing(each -> each.run().id()));
    return all;
  }

  private @Nullable JournaledRun kept(Path path) {
    try {
      Mark found =
          new JournalText("The journal " + path, "Remove it and copy from the start.")
              .read(Files.readString(path), Mark.class);
      String change = change(found);
      return change.isEmpty() || found.named()
          ? new JournaledRun(
              found.run(), new JournaledRun.Completion(found.at(), change), false, List.of())
          : null;
    } catch (NoSuchFileException _) {
      return null;
    } catch (IOException e) {
      throw new Fault.External("Can't read " + path + ": " + FileTrouble.reason(e) + ".", "", e);
    }
  }

  private String change(Mark of) throws IOException {
    if (!Files.exists(file)) {
      return file + " is not there any more";
    }
    long length = Files.size(file);
    return length == of.length() && FileIdentity.content(file, 0, length).equals(of.content())
        ? ""
        : file + " is another file by now";
  }

  /// The file is about to get its name.
  ///
  /// @param written where it is until then
  Mark naming(RunRecord run, Path written) {
    try {
      long length = Files.size(written);
      String at = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      return write(new Mark(run, length, FileIdentity.content(written, 0, length), false, at));
    } catch (IOException e) {
      throw unwritable(written, e);
    }
  }

  /// The file has its name.
  Mark named(Mark mark) {
    return write(new Mark(mark.run(), mark.length(), mark.content(), true, mark.at()));
  }

  private Mark write(Mark next) {
    Path path = path(next.run().job());
    // Of two equal copies at once, each has its own.
    Path fresh = path.resolveSibling(path.getFileName() + "." + next.run().id() + ".new");
    Path model = Files.exists(file) ? file : null;
    try {
      Files.deleteIfExists(fresh);
      FileRights.create(fresh, model);
      if (model != null) {
        FileRights.give(fresh, model);
      }
      Files.writeString(
          fresh, JournalText.write(next), StandardOpenOption.WRITE, StandardOpenOption.SYNC);
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unwritable(path, e);
    }
    return next;
  }

  @Override
  public void delete(RunRecord known) {
    Path path = path(known.job());
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  private static Fault unwritable(Path path, IOException e) {
    return new Fault.External("Can't write " + path + ": " + FileTrouble.reason(e) + ".", "", e);
  }
}
