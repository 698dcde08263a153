package millrace.connectors.couchdb.read;

import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import millrace.connectors.couchdb.Jsonl;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.json.FieldReader;
import millrace.connectors.json.Json;
import millrace.connectors.json.Members;
import millrace.connectors.json.Range;
import millrace.data.Batch;
import millrace.data.BatchFill;
import millrace.data.BytesPool;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.data.Records;
import millrace.data.Schema;
import millrace.data.spelling.RowRecord;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.spi.Stage;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.write.Rejects.Reject;
import org.jspecify.annotations.Nullable;

/// Reads the documents of one split after the other, as lines or as columns.
final class CouchReader implements Reader {

  /// Enough for the engine's cost of a batch to be lost in it, and less than half a region of the
  /// garbage collector, see `RowScanner.CHUNK_BYTES`.
  private static final int BATCH_BYTES = 500_000;

  private final String label;
  private final Form form;
  private final boolean skipsDesign;
  private final BiFunction<Split, HttpCalls, DocumentFeed> feeds;
  private final Consumer<HttpCalls> atEnd;
  private final HttpCalls calls;
  private final ReadContext context;
  private final BatchFill batches;
  private final BytesPool buffers = new BytesPool();
  private final FieldReader fields;
  private final Members members = new Members();
  private @Nullable Split split;

  /// Its own thread sets it, and any may cancel it.
  private volatile @Nullable DocumentFeed documentFeed;

  /// @param feeds gives the documents of a split
  /// @param atEnd is told when a split has been read
  CouchReader(
      CouchClient client,
      Form form,
      Schema schema,
      FieldReader fields,
      boolean skipsDesign,
      BiFunction<Split, HttpCalls, DocumentFeed> feeds,
      Consumer<HttpCalls> atEnd,
      ReadContext context) {
    label = client.label();
    this.form = form;
    this.skipsDesign = skipsDesign;
    this.feeds = feeds;
    this.atEnd = atEnd;
    this.context = context;
    this.fields = fields;
    calls = new HttpCalls(client);
    batches = new BatchFill(new ColumnsPool(schema), BATCH_BYTES);
  }

  @Override
  public void start(Split split) {
    this.split = split;
    batches.start(label, split.index(), 0);
    closeFeed();
    documentFeed = feeds.apply(split, calls);
  }

  @Override
  public @Nullable Batch next() {
    DocumentFeed open = documentFeed;
    Split of = split;
    if (open == null || of == null) {
      throw new Fault.Bug("next came before start", null);
    }
    context.clock().enter(Stage.READ);
    Location location = new Location(label, of.index(), 0, 0, -1);
    Batch batch = form.isFrames() ? lines(open, location) : rows(open);
    if (batch == null) {
      atEnd.accept(calls);
    }
    return batch;
  }

  private @Nullable Batch lines(DocumentFeed open, Location location) {
    byte[] out = buffers.take(BATCH_BYTES);
    int length = 0;
    int rows = 0;
    while (length < BATCH_BYTES * 3 / 4 && (rows == 0 || !open.mustWait()) && advance(open)) {
      int size = open.end() - open.start() + 1;
      if (out.length - length < size) {
        out = Arrays.copyOf(out, Math.max(Math.addExact(length, size), 2 * out.length));
      }
      length = Jsonl.put(open.bytes(), open.start(), open.end(), out, length);
      rows++;
    }
    return rows == 0
        ? null
        : new Frames(out, 0, length, rows, form, new Frames.SourceSpan(location, length), buffers);
  }

  private @Nullable Batch rows(DocumentFeed open) {
    while (batches.hasRoom() && (batches.isEmpty() || !open.mustWait()) && advance(open)) {
      int size = open.end() - open.start() + 1;
      FieldReader.Refusal refusal =
          fields.read(batches.batch(), batches.rows(), open.bytes(), open.start(), open.end());
      if (refusal == null) {
        batches.add(1, size);
      } else {
        batches.leaveOut(size);
        reject(open, refusal);
      }
    }
    Columns batch = batches.finish();
    if (batch != null && fields.givesDocuments()) {
      BytesVector documents = batch.bytes(0);
      int[] starts = Arrays.copyOf(documents.starts, batch.rows());
      int[] ends = Arrays.copyOf(documents.ends, batch.rows());
      Records records = new Records(documents.bytes, starts, ends, (_, _) -> 0);
      batch.filled(batch.rows(), batch.sourceBytes(), batch.location(), records);
    }
    return batch;
  }

  /// Goes on to the next document that is wanted.
  private boolean advance(DocumentFeed open) {
    while (open.next()) {
      if (!skipsDesign || !isDesign(open)) {
        return true;
      }
    }
    return false;
  }

  private boolean isDesign(DocumentFeed open) {
    Range id = Range.ofMember(members, open.bytes(), open.start(), open.end(), Members.ID);
    return id != null && Json.begins(Members.DESIGN, open.bytes(), id.start(), id.end());
  }

  private void reject(DocumentFeed open, FieldReader.Refusal refusal) {
    Range id = Range.ofMember(members, open.bytes(), open.start(), open.end(), Members.ID);
    String name =
        id == null
            ? "a document without an id"
            : "document " + Json.text(open.bytes(), id.start(), id.end());
    String reason = name + ": " + refusal.reason();
    byte[] record = record(open);
    Reject.InSplit at = new Reject.InSplit(split == null ? 0 : split.index(), batches.read());
    context.rejects().reject(new Reject(label, 0, 0, -1, refusal.column(), reason, record, at));
  }

  /// A document, or what of it would have become a row.
  private byte[] record(DocumentFeed open) {
    if (!fields.givesDocuments()) {
      return RowRecord.spell(fields.texts(open.bytes(), open.start(), open.end()));
    }
    byte[] line = new byte[open.end() - open.start() + 1];
    Jsonl.put(open.bytes(), open.start(), open.end(), line, 0);
    return line;
  }

  @Override
  public @Nullable Split rest() {
    DocumentFeed open = documentFeed;
    return open == null ? null : open.rest();
  }

  @Override
  public void cancel() {
    calls.cancel();
    DocumentFeed open = documentFeed;
    if (open != null) {
      open.cancel();
    }
  }

  @Override
  public void close() {
    closeFeed();
  }

  private void closeFeed() {
    DocumentFeed open = documentFeed;
    documentFeed = null;
    if (open != null) {
      open.close();
    }
  }
}
