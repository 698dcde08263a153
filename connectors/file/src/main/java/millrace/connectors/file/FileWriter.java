package millrace.connectors.file;

import java.nio.charset.StandardCharsets;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvSyntax;
import millrace.connectors.file.csv.RecordEncoder;
import millrace.connectors.file.csv.RecordEncoder.Refusal;
import millrace.connectors.file.csv.RecordScanner;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.Decoding;
import millrace.connectors.file.output.Chunk;
import millrace.connectors.file.output.Page;
import millrace.connectors.file.output.Sink;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Schema;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.Rejects.Reject;
import millrace.spi.write.WriteContext;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Spells rows as records and hands them on in chunks.
final class FileWriter implements RecoverableWriter {

  /// With the record that goes over it, it fits one region of the garbage collector, which gives
  /// large arrays whole regions, of 1 MB in a small heap.
  private static final long CHUNK_BYTES_DEFAULT = 960 << 10;

  private static final long CHUNK_BYTES_MAX = 64 << 20;

  /// Files of a limited size are filled with chunks: so many make one, so that little is left free.
  private static final long CHUNKS_PER_FILE = 16;

  private static final int SHOWN_CHARACTERS_MAX = 60;

  private final String label;
  private final CsvDialect dialect;
  private final Schema schema;
  private final RecordEncoder encoder;
  private final Compression compression;
  private final Sink sink;
  private final int chunkBytes;
  private final boolean limited;
  private final Amount unit;
  private final WriteContext context;
  private final Page page;
  private @Nullable Split split;
  private long rows;
  private long bytes;
  private long checksum;
  private long rowsReached;
  private long bytesReached;
  private boolean undone;

  /// @param unitBytes how much to hand on at a time, 0 for the default
  FileWriter(OutputSpec spec, Schema schema, Sink sink, long unitBytes, WriteContext context) {
    label = spec.label();
    dialect = spec.dialect();
    compression = spec.compression();
    this.schema = schema;
    this.sink = sink;
    this.context = context;
    unit = context.commitUnit() == null ? FileRunJournal.UNIT : context.commitUnit();
    long fileBytesMax = spec.files().fileBytesMax();
    limited = fileBytesMax < Long.MAX_VALUE;
    long unit = unitBytes == 0 ? CHUNK_BYTES_DEFAULT : unitBytes;
    chunkBytes =
        (int)
            Math.max(1, Math.min(Math.min(unit, CHUNK_BYTES_MAX), fileBytesMax / CHUNKS_PER_FILE));
    encoder = new RecordEncoder(dialect, schema);
    page = new Page(chunkBytes + (1 << 12));
  }

  @Override
  public void start(Split split) {
    this.split = split;
    page.length = 0;
    rows = 0;
    bytes = 0;
    checksum = 0;
    rowsReached = 0;
    bytesReached = 0;
  }

  /// If a split is long, parts of it are there to stay.
  @Override
  public @Nullable Receipt checkpoint(@Nullable Split rest, long sum) {
    checksum = sum;
    boolean due = unit.isReached(rows - rowsReached, bytes + page.length - bytesReached);
    if (rest == null || !due) {
      return null;
    }
    seal(page.length);
    rowsReached = rows;
    bytesReached = bytes;
    Receipt receipt = new Receipt(split(), rest, rows, bytes, checksum, false);
    return sink.reached(receipt, context.clock()) ? receipt : null;
  }

  @Override
  public void write(Batch batch) {
    try {
      switch (batch) {
        case Columns columns -> write(columns);
        case Frames frames -> write(frames);
      }
    } finally {
      batch.release();
    }
  }

  private void write(Columns columns) {
    for (int row = 0; row < columns.rows(); row++) {
      int before = page.length;
      Refusal refusal = encoder.append(page, columns, row);
      if (refusal != null) {
        refuse(columns, row, refusal);
        continue;
      }
      rows++;
      if (page.length >= chunkBytes) {
        seal(limited && before > 0 && page.length > chunkBytes ? before : page.length);
      }
    }
  }

