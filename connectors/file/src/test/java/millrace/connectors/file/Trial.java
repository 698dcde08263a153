package millrace.connectors.file;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvDialect.Newline;
import millrace.connectors.file.io.SplitReadCache;
import millrace.data.Batch;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.plan.ModeChoice;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.StageClock;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.OpenFailed;
import millrace.spi.write.Rejects;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import millrace.text.Amount;
import millrace.tuning.BestUnit;
import org.jspecify.annotations.Nullable;

/// Reads and writes files through the connector's own interfaces, without the engine, so that a
/// test sees every record, its place, and every reject.
public final class Trial {

  /// A record that was read, or rejected.
  ///
  /// @param fields its values as text, null for missing ones; empty for a rejected record
  /// @param reject what was rejected, or null
  record Read(
      long row,
      long line,
      long offset,
      List<@Nullable String> fields,
      Rejects.@Nullable Reject reject) {}

  private final Endpoint endpoint;
  private byte[] standardInput = new byte[0];
  private final ByteArrayOutputStream standardOutput = new ByteArrayOutputStream();
  private ColumnRequest columnRequest = new ColumnRequest.Untyped();
  private int lanes = 1;
  private long splitBytes = 16 << 20;
  private final StageClock clock = new StageClock();
  private @Nullable Amount readUnit;
  private @Nullable Form fallback;
  private Selection selection = Selection.ALL;
  private boolean rejects;
  private @Nullable Mode mode;
  private SplitReadCache cut = new SplitReadCache();
  private Runnable beforeComplete = () -> {};
  private Runnable whileRead = () -> {};

  private Trial(Endpoint endpoint) {
    this.endpoint = endpoint;
  }

  public static Trial of(String location, Map<String, String> parameters) {
    return new Trial(new Endpoint("file", location, parameters, Secret.NONE));
  }

  static Trial of(Path path, Map<String, String> parameters) {
    return of(path.toString(), parameters);
  }

  /// A dialect as parameters.
  static Map<String, String> parameters(CsvDialect dialect) {
    Map<String, String> parameters = new HashMap<>();
    parameters.put("delimiter", dialect.delimiter());
    parameters.put("quote", dialect.quotes().quote().isEmpty() ? "none" : dialect.quotes().quote());
    parameters.put("escape", dialect.quotes().doubles() ? "doubled" : dialect.quotes().escape());
    parameters.put(
        "newline",
        dialect.framing().newline() == Newline.LF_OR_CRLF
            ? "auto"
            : dialect.framing().newline().label());
    parameters.put("header", dialect.header().name());
    parameters.put(
        "null-string",
        dialect.nulls().others().isEmpty()
            ? dialect.nulls().text()
            : dialect.nulls().text() + "," + String.join(",", dialect.nulls().others()));
    parameters.put("skip-lines", Integer.toString(dialect.passedOver().lines()));
    parameters.put("comment", dialect.passedOver().comment());
    parameters.put("trim", Boolean.toString(dialect.passedOver().blanks()));
    parameters.put("quoted-null", Boolean.toString(dialect.nulls().quoted()));
    parameters.put("charset", dialect.charset().name());
    parameters.put("trailing-delimiter", Boolean.toString(dialect.framing().trailingDelimiter()));
    parameters.put("length-prefix", Integer.toString(dialect.framing().lengthPrefix()));
    return parameters;
  }

  public Trial standardInput(byte[] bytes) {
    standardInput = bytes;
    return this;
  }

  /// What somebody else does when the source has been looked at, and before its rows are read.
  Trial whileRead(Runnable other) {
    whileRead = other;
    return this;
  }

  /// What somebody else does when all rows have been written and the files have no names yet.
  Trial beforeComplete(Runnable other) {
    beforeComplete = other;
    return this;
  }

  Trial wanted(ColumnRequest other) {
    columnRequest = other;
    return this;
  }

  Trial lanes(int count, long bytes) {
    lanes = count;
    splitBytes = bytes;
    return this;
  }

