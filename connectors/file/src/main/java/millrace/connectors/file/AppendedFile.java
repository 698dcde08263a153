package millrace.connectors.file;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvSyntax;
import millrace.connectors.file.csv.TextBuffer;
import millrace.connectors.file.csv.Tokenizer;
import millrace.connectors.file.io.CharsetTraits;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.InputFile;
import millrace.data.Schema;
import millrace.data.spelling.JsonCheck;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// A file that rows are to be added to: they are spelled as those are that it has, in its charset
/// and with its line end, and come behind a whole record. All of it is read for that.
final class AppendedFile {

  private static final int SAMPLE_BYTES = 1 << 20;

  /// So many of its first bytes tell UTF-16.
  private static final int WIDE_BYTES = 1 << 12;

  /// Byte order marks; a longer one goes before the one that it begins with.
  private static final List<String> MARKED =
      List.of("UTF-8", "UTF-32LE", "UTF-32BE", "UTF-16LE", "UTF-16BE");

  private final FileHead head;
  private final FileScan scan;
  private final CsvDialect requested;
  private final boolean saysCharset;

  private AppendedFile(FileHead head, FileScan scan, CsvDialect requested, boolean saysCharset) {
    this.head = head;
    this.scan = scan;
    this.requested = requested;
    this.saysCharset = saysCharset;
  }

  /// Reads the file, and refuses nothing yet but what can't be read at all.
  ///
  /// @param compression that of its name
  static AppendedFile look(Path path, Endpoint endpoint, Compression compression) {
    InputFile file = InputFile.look(path, SAMPLE_BYTES);
    if (file.compression() != compression) {
      throw new Fault.User(path + " is not compressed as its name says.", "Name another file.");
    }
    boolean saysCharset = endpoint.text("charset").isPresent();
    CsvDialect requested = FileOptions.dialect(endpoint);
    CsvDialect marked = requested.in(charset(file, requested.charset(), saysCharset));
    CsvDialect known =
        FileOptions.saysDelimiter(endpoint)
            ? marked
            : DataStart.separator(file, marked).map(marked::delimited).orElse(marked);
    FileHead head = FileHead.of(file, known.as(Newline.AUTO), FileOptions.fieldBytesMax(endpoint));
    return new AppendedFile(head, FileScan.of(head, path), known, saysCharset);
  }

  /// The charset that the file's first bytes name, or else the one that was said.
  private static Charset charset(InputFile file, Charset requested, boolean saysCharset) {
    byte[] first = file.first();
    for (String name : MARKED) {
      Charset marked = Charset.forName(name);
      byte[] mark = "\uFEFF".getBytes(marked);
      if (CsvSyntax.matches(mark, first, 0, first.length)) {
        // UTF-16 alone leaves the order of the bytes to the mark.
        if (saysCharset && !name.startsWith(requested.name())) {
          throw contradicts(
              file,
              "begins with the byte order mark of " + name,
              "charset",
              requested.name(),
              name);
        }
        return marked;
      }
    }
    return requested.equals(StandardCharsets.UTF_16) ? StandardCharsets.UTF_16BE : requested;
  }

  private static Fault.User contradicts(
      InputFile file, String fact, String option, String given, String found) {
    return new Fault.User(
        file.name() + " " + fact + ", but " + option + "=" + given + " was given.",
        "Name another file, or say what this one has:" + command(file, option, found));
  }

  private static String command(InputFile file, String option, String value) {
    return "\n    '" + file.name() + "?" + option + "=" + value + "'";
  }

  /// How added records are spelled.
  CsvDialect dialect() {
    Newline given = requested.framing().newline();
    return requested.as(
        given != Newline.AUTO
            ? given
            : lineEnds().keySet().stream().findFirst().orElse(Newline.LF));
  }

