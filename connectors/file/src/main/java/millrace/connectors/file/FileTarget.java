package millrace.connectors.file;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Header;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.csv.CsvForm;
import millrace.connectors.file.csv.RecordEncoder;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.InputFile;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.io.StreamFeed;
import millrace.connectors.file.output.Chunk;
import millrace.connectors.file.output.Destination;
import millrace.connectors.file.output.FilesOption;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.Page;
import millrace.connectors.file.output.Publication;
import millrace.connectors.file.output.StagedFile;
import millrace.connectors.file.output.TextNames;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Journal;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Delimited files to write: one, several, or standard output.
final class FileTarget implements Target {

  /// Measured on rows of shape `unload`: passing bytes on, and spelling values.
  private static final double FRAMES_NANOS_PER_BYTE = 0.4;

  private static final double COLUMNS_NANOS_PER_BYTE = 3.0;

  /// The share of the heap that splits may fill which are not yet due in a file. Where the disk is
  /// what is slow they fill all of it, so it is what a few lanes need to go on meanwhile.
  private static final int HEAP_SHARE = 16;

  private final Endpoint endpoint;
  private final WriteOptions writeOptions;
  private final OutputStream standardOutput;
  private final CsvDialect dialect;
  private final Compression compression;
  private final @Nullable Outputs outputs;
  private final FilesOption files;
  private @Nullable Schema schema;
  private @Nullable Destination destination;
  private FileJournal.@Nullable Begun begun;
  private final @Nullable FileJournal journal;

  FileTarget(Endpoint endpoint, WriteOptions writeOptions, OutputStream standardOutput) {
    this.endpoint = endpoint;
    this.writeOptions = writeOptions;
    this.standardOutput = standardOutput;
    outputs = endpoint.location().equals(Inputs.STANDARD) ? null : new Outputs(endpoint.location());
    if (outputs != null && !outputs.isDevice()) {
      TextNames.check(endpoint);
    }
    CsvDialect asked = FileOptions.dialect(endpoint);
    dialect = asked.newline() == Newline.AUTO ? asked.as(Newline.LF) : asked;
    compression = Compression.ofName(endpoint.location());
    journal =
        outputs == null || outputs.isDevice()
            ? null
            : new FileJournal(outputs, writeOptions.mode() == Mode.APPEND);
    files = FilesOption.of(endpoint);
    if (files.areSeveral() && (outputs == null || outputs.isDevice())) {
      throw new Fault.User(
          "files=" + endpoint.text("files").orElse("") + " needs a file to write to.",
          "Leave files out, or name a file.");
    }
  }

  @Override
  public TargetDescription describe() {
    return TargetDescription.of(endpoint.label(), null)
        .withTypes(dialect.wantsTypes())
        .withForms(List.of(CsvForm.of(dialect)))
        .joining(!files.perSplit());
  }

  @Override
  public @Nullable Journal journal() {
    return journal;
  }

  @Override
  public WritePlan fit(Schema incoming) {
    schema = incoming;
    if (FileOptions.areJsonLines(endpoint) && !isDocument(incoming)) {
      throw new Fault.User(
          endpoint.label()
              + " takes documents, one column of json, but these columns come: "
              + String.join(", ", incoming.names())
              + ".",
          "Choose the one with --select, or write a .csv file.");
    }
    if (writeOptions.mode() == Mode.MERGE) {
      throw new Fault.User("A file can't be merged into.", "Use --mode append, or --mode replace.");
    }
    if (outputs == null || outputs.isDevice()) {
      checkHeader();
      return new WritePlan(incoming, Mode.APPEND, "", List.of());
    }
    List<Path> existing = existing(outputs);
    existing.forEach(path -> TextNames.checkContent(path, compression));
    List<String> details = new ArrayList<>();
    Mode mode = writeOptions.mode() == null ? Mode.CREATE : writeOptions.mode();
    switch (mode) {
      case CREATE -> {
        if (journal == null || !journal.isComplete()) {
          refuse(existing);
        }
      }
      case APPEND -> {
        FileJournal.Begun goesOn =
            journal == null || journal.isComplete() ? null : journal.goesOn();
        checkStillThere(outputs, goesOn != null && goesOn.appends());
        checkAppends(outputs, incoming);
      }
      case TRUNCATE, REPLACE -> {
        if (!existing.isEmpty()) {
          details.add("replaces " + existing.getFirst() + " when complete");
        }
      }
      case MERGE -> throw new Fault.Bug("merge was refused before", null);
    }
    if (!appendsToFile(outputs)) {
      checkHeader();
    }
    return new WritePlan(incoming, mode, "", List.of(), details);
  }

