package millrace.connectors.file;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import millrace.connectors.file.csv.DelimiterGuess;
import millrace.connectors.file.csv.FileColumns;
import millrace.connectors.file.csv.TypeSample;
import millrace.connectors.file.document.FirstDocuments;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.io.SplitReadCache;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.io.FolderValues;
import millrace.io.store.FileLocation;
import millrace.io.store.StoreCounters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.RecordFile;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.store.ReadRequests;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Delimited files as one source.
final class FileSource implements Source {

  /// Measured on rows of shape `unload`: cutting records, and cutting and parsing fields.
  private static final double FRAMES_NANOS_PER_BYTE = 0.9;

  private static final double COLUMNS_NANOS_PER_BYTE = 3.2;

  private final Endpoint endpoint;
  private final Selection selection;
  private final InputStream standardInput;
  private final Supplier<SplitReadCache> caches;
  private final InputSpec spec;

  /// Null of files of this machine.
  private final @Nullable HasCounters counters;

  /// Files that have been looked at, to be closed with the source.
  private final List<SourceFiles> opened = new ArrayList<>();

  /// What was found out of the files.
  ///
  /// @param columnsOf the columns of each, by its name
  /// @param recordBytes about how long a record is, 0 if unknown
  /// @param frames the form in which raw records cross, or null
  /// @param schema the columns that are read
  record Looked(
      SourceFiles files,
      Map<String, FileColumns> columnsOf,
      long recordBytes,
      @Nullable Form frames,
      Schema schema) {

    Looked {
      columnsOf = Map.copyOf(columnsOf);
    }

    /// The same, of which no record crosses as it is.
    Looked asColumns() {
      return new Looked(files, columnsOf, recordBytes, null, schema);
    }

    FileColumns columns(FileHead head) {
      FileColumns columns = columnsOf.get(head.file().name());
      if (columns == null) {
        throw new Fault.Bug("no columns of " + head.file().name(), null);
      }
      return columns;
    }
  }

  /// Makes rows of the records of files.
  @FunctionalInterface
  interface RowReading {

    /// What reads the rows.
    ///
    /// @param records gives the records, and is closed with it
    Reader of(Reader records, ReadContext context);
  }

  /// The files as they were when they were looked at.
  final class Described implements DescribedSource {

    private final SourceDescription description;
    private final Looked looked;
    private final RowReading rows;

    /// Blocks of every file are read for it, once.
    private @Nullable SourceIdentity identity;

    Described(SourceDescription description, Looked looked, RowReading rows) {
      this.description = description;
      this.looked = looked;
      this.rows = rows;
    }

    /// The same files, whose records become other rows.
    ///
    /// @param description what they are then
    DescribedSource making(SourceDescription description, RowReading other) {
      return new Described(description, looked.asColumns(), other);
    }

    @Override
    public <T> @Nullable T capability(Class<T> type) {
      ReadRequests requests = looked.files()::requests;
      return type == ReadRequests.class && counters != null
          ? type.cast(requests)
          : DescribedSource.super.capability(type);
    }

    @Override
    public SourceDescription description() {
      return description;
    }

    @Override
    public double cost(Form form) {
      if (form.equals(Form.COLUMNS)) {
        return COLUMNS_NANOS_PER_BYTE;
      }
      return form.equals(looked.frames()) ? FRAMES_NANOS_PER_BYTE : -1;
    }

    @Override
    public SourceIdentity identity() {
      SourceIdentity known = identity;
      if (known == null) {
        String content = looked.files().content();
        known =
            SourceIdentity.of(
                Inputs.identity(FileLocation.of(endpoint))
                    + " "
                    + new TreeMap<>(endpoint.parameters()),
                content,
                SourceFiles.origins(content));
        identity = known;
      }
      return known;
    }

    @Override
    public String changeSince(String before) {
      return FileIdentity.change(before, String.valueOf(identity().content()));
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return new FileReadSession(spec, looked, plan, caches.get(), rows);
    }
  }

  /// @param caches gives where the bytes of a run's splits wait for their readers
  FileSource(
      Endpoint endpoint,
      Selection selection,
      InputStream standardInput,
      Supplier<SplitReadCache> caches) {
    this.endpoint = endpoint;
    this.selection = selection;
    this.standardInput = standardInput;
    this.caches = caches;
    spec = InputSpec.of(endpoint);
    counters = StoreCounters.of(FileLocation.of(endpoint));
  }

