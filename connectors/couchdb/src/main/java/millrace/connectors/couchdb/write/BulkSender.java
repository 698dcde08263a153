package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.CouchFaults;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.read.DocumentOrigin;
import millrace.connectors.json.Json;
import millrace.connectors.json.Members;
import millrace.connectors.json.Range;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// Sends documents by `_bulk_docs`, in requests that the server and what stands before it let
/// through: one that is too large, never answered or refused as a whole, for which the server or a
/// gateway before it was too busy several times, or on which the server failed (500) or the
/// connection broke twice, is cut in halves, down to the one document that is to blame.
///
/// One thread uses it; another may cancel its calls.
final class BulkSender {

  /// Requests of a lane that may wait for their answers at a time. CouchDB writes what several
  /// bring in one go: three take it less CPU than one, more not much less.
  private static final int UNDER_WAY_MAX = 3;

  /// And so many bytes of them, with what stands around documents, unless one has more: they stay
  /// in memory until they are answered.
  private static final long UNDER_WAY_BYTES_MAX = UNDER_WAY_MAX * (RequestSize.BYTES_MAX + 100_000);

  /// Before a document on which the server fails is sent again, alone.
  private static final long[] PAUSES_MILLIS = {100, 400};

  private static final byte[] ERROR = "\"error\"".getBytes(StandardCharsets.US_ASCII);

  /// A request that is on its way, and what it carries.
  private record UnderWay(PendingBulks kind, Bulk bulk, HttpCalls.Pending pending) {}

  private final CouchClient client;
  private final HttpCalls calls;
  private final RequestSize size;
  private final WriteContext context;
  private final DuplicateDetector duplicateDetector;
  private final FailureProbe failureProbe;
  private final AtomicLong sameBefore;

  private final PendingBulks withRevisions = new PendingBulks(true);
  private final PendingBulks withoutRevisions = new PendingBulks(false);

  /// The oldest first.
  private final ArrayDeque<UnderWay> underWay = new ArrayDeque<>();

  /// When the server had answered all that was settled so far, as System.nanoTime says.
  private long answeredNanos = System.nanoTime();

  private boolean again;
  private int failuresInARow;
  private long bytesSent;

  /// @param sameBefore counts the documents that were there already and are the same
  BulkSender(
      CouchClient client,
      HttpCalls calls,
      RequestSize size,
      WriteContext context,
      AtomicLong sameBefore) {
    this.sameBefore = sameBefore;
    this.client = client;
    this.calls = calls;
    this.size = size;
    this.context = context;
    duplicateDetector = new DuplicateDetector(client, calls);
    failureProbe = new FailureProbe(client, calls);
  }

  /// Begins with a split.
  ///
  /// @param again whether its documents may be there already
  void begin(boolean again) {
    this.again = again;
  }

  /// Bytes that requests had so far.
  long bytesSent() {
    return bytesSent;
  }

  /// Adds a document, and sends what has filled up.
  ///
  /// @param origin where it came from
  /// @param hasRevision whether it comes with the revision that it is to keep
  /// @param prefix see {@link Bulk#add}
  void add(
      DocumentOrigin origin, boolean hasRevision, byte[] prefix, byte[] bytes, int start, int end) {
    PendingBulks kind = hasRevision ? withRevisions : withoutRevisions;
    Bulk before = kind.filling();
    if (before.count() > 0
        && size.wouldExceed(before.count() + 1, (long) before.length() + end - start)) {
      send(kind);
    }
    kind.filling().add(origin, prefix, bytes, start, end);
    if (size.isFull(kind.filling().count(), kind.filling().length())) {
      send(kind);
    }
  }

  /// Sends what is left, and waits until the server has taken all.
  void finish() {
    send(withoutRevisions);
    send(withRevisions);
    while (!underWay.isEmpty()) {
      settle();
    }
  }

  private void send(PendingBulks kind) {
    Bulk bulk = kind.filling();
    if (bulk.count() == 0) {
      return;
    }
    while (!underWay.isEmpty()
        && (underWay.size() == UNDER_WAY_MAX
            || bytesUnderWay() + bulk.length() > UNDER_WAY_BYTES_MAX)) {
      settle();
    }
    kind.turn();
    if (size.wouldExceed(bulk.count(), bulk.length())) {
      // So much has failed since it began to fill.
      context.clock().enter(Stage.SERVER_WAIT);
      pieces(bulk, 0, bulk.count(), again);
      kind.takeBack(bulk);
    } else {
      context.clock().enter(Stage.SEND);
      underWay.add(new UnderWay(kind, bulk, start(bulk, 0, bulk.count())));
    }
    context.clock().enter(Stage.ENCODE);
  }

