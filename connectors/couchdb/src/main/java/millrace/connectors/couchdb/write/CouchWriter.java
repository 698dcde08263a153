package millrace.connectors.couchdb.write;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import millrace.connectors.couchdb.DatabaseSettings;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.read.DocumentOrigin;
import millrace.connectors.json.DocumentMaker;
import millrace.connectors.json.Json;
import millrace.connectors.json.Members;
import millrace.data.Batch;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.RowRecord;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.Rejects.Reject;
import millrace.spi.write.WriteContext;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// Writes documents in bulk: those with a revision as they are, as replication would (`new_edits`
/// false), the others as new documents. Some requests are under way while the next is filled.
///
/// Everything may be written again. A document with its revision is one and the same however often
/// it comes; one without an id gets one that is made of run, split and row; and one whose id is
/// there already is compared with what is there.
final class CouchWriter implements RecoverableWriter {

  /// Between two receipts of one split, if nobody says otherwise.
  private static final Amount RECEIPT_UNIT = new Amount(16 << 20, true);

  private static final byte[] NOTHING = {};

  /// What the writers of a run share, and what it knows of the run that it goes on with.
  interface Shared {

    /// Part of the ids that are made.
    String runId();

    /// Asked once for each split that is begun: whether its documents may be there already.
    boolean beginsAgain(Split split);

    /// How many rows of a split came before it is read on from there, written or refused.
    long rowsBefore(Split split);

    /// Whether receipts are to be recorded.
    boolean keepsReceipts();

    /// Whether what has been written stays if the run fails.
    boolean isDurable();

    /// Keeps a receipt.
    void record(Receipt receipt, HttpCalls itsCalls);

    /// Counts documents that were there before this copy, and are the same.
    AtomicLong sameBefore();

    /// What requests have been found to pass.
    RequestSize.Ceilings ceilings();
  }

  private final boolean isDocuments;

  /// Whether the documents come from a CouchDB, so that each is an object.
  private final boolean isTrusted;

  private final DocumentMaker maker;
  private final boolean skipsDesign;
  private final Shared shared;
  private final WriteContext context;
  private final Amount unit;
  private final HttpCalls calls;
  private final BulkSender sender;
  private final Members members = new Members();
  private final RequestSize size;
  private @Nullable Split split;
  private long rowsBefore;
  private long rows;
  private long refusedBefore;
  private long bytesBefore;
  private long rowsOfReceipt;
  private long bytesOfReceipt;
  private long checksum;

  /// Whether the document that was looked at last has these.
  private boolean hasId;

  private boolean hasRevision;
  private boolean isDesign;

  CouchWriter(
      CouchClient client, Schema schema, boolean skipsDesign, Shared shared, WriteContext context) {
    isDocuments = DocumentMaker.isDocuments(schema);
    isTrusted = isDocuments && schema.column(0).declaredIn(DatabaseSettings.SYSTEM) != null;
    maker = new DocumentMaker(schema, DocumentMaker.Style.COUCHDB);
    this.skipsDesign = skipsDesign;
    this.shared = shared;
    this.context = context;
    unit = Objects.requireNonNullElse(context.commitUnit(), RECEIPT_UNIT);
    calls = new HttpCalls(client);
    size = new RequestSize(context, shared.ceilings());
    sender = new BulkSender(client, calls, size, context, shared.sameBefore());
  }

  @Override
  public void start(Split split) {
    this.split = split;
    rowsBefore = shared.rowsBefore(split);
    rows = 0;
    refusedBefore = context.clock().rowsRefused();
    bytesBefore = sender.bytesSent();
    bytesOfReceipt = 0;
    rowsOfReceipt = 0;
    checksum = 0;
    sender.begin(shared.beginsAgain(split));
  }

  @Override
  public void write(Batch batch) {
    try {
      context.clock().enter(Stage.ENCODE);
      switch (batch) {
        case Frames frames -> lines(frames);
        case Columns columns -> rows(columns);
      }
    } finally {
      batch.release();
    }
  }

  private void lines(Frames frames) {
    byte[] bytes = frames.bytes();
    int at = frames.start();
    int row = 0;
    while (at < frames.end()) {
      int end = at;
      while (end < frames.end() && bytes[end] != '\n') {
        end++;
      }
      rows++;
      document(DocumentOrigin.of(frames, row++, at), bytes, at, end);
      at = end + 1;
    }
  }

