package millrace.engine.reject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileLookup;
import millrace.plan.Job;
import millrace.spi.write.Rejects.Reject;
import org.jspecify.annotations.Nullable;

/// The file of bad records, laid out as {@link RejectLayout} says, and beside it a line of JSON for
/// each that says where it stood and what is wrong.
///
/// Both are made, with the user's umask, when the first record comes, and never in the place of
/// others. Each record is written out before {@link #add} returns, so that it is there before the
/// rows around it are committed. The line comes first and says how long the record is: a run that
/// goes on can tell what has been set aside, what was cut off in the middle, and what somebody else
/// has changed. One thread at a time.
final class RejectFiles implements AutoCloseable {

  /// The members of a line that only rows have.
  static final String KEY = "key";

  static final String SPELLED = "spelled";
  private static final String SPLIT = "split";
  private static final String ROW_OF_SPLIT = "row_of_split";

  /// What an earlier run has set aside.
  record Earlier(Reject reject, boolean hasKey) {}

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte LF = '\n';
  private static final byte[] NO_RECORD = {};

  private final Path file;
  private final Path reasonsFile;
  private final RejectLayout layout;
  private @Nullable RejectFile records;
  private @Nullable RejectFile reasons;

  RejectFiles(Path file, RejectLayout layout) {
    this.file = file;
    this.layout = layout;
    reasonsFile = Job.RejectPolicy.reasons(file);
  }