  private static boolean isDocument(Schema schema) {
    return schema.width() == 1
        && (schema.column(0).type() instanceof Type.Json
            || schema.column(0).type() instanceof Type.Text);
  }

  /// Files that the run would write over; the numbered ones where it writes several.
  private List<Path> existing(Outputs outputs) {
    if (files.areSeveral()) {
      return outputs.numbers().stream().map(outputs::numbered).toList();
    }
    return Files.exists(outputs.path()) ? List.of(outputs.path()) : List.of();
  }

  private void refuse(List<Path> existing) {
    for (Path path : existing) {
      boolean filled = writeOptions.mode() == Mode.CREATE || Inputs.size(path) > 0;
      if (filled) {
        throw new Fault.User(
            path + " exists already.",
            "Say --mode replace or --mode append, or name another file.");
      }
    }
  }

  /// A header that can't be written is refused before anything is begun.
  private void checkHeader() {
    header();
  }

  /// What is to be appended has no header, since the file had one.
  ///
  /// @param appends whether rows were to be added to a file that was there
  private void checkStillThere(Outputs outputs, boolean appends) {
    if (appends && !appendsToFile(outputs)) {
      throw new Fault.User(
          "The copy can't go on: "
              + outputs.path()
              + " is empty or not there any more, and its rows were to come behind what it held.",
          "Begin again with --fresh.");
    }
  }

  /// What is appended must have the columns that are there.
  private void checkAppends(Outputs outputs, Schema incoming) {
    if (!appendsToFile(outputs)) {
      return;
    }
    FileHead head =
        FileHead.of(
            InputFile.look(outputs.path(), 1 << 20), dialect, FileOptions.fieldBytesMax(endpoint));
    head.settle(dialect.header() != Header.FALSE, incoming.width());
    boolean fits =
        (head.hasHeader() && !writeOptions.byPosition())
            ? head.names().equals(incoming.names())
            : head.width() == incoming.width();
    if (!fits) {
      throw new Fault.User(
          outputs.path()
              + (head.hasHeader()
                  ? " has the columns " + String.join(", ", head.names())
                  : " has " + head.width() + " columns")
              + ", but these come: "
              + String.join(", ", incoming.names())
              + ".",
          "Select the same columns in the same order with --select, or name another file.");
    }
    if (head.file().compression() != compression) {
      throw new Fault.User(
          outputs.path() + " is not compressed as its name says.", "Name another file.");
    }
  }

  private boolean appendsToFile(Outputs outputs) {
    return writeOptions.mode() == Mode.APPEND
        && !files.areSeveral()
        && Files.exists(outputs.path())
        && Inputs.size(outputs.path()) > 0;
  }

  @Override
  public double cost(Form form) {
    if (form.equals(Form.COLUMNS)) {
      return COLUMNS_NANOS_PER_BYTE;
    }
    return form.equals(CsvForm.of(dialect)) ? FRAMES_NANOS_PER_BYTE : -1;
  }

  @Override
  public void begin(int lanes) {
    long memoryBytesMax = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    if (outputs == null) {
      destination = Destination.stream("standard output", standardOutput, header(), memoryBytesMax);
    } else if (outputs.isDevice()) {
      destination =
          Destination.stream(endpoint.label(), open(outputs.path()), header(), memoryBytesMax);
    } else {
      destination = files(outputs, memoryBytesMax);
    }
  }