  /// So much is read at a time if the file is cut, and so much at most is held for the readers.
  Trial cutting(int windowBytes, long bytesMax) {
    cut = new SplitReadCache(windowBytes, bytesMax);
    return this;
  }

  private Source source() {
    return new FileSource(endpoint, selection, new ByteArrayInputStream(standardInput), () -> cut);
  }

  private ReadSession open(DescribedSource source, Form form) {
    return source.open(
        new ReadPlan(
            selection, columnRequest, form, fallback, splitBytes, lanes, false, List.of()));
  }

  /// What the readers did.
  StageClock clock() {
    return clock;
  }

  public Trial readUnit(long number, boolean inBytes) {
    readUnit = new Amount(number, inBytes);
    return this;
  }

  Trial fallback(Form form) {
    fallback = form;
    return this;
  }

  Trial select(String... columns) {
    selection = new Selection(List.of(columns), null, Long.MAX_VALUE);
    return this;
  }

  /// Bad records are set aside instead of ending the read.
  public Trial rejects() {
    rejects = true;
    return this;
  }

  Trial mode(Mode other) {
    mode = other;
    return this;
  }

  FileConnector connector() {
    return new FileConnector(new ByteArrayInputStream(standardInput), standardOutput);
  }

  byte[] standardOutput() {
    return standardOutput.toByteArray();
  }

  Schema schema() {
    try (Source source = source()) {
      return source.describe(columnRequest).description().schema();
    }
  }