  /// Writes a record.
  ///
  /// @param record as it is to stand in the file
  /// @param key its key's values
  /// @throws Fault.User if there are such files already
  /// @throws Fault.External if they can't be written
  void add(Reject reject, byte[] record, Map<String, String> key) {
    try {
      if (records == null || reasons == null) {
        RejectFile made = RejectFile.create(file);
        reasons = createReasons(made);
        records = made;
      }
      add(records, reasons, line(reject, record.length, key), record);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /// If the disk is full the files end with the record before, for this run's other lanes and for
  /// one that goes on.
  private void add(RejectFile toRecords, RejectFile toReasons, byte[] line, byte[] record)
      throws IOException {
    long recordsAt = toRecords.length();
    long reasonsAt = toReasons.length();
    try {
      toReasons.write(line);
      if (recordsAt == 0) {
        toRecords.write(layout.head());
      }
      toRecords.write(record);
    } catch (IOException e) {
      toRecords.cut(recordsAt);
      toReasons.cut(reasonsAt);
      throw e;
    }
  }

  /// Rows around the records are about to be committed.
  void flush() {
    try {
      if (reasons != null && records != null) {
        reasons.flush();
        records.flush();
      }
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private Fault unwritable(IOException cause) {
    return cause instanceof FileAlreadyExistsException e
        ? new Fault.User(
            "The file for bad records exists already: " + e.getFile(),
            "Move it away, or name another with --rejects.",
            e)
        : new Fault.External(
            "Can't write the bad records to " + file + ": " + FileTrouble.reason(cause),
            "Name another file with --rejects.",
            cause);
  }

  /// Opens the files of an earlier run, if it has made them, to add to them. The one record that it
  /// was writing when it was killed is cut off: of that, nothing has been committed.
  ///
  /// @return what was set aside; the record itself only if nothing else tells it from others
  /// @throws Fault.User if somebody has changed them since
  List<Earlier> reopen() {
    List<Earlier> known = new ArrayList<>();
    if (!isThere(file) || !isThere(reasonsFile)) {
      return known;
    }
    try (InputStream recordsIn = new BufferedInputStream(Files.newInputStream(file))) {
      byte[] lines = Files.readAllBytes(reasonsFile);
      byte[] head = lines.length == 0 && Files.size(file) == 0 ? NO_RECORD : layout.head();
      boolean ours = Arrays.equals(recordsIn.readNBytes(head.length), head);
      long recordBytes = head.length;
      int start = 0;
      for (int end = lineEnd(lines, start); ours && end >= 0; end = lineEnd(lines, start)) {
        ObjectNode line = (ObjectNode) JSON.readTree(lines, start, end - start);
        int length = line.path("record_bytes").asInt();
        byte[] record = recordsIn.readNBytes(length);
        if (record.length < length) {
          // Half of the last record was written, or somebody has put a shorter one in its place.
          ours = end == lines.length - 1 && (record.length == 0 || record[record.length - 1] != LF);
          break;
        }
        Reject reject = reject(line, NO_RECORD);
        boolean isReported = reject.hasPlace() && layout.spelled().isEmpty();
        known.add(new Earlier(isReported ? reject : reject(line, record), line.has(KEY)));
        recordBytes += length;
        start = end + 1;
      }
      if (!ours || recordsIn.read() >= 0) {
        throw changed();
      }
      records = RejectFile.open(file, recordBytes);
      reasons = RejectFile.open(reasonsFile, start);
      return known;
    } catch (JsonProcessingException | ClassCastException e) {
      Fault.User changed = changed();
      changed.addSuppressed(e);
      throw changed;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static int lineEnd(byte[] lines, int from) {
    for (int at = from; at < lines.length; at++) {
      if (lines[at] == LF) {
        return at;
      }
    }
    return -1;
  }

  private Fault.User changed() {
    return new Fault.User(
        "The bad records in "
            + file
            + " can't be added to: it and "
            + reasonsFile.getFileName()
            + " are not as the copy that was cut off has left them.",
        "Take out what was added and put back what was taken away, or move both files away and keep"
            + " them, and run again: the last bad records may then come in the new file as well.");
  }

  private boolean isThere(Path each) {
    try {
      return FileLookup.isThere(each);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private Fault.External unreadable(IOException cause) {
    return new Fault.External(
        "Can't go on with the bad records in " + file + ": " + FileTrouble.reason(cause),
        "Move it and " + reasonsFile.getFileName() + " away, and run again.",
        cause);
  }

  /// Leaves nothing behind if there are reasons of somebody else's already.
  private RejectFile createReasons(RejectFile made) throws IOException {
    try {
      return RejectFile.create(reasonsFile);
    } catch (IOException e) {
      made.close();
      Files.delete(file);
      throw e;
    }
  }

  private byte[] line(Reject reject, int recordBytes, Map<String, String> key) throws IOException {
    ObjectNode line = JSON.createObjectNode();
    line.put("resource", reject.resource());
    line.put("row", reject.row());
    line.put("line", reject.line());
    line.put("byte", reject.byteOffset());
    line.put("column", reject.column());
    line.put("reason", reject.reason());
    if (!key.isEmpty()) {
      line.set(KEY, layout.keyNode(key));
    }
    Reject.InSplit at = reject.inSplit();
    if (!layout.spelled().isEmpty()) {
      line.put(SPELLED, layout.spelled());
      if (at != null) {
        line.put(SPLIT, at.split());
        line.put(ROW_OF_SPLIT, at.row());
      }
    }
    line.put("record_bytes", recordBytes);
    return (JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /// A bad record, of which this is the line.
  static Reject reject(JsonNode line, byte[] record) {
    return new Reject(
        line.path("resource").asText(),
        line.path("row").asLong(),
        line.path("line").asLong(),
        line.path("byte").asLong(),
        line.path("column").asText(),
        line.path("reason").asText(),
        record,
        line.has(SPLIT)
            ? new Reject.InSplit(line.path(SPLIT).asInt(), line.path(ROW_OF_SPLIT).asLong())
            : null);
  }

  @Override
  public void close() {
    try (RejectFile _ = records;
        RejectFile _ = reasons) {
      flush();
    } catch (IOException e) {
      throw new Fault.External(
          "Can't finish the file of bad records " + file + ": " + FileTrouble.reason(e), "", e);
    }
  }
}