  private Destination files(Outputs outputs, long memoryBytesMax) {
    if (journal == null || !journal.isOpen()) {
      FileJournal.Begun started = begun(outputs);
      begun = started;
      return Destination.files(
          outputs, files, started, head(outputs, started), memoryBytesMax, null);
    }
    FileJournal.Begun goesOn = journal.goesOn();
    FileJournal.Begun started = goesOn == null ? begun(outputs) : goesOn;
    begun = started;
    Chunk head;
    try (FileChannel _ = started.appends() ? journal.lockToAdd() : null) {
      if (goesOn == null) {
        journal.begin();
      } else {
        journal.goOn();
      }
      head = head(outputs, started);
    } catch (IOException e) {
      throw Outputs.unwritable(outputs.path(), e);
    }
    if (goesOn == null) {
      journal.begun(started);
    }
    Destination made = Destination.files(outputs, files, started, head, memoryBytesMax, journal);
    journal.removeStaged(made.files().stream().map(StagedFile::staged).collect(Collectors.toSet()));
    return made;
  }

  private FileJournal.Begun begun(Outputs outputs) {
    List<Long> numbers = writeOptions.mode() == Mode.APPEND ? outputs.numbers() : List.of();
    long first = numbers.isEmpty() ? 1 : numbers.getLast() + 1;
    return new FileJournal.Begun(
        journal == null || !journal.isOpen() ? null : journal.run(), first, appendsToFile(outputs));
  }

  private Chunk head(Outputs outputs, FileJournal.Begun begun) {
    return begun.appends() ? lineEndIfMissing(outputs.path()) : header();
  }

  private static OutputStream open(Path device) {
    try {
      return new FileOutputStream(device.toFile());
    } catch (IOException e) {
      throw Outputs.unwritable(device, e);
    }
  }

  /// What a file begins with: a byte order mark where the charset has one, the header where the
  /// dialect has one, and an empty gzip member or Zstandard frame where it has neither.
  private Chunk header() {
    Page page = new Page(256);
    page.append(RecordEncoder.preamble(dialect.charset()));
    if (dialect.header() != Header.FALSE) {
      RecordEncoder.Refusal refusal =
          new RecordEncoder(dialect, schema()).appendHeader(page, schema().names());
      if (refusal != null) {
        throw new Fault.User(
            (refusal.column() < 0
                    ? "The header"
                    : "The column name '" + schema().names().get(refusal.column()) + "'")
                + " can't be written to "
                + endpoint.label()
                + ": "
                + refusal.why()
                + ".",
            "Say header=false, or select the columns under other names.");
      }
    }
    return page.length == 0 && compression == Compression.NONE
        ? Chunk.owning(new byte[0], 0)
        : Chunk.of(page.bytes, 0, page.length, compression);
  }

  /// The line end that the last record of a file lacks, or nothing.
  private Chunk lineEndIfMissing(Path path) {
    byte[] lineEnd = dialect.newline().text().getBytes(dialect.charset());
    int from = RecordEncoder.preamble(dialect.charset()).length;
    byte last = 0;
    try (ByteFeed byteFeed = new StreamFeed(path.toString(), Inputs.open(path), compression)) {
      byte[] buffer = new byte[1 << 16];
      for (int count = byteFeed.read(buffer, 0, buffer.length);
          count >= 0;
          count = byteFeed.read(buffer, 0, buffer.length)) {
        last = count > 0 ? buffer[count - 1] : last;
      }
    }
    boolean missing = last != lineEnd[lineEnd.length - 1];
    return missing
        ? Chunk.of(lineEnd, from, lineEnd.length, compression)
        : Chunk.owning(new byte[0], 0);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    if (destination == null) {
      throw new Fault.Bug("writer came before begin", null);
    }
    Amount unit = context.writeUnit();
    if (journal != null && context.commitUnit() != null) {
      journal.unit(context.commitUnit());
    }
    return new FileWriter(
        endpoint.label(),
        dialect,
        schema(),
        compression,
        destination.sink(),
        unit == null || !unit.inBytes() ? 0 : unit.number(),
        files.fileBytesMax(),
        context);
  }

