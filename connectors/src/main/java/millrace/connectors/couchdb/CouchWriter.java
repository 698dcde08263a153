package millrace.connectors.couchdb;

import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;
import millrace.data.Batch;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Receipt;
import millrace.spi.Rejects.Reject;
import millrace.spi.Split;
import millrace.spi.Stage;
import millrace.spi.WriteContext;
import millrace.spi.Writer;
import org.jspecify.annotations.Nullable;

/// Writes documents in bulk: those with a revision as they are, as replication would (`new_edits`
/// false), the others as new documents. One request is under way while the next is filled.
///
/// Everything may be written again. A document with its revision is one and the same however often
/// it comes; one without an id gets one that is made of run, split and place; and one that is there
/// already when it is written again is compared with what is there.
final class CouchWriter implements Writer {

  private static final byte[] ID = "_id".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] REV = "_rev".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DESIGN = "\"_design/".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = {};

  private final String label;
  private final boolean whole;
  private final DocumentMaker maker;
  private final boolean skipsDesign;
  private final String runId;
  private final Predicate<Split> beginsAgain;
  private final WriteContext context;
  private final Calls calls;
  private final BulkSender sender;
  private final Members members = new Members();
  private final RequestSize size;
  private @Nullable Split split;
  private long placeInSplit;
  private long rows;
  private long bytesBefore;

  /// Whether the document that was looked at last has these.
  private boolean hasId;

  private boolean hasRevision;
  private boolean isDesign;

  /// @param runId part of the ids that it makes
  /// @param beginsAgain asked once for each split that is begun: whether one was before
  CouchWriter(
      CouchClient client,
      Schema schema,
      boolean skipsDesign,
      String runId,
      Predicate<Split> beginsAgain,
      WriteContext context) {
    label = client.label();
    whole = DocumentMaker.isWhole(schema);
    maker = new DocumentMaker(schema);
    this.skipsDesign = skipsDesign;
    this.runId = runId;
    this.beginsAgain = beginsAgain;
    this.context = context;
    calls = new Calls(client);
    size = new RequestSize(context.writeUnit());
    sender = new BulkSender(client, calls, size, context);
  }

  @Override
  public void start(Split split) {
    this.split = split;
    placeInSplit = 0;
    rows = 0;
    bytesBefore = sender.bytesSent();
    sender.begin(beginsAgain.test(split));
  }

  @Override
  public void write(Batch batch) {
    try {
      context.clock().enter(Stage.ENCODE);
      switch (batch) {
        case Frames frames -> lines(frames);
        case Columns columns -> rows(columns);
      }
      rows += batch.rows();
    } finally {
      batch.release();
    }
  }

  private void lines(Frames frames) {
    byte[] bytes = frames.bytes();
    int at = frames.start();
    while (at < frames.end()) {
      int end = at;
      while (end < frames.end() && bytes[end] != '\n') {
        end++;
      }
      document(bytes, at, end);
      at = end + 1;
    }
  }

  private void rows(Columns batch) {
    for (int row = 0; row < batch.rows(); row++) {
      if (whole) {
        BytesVector documents = batch.bytes(0);
        if (documents.nulls[row]) {
          reject("a row without a document", NOTHING);
        } else {
          document(documents.bytes, documents.starts[row], documents.ends[row]);
        }
        continue;
      }
      Column bad = maker.make(batch, row);
      if (bad == null) {
        document(maker.bytes(), 0, maker.length());
      } else {
        context
            .rejects()
            .reject(Reject.of(batch, row, bad.name(), bad.name() + ": JSON has no such value"));
        context.clock().refused(1);
      }
    }
  }

  private void document(byte[] bytes, int from, int to) {
    int start = Json.space(bytes, from, to);
    int end = to;
    while (end > start && Json.isSpace(bytes[end - 1])) {
      end--;
    }
    placeInSplit++;
    if (!look(bytes, start, end)) {
      byte[] record = java.util.Arrays.copyOfRange(bytes, from, to);
      reject("it is no JSON object: " + shown(record), record);
      return;
    }
    if (skipsDesign && isDesign) {
      return;
    }
    boolean isEmpty = Json.space(bytes, start + 1, end) == end - 1;
    byte[] prefix = hasId ? NOTHING : madeId(isEmpty);
    sender.add(hasRevision, prefix, bytes, start, end);
  }

  /// Finds out what the document has; false where it is none.
  private boolean look(byte[] bytes, int start, int end) {
    hasId = false;
    hasRevision = false;
    isDesign = false;
    members.open(bytes, start, end);
    Members.Step step = members.next();
    while (step == Members.Step.MEMBER) {
      if (members.isKey(ID)) {
        hasId = true;
        int prefix = members.valueStart + DESIGN.length;
        isDesign = prefix <= members.valueEnd && Json.is(DESIGN, bytes, members.valueStart, prefix);
      } else if (members.isKey(REV)) {
        hasRevision = true;
      }
      // Where both come first, as CouchDB writes them, nothing behind them matters: that the
      // object ends where the record does is all that is left to see.
      if (hasId && hasRevision) {
        return bytes[end - 1] == '}';
      }
      step = members.next();
    }
    return step == Members.Step.END && members.valueEnd == end;
  }

  private byte[] madeId(boolean isEmpty) {
    Split of = split;
    String id = "%s%06x%010x".formatted(runId, of == null ? 0 : of.index(), placeInSplit);
    String rest = isEmpty ? "" : ",";
    return ("{\"_id\":\"" + id + "\"" + rest).getBytes(StandardCharsets.US_ASCII);
  }

  private static String shown(byte[] record) {
    String text = new String(record, StandardCharsets.UTF_8);
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private void reject(String reason, byte[] record) {
    context.rejects().reject(new Reject(label, 0, 0, -1, "", reason, record));
    context.clock().refused(1);
  }

  @Override
  public Receipt finish() {
    Split of = split;
    if (of == null) {
      throw new Fault.Bug("finish came before start", null);
    }
    sender.finish();
    return new Receipt(of, rows, sender.bytesSent() - bytesBefore, true);
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
