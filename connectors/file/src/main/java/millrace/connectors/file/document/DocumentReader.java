package millrace.connectors.file.document;

import millrace.connectors.json.DocumentRows;
import millrace.connectors.json.FieldReader.Refusal;
import millrace.data.Batch;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.data.spelling.RowRecord;
import millrace.fault.Location;
import millrace.spi.Stage;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.write.Rejects.Reject;
import org.jspecify.annotations.Nullable;

/// Makes rows of documents that another reader gives.
public final class DocumentReader implements Reader {

  /// A batch with so many bytes is full, whatever its rows.
  private static final int BATCH_BYTES = 1 << 20;

  private final Reader documents;
  private final DocumentRows rows;
  private final ReadContext context;
  private final ColumnsPool pool;
  private final int[] places;

  /// The documents that are being made into rows, if any.
  private @Nullable Columns taken;

  /// Which of them is next.
  private int next;

  /// Bytes of the source that no batch has counted yet.
  private long sourceBytes;

  /// @param documents gives batches of one column, and is closed with this one
  public DocumentReader(Reader documents, Schema schema, DocumentRows rows, ReadContext context) {
    this.documents = documents;
    this.rows = rows;
    this.context = context;
    pool = new ColumnsPool(schema);
    places = new int[pool.capacity()];
  }

  @Override
  public void start(Split split) {
    letGo();
    documents.start(split);
  }

  /// A batch of what one batch of documents has, or of a part of that.
  @Override
  public @Nullable Batch next() {
    Columns batch = pool.take();
    while (true) {
      Columns from = taken();
      if (from == null) {
        batch.release();
        return null;
      }
      context.clock().enter(Stage.PARSE);
      int count = fill(batch, from);
      if (count > 0) {
        // The documents stay until all of their rows are out.
        return finished(batch, from, count);
      }
      letGo();
    }
  }

  private @Nullable Columns taken() {
    Columns from = taken;
    if (from == null && documents.next() instanceof Columns more) {
      sourceBytes += more.sourceBytes();
      from = more;
      taken = more;
      next = -1;
    }
    return from;
  }

  /// Fills a batch as far as it and the documents reach; returns how many rows it has then.
  private int fill(Columns batch, Columns from) {
    BytesVector texts = from.bytes(0);
    int count = 0;
    long bytes = 0;
    while (count < batch.capacity() && bytes < BATCH_BYTES) {
      if (!rows.isOpen()) {
        if (next + 1 == from.rows()) {
          break;
        }
        next++;
        bytes += texts.ends[next] - texts.starts[next];
        open(from, texts);
        continue;
      }
      Refusal refusal = rows.fill(batch, count);
      if (refusal == null) {
        places[count] = from.offset(next);
        count++;
      } else {
        reject(from, refusal, RowRecord.spell(rows.texts()));
      }
      rows.advance();
    }
    return count;
  }

  /// A document that is missing has no rows.
  private void open(Columns from, BytesVector texts) {
    if (texts.nulls[next]) {
      return;
    }
    Refusal refusal = rows.open(texts.bytes, texts.starts[next], texts.ends[next]);
    if (refusal != null) {
      reject(from, refusal, RowRecord.spell(rows.documentTexts()));
    }
  }

  private Columns finished(Columns batch, Columns from, int count) {
    int first = 0;
    while (from.offset(first) < places[0]) {
      first++;
    }
    Location place = from.place(first);
    batch.filled(count, sourceBytes, place, null);
    batch.standAt(places);
    sourceBytes = 0;
    if (!rows.isOpen() && next + 1 == from.rows()) {
      letGo();
    }
    return batch;
  }

  private void reject(Columns from, Refusal refusal, byte[] record) {
    Location place = from.place(next);
    context
        .rejects()
        .reject(
            new Reject(
                place.resource(),
                place.firstRow(),
                place.firstLine(),
                place.byteOffset(),
                refusal.column(),
                refusal.reason(),
                record));
  }

  private void letGo() {
    Columns done = taken;
    taken = null;
    rows.close();
    if (done != null) {
      done.release();
    }
  }

  /// Between batches of one batch of documents nothing can be cut.
  @Override
  public @Nullable Split rest() {
    return taken == null ? documents.rest() : null;
  }

  @Override
  public long checksum() {
    return documents.checksum();
  }

  @Override
  public void cancel() {
    documents.cancel();
  }

  @Override
  public void close() {
    letGo();
    documents.close();
  }
}