  /// How many records each line end has; those that have none are left out.
  private Map<Newline, Long> lineEnds() {
    if (requested.escapes()) {
      // Its line end was found out; the other is text.
      return head.isEmpty() ? Map.of() : Map.of(head.dialect().framing().newline(), scan.records());
    }
    Map<Newline, Long> counts =
        new TreeMap<>(
            Map.of(Newline.LF, scan.lf(), Newline.CRLF, scan.crLf(), Newline.CR, scan.cr()));
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  /// Refuses to add rows that could not be told from what is there.
  ///
  /// @param incoming the columns that come
  /// @param byPosition whether they go by position rather than by name
  /// @param areMembers whether a document is made of them
  /// @throws Fault.User with what there is to choose from
  void check(Schema incoming, boolean byPosition, boolean areMembers) {
    if (head.isEmpty()) {
      throw new Fault.User(
          name() + " has a byte order mark and nothing else.",
          "Remove it: the copy makes it anew.");
    }
    checkCharset();
    checkEnd();
    checkLineEnds();
    if (requested.framing().documents()) {
      checkDocuments();
    }
    if (!areMembers) {
      checkColumns(incoming, byPosition);
    }
  }

  private String name() {
    return head.file().name();
  }

  private void checkCharset() {
    Charset charset = requested.charset();
    boolean isWide = !CharsetTraits.extendsAscii(charset);
    if (!isWide && looksWide(head.file().first())) {
      throw new Fault.User(
          name() + " has bytes of zero, as UTF-16 has and " + charset.name() + " has not.",
          "Say what it is written in, and the rows are added in it:"
              + command(head.file(), "charset", "UTF-16LE"));
    }
    FileScan.CharsetScan found = scan.charset();
    if (found.badAt() >= 0) {
      throw new Fault.User(
          String.format(
              Locale.ROOT,
              "%s, byte %d: byte 0x%02X is no %s%s.",
              name(),
              found.badAt(),
              found.badByte(),
              charset.name(),
              saysCharset ? "" : ", so nobody knows what the file is written in"),
          "Say it, for example as windows-1252, and the rows are added in it:"
              + command(head.file(), "charset", "NAME"));
    }
    boolean isUtf8 = scan.utf8().badAt() < 0 && !scan.utf8().hasZeros();
    if (!charset.equals(StandardCharsets.UTF_8)
        && isUtf8
        && (isWide || scan.utf8().beyondAscii())) {
      throw contradicts(head.file(), "is written in UTF-8", "charset", charset.name(), "UTF-8");
    }
  }

  /// A quarter of it or more: a text may hold one now and then.
  private static boolean looksWide(byte[] sample) {
    int length = Math.min(sample.length, WIDE_BYTES);
    int zeros = 0;
    for (int i = 0; i < length; i++) {
      zeros += sample[i] == 0 ? 1 : 0;
    }
    return zeros > 0 && 4 * zeros >= length;
  }

  private void checkEnd() {
    if (scan.endsInQuotes()) {
      throw new Fault.User(
          name()
              + " ends inside quotes: the record that begins on line "
              + scan.lastLine()
              + " has a quote that is never closed, so added rows would become part of it.",
          "Mend the end of the file. If its quotes are text, say quote=none.");
    }
    byte[] lastBytes = scan.lastRecord();
    int length = lastBytes.length;
    CsvSyntax syntax = head.syntax();
    if (syntax.escapes
        && length > 1
        && syntax.isEndMark(
            lastBytes, 0, scan.endsOpen() ? length : syntax.contentEnd(lastBytes, 0, length))) {
      throw new Fault.User(
          name()
              + " ends with an end mark ("
              + requested.quotes().escape()
              + ".) on line "
              + scan.lastLine()
              + ", behind which PostgreSQL reads nothing.",
          "Remove that line, then add the rows.");
    }
    if (!scan.endsOpen() || requested.framing().documents()) {
      return;
    }
    if (syntax.escapes && length > 0 && lastBytes[length - 1] == syntax.lineByte) {
      throw new Fault.User(
          name()
              + " ends in the middle of a record: an escape stands before the line end of line "
              + scan.lastLine()
              + ".",
          "Mend the end of the file.");
    }
    checkCarriageReturn(lastBytes);
    Tokenizer.@Nullable BadRecord last = lastRecord();
    boolean hasFields = last != null && last.problem() == Tokenizer.Problem.TOO_MANY_FIELDS;
    if (last != null && !(hasFields && last.found() == head.width())) {
      throw new Fault.User(
          name()
              + " ends in the middle of a record: line "
              + scan.lastLine()
              + " has no line end, and "
              + (hasFields
                  ? last.found() + " of " + head.width() + " fields"
                  : last.problem().words())
              + ".",
          "Mend the end of the file.");
    }
  }

  /// Half a line end would become part of the value before it, or a part of the value half a line
  /// end.
  private void checkCarriageReturn(byte[] lastBytes) {
    Newline given = requested.framing().newline();
    boolean isPlain =
        given == Newline.LF
            || given == Newline.CR
            || (requested.escapes() && head.dialect().framing().newline() == Newline.LF);
    int length = lastBytes.length;
    if (length > 0 && lastBytes[length - 1] == CsvSyntax.CR && !isPlain) {
      throw new Fault.User(
          name()
              + " ends with a carriage return alone on line "
              + scan.lastLine()
              + ", which may be half a line end or part of a value.",
          "Mend the end of the file. If it is part of the value, say newline=LF; if it ends the"
              + " line, newline=CR.");
    }
  }

  /// The last record, as one of too many fields, which says how many it has; null if it is one
  /// field only.
  private Tokenizer.@Nullable BadRecord lastRecord() {
    TextBuffer text = new TextBuffer(0);
    text.bytes = scan.lastRecord();
    text.end = text.bytes.length;
    text.tail = text.end;
    Tokenizer tokenizer = Tokenizer.of(head.syntax(), 0, Integer.MAX_VALUE);
    tokenizer.into(new int[0][], new int[0][], new int[1], new int[1], new int[1]);
    tokenizer.run(text, 0, true);
    return tokenizer.bad().isEmpty() ? null : tokenizer.bad().getFirst();
  }

  private void checkLineEnds() {
    Map<Newline, Long> found = lineEnds();
    Newline given = requested.framing().newline();
    String names = found.keySet().stream().map(Newline::label).collect(Collectors.joining(" and "));
    if (given == Newline.AUTO && found.size() > 1) {
      throw new Fault.User(
          name() + " has both " + names + " as line ends.",
          "Say which the added rows get:" + command(head.file(), "newline", "LF"));
    }
    if (given != Newline.AUTO && !found.isEmpty() && !found.containsKey(given)) {
      throw contradicts(
          head.file(),
          "has " + names + " as line ends",
          "newline",
          given.label(),
          found.keySet().iterator().next().label());
    }
  }

  private void checkDocuments() {
    byte[] first = head.firstFields().getFirst().getBytes(StandardCharsets.UTF_8);
    byte[] last =
        new String(scan.lastRecord(), head.decoding().workingCharset(requested))
            .strip()
            .getBytes(StandardCharsets.UTF_8);
    boolean beginsArray = first.length > 0 && first[0] == '[';
    if (beginsArray && (scan.records() == 1 || !isDocument(first))) {
      throw new Fault.User(
          name() + " holds an array of documents, not a document a line.",
          "Make it one, and add to that:\n    jq -c '.[]' " + name() + " > other.jsonl");
    }
    if (!isDocument(first) || !isDocument(last)) {
      boolean isFirst = !isDocument(first);
      throw new Fault.User(
          name()
              + ", line "
              + (isFirst ? head.firstDataLine() : scan.lastLine())
              + ": "
              + (scan.endsOpen() && !isFirst
                  ? "the file ends in the middle of a document"
                  : "the line is no JSON document")
              + ", so added lines could not be read.",
          "Mend the file: it needs a document a line.");
    }
  }

  private boolean isDocument(byte[] text) {
    byte[] missing = requested.nulls().text().getBytes(StandardCharsets.UTF_8);
    return JsonCheck.isValid(text, 0, text.length)
        || (missing.length > 0 && Arrays.equals(text, missing));
  }

  private void checkColumns(Schema incoming, boolean byPosition) {
    head.settle(requested.writesHeader(), incoming.width());
    List<String> names = incoming.names();
    boolean byName = head.hasHeader() && !byPosition;
    boolean fits = byName ? head.names().equals(names) : head.width() == incoming.width();
    if (!fits) {
      throw new Fault.User(
          name()
              + (head.hasHeader()
                  ? " has the columns " + String.join(", ", head.names())
                  : " has " + head.width() + " columns")
              + ", but these come: "
              + String.join(", ", names)
              + ".",
          "Select the same columns in the same order with --select, or name another file."
              + (byName && requested.header() == Header.AUTO
                  ? " If its first line is a record, say header=false."
                  : ""));
    }
    List<String> first =
        head.hasHeader() || requested.framing().documents() ? names : head.firstFields();
    Set<String> same = new HashSet<>(first);
    if (!byPosition && !first.equals(names) && same.equals(new HashSet<>(names))) {
      throw new Fault.User(
          name()
              + " begins with the names of the columns in another order: "
              + String.join(", ", first)
              + ".",
          "Select them in that order with --select, or say --by-position.");
    }
  }
}