  private void rows(Columns batch) {
    RowRecord spelling = context.rejects().allowed() ? RowRecord.of(batch.asRead().schema()) : null;
    for (int row = 0; row < batch.rows(); row++) {
      rows++;
      if (isDocuments) {
        BytesVector documents = batch.bytes(0);
        DocumentOrigin origin = DocumentOrigin.of(batch, row, spelling);
        if (documents.nulls[row]) {
          refuse(origin, "a row without a document", NOTHING);
        } else {
          document(origin, documents.bytes, documents.starts[row], documents.ends[row]);
        }
        continue;
      }
      Column bad = maker.make(batch, row);
      if (bad == null) {
        DocumentOrigin origin = DocumentOrigin.of(batch, row, spelling);
        document(origin, maker.bytes(), 0, maker.length());
      } else {
        String reason =
            bad.type() instanceof Type.Decimal
                ? "CouchDB would not keep this number as it is; select it as text"
                : "JSON has no such value";
        context.rejects().reject(Reject.of(batch, row, bad.name(), reason));
        context.clock().refused(1);
      }
    }
  }

  private void document(DocumentOrigin origin, byte[] bytes, int from, int to) {
    int start = Json.space(bytes, from, to);
    int end = to;
    while (end > start && Json.isSpace(bytes[end - 1])) {
      end--;
    }
    if (!look(bytes, start, end)) {
      byte[] record = java.util.Arrays.copyOfRange(bytes, from, to);
      refuse(origin, "it is no JSON object: " + Json.shown(bytes, from, to), record);
      return;
    }
    if (skipsDesign && isDesign) {
      context.clock().refused(1);
      return;
    }
    boolean isEmpty = Json.space(bytes, start + 1, end) == end - 1;
    byte[] prefix = hasId ? NOTHING : madeId(isEmpty);
    sender.add(origin, hasRevision, prefix, bytes, start, end);
  }

  /// Finds out what the document has; false if it is none.
  private boolean look(byte[] bytes, int start, int end) {
    hasId = false;
    hasRevision = false;
    isDesign = false;
    members.open(bytes, start, end);
    Members.Event event = members.next();
    while (event == Members.Event.MEMBER) {
      if (members.isKey(Members.ID)) {
        hasId = true;
        isDesign = Json.begins(Members.DESIGN, bytes, members.valueStart, members.valueEnd);
      } else if (members.isKey(Members.REVISION)) {
        hasRevision = true;
      }
      // If both come first, as CouchDB writes them, nothing behind them matters: that the
      // object ends where the record does is all that is left to see.
      if (hasId && hasRevision) {
        return isTrusted ? bytes[end - 1] == '}' : Json.value(bytes, start, end) == end;
      }
      event = members.next();
    }
    return event == Members.Event.END && members.valueEnd == end;
  }

  private byte[] madeId(boolean isEmpty) {
    Split of = split;
    int number = of == null ? 0 : of.index();
    String id = "%s%06x%010x".formatted(shared.runId(), number, rowsBefore + rows);
    String rest = isEmpty ? "" : ",";
    return ("{\"_id\":\"" + id + "\"" + rest).getBytes(StandardCharsets.US_ASCII);
  }

  private void refuse(DocumentOrigin origin, String reason, byte[] document) {
    context.rejects().reject(origin.reject(reason, document));
    context.clock().refused(1);
  }

  /// What has been written is waited for now and then, so that a run that goes on has not all to do
  /// again.
  @Override
  public @Nullable Receipt checkpoint(@Nullable Split rest, long sum) {
    checksum = sum;
    long bytes = sender.bytesSent() - bytesBefore;
    boolean due = unit.isReached(rows - rowsOfReceipt, bytes - bytesOfReceipt);
    return rest == null || !due || !shared.keepsReceipts() ? null : receipt(rest);
  }

  @Override
  public Receipt finish() {
    return receipt(null);
  }

  private Receipt receipt(@Nullable Split rest) {
    Split of = split;
    if (of == null) {
      throw new Fault.Bug("a receipt is wanted before a split has begun", null);
    }
    sender.finish();
    bytesOfReceipt = sender.bytesSent() - bytesBefore;
    rowsOfReceipt = rows;
    long refused = context.clock().rowsRefused() - refusedBefore;
    Receipt receipt =
        new Receipt(
            of, rest, rows - refused, refused, bytesOfReceipt, checksum, shared.isDurable());
    if (shared.keepsReceipts()) {
      context.clock().enter(Stage.COMMIT);
      shared.record(receipt, calls);
      context.clock().enter(Stage.ENCODE);
    }
    return receipt;
  }

  /// All may be written again, so that there is never a doubt.
  @Override
  public Leftover leftover(boolean committing) {
    return Leftover.NOTHING;
  }

  @Override
  public void cancel() {
    calls.cancel();
  }

  @Override
  public void close() {
    calls.cancel();
  }
}
