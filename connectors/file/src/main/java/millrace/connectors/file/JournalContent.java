package millrace.connectors.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.connectors.file.output.Publication;
import millrace.connectors.file.output.UploadRecord;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.text.RecordJson;
import org.jspecify.annotations.Nullable;

/// What is to be read of a journal: a line of JSON for each entry.
///
/// @param text how it is spelled
/// @param entries in the order in which they were written
/// @param uploads to a store, the same
/// @param end behind the last whole line
public record JournalContent(
    JournalText text, List<Entry> entries, List<UploadRecord> uploads, long end) {

  /// What the line of an upload begins with, which is no entry of a run.
  private static final String UPLOAD = "upload ";

  /// The same of the line of a process that has taken a copy over.
  private static final String CLAIM = "claimed ";

  private static final Pattern NO_ENTRIES =
      Pattern.compile("(?m)^(" + UPLOAD + "|" + CLAIM + ").*$");

  /// Where copies write until their files get their names, as entries have it.
  static final String STAGING = "hidden files";

  /// How the files of a copy begin.
  ///
  /// @param firstNumber the number of its first file, if files are numbered
  /// @param appends whether its rows are added to a file that is there
  public record FileStart(long firstNumber, boolean appends) {}

  /// Rows that are on the disk.
  public record SyncedRows(Receipt receipt, FilePosition place) {}

  /// Where rows end.
  ///
  /// @param number of the file that they end in
  /// @param length of that file with them
  /// @param plainBytes the same before compression
  public record FilePosition(long number, long length, long plainBytes) {}

  public JournalContent {
    entries = List.copyOf(entries);
    uploads = List.copyOf(uploads);
  }

  /// What those bytes say. A last line that was cut is not there.
  static JournalContent parse(Path journal, byte[] bytes) {
    JournalText text = text(journal);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    String lines = new String(bytes, 0, end, StandardCharsets.UTF_8);
    List<UploadRecord> uploads = new ArrayList<>();
    for (String line : lines.split("\n", -1)) {
      if (line.startsWith(UPLOAD)) {
        uploads.add(text.value(line.substring(UPLOAD.length()), UploadRecord.class));
      }
    }
    String entries = NO_ENTRIES.matcher(lines).replaceAll("");
    return new JournalContent(text, text.entries(entries), uploads, end);
  }

  /// The line of an upload, without its end.
  static String spell(UploadRecord upload) {
    return UPLOAD + RecordJson.PLAIN.line(upload);
  }

  /// The same bytes, which tell of no uploads any more.
  static byte[] withoutUploads(byte[] lines) {
    return new String(lines, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith(UPLOAD))
        .map(line -> line + "\n")
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.UTF_8);
  }

  /// The line of this process, if it takes a copy over.
  static String claim() {
    return CLAIM + UUID.randomUUID();
  }

  static JournalText text(Path journal) {
    return new JournalText(
        "The journal " + journal, "Remove it and copy from the start.", JournalContent::earlier);
  }

  /// A copy begins.
  static Entry.Begun begun(RunRecord run, FileStart start) {
    return new Entry.Begun(run, null, STAGING, "", List.of(), null).with(start);
  }

  /// What versions before journals had one spelling have written in a line.
  private static List<Entry> earlier(JsonNode line) throws JsonProcessingException {
    JsonNode begun = line.path("begun");
    JsonNode taken = line.path("taken");
    if (begun.isObject()) {
      FileStart start =
          new FileStart(begun.path("firstNumber").asLong(), begun.path("appends").asBoolean());
      return List.of(begun(JournalText.run(begun), start));
    }
    if (taken.isObject()) {
      FilePosition place =
          new FilePosition(
              taken.path("number").asLong(),
              taken.path("length").asLong(),
              taken.path("plainBytes").asLong());
      return List.of(new Entry.Taken(JournalText.receipt(taken), JournalText.details(place)));
    }
    if (line.has("named")) {
      return List.of(new Entry.Sealing("", line.path("named")));
    }
    return line.path("complete").asBoolean()
        ? List.of(new Entry.Complete(line.path("at").asText(""), "", false))
        : List.of();
  }

  /// How the copy has begun; null if none has.
  Entry.@Nullable Begun begun() {
    Entry.Begun last = null;
    for (Entry entry : entries) {
      last = entry instanceof Entry.Begun begun ? begun : last;
    }
    return last;
  }

  /// How the files were about to get their names, if the copy was cut off then; else null.
  @Nullable Publication interrupted() {
    Publication named = null;
    for (Entry entry : entries) {
      named =
          switch (entry) {
            case Entry.Sealing sealing -> publication(text, sealing);
            case Entry.Complete _ -> null;
            default -> named;
          };
    }
    return named;
  }

  static Publication publication(JournalText text, Entry.Sealing sealing) {
    return text.details(sealing.details(), Publication.class);
  }

  /// How the files of a run begin.
  static FileStart start(JournalText text, JournaledRun run) {
    return text.details(run.begun().details(), FileStart.class);
  }

  /// What a run has on the disk, in the order in which it came there.
  static List<SyncedRows> taken(JournalText text, JournaledRun run) {
    List<SyncedRows> all = new ArrayList<>();
    for (Entry.Taken each : run.taken()) {
      all.add(new SyncedRows(each.receipt(), text.details(each.details(), FilePosition.class)));
    }
    return all;
  }
}