  private long bytesUnderWay() {
    return underWay.stream().mapToLong(sent -> sent.bulk().length()).sum();
  }

  private HttpCalls.Pending start(Bulk bulk, int from, int to) {
    return start(bulk, from, to, false);
  }

  private HttpCalls.Pending start(Bulk bulk, int from, int to, boolean asksFirst) {
    int length = bulk.requestLength(from, to);
    bytesSent += length;
    context.clock().sent(length);
    String url = client.address().databaseUrl("_bulk_docs");
    byte[] request = bulk.request(from, to);
    return calls.start("POST", url, request, length, asksFirst, "writing documents");
  }

  /// Waits for the oldest request under way.
  private void settle() {
    UnderWay sent = underWay.remove();
    Bulk bulk = sent.bulk();
    context.clock().enter(Stage.SERVER_WAIT);
    settle(bulk, 0, bulk.count(), sent.pending(), again);
    sent.kind().takeBack(bulk);
    context.clock().enter(Stage.ENCODE);
  }

  /// @param doubtful whether the documents may be there already because of us
  private void settle(Bulk bulk, int from, int to, HttpCalls.Pending pending, boolean doubtful) {
    try {
      HttpCalls.Answer answer = calls.finish(pending);
      answered(bulk, from, to, answer, doubtful);
    } catch (IOException e) {
      if (calls.isCancelled()) {
        throw new Fault.Cancelled("writing was cancelled");
      }
      unanswered(bulk, from, to, pending.asksFirst(), e);
    }
  }

  private void answered(Bulk bulk, int from, int to, HttpCalls.Answer answer, boolean doubtful)
      throws IOException {
    try (InputStream body = answer.body()) {
      boolean maybeThere = doubtful || answer.isOfSecondTry();
      if (answer.status() < 300) {
        taken(bulk, from, to, body.readAllBytes(), maybeThere);
        failuresInARow = 0;
        size.passed(bulk.requestLength(from, to), nanosAlone(answer));
      } else {
        refused(bulk, from, to, answer);
      }
    }
  }

  /// How long a request kept the server busy that no other of ours did: the rate of requests that
  /// overlap is what all of them moved in the time that all of them took.
  private long nanosAlone(HttpCalls.Answer answer) {
    long nanos = answer.answeredNanos() - later(answer.begunNanos(), answeredNanos);
    answeredNanos = later(answer.answeredNanos(), answeredNanos);
    return Math.max(0, nanos);
  }

  private static long later(long nanos, long others) {
    return nanos - others > 0 ? nanos : others;
  }

  /// There was no answer: the server was silent for too long, or the connection broke.
  ///
  /// Large requests may break it without a fault of the network. A server that finds one too large
  /// answers and closes, and to what still comes it says reset, which may overtake the answer
  /// (CouchDB can't help it either, see its `couch_httpd:http_respond_`). So what broke twice is
  /// sent in halves, and a document alone goes once more, when the server has said that it will
  /// take it.
  private void unanswered(Bulk bulk, int from, int to, boolean askedFirst, IOException why) {
    boolean alone = to - from == 1;
    if (CouchFaults.isUnreached(why)
        || (alone && (askedFirst || why instanceof HttpTimeoutException))) {
      throw CouchFaults.io(client, why);
    }
    if (alone) {
      settle(bulk, from, to, start(bulk, from, to, true), true);
      return;
    }
    failed(bulk, from, to, why instanceof HttpTimeoutException);
  }

  /// Sends what has failed again: in halves, unless as a whole it may well pass.
  ///
  /// @param waited whether it took long until that was known
  private void failed(Bulk bulk, int from, int to, boolean waited) {
    failuresInARow++;
    if (waited || failuresInARow > 1) {
      size.failed(to - from, bulk.requestLength(from, to), waited);
      halves(bulk, from, to);
    } else {
      pieces(bulk, from, to, true);
    }
  }

  /// The server takes a request as a whole or not at all, but for a stub of an attachment that it
  /// has not (412): the part of the server that the document belongs to finds that out while others
  /// write theirs. So what goes again may be there.
  private void refused(Bulk bulk, int from, int to, HttpCalls.Answer answer) throws IOException {
    boolean tooLarge = answer.status() == 413;
    boolean oneIsBad = answer.status() == 400 || answer.status() == 415 || answer.status() == 412;
    boolean alone = to - from == 1;
    boolean failed = !tooLarge && CouchFaults.mayBeOfSize(answer.status());
    boolean waited = CouchFaults.isBusy(answer.status());
    if (alone && failed && !waited) {
      failedAlone(bulk, from, answer);
      return;
    }
    if (!tooLarge && !oneIsBad && !(failed && !alone)) {
      String what =
          alone ? "writing document '" + text(bulk, from, Members.ID) + "'" : "writing documents";
      throw CouchFaults.status(
          client, answer.status(), answer.retryAfterMillis(), answer.body(), what);
    }
    if (failed) {
      failed(bulk, from, to, waited);
      return;
    }
    String reason = CouchFaults.reason(answer.body());
    if (alone) {
      String why =
          tooLarge ? "it is too large for the target's server (413, " + reason + ")" : reason;
      reject(bulk, from, why);
      return;
    }
    if (tooLarge) {
      size.tooLarge(bulk.requestLength(from, to));
    }
    halves(bulk, from, to);
  }

