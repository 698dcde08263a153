package millrace.connectors.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.file.output.Publication;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// What is to be read of a journal: lines of JSON, of which a later one adds to what the earlier
/// ones say.
///
/// @param taken what is on the disk, in the order in which it came there
/// @param named how the files were about to get their names; null if it did not come to that
/// @param completeAt when the copy was complete; null if it is not
/// @param end behind the last whole line
public record JournalContent(
    RunRecord run,
    Begun begun,
    List<Taken> taken,
    @Nullable Publication named,
    @Nullable String completeAt,
    long end) {

  /// A copy begins.
  ///
  /// @param run null if no journal is kept
  /// @param firstNumber the number of its first file, if files are numbered
  /// @param appends whether its rows are added to a file that is there
  public record Begun(@Nullable RunRecord run, long firstNumber, boolean appends) {}

  /// Rows that are on the disk.
  ///
  /// @param number of the file that they end in
  /// @param length of that file with them
  /// @param plainBytes the same before compression
  public record Taken(Receipt receipt, long number, long length, long plainBytes) {}

  /// One line; all of its parts but one are null.
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Line(
      @Nullable Begun begun,
      @Nullable Taken taken,
      @Nullable Publication named,
      boolean complete,
      @Nullable String at) {

    static Line begun(Begun begun) {
      return new Line(begun, null, null, false, null);
    }

    static Line taken(Taken taken) {
      return new Line(null, taken, null, false, null);
    }

    static Line named(Publication publication) {
      return new Line(null, null, publication, false, null);
    }

    static Line complete(String at) {
      return new Line(null, null, null, true, at);
    }

    private static Line parse(Path journal, String text) {
      return new JournalText("The journal " + journal, "Remove it and copy from the start.")
          .read(text, Line.class);
    }
  }

  public JournalContent {
    taken = List.copyOf(taken);
  }

  /// What those bytes say; null if nothing was begun. A last line that was cut is not there.
  static @Nullable JournalContent parse(Path journal, byte[] bytes) {
    Begun begun = null;
    RunRecord known = null;
    // A later receipt of a split with the same start takes the place of an earlier one.
    Map<Split, Taken> taken = new LinkedHashMap<>();
    Publication named = null;
    String completeAt = null;
    int end = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        Line line = Line.parse(journal, new String(bytes, end, at - end, StandardCharsets.UTF_8));
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
        : new JournalContent(known, begun, List.copyOf(taken.values()), named, completeAt, end);
  }

  /// Whether the copy has ended well.
  boolean complete() {
    return completeAt != null;
  }

  /// Whether the copy had all its rows and was cut off while its files got their names.
  boolean lacksEnd() {
    return named != null && !complete();
  }
}