  private void refuse(Columns columns, int row, Refusal refusal) {
    Refusal why = refusal.why().isEmpty() ? encoder.lacking(columns, row) : refusal;
    String name = why.column() < 0 ? "" : schema.column(why.column()).name();
    String value =
        why.column() < 0
            ? "the record"
            : columns.vector(why.column()).nulls[row]
                ? "a missing value"
                : shown(columns, why.column(), row);
    context
        .rejects()
        .reject(
            Reject.of(
                columns,
                row,
                name,
                value + " can't be written to " + label + ": " + why.why() + "."));
  }

  private String shown(Columns columns, int column, int row) {
    ValueFormatter formatter = Spelling.formatter(schema.column(column).type(), SpellingStyle.ISO);
    byte[] out = new byte[formatter.lengthMax(columns.vector(column), row)];
    int end = formatter.format(columns.vector(column), row, out, 0);
    String text = new String(out, 0, end, StandardCharsets.UTF_8);
    return "'"
        + (text.length() > SHOWN_CHARACTERS_MAX
            ? text.substring(0, SHOWN_CHARACTERS_MAX) + "…"
            : text)
        + "'";
  }

  private void write(Frames frames) {
    seal(page.length);
    if (!limited && compression == Compression.NONE && frames.start() == 0) {
      // The batch is released as soon as it is handed on, and its array may go round.
      hand(Chunk.lent(frames.bytes(), frames.end()));
    } else {
      cut(frames);
    }
    rows += frames.rows();
  }

  /// Cuts raw records into chunks of the usual size.
  private void cut(Frames frames) {
    CsvSyntax syntax = new CsvSyntax(dialect, Decoding.of(dialect).workingCharset(dialect));
    RecordScanner scanner = RecordScanner.of(syntax, schema.width());
    int from = frames.start();
    int at = from;
    while (at < frames.end()) {
      int next = scanner.scan(frames.bytes(), at, frames.end(), at + 1, true);
      if (next - from > chunkBytes && at > from) {
        hand(packed(frames.bytes(), from, at));
        from = at;
      }
      at = next;
    }
    hand(packed(frames.bytes(), from, at));
  }

  private Chunk packed(byte[] bytes, int from, int to) {
    if (compression != Compression.NONE) {
      context.clock().enter(Stage.COMPRESS);
    }
    return Chunk.of(bytes, from, to, compression);
  }

  /// Hands on the page up to that length; what is behind it moves to the front.
  private void seal(int length) {
    if (length == 0) {
      return;
    }
    hand(
        compression == Compression.NONE
            ? Chunk.lent(page.bytes, length)
            : packed(page.bytes, 0, length));
    System.arraycopy(page.bytes, length, page.bytes, 0, page.length - length);
    page.length -= length;
  }

  private void hand(Chunk chunk) {
    sink.write(split().index(), chunk, context.clock());
    context.clock().sent(chunk.length());
    bytes += chunk.length();
    context.clock().enter(Stage.ENCODE);
  }

  @Override
  public Receipt finish() {
    seal(page.length);
    Receipt receipt = new Receipt(split(), null, rows, bytes, checksum, false);
    sink.finish(receipt, context.clock());
    split = null;
    return receipt;
  }

  private Split split() {
    if (split == null) {
      throw new Fault.Bug("write came before start", null);
    }
    return split;
  }

  @Override
  public void cancel() {
    sink.cancel();
  }

  @Override
  public void close() {
    // The run's files belong to the target.
    undone = split == null || sink.undo(split.index());
  }

  /// What a failed write has brought to the disk, nobody knows.
  @Override
  public Leftover leftover(boolean committing) {
    return committing ? Leftover.UNKNOWN : undone ? Leftover.NOTHING : Leftover.ROWS;
  }
}
