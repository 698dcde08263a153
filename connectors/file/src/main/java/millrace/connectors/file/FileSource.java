package millrace.connectors.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.DelimiterGuess;
import millrace.connectors.file.csv.FileColumns;
import millrace.connectors.file.csv.HeaderRule;
import millrace.connectors.file.csv.TypeSample;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.Decoding;
import millrace.connectors.file.io.InputFile;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.io.SplitReadCache;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.ColumnsOption;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.Endpoint;
import millrace.spi.LaneLimit;
import millrace.spi.journal.Receipt;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.RecordFile;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.Splits;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Delimited files as one source.
final class FileSource implements Source {

  /// Measured on rows of shape `unload`: cutting records, and cutting and parsing fields.
  private static final double FRAMES_NANOS_PER_BYTE = 0.9;

  private static final double COLUMNS_NANOS_PER_BYTE = 3.2;

  private static final int SAMPLE_BYTES = 1 << 20;

  /// Of the second file and those after it; a header of a thousand long names fits.
  private static final int HEADER_BYTES = 1 << 17;

  /// Records that a header is compared with.
  private static final int RECORDS_COMPARED = 100;

  /// The column of JSON Lines, unless `columns` names it.
  private static final String DOCUMENT = "doc";

  private final Endpoint endpoint;
  private final Selection selection;
  private final InputStream standardInput;
  private final CsvDialect asked;

  /// Whether the file itself may say what stands between its fields.
  private final boolean delimiterIsFree;

  private final int fieldBytesMax;
  private final boolean jsonLines;
  private final List<Named> named;
  private final SpellingStyle recognised;

  /// Blocks of every file are read for it, once.
  private @Nullable String identity;

  private final List<FileHead> heads = new ArrayList<>();
  private final Map<String, FileColumns> columnsOf = new LinkedHashMap<>();
  private RecordFile recordFile = RecordFile.PLAIN;
  private final Taken taken = new Taken();
  private final SplitReadCache cut;
  private long recordBytes;
  private @Nullable Form frames;
  private @Nullable SourceDescription description;

  /// @param cut where the bytes of splits wait for their readers
  FileSource(
      Endpoint endpoint, Selection selection, InputStream standardInput, SplitReadCache cut) {
    this.cut = cut;
    this.endpoint = endpoint;
    this.selection = selection;
    this.standardInput = standardInput;
    asked = FileOptions.dialect(endpoint);
    delimiterIsFree = !FileOptions.saysDelimiter(endpoint);
    fieldBytesMax = FileOptions.fieldBytesMax(endpoint);
    jsonLines = FileOptions.areJsonLines(endpoint);
    List<Named> given = ColumnsOption.of(endpoint, "columns");
    named = jsonLines && given.isEmpty() ? List.of(new Named(DOCUMENT, null)) : given;
    recognised = FileOptions.recognised(endpoint);
  }

  @Override
  public RecordFile recordFile() {
    return recordFile;
  }

  @Override
  public SourceDescription describe(ColumnRequest columnRequest) {
    look(columnRequest);
    FileHead lead = lead();
    HeaderRule.Decision header = settleHeader(lead, columnRequest);
    refuseOneColumn(lead, columnRequest);
    refuseOtherNames(lead, header, columnRequest);
    TypeSample sample = TypeSample.of(lead, lead.textDataStart(), recognised, fieldBytesMax);
    // What a line holds is not to be guessed: one that is no document is a bad record.
    List<Type> types = jsonLines ? List.of(new Type.Json()) : sample.types();
    FileColumns columns =
        FileSchema.of(lead, types, named, columnRequest, selection, endpoint.label());
    for (FileHead head : heads) {
      columnsOf.put(
          head.file().name(), head == lead ? columns : FileSchema.ofAnother(head, lead, columns));
      if (head != lead) {
        head.dropSample();
      }
    }
    frames = framesForm(columns);
    recordFile = new RecordFile(lead.beforeData(), lead.lineEnd());
    long bytes = heads.stream().mapToLong(head -> head.file().size()).sum();
    boolean known = heads.getFirst().file().path() != null;
    recordBytes = sample.recordBytes();
    boolean plain = heads.stream().allMatch(head -> head.file().seeks());
    description =
        SourceDescription.of(endpoint.label(), columns.schema())
            .withNames(lead.hasHeader() || !named.isEmpty())
            .withConditionColumns(selection.conditionColumns())
            .withForms(frames == null ? List.of() : List.of(frames))
            .withSize(
                plain && recordBytes > 0 ? bytes / recordBytes : -1,
                known ? bytes : -1,
                heads.stream().allMatch(FileSplits::canBeCut))
            .withLanes(lanes())
            .withReading(readAs(lead, header), notes(lead, header));
    return description;
  }

  private String readAs(FileHead lead, HeaderRule.Decision header) {
    if (jsonLines) {
      return "a JSON document a line";
    }
    return DelimiterGuess.spelled(lead.dialect().delimiter())
        + " between fields; "
        + (header.header() ? "the first line is a header" : "no header")
        + (header.why().isEmpty() ? "" : " (" + header.why() + ")");
  }

