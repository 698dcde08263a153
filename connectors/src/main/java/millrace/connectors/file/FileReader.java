package millrace.connectors.file;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Form;
import millrace.data.Location;
import millrace.data.Schema;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import millrace.spi.ReadContext;
import millrace.spi.Reader;
import millrace.spi.Split;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;

/// Reads splits of delimited files, as typed columns or as raw records.
final class FileReader implements Reader {

  private static final int READ_BYTES_DEFAULT = 1 << 18;
  private static final int READ_BYTES_MAX = 64 << 20;
  private static final int FRAME_ROWS_MAX = 1 << 16;

  private final Map<String, FileHead> heads = new HashMap<>();
  private final Map<String, FileColumns> columnsOf;
  private final Taken taken;
  private final CutBytes cut;
  private final int fieldBytesMax;
  private final long recordBytes;
  private final Form form;
  private final ReadContext context;
  private final SpellingStyle style;
  private final int readBytes;
  private final int rowsMax;
  private final ColumnsPool pool;

  /// The companions of this reader's batches. A batch that comes from the pool again has been
  /// released, and its companion with it.
  private final IdentityHashMap<Columns, Lot> lots = new IdentityHashMap<>();

  private @Nullable Opened opened;
  private volatile boolean cancelled;

  /// @param recordBytes about how long a record is, 0 where unknown
  FileReader(
      List<FileHead> heads,
      Map<String, FileColumns> columnsOf,
      Taken taken,
      CutBytes cut,
      Schema schema,
      SpellingStyle style,
      int fieldBytesMax,
      long recordBytes,
      Form form,
      ReadContext context) {
    heads.forEach(head -> this.heads.put(head.file().resource(), head));
    this.columnsOf = columnsOf;
    this.taken = taken;
    this.cut = cut;
    this.style = style;
    this.fieldBytesMax = fieldBytesMax;
    this.recordBytes = recordBytes;
    this.form = form;
    this.context = context;
    readBytes =
        context.readUnit() == null || !context.readUnit().inBytes()
            ? READ_BYTES_DEFAULT
            : (int) Math.min(context.readUnit().number(), READ_BYTES_MAX);
    long rows =
        context.readUnit() == null || context.readUnit().inBytes()
            ? Long.MAX_VALUE
            : context.readUnit().number();
    rowsMax = (int) Math.min(rows, form.isFrames() ? FRAME_ROWS_MAX : ColumnsPool.rowsFor(schema));
    pool = new ColumnsPool(schema, rowsMax);
  }

  /// The split under way.
  ///
  /// @param converter turns fields into values of the file's columns
  private record Opened(
      Split split, FileHead head, BlockReader block, Complaints complaints, Converter converter) {}

  @Override
  public void start(Split split) {
    close();
    FileHead head = heads.get(split.resource());
    FileColumns columns = head == null ? null : columnsOf.get(head.file().name());
    if (head == null || columns == null) {
      throw new Fault.Bug("a split of " + split.resource() + ", which is not read here", null);
    }
    BlockReader block =
        new BlockReader(
            head,
            feed(head, split),
            split,
            columns.width(),
            fieldBytesMax,
            recordBytes,
            readBytes,
            context.clock());
    if (!FileSplits.canBeCut(head)) {
      skipTo(split, head, block);
    }
    Complaints complaints = new Complaints(context.rejects(), head, block, columns, fieldBytesMax);
    Converter converter = new Converter(head, columns, style, block, complaints, rowsMax);
    opened = new Opened(split, head, block, complaints, converter);
  }

  /// A file that is read from its beginning has its rows behind the header, or is stepped over as
  /// far as it has been taken.
  private void skipTo(Split split, FileHead head, BlockReader block) {
    if (split.from() > head.fileDataStart()) {
      taken.stepOver(block, split, head.textDataStart());
    } else {
      block.skip(head.textDataStart());
    }
  }

