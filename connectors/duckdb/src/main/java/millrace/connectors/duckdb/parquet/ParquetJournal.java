package millrace.connectors.duckdb.parquet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileIdentity;
import millrace.io.FileLookup;
import millrace.io.FileRights;
import millrace.io.store.StorePath;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.Entry.Complete;
import millrace.spi.journal.Entry.Sealing;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadLedger;

/// A mark that a Parquet file is complete, in a hidden file beside it:
/// `.NAME.millrace-JOB.journal`.
///
/// The file appears whole, so there are no receipts. The mark is written down before the file gets
/// its name, with what the file holds: if the process is killed in between, the file itself tells
/// whether it got there. On the target's thread.
final class ParquetJournal implements Ledger, LoadLedger {

  private static final int JOB_CHARACTERS = 12;
  private static final String ENDING = ".journal";

  /// What is written down of a file that is about to get its name.
  ///
  /// @param length of the file
  /// @param content a hash of blocks of it
  private record Content(long length, String content) {}

  private final Path file;

  /// Of the run that is under way.
  private final List<Entry> entries = new ArrayList<>();

  ParquetJournal(Path file) {
    this.file = file.getFileSystem().getPath(FileIdentity.realPath(file));
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
  public List<Entry> read(String job) {
    Path path = path(job);
    try {
      return text(path).entries(Files.readString(path));
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (IOException e) {
      throw new Fault.External("Can't read " + path + ": " + FileTrouble.reason(e) + ".", "", e);
    }
  }

  private static JournalText text(Path path) {
    return new JournalText(
        "The journal " + path, "Remove it and copy from the start.", ParquetJournal::earlier);
  }

  /// What versions before journals had one spelling have written.
  private static List<Entry> earlier(JsonNode mark) throws JsonProcessingException {
    String at = mark.path("at").asText();
    Content content = new Content(mark.path("length").asLong(), mark.path("content").asText());
    Begun begun = Begun.of(JournalText.run(mark), null);
    Sealing sealing = new Sealing(at, JournalText.details(content));
    return mark.path("named").asBoolean()
        ? List.of(begun, sealing, new Complete(at, "", false))
        : List.of(begun, sealing);
  }

  @Override
  public List<String> jobs() {
    try {
      return FileLookup.beginningWith(file.resolveSibling(prefix())).stream()
          .map(journal -> String.valueOf(journal.getFileName()))
          .filter(name -> name.endsWith(ENDING))
          .map(name -> name.substring(prefix().length(), name.length() - ENDING.length()))
          .toList();
    } catch (IOException e) {
      throw new Fault.External(
          "Can't read the folder of " + file + ": " + FileTrouble.reason(e) + ".", "", e);
    }
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public String change(Sealing sealing) {
    try {
      if (!FileLookup.isThere(file)) {
        return file + " is not there any more";
      }
      return text(file).details(sealing.details(), Content.class).equals(content(file))
          ? ""
          : file + " is another file by now";
    } catch (IOException e) {
      throw new Fault.External("Can't read " + file + ": " + FileTrouble.reason(e) + ".", "", e);
    }
  }

  private static Content content(Path of) throws IOException {
    long length = Files.size(of);
    return new Content(length, FileIdentity.content(of, 0, length));
  }

  /// What a file that is about to get its name holds.
  static Object content(PartFile written) {
    try {
      return content(written.path());
    } catch (IOException e) {
      throw unwritable(written.path(), e);
    }
  }

  /// Nothing is written down before a file is about to get its name.
  @Override
  public void begin(Begun begun) {
    entries.clear();
    entries.add(Begun.of(begun.run(), null));
  }

  @Override
  public void append(RunRecord run, Entry entry) {
    entries.add(entry);
    write(run, entries);
  }

  private void write(RunRecord run, List<Entry> entries) {
    Path path = path(run.job());
    if (path instanceof StorePath stored) {
      write(stored, entries);
      return;
    }
    // Of two equal copies at once, each has its own.
    Path fresh = path.resolveSibling(path.getFileName() + "." + run.id() + ".new");
    Path model = Files.exists(file) ? file : null;
    try {
      Files.deleteIfExists(fresh);
      FileRights.create(fresh, model);
      if (model != null) {
        FileRights.give(fresh, model);
      }
      Files.writeString(
          fresh, JournalText.spell(entries), StandardOpenOption.WRITE, StandardOpenOption.SYNC);
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  private static void write(StorePath path, List<Entry> entries) {
    try {
      path.put(JournalText.spell(entries).getBytes(StandardCharsets.UTF_8), null);
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  @Override
  public void forget(RunRecord known) {
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