  /// What was guessed and may be wrong.
  private List<String> notes(FileHead lead, HeaderRule.Decision header) {
    List<String> notes = new ArrayList<>();
    String delimiter = lead.dialect().delimiter();
    if (!delimiter.equals(asked.delimiter())) {
      notes.add(
          lead.file().name()
              + " is read with "
              + DelimiterGuess.spelled(delimiter)
              + " between fields, as its first lines have it; --delimiter can say otherwise");
    }
    if (!header.sure() && !lead.isEmpty()) {
      notes.add(
          header.header()
              ? "the first line of "
                  + lead.file().name()
                  + " is taken as a header ("
                  + header.why()
                  + "); if it is a record, say --header false"
              : "the first line of "
                  + lead.file().name()
                  + " is taken as a record ("
                  + header.why()
                  + "); if it is a header, say --header true");
    }
    if (lead.width() == 1 && named.isEmpty() && !jsonLines) {
      betterDelimiter(lead, 0)
          .map(better ->
              lead.file().name()
                  + " is read as one column, but by "
                  + DelimiterGuess.spelled(better)
                  + " it has more. "
                  + DelimiterGuess.advice(better))
          .ifPresent(notes::add);
    }
    return notes;
  }

  /// Another delimiter than the one that the file is read with, by which it has more fields.
  private Optional<String> betterDelimiter(FileHead lead, int expected) {
    return DelimiterGuess.of(lead.file(), asked, expected, fieldBytesMax)
        .filter(each -> !each.equals(lead.dialect().delimiter()));
  }

  /// Whole lines would go into the table's first column.
  private void refuseOneColumn(FileHead lead, ColumnRequest columnRequest) {
    int expected = expectedFields(columnRequest);
    if (jsonLines || lead.isEmpty() || lead.width() >= expected) {
      return;
    }
    betterDelimiter(lead, expected)
        .ifPresent(better -> {
          throw new Fault.User(
              lead.file().name()
                  + " has "
                  + (lead.width() == 1 ? "one field" : lead.width() + " fields")
                  + " a record with "
                  + DelimiterGuess.spelled(lead.dialect().delimiter())
                  + " between them, and "
                  + expected
                  + " columns are to be filled. "
                  + DelimiterGuess.spelled(better)
                  + " fits better.",
              DelimiterGuess.advice(better));
        });
  }

  /// A first line that is nobody's header would be lost.
  private void refuseOtherNames(
      FileHead lead, HeaderRule.Decision header, ColumnRequest columnRequest) {
    if (header.header()
        && !header.sure()
        && columnRequest instanceof ColumnRequest.Like(Schema schema, boolean byPosition)
        && !byPosition
        && lead.names().stream().noneMatch(name -> FileSchema.find(schema.names(), name) >= 0)) {
      throw new Fault.User(
          "The first line of "
              + lead.file().name()
              + " does not look like a header: "
              + NameList.spelled(lead.names(), ", ")
              + " are no columns of the target, which has "
              + NameList.spelled(schema.names(), ", ")
              + ".",
          "If it is a record, say --header false.");
    }
  }

  /// How many fields a record should have by what the user or the target says; 0 if neither does.
  private int expectedFields(ColumnRequest columnRequest) {
    if (!named.isEmpty() && asked.header() == Header.FALSE) {
      return named.size();
    }
    return columnRequest instanceof ColumnRequest.Like(Schema schema, boolean _)
        ? schema.width()
        : 0;
  }

  private void look(ColumnRequest columnRequest) {
    if (endpoint.location().equals(Inputs.STANDARD)) {
      InputFile file = InputFile.look(standardInput, SAMPLE_BYTES);
      heads.add(FileHead.of(file, dialect(file, asked, columnRequest), fieldBytesMax));
      return;
    }
    CsvDialect dialect = asked;
    String known = "";
    for (Path path : Inputs.find(endpoint.location())) {
      InputFile file = InputFile.look(path, heads.isEmpty() ? SAMPLE_BYTES : HEADER_BYTES);
      CsvDialect own = file.first().length == 0 ? dialect : dialect(file, dialect, columnRequest);
      if (!known.isEmpty() && !own.delimiter().equals(dialect.delimiter())) {
        throw new Fault.User(
            file.name()
                + " has "
                + DelimiterGuess.spelled(own.delimiter())
                + " between its fields, but "
                + known
                + " has "
                + DelimiterGuess.spelled(dialect.delimiter())
                + ".",
            "Copy them one after the other. If both have the same, "
                + DelimiterGuess.advice(own.delimiter()).replaceFirst("^S", "s"));
      }
      known = file.first().length == 0 ? known : file.name();
      dialect = own;
      heads.add(FileHead.of(file, dialect, fieldBytesMax));
    }
  }

  /// How the file is spelled: as the user says, or as far as nobody says so, as the file does.
  private CsvDialect dialect(InputFile file, CsvDialect otherwise, ColumnRequest columnRequest) {
    if (!delimiterIsFree) {
      return asked;
    }
    return FileHead.separator(file, asked)
        .or(() -> DelimiterGuess.of(file, asked, expectedFields(columnRequest), fieldBytesMax))
        .map(asked::delimited)
        .orElse(otherwise);
  }