  /// The server fails on one document. It is asked again, and if it goes on failing on this one but
  /// takes others, the document is to blame and not the server.
  private void failedAlone(Bulk bulk, int number, HttpCalls.Answer first) throws IOException {
    int status = first.status();
    long retryAfterMillis = first.retryAfterMillis();
    byte[] reply = first.body().readAllBytes();
    for (long pauseMillis : PAUSES_MILLIS) {
      calls.pause(pauseMillis, status);
      HttpCalls.Answer answer = calls.finish(start(bulk, number, number + 1));
      if (answer.status() != status) {
        answered(bulk, number, number + 1, answer, true);
        return;
      }
      try (InputStream body = answer.body()) {
        reply = body.readAllBytes();
      }
    }
    InputStream words = new ByteArrayInputStream(reply);
    if (!failureProbe.takesOthers()) {
      String what = "writing document '" + text(bulk, number, Members.ID) + "'";
      throw CouchFaults.status(client, status, retryAfterMillis, words, what);
    }
    reject(
        bulk,
        number,
        "the target's server fails on it and takes others ("
            + status
            + ", "
            + CouchFaults.reason(words)
            + ")");
  }

  private void halves(Bulk bulk, int from, int to) {
    int middle = (from + to) >>> 1;
    pieces(bulk, from, middle, true);
    pieces(bulk, middle, to, true);
  }

  /// Sends documents in as few requests as will pass, as far as that is known by now: of the second
  /// of two halves more than before the first one.
  private void pieces(Bulk bulk, int from, int to, boolean doubtful) {
    int at = from;
    while (at < to) {
      int end = at + 1;
      while (end < to && !size.wouldExceed(end + 1 - at, bulk.requestLength(at, end + 1))) {
        end++;
      }
      settle(bulk, at, end, start(bulk, at, end), doubtful);
      at = end;
    }
  }

  /// Looks for documents that were refused among those that were not.
  private void taken(Bulk bulk, int from, int to, byte[] answer, boolean doubtful)
      throws IOException {
    if (!Json.contains(answer, ERROR)) {
      return;
    }
    JsonNode results = Json.MAPPER.readTree(answer);
    duplicateDetector.find(
        results
            .valueStream()
            .filter(BulkSender::isConflict)
            .map(result -> result.path("id").asText())
            .toList());
    for (int i = 0; i < results.size(); i++) {
      JsonNode result = results.get(i);
      if (result.hasNonNull("error")) {
        String id = result.path("id").asText();
        // Without revisions to keep there is an answer for each document, in order.
        String revision = result.path("rev").asText();
        int number = bulk.keepsRevisions() ? number(bulk, from, to, id, revision) : from + i;
        boolean isThere =
            isConflict(result) && duplicateDetector.isThere(id, bulk.document(number));
        if (isThere && !doubtful) {
          sameBefore.incrementAndGet();
        } else if (!isThere) {
          String reason = result.path("reason").asText();
          reject(bulk, number, result.path("error").asText() + ": " + reason);
        }
      }
    }
  }

  private static boolean isConflict(JsonNode result) {
    return result.path("error").asText().equals("conflict");
  }

  /// @param revision empty if the server does not say which it means
  private int number(Bulk bulk, int from, int to, String id, String revision) {
    for (int i = from; i < to; i++) {
      if (id.equals(text(bulk, i, Members.ID))
          && (revision.isEmpty() || revision.equals(text(bulk, i, Members.REVISION)))) {
        return i;
      }
    }
    throw new Fault.External(
        client.label() + ": the server refused document '" + id + "', which was not sent.",
        "",
        null);
  }

  private void reject(Bulk bulk, int number, String reason) {
    String what = "document '" + text(bulk, number, Members.ID) + "': " + reason;
    context.rejects().reject(bulk.origin(number).reject(what, bulk.document(number)));
    context.clock().refused(1);
  }

  private static @Nullable String text(Bulk bulk, int number, byte[] member) {
    Range document = bulk.range(number);
    Range value =
        Range.ofMember(new Members(), bulk.bytes(), document.start(), document.end(), member);
    return value == null ? null : Json.text(bulk.bytes(), value.start(), value.end());
  }
}