  private Feed feed(FileHead head, Split split) {
    if (FileSplits.canBeCut(head)) {
      return cut.feed(split, from -> head.file().open(from, split.to()));
    }
    Feed whole = head.file().open();
    return head.decoding() == Decoding.STREAM
        ? new Transcoder(whole, head.dialect().charset())
        : whole;
  }

  @Override
  public @Nullable Batch next() {
    if (opened == null) {
      throw new Fault.Bug("next came before start", null);
    }
    if (cancelled) {
      throw new Fault.Cancelled("the reader was stopped");
    }
    Batch batch = form.isFrames() ? nextFrames(opened) : nextColumns(opened);
    if (batch == null) {
      opened.head.file().checkUnchanged();
    }
    return batch;
  }

  private @Nullable Batch nextColumns(Opened now) {
    while (true) {
      Columns columns = pool.take();
      Lot lot = lots.computeIfAbsent(columns, _ -> new Lot(rowsMax));
      now.converter.bind(columns, lot);
      if (!now.block.next(lot.slab, rowsMax)) {
        columns.release();
        return null;
      }
      Batch batch = fill(now, columns, lot);
      if (batch != columns) {
        columns.release();
      }
      if (batch != null) {
        return batch;
      }
    }
  }

  /// Turns a block into a batch; null where none of its records is good.
  private @Nullable Batch fill(Opened now, Columns columns, Lot lot) {
    Findings findings = new Findings(now.complaints, lot.slab);
    findings.add(now.block);
    int rows = now.block.tooLong() == null ? now.block.tokenizer().rows() : 0;
    now.converter.checkText(lot, rows, findings);
    Form fallback = context.fallback();
    Findings misfits = fallback == null ? findings : new Findings(now.complaints, lot.slab);
    now.converter.convert(columns, lot, rows, findings.rows, misfits);
    findings.reject();
    if (fallback != null && !misfits.rows.isEmpty()) {
      return frames(now, fallback, lot, rows, findings);
    }
    int left = findings.rows.isEmpty() ? rows : lot.remove(findings.rows, columns, rows);
    if (left == 0) {
      return null;
    }
    columns.filled(
        left, now.block.sourceBytes(), location(now, lot, 0), now.converter.origin(lot, left));
    if (lot.numbers[left - 1] - lot.numbers[0] >= left) {
      columns.standAt(lot.numbers);
    }
    return columns;
  }

  private @Nullable Batch nextFrames(Opened now) {
    while (true) {
      Lot lot = new Lot(rowsMax);
      now.converter.bindNothing(lot);
      if (!now.block.next(lot.slab, rowsMax)) {
        return null;
      }
      Findings findings = new Findings(now.complaints, lot.slab);
      findings.add(now.block);
      int rows = now.block.tooLong() == null ? now.block.tokenizer().rows() : 0;
      now.converter.checkText(lot, rows, findings);
      findings.reject();
      Batch frames = frames(now, form, lot, rows, findings);
      if (frames.rows() > 0) {
        return frames;
      }
    }
  }

  private Batch frames(Opened now, Form form, Lot lot, int rows, Findings findings) {
    context.clock().enter(Stage.PARSE);
    RawRecords raw = new RawRecords(now.head, lot, rows, findings.rows);
    int first = findings.rows.nextClearBit(0);
    Location location = location(now, lot, first < rows ? first : 0);
    return raw.frames(form, now.block.blockEnd(), now.block.sourceBytes(), location);
  }

  /// Where a row of the block stands.
  private static Location location(Opened now, Lot lot, int row) {
    int start = lot.recordStarts[row];
    return new Location(
        now.head.file().name(),
        now.split.index(),
        now.block.row() + lot.numbers[row],
        now.block.line(lot.slab, start),
        now.block.fileOffset(start));
  }

  @Override
  public @Nullable Split rest() {
    return opened == null ? null : opened.block.rest(opened.split);
  }

  @Override
  public long checksum() {
    return opened == null ? 0 : opened.block.checksum();
  }

  @Override
  public void cancel() {
    cancelled = true;
  }

  @Override
  public void close() {
    if (opened != null) {
      opened.block.close();
      opened = null;
    }
  }
}
