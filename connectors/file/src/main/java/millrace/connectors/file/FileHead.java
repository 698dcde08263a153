package millrace.connectors.file;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvForm;
import millrace.connectors.file.csv.CsvSyntax;
import millrace.connectors.file.csv.RecordScanner;
import millrace.connectors.file.csv.Swar;
import millrace.connectors.file.csv.TextBuffer;
import millrace.connectors.file.csv.Tokenizer;
import millrace.connectors.file.csv.Tokenizer.BadRecord;
import millrace.connectors.file.csv.Tokenizer.Problem;
import millrace.connectors.file.io.Decoding;
import millrace.connectors.file.io.InputFile;
import millrace.connectors.file.io.Transcoder;
import millrace.data.Form;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// How one file begins: its line end, its first record, and so where its data begins.
///
/// Offsets in the text are those of the bytes that the tokenizer sees, after decompression and, for
/// some charsets, decoding; offsets in the file are those of its own bytes, decompressed.
public final class FileHead {

  /// What a record may have beside its largest field.
  private static final int SLACK_BYTES = 1 << 16;

  /// So much of the sample tells how many fields records have.
  private static final int WIDTHS_BYTES = 1 << 16;

  private static final int BEGINNING_BYTES = 8;

  private InputFile file;
  private final CsvDialect dialect;
  private final Newline written;
  private final Decoding decoding;
  private final @Nullable Transcoder transcoder;
  private final CsvSyntax syntax;
  private final TextBuffer sample = new TextBuffer(0);

  /// Where the records begin, whether the first is a header or not.
  private final int sampleStart;

  private final int linesBefore;
  private int firstStart;
  private int firstEnd;
  private int width;
  private long fileStart;
  private long firstLine = 1;
  private boolean hasHeader;
  private boolean namesAreText;
  private long fileDataStart;

  /// Looks at the sample, and at more of the file if its first record is longer: a document may be.
  ///
  /// @param fieldBytesMax most bytes in a field
  /// @throws Fault.User if no record of it can be read
  static FileHead of(InputFile file, CsvDialect requested, int fieldBytesMax) {
    FileHead head = new FileHead(file, requested, fieldBytesMax);
    while (head.firstEnd == head.sampleStart && !(head.isEmpty() && head.file.sampleIsAll())) {
      int seen = head.file.first().length;
      if (head.file.sampleIsAll() || seen > fieldBytesMax) {
        throw new Fault.User(
            "The first record of "
                + file.name()
                + " is longer than "
                + head.sample.end
                + " bytes"
                + (head.syntax.quotes ? ", or has a quote that is never closed." : "."),
            "Check the delimiter, the quote and the line end; where the record is that long, say"
                + " --max-field with more bytes than its longest field has.");
      }
      long more = Math.min(4L * seen, (long) fieldBytesMax + SLACK_BYTES);
      head = new FileHead(head.file.further((int) more), requested, fieldBytesMax);
    }
    return head;
  }

  /// Looks at the sample alone, of which the first record may be only the beginning: reads nothing
  /// more, since standard input can be read once.
  ///
  /// @throws Fault.User if the first record can't be read
  public static FileHead ofSample(InputFile file, CsvDialect requested, int fieldBytesMax) {
    return new FileHead(file, requested, fieldBytesMax);
  }

  private FileHead(InputFile file, CsvDialect requested, int fieldBytesMax) {
    this.file = file;
    decoding = Decoding.of(requested);
    refuseAnotherMark(file, requested.charset());
    transcoder =
        decoding == Decoding.STREAM ? new Transcoder(file.sample(), requested.charset()) : null;
    if (transcoder == null) {
      sample.bytes = file.first();
      sample.end = sample.bytes.length;
    } else {
      sample.clear(file.first().length * 2 + 64);
      sample.end = transcoder.fill(sample.bytes, 0, sample.bytes.length);
    }
    sample.tail = sample.end;
    DataStart begin = DataStart.of(file, sample, requested, decoding != Decoding.VALUES);
    sampleStart = begin.at();
    linesBefore = begin.lines();
    Newline found = lineEnd(requested);
    written = requested.framing().newline() == Newline.AUTO ? found : requested.framing().newline();
    dialect =
        requested.framing().newline() != Newline.AUTO
            ? requested
            : requested.as(found == Newline.CR || requested.escapes() ? found : Newline.LF_OR_CRLF);
    syntax = syntax(dialect);
    firstStart = sampleStart;
    firstEnd = sampleStart;
    findFirst(fieldBytesMax, requested.header() == Header.FALSE);
    fileStart = transcoder == null ? sampleStart : transcoder.rawOffset(sampleStart);
    fileDataStart = transcoder == null ? firstEnd : transcoder.rawOffset(firstEnd);
  }