  private Schema schema() {
    if (schema == null) {
      throw new Fault.Bug("fit was not called", null);
    }
    return schema;
  }

  @Override
  public void complete(PhaseTimer steps) {
    if (destination == null) {
      throw new Fault.Bug("complete came before begin", null);
    }
    List<StagedFile> staged = destination.finish();
    if (outputs == null || outputs.isDevice()) {
      return;
    }
    Map<Path, Path> names = new HashMap<>();
    staged.forEach(file -> names.put(file.path().toAbsolutePath(), file.staged()));
    FileJournal kept = journal != null && journal.isOpen() ? journal : null;
    boolean appends = begun != null && begun.appends();
    checkStillThere(outputs, appends);
    try (FileChannel _ = kept != null && appends ? kept.lockToAdd() : null) {
      Publication publication = publication(outputs, staged, appends);
      if (kept != null) {
        kept.named(publication);
      }
      publication.carryOut(path -> names.getOrDefault(path, path));
      if (kept != null) {
        kept.markComplete();
      }
    } catch (IOException e) {
      throw Outputs.unwritable(outputs.path(), e);
    }
    // What was added to another file has not got its name.
    staged.forEach(StagedFile::delete);
  }

  /// @param appends whether rows are added to a file that was there when the copy began
  private Publication publication(Outputs outputs, List<StagedFile> staged, boolean appends) {
    boolean fills =
        writeOptions.mode() == null || (writeOptions.mode() == Mode.APPEND && !files.areSeveral());
    boolean replaces =
        fills
            ? isThereEmpty(outputs)
            : writeOptions.mode() != Mode.CREATE && writeOptions.mode() != Mode.APPEND;
    return new Publication(
        staged.stream().map(FileTarget::piece).toList(),
        replaces,
        appends ? Inputs.size(outputs.path()) : -1,
        replaces && files.areSeveral() ? others(outputs, staged) : List.of());
  }

  /// By a path that means the same in any folder.
  private static Publication.Piece piece(StagedFile file) {
    try {
      return new Publication.Piece(
          file.path().toAbsolutePath().toString(),
          file.length(),
          FileIdentity.content(file.staged(), 0, file.length()));
    } catch (IOException e) {
      throw Inputs.unreadable(file.staged().toString(), e);
    }
  }

  /// Whether there is something at the place of the files and nothing in it: that much is filled
  /// unasked. What has come there since the copy began is not.
  private boolean isThereEmpty(Outputs outputs) {
    List<Path> existing = existing(outputs);
    return !existing.isEmpty() && existing.stream().allMatch(path -> Inputs.size(path) == 0);
  }

  /// An earlier run may have written more files than this one.
  private static List<String> others(Outputs outputs, List<StagedFile> staged) {
    Set<Path> written = new HashSet<>();
    staged.forEach(file -> written.add(file.path()));
    return outputs.numbers().stream()
        .map(outputs::numbered)
        .filter(path -> !written.contains(path))
        .map(path -> path.toAbsolutePath().toString())
        .toList();
  }

  /// What has been written down stays for another run; the rest goes first, since the disk may be
  /// full. A split that was finished before its turn came has been taken by nobody.
  @Override
  public boolean keep() {
    if (journal == null || !journal.hasTaken()) {
      abandon();
      return false;
    }
    if (destination == null) {
      // It could not even begin to go on with another run, whose rows stay.
      return true;
    }
    destination.keep();
    if (!journal.keep()) {
      abandon();
      return false;
    }
    destination.files().forEach(StagedFile::close);
    return true;
  }

  @Override
  public void abandon() {
    if (destination != null) {
      destination.delete();
    }
    if (journal != null && journal.isOpen() && (destination != null || journal.isNew())) {
      journal.delete();
    }
  }

  @Override
  public void close() {
    // What else it has open, complete, keep and abandon have closed.
    if (journal != null) {
      journal.close();
    }
  }
}
