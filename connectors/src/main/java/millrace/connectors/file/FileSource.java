package millrace.connectors.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.file.CsvDialect.Header;
import millrace.data.Form;
import millrace.data.Type;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import millrace.spi.ColumnsOption;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.Endpoint;
import millrace.spi.FileIdentity;
import millrace.spi.ReadContext;
import millrace.spi.Reader;
import millrace.spi.Receipt;
import millrace.spi.RecordFile;
import millrace.spi.Selection;
import millrace.spi.Source;
import millrace.spi.SourceDescription;
import millrace.spi.Splits;
import millrace.spi.Wanted;
import org.jspecify.annotations.Nullable;

/// Delimited files as one source.
final class FileSource implements Source {

  /// Measured on rows of shape `unload`: cutting records, and cutting and parsing fields.
  private static final double FRAMES_NANOS_PER_BYTE = 0.9;

  private static final double COLUMNS_NANOS_PER_BYTE = 3.2;

  private static final int SAMPLE_BYTES = 1 << 20;

  /// Of the second file and those after it; a header of a thousand long names fits.
  private static final int HEADER_BYTES = 1 << 17;

  /// The column of JSON Lines, unless `columns` names it.
  private static final String DOCUMENT = "doc";

  private final Endpoint endpoint;
  private final Selection selection;
  private final InputStream standardInput;
  private final CsvDialect asked;
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
  private final CutBytes cut;
  private long recordBytes;
  private @Nullable Form frames;
  private @Nullable SourceDescription description;

  /// @param cut where the bytes of splits wait for their readers
  FileSource(Endpoint endpoint, Selection selection, InputStream standardInput, CutBytes cut) {
    this.cut = cut;
    this.endpoint = endpoint;
    this.selection = selection;
    this.standardInput = standardInput;
    asked = FileOptions.dialect(endpoint);
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
  public SourceDescription describe(Wanted wanted) {
    look();
    FileHead lead = lead();
    settleHeader(lead, wanted);
    TypeSample sample = TypeSample.of(lead, lead.textDataStart(), recognised, fieldBytesMax);
    // What a line holds is not to be guessed: one that is no document is a bad record.
    List<Type> types = jsonLines ? List.of(new Type.Json()) : sample.types();
    FileColumns columns = FileSchema.of(lead, types, named, wanted, selection, endpoint.label());
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
    Lanes lanes = lanes();
    description =
        new SourceDescription(
            endpoint.label(),
            columns.schema(),
            selection.conditionColumns(),
            frames == null ? List.of() : List.of(frames),
            plain && recordBytes > 0 ? bytes / recordBytes : -1,
            known ? bytes : -1,
            lanes.max(),
            lanes.why(),
            heads.stream().allMatch(FileSplits::canBeCut),
            false,
            false,
            notes(lead));
    return description;
  }

  /// Nothing else would tell that all of each record went into one column.
  private List<String> notes(FileHead lead) {
    return lead.likelierDelimiter().filter(_ -> named.isEmpty()).stream()
        .map(likelier -> likelier.equals("\t") ? "tab" : "'" + likelier + "'")
        .map(likelier ->
            lead.file().name()
                + " is read as one column; if "
                + likelier
                + " stands between its fields, say --delimiter "
                + likelier)
        .toList();
  }

  private void look() {
    if (endpoint.location().equals(Inputs.STANDARD)) {
      heads.add(FileHead.of(InputFile.look(standardInput, SAMPLE_BYTES), asked, fieldBytesMax));
      return;
    }
    for (Path path : Inputs.find(endpoint.location())) {
      int sampleBytes = heads.isEmpty() ? SAMPLE_BYTES : HEADER_BYTES;
      heads.add(FileHead.of(InputFile.look(path, sampleBytes), asked, fieldBytesMax));
    }
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

  private void settleHeader(FileHead lead, Wanted wanted) {
    boolean header =
        switch (asked.header()) {
          case TRUE -> true;
          case FALSE -> false;
          case AUTO -> !lead.isEmpty() && looksLikeHeader(lead, wanted);
        };
    for (FileHead head : heads) {
      if (head.isEmpty() && (header || (head == lead && named.isEmpty()))) {
        refuseEmpty(head);
      }
      head.settle(header, named.size());
    }
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

  private boolean looksLikeHeader(FileHead lead, Wanted wanted) {
    TypeSample below = TypeSample.of(lead, lead.textSecondStart(), recognised, fieldBytesMax);
    return HeaderRule.isHeader(lead.firstFields(), below.types(), wanted, recognised);
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

  private record Lanes(int max, String why) {}

  private Lanes lanes() {
    if (heads.stream().anyMatch(FileSplits::canBeCut)) {
      return new Lanes(Integer.MAX_VALUE, "");
    }
    if (heads.getFirst().file().path() == null) {
      return new Lanes(1, "standard input is one stream");
    }
    String why =
        heads.getFirst().file().seeks()
            ? "a file in " + asked.charset().name() + " is read from its beginning"
            : "a compressed file is read from its beginning; several are read side by side";
    return new Lanes(heads.size(), why);
  }

  @Override
  public double cost(Form form) {
    if (form.equals(Form.COLUMNS)) {
      return COLUMNS_NANOS_PER_BYTE;
    }
    return form.equals(frames) ? FRAMES_NANOS_PER_BYTE : -1;
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
        .flatMap(origin -> Stream.of(origin, Packing.plainName(origin)))
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
      Feed rest = head.file().rest();
      if (rest != null) {
        rest.close();
      }
    }
  }
}