  /// Bytes that no UTF-8 begins with, and that say what the file is written in instead.
  private static void refuseAnotherMark(InputFile file, Charset requested) {
    byte[] first = file.first();
    for (String name : List.of("UTF-32LE", "UTF-16LE", "UTF-16BE")) {
      byte[] mark = "\uFEFF".getBytes(Charset.forName(name));
      if (requested.equals(StandardCharsets.UTF_8)
          && CsvSyntax.matches(mark, first, 0, first.length)) {
        throw new Fault.User(
            file.name() + " begins with the byte order mark of " + name + "; it is no UTF-8.",
            "Add --charset " + name + ".");
      }
    }
  }

  /// The line end of the first record: a carriage return if one ends it before a line feed does,
  /// and no line feed follows.
  private Newline lineEnd(CsvDialect requested) {
    if (requested.escapes()) {
      return syntax(requested.as(Newline.LF)).escapedLineEnd(sample.bytes, sampleStart, sample.end);
    }
    int lf = firstRecordEnd(requested.as(Newline.LF));
    int cr = firstRecordEnd(requested.as(Newline.CR));
    boolean feedFollows = cr == sample.end || sample.bytes[cr] == CsvSyntax.LF;
    if (cr < lf && !feedFollows) {
      return Newline.CR;
    }
    return lf >= 2 && sample.bytes[lf - 1] == CsvSyntax.LF && sample.bytes[lf - 2] == CsvSyntax.CR
        ? Newline.CRLF
        : Newline.LF;
  }

  private int firstRecordEnd(CsvDialect given) {
    return RecordScanner.of(syntax(given), 1)
        .scan(sample.bytes, sampleStart, sample.end, sampleStart + 1, true);
  }

  private CsvSyntax syntax(CsvDialect given) {
    return new CsvSyntax(given, decoding.workingCharset(given));
  }

  /// Finds the first record that is more than a blank line, unless none is whole; a width of no
  /// columns makes every record one of too many fields, which says how many it has.
  ///
  /// @param passesBad whether the first record may be bad, since it names no columns
  private void findFirst(int fieldBytesMax, boolean passesBad) {
    if (sampleStart == sample.end) {
      return;
    }
    Tokenizer tokenizer = tokenizer(0, fieldBytesMax);
    tokenizer.into(new int[0][], new int[0][], new int[1], new int[1], new int[1]);
    tokenizer.run(sample, sampleStart, file.sampleIsAll());
    List<BadRecord> records = new ArrayList<>(tokenizer.bad());
    if (records.isEmpty()) {
      boolean hasOthers = dialect.escapes() || !dialect.passedOver().comment().isEmpty();
      if (hasOthers && file.sampleIsAll()) {
        // An end mark or comments alone: there is no record.
        sample.end = sampleStart;
      } else if (dialect.framing().documents() && file.sampleIsAll()) {
        // Blank lines alone: there is no document.
        width = 1;
        firstEnd = sample.end;
      }
      return;
    }
    List<BadRecord> filled = records.stream().filter(record -> !isBlank(record)).toList();
    BadRecord first = filled.isEmpty() ? records.getFirst() : filled.getFirst();
    for (BadRecord record : filled) {
      if (record.problem() == Problem.TOO_MANY_FIELDS) {
        first = record;
        break;
      }
      if (!passesBad) {
        throw new Fault.User(
            "The first record of "
                + file.name()
                + " can't be read ("
                + record.problem().words()
                + ").",
            "Mend it, or check the delimiter, the quote and the escape.");
      }
    }
    width = first.problem() == Problem.TOO_MANY_FIELDS ? (int) first.found() : 1;
    firstStart = first.start();
    firstEnd = first.end();
  }