  /// All records and rejects, in the order of the file.
  List<Read> read() {
    List<Read> found = new ArrayList<>();
    try (Source source = source()) {
      DescribedSource described = source.describe(columnRequest);
      whileRead.run();
      try (ReadSession session = open(described, Form.COLUMNS);
          Splits splits = session.splits();
          Reader reader = session.reader(readContext(found))) {
        for (Split split = splits.next(); split != null; split = splits.next()) {
          reader.start(split);
          for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
            add(batch, found);
            batch.release();
          }
        }
      }
    }
    return found;
  }

  /// The values of all good records.
  public List<List<@Nullable String>> rows() {
    return read().stream().filter(read -> read.reject() == null).map(Read::fields).toList();
  }

  private ReadContext readContext(List<Read> found) {
    Rejects log =
        new Rejects() {
          @Override
          public void reject(Reject reject) {
            if (!rejects) {
              throw new Fault.Data(
                  "line "
                      + reject.line()
                      + ", byte "
                      + reject.byteOffset()
                      + ", row "
                      + reject.row()
                      + ", column '"
                      + reject.column()
                      + "': "
                      + reject.reason(),
                  "",
                  null);
            }
            found.add(
                new Read(reject.row(), reject.line(), reject.byteOffset(), List.of(), reject));
          }

          @Override
          public boolean allowed() {
            return rejects;
          }
        };
    return new ReadContext(0, clock, log, readUnit, BestUnit.unknown(), null);
  }

  private static void add(Batch batch, List<Read> found) {
    Location location = batch.location();
    switch (batch) {
      case Columns columns -> {
        for (int row = 0; row < columns.rows(); row++) {
          long number = location.firstRow() + row;
          boolean first = row == 0;
          found.add(
              new Read(
                  number,
                  first ? location.firstLine() : 0,
                  first ? location.byteOffset() : -1,
                  values(columns, row),
                  null));
        }
      }
      case Frames frames ->
          found.add(
              new Read(
                  location.firstRow(),
                  location.firstLine(),
                  location.byteOffset(),
                  List.of(
                      "frames of "
                          + frames.rows()
                          + ": "
                          + new String(
                              frames.bytes(),
                              frames.start(),
                              frames.length(),
                              StandardCharsets.UTF_8)),
                  null));
    }
  }

  private static List<@Nullable String> values(Columns columns, int row) {
    List<@Nullable String> fields = new ArrayList<>();
    for (int i = 0; i < columns.schema().width(); i++) {
      if (columns.vector(i).nulls[row]) {
        fields.add(null);
      } else {
        ValueFormatter formatter =
            Spelling.formatter(columns.schema().column(i).type(), SpellingStyle.ISO);
        byte[] out = new byte[formatter.lengthMax(columns.vector(i), row)];
        int end = formatter.format(columns.vector(i), row, out, 0);
        fields.add(new String(out, 0, end, StandardCharsets.UTF_8));
      }
    }
    return fields;
  }

  /// The raw frames of the whole source, one after the other.
  byte[] frames() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Read> found = new ArrayList<>();
    try (Source source = source()) {
      DescribedSource described = source.describe(columnRequest);
      Form form = described.description().forms().getFirst();
      try (ReadSession session = open(described, form);
          Splits splits = session.splits();
          Reader reader = session.reader(readContext(found))) {
        for (Split split = splits.next(); split != null; split = splits.next()) {
          reader.start(split);
          for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
            Frames frames = (Frames) batch;
            bytes.write(frames.bytes(), frames.start(), frames.length());
          }
        }
      }
    }
    return bytes.toByteArray();
  }

  /// Writes one split of text columns named a, b, c and so on.
  void write(List<List<@Nullable String>> rows, int width) {
    writeSplits(List.of(rows), width);
  }

  /// Writes several splits of text columns, one after the other.
  void writeSplits(List<List<List<@Nullable String>>> splits, int width) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(Column.of(Character.toString('a' + i), Type.Text.UNLIMITED));
    }
    Schema schema = Schema.of(columns);
    List<Columns> batches = new ArrayList<>();
    for (List<List<@Nullable String>> rows : splits) {
      Columns batch = Columns.standalone(schema, Math.max(1, rows.size()));
      for (int row = 0; row < rows.size(); row++) {
        for (int i = 0; i < width; i++) {
          String value = rows.get(row).get(i);
          if (value == null) {
            batch.vector(i).nulls[row] = true;
          } else {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            batch.bytes(i).append(row, bytes, 0, bytes.length);
          }
        }
      }
      batch.filled(rows.size(), 0, new Location("made", 0, 1, 0, -1), null);
      batches.add(batch);
    }
    writeBatches(schema, batches);
  }

  /// Writes batches, each as a split of its own.
  void writeBatches(Schema schema, List<Columns> batches) {
    WriteOptions writeOptions = new WriteOptions(mode, false, List.of(), false);
    try (Target target = connector().target(endpoint, writeOptions, new OpenContext())) {
      DescribedTarget described = target.describe();
      Mode settled = ModeChoice.settle(described, writeOptions, null);
      try (WriteSession session = open(described, schema, settled)) {
        writeBatches(session, batches);
        beforeComplete.run();
        session.complete((_, _, work) -> work.run());
      }
    }
  }

  private static WriteSession open(DescribedTarget target, Schema schema, Mode settled) {
    try {
      return target.plan(WriteRequest.of(target, schema, settled)).open(WriteStart.of(1));
    } catch (OpenFailed e) {
      throw e.failure();
    }
  }

  private static void writeBatches(WriteSession session, List<Columns> batches) {
    try (Writer writer = session.writer(Form.COLUMNS, writeContext())) {
      for (int i = 0; i < batches.size(); i++) {
        writer.start(new Split(i, "made", 0, 0, 1, 0));
        writer.write(batches.get(i));
        writer.finish();
      }
    } catch (Fault fault) {
      session.abort(false);
      throw fault;
    }
  }

  private static WriteContext writeContext() {
    Rejects none =
        new Rejects() {
          @Override
          public void reject(Reject reject) {
            throw new Fault.Data(
                "row " + reject.row() + ", column '" + reject.column() + "': " + reject.reason(),
                "",
                null);
          }

          @Override
          public boolean allowed() {
            return false;
          }
        };
    return new WriteContext(0, new StageClock(), none, null, BestUnit.unknown(), null);
  }

  /// A file with that text.
  static Path file(Path folder, String name, String text) {
    return file(folder, name, text.getBytes(StandardCharsets.UTF_8));
  }

  /// A file with those bytes.
  static Path file(Path folder, String name, byte[] bytes) {
    try {
      return Files.write(folder.resolve(name), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
