package millrace.connectors.file;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvSyntax;
import millrace.connectors.file.csv.Swar;
import millrace.connectors.file.csv.TextBuffer;
import millrace.connectors.file.io.InputFile;

/// Where the records of a file begin: behind a byte order mark, a line that only names the
/// delimiter, and lines that are to be skipped.
///
/// @param at the place in the text; its end if there are not so many lines
/// @param lines how many lines stand before it
record DataStart(int at, int lines) {

  private static final byte[] BYTE_ORDER_MARK = "\uFEFF".getBytes(StandardCharsets.UTF_8);

  /// Excel's first line, which only says what stands between fields.
  private static final Pattern SEPARATOR_LINE =
      Pattern.compile("\uFEFF?\"?sep=([^\"\r\n])\"?(\r\n|\n|\r).*", Pattern.DOTALL);

  private static final int SEPARATOR_LINE_BYTES_MAX = 40;

  /// Looks at a sample.
  ///
  /// @param mayBeMarked whether a byte order mark of UTF-8 may stand in front
  static DataStart of(
      InputFile file, TextBuffer sample, CsvDialect requested, boolean mayBeMarked) {
    boolean marked = mayBeMarked && CsvSyntax.matches(BYTE_ORDER_MARK, sample.bytes, 0, sample.end);
    int at = marked ? BYTE_ORDER_MARK.length : 0;
    int named = separator(file, requested).isPresent() ? 1 : 0;
    int lines = Math.max(named, requested.passedOver().lines());
    byte lineByte = lineByte(sample, at, requested.framing().newline());
    for (int line = 0; line < lines && at < sample.end; line++) {
      int end = Swar.indexOf(sample.bytes, at, sample.end, lineByte);
      at = Math.min(end + 1, sample.end);
    }
    return new DataStart(at, lines);
  }

  /// The delimiter that a first line `sep=;` names, as Excel reads and other programs write it;
  /// empty if there is no such line.
  static Optional<String> separator(InputFile file, CsvDialect requested) {
    if (requested.framing().documents()
        || requested.framing().lengthPrefix() > 0
        || requested.escapes()) {
      return Optional.empty();
    }
    int length = Math.min(file.first().length, SEPARATOR_LINE_BYTES_MAX);
    Matcher line = SEPARATOR_LINE.matcher(new String(file.first(), 0, length, requested.charset()));
    return line.matches() ? Optional.of(line.group(1)) : Optional.empty();
  }

  /// What ends the first line: a carriage return only if no line feed follows it.
  private static byte lineByte(TextBuffer sample, int from, Newline requested) {
    if (requested != Newline.AUTO) {
      return requested == Newline.CR ? CsvSyntax.CR : CsvSyntax.LF;
    }
    int end = Swar.indexOf(sample.bytes, from, sample.end, CsvSyntax.LF, CsvSyntax.CR);
    boolean isCr = end < sample.end && sample.bytes[end] == CsvSyntax.CR;
    boolean feedFollows = end + 1 < sample.end && sample.bytes[end + 1] == CsvSyntax.LF;
    return isCr && !feedFollows ? CsvSyntax.CR : CsvSyntax.LF;
  }
}
