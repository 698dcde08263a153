package millrace.connectors.file;

import java.util.IdentityHashMap;
import millrace.connectors.file.csv.BatchBuffers;
import millrace.connectors.file.csv.BlockReader;
import millrace.connectors.file.csv.BlockRejects;
import millrace.connectors.file.csv.FieldConverter;
import millrace.connectors.file.csv.FileColumns;
import millrace.connectors.file.csv.RawRecords;
import millrace.connectors.file.csv.RejectMessages;
import millrace.connectors.file.io.ByteFeed;
import millrace.connectors.file.io.Decoding;
import millrace.connectors.file.io.Transcoder;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.Stage;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Reads splits of delimited files, as typed columns or as raw records.
final class FileReader implements Reader {

  private static final int READ_BYTES_DEFAULT = 1 << 18;
  private static final int READ_BYTES_MAX = 64 << 20;
  private static final int FRAME_ROWS_MAX = 1 << 16;

  private final FileReadSession session;
  private final Form form;
  private final ReadContext context;
  private final int readBytes;
  private final int rowsMax;
  private final ColumnsPool pool;

  /// The companions of this reader's batches. A batch that comes from the pool again has been
  /// released, and its companion with it.
  private final IdentityHashMap<Columns, BatchBuffers> lots = new IdentityHashMap<>();

  private @Nullable Opened opened;
  private volatile boolean cancelled;

  FileReader(FileReadSession session, ReadContext context) {
    this.session = session;
    this.context = context;
    form = session.plan().form();
    readBytes =
        context.readUnit() == null || !context.readUnit().inBytes()
            ? READ_BYTES_DEFAULT
            : (int) Math.min(context.readUnit().number(), READ_BYTES_MAX);
    long rows =
        context.readUnit() == null || context.readUnit().inBytes()
            ? Long.MAX_VALUE
            : context.readUnit().number();
    rowsMax =
        (int)
            Math.min(
                rows, form.isFrames() ? FRAME_ROWS_MAX : ColumnsPool.rowsFor(session.schema()));
    pool = new ColumnsPool(session.schema(), rowsMax);
  }

  /// The split under way.
  ///
  /// @param fieldConverter turns fields into values of the file's columns
  private record Opened(
      Split split,
      FileHead head,
      BlockReader block,
      RejectMessages rejectMessages,
      FieldConverter fieldConverter) {}

  @Override
  public void start(Split split) {
    close();
    FileHead head = session.head(split);
    FileColumns columns = session.columns(head);
    int fieldBytesMax = session.fieldBytesMax();
    BlockReader block =
        new BlockReader(
            head,
            feed(head, split),
            split,
            columns.width(),
            fieldBytesMax,
            session.recordBytes(),
            readBytes,
            context.clock());
    if (!head.canBeCut()) {
      skipTo(split, head, block);
    }
    RejectMessages rejectMessages =
        new RejectMessages(context.rejects(), head, block, columns, fieldBytesMax);
    FieldConverter fieldConverter =
        new FieldConverter(head, columns, block, rejectMessages, rowsMax);
    opened = new Opened(split, head, block, rejectMessages, fieldConverter);
  }

  /// A file that is read from its beginning has its rows behind the header, or is stepped over as
  /// far as it has been taken.
  private void skipTo(Split split, FileHead head, BlockReader block) {
    if (split.from() > head.fileDataStart()) {
      session.taken().stepOver(block, split, head.textDataStart());
    } else {
      block.skip(head.textDataStart());
    }
  }

  private ByteFeed feed(FileHead head, Split split) {
    if (head.canBeCut()) {
      return session.cut().feed(split, from -> head.file().open(from, split.to()));
    }
    ByteFeed feed = head.file().open(context.clock());
    return head.decoding() == Decoding.STREAM
        ? new Transcoder(feed, head.dialect().charset())
        : feed;
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
      BatchBuffers batchBuffers = lots.computeIfAbsent(columns, _ -> new BatchBuffers(rowsMax));
      now.fieldConverter.bind(columns, batchBuffers);
      if (!now.block.next(batchBuffers.textBuffer, rowsMax)) {
        columns.release();
        return null;
      }
      Batch batch = fill(now, columns, batchBuffers);
      if (batch != columns) {
        columns.release();
      }
      if (batch != null) {
        return batch;
      }
    }
  }

  /// Turns a block into a batch; null if none of its records is good.
  private @Nullable Batch fill(Opened now, Columns columns, BatchBuffers batchBuffers) {
    BlockRejects blockRejects = new BlockRejects(now.rejectMessages, batchBuffers.textBuffer);
    blockRejects.add(now.block);
    int rows = now.block.tooLong() == null ? now.block.tokenizer().rows() : 0;
    now.fieldConverter.checkText(batchBuffers, rows, blockRejects);
    Form fallback = session.plan().fallback();
    BlockRejects misfits =
        fallback == null
            ? blockRejects
            : new BlockRejects(now.rejectMessages, batchBuffers.textBuffer);
    now.fieldConverter.convert(columns, batchBuffers, rows, blockRejects.rows, misfits);
    blockRejects.reject(context.clock());
    if (fallback != null && !misfits.rows.isEmpty()) {
      return frames(now, fallback, batchBuffers, rows, blockRejects);
    }
    int left =
        blockRejects.rows.isEmpty() ? rows : batchBuffers.remove(blockRejects.rows, columns, rows);
    if (left == 0) {
      return null;
    }
    columns.filled(
        left,
        now.block.sourceBytes(),
        location(now, batchBuffers, 0),
        now.fieldConverter.origin(batchBuffers, left));
    if (batchBuffers.numbers[left - 1] - batchBuffers.numbers[0] >= left) {
      columns.standAt(batchBuffers.numbers);
    }
    return columns;
  }

  private @Nullable Batch nextFrames(Opened now) {
    while (true) {
      BatchBuffers batchBuffers = new BatchBuffers(rowsMax);
      now.fieldConverter.bindNothing(batchBuffers);
      if (!now.block.next(batchBuffers.textBuffer, rowsMax)) {
        return null;
      }
      BlockRejects blockRejects = new BlockRejects(now.rejectMessages, batchBuffers.textBuffer);
      blockRejects.add(now.block);
      int rows = now.block.tooLong() == null ? now.block.tokenizer().rows() : 0;
      now.fieldConverter.checkText(batchBuffers, rows, blockRejects);
      blockRejects.reject(context.clock());
      Batch frames = frames(now, form, batchBuffers, rows, blockRejects);
      if (frames.rows() > 0) {
        return frames;
      }
    }
  }

  private Batch frames(
      Opened now, Form form, BatchBuffers batchBuffers, int rows, BlockRejects blockRejects) {
    context.clock().enter(Stage.PARSE);
    RawRecords raw = new RawRecords(now.head, batchBuffers, rows, blockRejects.rows);
    int first = blockRejects.rows.nextClearBit(0);
    Location location = location(now, batchBuffers, first < rows ? first : 0);
    return raw.frames(
        form, now.block.blockEnd(), new Frames.SourceSpan(location, now.block.sourceBytes()));
  }

  /// Where a row of the block stands.
  private static Location location(Opened now, BatchBuffers batchBuffers, int row) {
    int start = batchBuffers.recordStarts[row];
    return new Location(
        now.head.file().name(),
        now.split.index(),
        now.block.row() + batchBuffers.numbers[row],
        now.block.line(batchBuffers.textBuffer, start),
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