  /// The first file that has anything in it.
  private FileHead lead() {
    for (FileHead head : heads) {
      if (!head.isEmpty()) {
        return head;
      }
    }
    return heads.getFirst();
  }

  private HeaderRule.Decision settleHeader(FileHead lead, ColumnRequest columnRequest) {
    HeaderRule.Decision decision =
        switch (asked.header()) {
          case TRUE -> new HeaderRule.Decision(true, true, "");
          case FALSE -> new HeaderRule.Decision(false, true, "");
          case AUTO -> decideHeader(lead, columnRequest);
        };
    boolean header = decision.header();
    for (FileHead head : heads) {
      if (head.isEmpty() && (header || (head == lead && named.isEmpty()))) {
        refuseEmpty(head);
      }
      head.settle(header, named.size());
    }
    return decision;
  }

  /// An empty file has no columns to speak of. Without a header it may be empty where all columns
  /// are named, as that of JSON Lines is, and where it is only part of a source.
  private void refuseEmpty(FileHead head) {
    throw new Fault.User(
        head.file().name() + " is empty: there is not even a header.",
        asked.header() == Header.FALSE
            ? "There is nothing to copy; name all its columns with --columns if that is right."
            : "Check how it was made, or leave it out.");
  }

  private HeaderRule.Decision decideHeader(FileHead lead, ColumnRequest columnRequest) {
    if (lead.isEmpty()) {
      return new HeaderRule.Decision(false, true, "");
    }
    TypeSample below = TypeSample.of(lead, lead.textSecondStart(), recognised, fieldBytesMax);
    return HeaderRule.decide(
        lead.firstFields(),
        below.types(),
        lead.recordsBelow(RECORDS_COMPARED),
        columnRequest,
        recognised);
  }

  /// Raw records can cross where nothing is left out or moved, and all files are spelled alike.
  private @Nullable Form framesForm(FileColumns columns) {
    Form form = lead().form();
    boolean typed = named.stream().anyMatch(each -> each.type() != null);
    boolean whole = selection.isAll() && !typed && columns.isIdentity();
    whole &= lead().decoding() != Decoding.STREAM;
    for (FileHead head : heads) {
      whole &= head.form().equals(form) || head.isEmpty();
    }
    whole &= columnsOf.values().stream().allMatch(FileColumns::isIdentity);
    return whole ? form : null;
  }

  private LaneLimit lanes() {
    if (heads.stream().anyMatch(FileSplits::canBeCut)) {
      return LaneLimit.NONE;
    }
    if (heads.getFirst().file().path() == null) {
      return new LaneLimit(1, "standard input is one stream");
    }
    String why =
        heads.getFirst().file().seeks()
            ? "a file in " + asked.charset().name() + " is read from its beginning"
            : "a compressed file is read from its beginning; several are read side by side";
    return new LaneLimit(heads.size(), why);
  }

  @Override
  public double cost(Form form) {
    if (form.equals(Form.COLUMNS)) {
      return COLUMNS_NANOS_PER_BYTE;
    }
    return form.equals(frames) ? FRAMES_NANOS_PER_BYTE : -1;
  }

  @Override
  public String endpointIdentity() {
    return Inputs.identity(endpoint.location()) + " " + new TreeMap<>(endpoint.parameters());
  }

  @Override
  public String identity() {
    String known = identity;
    if (known == null) {
      known = FileIdentity.ofAll(heads.stream().map(head -> identity(head.file())).toList());
      identity = known;
    }
    return known;
  }

  private static String identity(InputFile file) {
    Path path = file.path();
    try {
      return path == null
          ? FileIdentity.ofStream(file.name(), file.first())
          : FileIdentity.of(path);
    } catch (IOException e) {
      throw Inputs.unreadable(file.name(), e);
    }
  }

  @Override
  public String changeSince(String identity) {
    return FileIdentity.change(identity, identity());
  }

  /// A file that was compressed since, or is compressed no more, is known by its name alone.
  @Override
  public List<String> origins() {
    return FileIdentity.origins(identity()).stream()
        .flatMap(origin -> Stream.of(origin, Compression.plainName(origin)))
        .distinct()
        .toList();
  }

  @Override
  public void taken(List<Receipt> receipts) {
    taken.add(receipts);
  }

  @Override
  public Splits splits(long splitBytes, int lanes) {
    return new FileSplits(heads, columnsOf, cut, splitBytes, lanes);
  }

  @Override
  public Reader reader(Form form, ReadContext context) {
    if (description == null) {
      throw new Fault.Bug("reader came before describe", null);
    }
    return new FileReader(
        heads,
        columnsOf,
        taken,
        cut,
        description.schema(),
        asked.temporals(),
        fieldBytesMax,
        recordBytes,
        form,
        context);
  }

  @Override
  public void close() {
    for (FileHead head : heads) {
      ByteFeed rest = head.file().rest();
      if (rest != null) {
        rest.close();
      }
    }
  }
}