  /// A store is paid by requests, which it therefore counts.
  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == HasCounters.class ? type.cast(counters) : Source.super.capability(type);
  }

  @Override
  public Described describe(ColumnRequest columnRequest) {
    SourceFiles files =
        SourceFiles.look(FileLocation.of(endpoint), spec, standardInput, columnRequest);
    opened.add(files);
    FileHead lead = files.lead();
    HeadAdvice.of(lead, spec)
        .ifPresent(fault -> {
          throw fault;
        });
    refuseOneColumn(files, columnRequest);
    refuseOtherNames(files, columnRequest);
    TypeSample sample =
        TypeSample.of(lead, lead.textDataStart(), spec.recognised(), spec.fieldBytesMax());
    for (FileHead head : files.heads()) {
      if (head != lead && !spec.jsonLines()) {
        sample.seeAnother(head, FileSchema.order(head, lead));
      }
    }
    FolderValues folders =
        spec.folderValues() ? files.folderValues(endpoint.label()) : FolderValues.NONE;
    // What a line holds is not to be guessed: one that is no document is a bad record.
    List<Type> types = spec.jsonLines() ? List.of(new Type.Json()) : sample.types();
    FileColumns columns =
        FileSchema.of(
            lead,
            types,
            sample.styles(),
            spec,
            folders,
            columnRequest,
            selection,
            endpoint.label());
    Map<String, FileColumns> columnsOf = new LinkedHashMap<>();
    for (FileHead head : files.heads()) {
      if (spec.jsonLines()) {
        DocumentLayout.check(head);
      }
      FileColumns fileColumns = head == lead ? columns : FileSchema.ofAnother(head, lead, columns);
      columnsOf.put(
          head.file().name(),
          spec.folderValues()
              ? fileColumns.in(
                  FileSchema.folderValues(
                      head, fileColumns, folders, folders.files().get(files.heads().indexOf(head))))
              : fileColumns);
      if (head != lead) {
        head.dropSample();
      }
    }
    Form frames = crossesRaw(columnsOf) ? files.form() : null;
    long recordBytes = sample.recordBytes();
    SourceDescription description =
        SourceDescription.of(endpoint.label(), columns.schema())
            .withNames(FileSchema.haveNames(lead, spec.named(), columnRequest))
            .withConditionColumns(selection.conditionColumns())
            .withForms(frames == null ? List.of() : List.of(frames))
            .withSize(
                files.arePlain() && recordBytes > 0 ? files.bytes() / recordBytes : -1,
                files.bytes(),
                files.heads().stream().allMatch(FileHead::canBeCut))
            .withLanes(files.lanes(spec.dialect()))
            .withOneProcess(endpoint.isStandardStream() ? "it is one stream" : "")
            .withReading(
                files.readAs(spec),
                notes(files, sample, columns),
                new RecordFile(lead.beforeData(), lead.lineEnd()));
    return new Described(
        description,
        new Looked(files, columnsOf, recordBytes, frames, columns.schema()),
        (records, _) -> records);
  }

  /// Raw records can cross if nothing is left out or moved. Those of escaped text are always
  /// spelled anew: not all that Millrace reads is read alike by MySQL and PostgreSQL.
  private boolean crossesRaw(Map<String, FileColumns> columnsOf) {
    boolean typed =
        spec.otherType() != null || spec.named().stream().anyMatch(each -> each.type() != null);
    return selection.isAll()
        && !typed
        && !spec.dialect().passedOver().blanks()
        && spec.dialect().nulls().others().isEmpty()
        && columnsOf.values().stream()
            .flatMap(columns -> columns.styles().stream())
            .noneMatch(
                style -> !style.equals(spec.dialect().temporals()) || style.isForReadingOnly())
        && !spec.dialect().escapes()
        && columnsOf.values().stream().allMatch(FileColumns::isIdentity);
  }

  /// What was guessed and may be wrong.
  private List<String> notes(SourceFiles files, TypeSample sample, FileColumns columns) {
    List<String> notes = new ArrayList<>();
    if (!spec.jsonLines()) {
      notes.addAll(SpellingNotes.of(sample, columns, spec.named()));
    }
    FileHead lead = files.lead();
    String delimiter = lead.dialect().delimiter();
    if (!delimiter.equals(spec.dialect().delimiter())) {
      notes.add(
          lead.file().name()
              + " is read with "
              + DelimiterGuess.spelled(delimiter)
              + " between fields, as its first lines have it; --delimiter can say otherwise");
    }
    if (!files.header().sure() && !lead.isEmpty()) {
      notes.add(
          files.header().header()
              ? "the first line of "
                  + lead.file().name()
                  + " is taken as a header"
                  + files.header().because()
                  + "; if it is a record, say --header false"
              : "the first line of "
                  + lead.file().name()
                  + " is taken as a record"
                  + files.header().because()
                  + "; if it is a header, say --header true");
    }
    if (!lead.isEmpty() && spec.mayHaveComments() && HeadAdvice.isLikeComment(lead)) {
      notes.add(
          "the first line of "
              + lead.file().name()
              + " begins as a comment does; if it is one, --comment leaves it out");
    }
    if (spec.saysYearOfCentury()) {
      notes.add("years of two digits are read as 1969 to 2068");
    }
    if (lead.width() == 1 && spec.named().isEmpty() && !spec.jsonLines()) {
      files
          .betterDelimiter(spec, 0)
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

  /// Whole lines would go into the table's first column.
  private void refuseOneColumn(SourceFiles files, ColumnRequest columnRequest) {
    FileHead lead = files.lead();
    int expected = spec.expectedFields(columnRequest);
    if (spec.jsonLines() || lead.isEmpty() || lead.width() >= expected) {
      return;
    }
    files
        .betterDelimiter(spec, expected)
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
  private static void refuseOtherNames(SourceFiles files, ColumnRequest columnRequest) {
    FileHead lead = files.lead();
    if (files.header().header()
        && !files.header().sure()
        && columnRequest instanceof ColumnRequest.Like(Schema schema, boolean byPosition)
        && !byPosition
        && lead.names().stream().noneMatch(name -> Selection.position(name, schema.names()) >= 0)) {
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

  /// The first documents of the first file, after {@link #describe}.
  List<byte[]> documents() {
    return spec.jsonLines() ? FirstDocuments.of(opened.getLast().lead()) : List.of();
  }

  @Override
  public void close() {
    opened.forEach(SourceFiles::close);
  }
}