  private boolean isBlank(BadRecord record) {
    int last = record.end() - 1;
    return sample.bytes[last] == syntax.lineByte
        && syntax.lineEndStart(sample.bytes, record.start(), last) == record.start();
  }

  /// A tokenizer of the sample.
  public Tokenizer tokenizer(int fields, int fieldBytesMax) {
    Transcoder decoded = transcoder;
    return decoded == null
        ? Tokenizer.of(syntax, fields, fieldBytesMax)
        : Tokenizer.of(
            syntax,
            fields,
            fieldBytesMax,
            (start, end) -> decoded.rawOffset(end) - decoded.rawOffset(start));
  }

  /// One of the first records.
  ///
  /// @param fields how many it has; -1 if it can't be cut into fields
  /// @param line the line on which it begins, from 1
  /// @param beginning its first few bytes, as far as they are of ASCII
  record FirstRecord(int fields, long line, String beginning) {}

  /// How many fields each of the first records has, -1 for one that can't be cut into fields; blank
  /// lines are left out.
  public List<Integer> widths(int fieldBytesMax) {
    return firstRecords(fieldBytesMax).stream().map(FirstRecord::fields).toList();
  }

  /// The first records, blank lines and comments left out.
  List<FirstRecord> firstRecords(int fieldBytesMax) {
    TextBuffer few = new TextBuffer(0);
    few.bytes = sample.bytes;
    few.end = Math.min(sample.end, sampleStart + WIDTHS_BYTES);
    few.tail = sample.end;
    Tokenizer tokenizer = tokenizer(0, fieldBytesMax);
    tokenizer.into(new int[0][], new int[0][], new int[1], new int[1], new int[1]);
    tokenizer.run(few, sampleStart, file.sampleIsAll() && few.end == sample.end);
    List<FirstRecord> found = new ArrayList<>();
    long line = line(sampleStart);
    int counted = sampleStart;
    for (BadRecord record : tokenizer.bad()) {
      line += Swar.count(sample.bytes, counted, record.start(), syntax.lineByte);
      counted = record.start();
      if (!isBlank(record)) {
        boolean isCut = record.problem() == Problem.TOO_MANY_FIELDS;
        found.add(new FirstRecord(isCut ? (int) record.found() : -1, line, beginning(record)));
      }
    }
    return found;
  }

  private String beginning(BadRecord record) {
    int length = Math.min(record.end() - record.start(), BEGINNING_BYTES);
    return new String(sample.bytes, record.start(), length, StandardCharsets.ISO_8859_1);
  }

  /// The line on which a byte of the sample stands, from 1.
  private long line(int at) {
    return 1L + linesBefore + Swar.count(sample.bytes, sampleStart, at, syntax.lineByte);
  }

  /// Settles whether the first record is a header.
  ///
  /// @param widthIfEmpty how many fields the records of an empty file would have
  void settle(boolean header, int widthIfEmpty) {
    hasHeader = header;
    if (isEmpty()) {
      width = widthIfEmpty;
    }
    firstLine = line(header ? firstEnd : sampleStart);
  }

  /// The fields of the first record as text; missing ones are empty.
  List<String> firstFields() {
    return records(firstStart, 1).getFirst().stream().map(Field::text).toList();
  }

  /// The fields of some records behind the first, as text.
  List<List<String>> recordsBelow(int recordsMax) {
    return records(firstEnd, recordsMax).stream()
        .map(record -> record.stream().map(Field::text).toList())
        .toList();
  }

  /// The fields of the first record as names of columns: what is blank around a name belongs to it
  /// only inside quotes.
  ///
  /// @throws Fault.User if a name has bytes that are no characters of the charset
  List<String> names() {
    if (!namesAreText) {
      namesAreText = true;
      checkNames();
    }
    return records(firstStart, 1).getFirst().stream()
        .map(field -> field.quoted || syntax.escapes ? field.text : field.text.strip())
        .toList();
  }

  private void checkNames() {
    long at = -1;
    Transcoder decoded = transcoder;
    if (decoded != null) {
      at =
          decoded.malformed(firstStart, firstEnd).stream()
              .findFirst()
              .map(Transcoder.Malformed::rawAt)
              .orElse(-1L);
    } else {
      ByteBuffer record = ByteBuffer.wrap(sample.bytes, firstStart, firstEnd - firstStart);
      CharBuffer text = CharBuffer.allocate(firstEnd - firstStart);
      if (dialect.charset().newDecoder().decode(record, text, true).isError()) {
        at = record.position();
      }
    }
    if (at >= 0) {
      int wrong = file.first()[(int) at] & 0xFF;
      throw new Fault.User(
          String.format(
              "%s, line %d, byte %d: byte 0x%02X in a column's name is no %s.",
              file.name(), line(firstStart), at, wrong, dialect.charset().name()),
          FileOptions.CHARSET_ADVICE);
    }
  }

  private record Field(String text, boolean quoted) {}

  /// Records from a place in the sample on; one of missing fields if there is none.
  private List<List<Field>> records(int from, int recordsMax) {
    Tokenizer tokenizer = tokenizer(width, Integer.MAX_VALUE);
    int[][] starts = new int[width][recordsMax];
    int[][] ends = new int[width][recordsMax];
    tokenizer.into(starts, ends, new int[recordsMax], new int[recordsMax], new int[recordsMax]);
    tokenizer.run(sample, from, file.sampleIsAll());
    List<List<Field>> records = new ArrayList<>();
    for (int row = 0; row < tokenizer.rows(); row++) {
      List<Field> fields = new ArrayList<>();
      for (int column = 0; column < width; column++) {
        fields.add(field(starts[column][row], ends[column][row]));
      }
      records.add(fields);
    }
    if (records.isEmpty() && recordsMax == 1) {
      records.add(Collections.nCopies(width, new Field("", false)));
    }
    return records;
  }

  private Field field(int start, int end) {
    return start < 0
        ? new Field("", false)
        : new Field(
            new String(sample.bytes, start, end - start, decoding.workingCharset(dialect)),
            isQuoted(start));
  }

  /// Whether the field whose text begins there stood in quotes; behind the sample lies what held
  /// escapes, which only quoted fields do.
  private boolean isQuoted(int start) {
    int open = start - syntax.quote.length;
    boolean follows =
        open >= firstStart && CsvSyntax.matches(syntax.quote, sample.bytes, open, start);
    return syntax.quotes && (follows || start >= sample.end);
  }

  /// Lets go of the sample when the file has been looked at.
  void dropSample() {
    file = file.withoutSample();
    sample.clear(0);
  }

  public InputFile file() {
    return file;
  }

  /// The dialect with the line end found out.
  public CsvDialect dialect() {
    return dialect;
  }

  /// The form that its raw records are in.
  Form form() {
    return CsvForm.of(dialect.as(written));
  }

  /// What ends its records, in its own charset.
  public byte[] lineEnd() {
    return written.text().getBytes(dialect.charset());
  }

  public Decoding decoding() {
    return decoding;
  }

  /// Whether the file can be read from several places at once.
  public boolean canBeCut() {
    return file.seeks() && decoding != Decoding.STREAM;
  }

  public CsvSyntax syntax() {
    return syntax;
  }

  /// The sample as the tokenizer sees it.
  public TextBuffer sample() {
    return sample;
  }

  /// Whether there is no record in the file.
  boolean isEmpty() {
    return sampleStart == sample.end;
  }

  /// Where the records begin in the text, whether the first is a header or not.
  int textBegin() {
    return sampleStart;
  }

  /// How many lines stand before that.
  int linesBefore() {
    return linesBefore;
  }

  /// How many fields the first record has, or would have.
  public int width() {
    return width;
  }

  boolean hasHeader() {
    return hasHeader;
  }

  /// Where the data begins in the text.
  public int textDataStart() {
    return hasHeader ? firstEnd : sampleStart;
  }

  /// Where the second record begins in the text; the data, if the first is a header.
  int textSecondStart() {
    return firstEnd;
  }

  /// Where the data begins in the file.
  long fileDataStart() {
    return hasHeader ? fileDataStart : fileStart;
  }

  /// What stands before the data, byte for byte: a byte order mark, a header.
  byte[] beforeData() {
    byte[] first = file.first();
    return Arrays.copyOf(first, (int) Math.min(first.length, fileDataStart()));
  }

  /// The line on which the data begins, from 1.
  long firstDataLine() {
    return firstLine;
  }
}
