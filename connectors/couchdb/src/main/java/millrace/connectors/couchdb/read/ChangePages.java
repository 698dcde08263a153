package millrace.connectors.couchdb.read;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.json.Documents;
import millrace.connectors.couchdb.json.RowScanner;
import millrace.connectors.json.Json;
import millrace.connectors.json.Members;
import millrace.connectors.json.Range;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Pages of `_bulk_get`: revisions that `_changes` has named, with their history.
final class ChangePages implements Pages {

  private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ERROR = "error".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] NAME = "name".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOT_FOUND = "not_found".getBytes(StandardCharsets.US_ASCII);

  /// PouchDB says `{"missing":"1-…"}`, and of an error its name.
  private static final byte[] MISSING = "missing".getBytes(StandardCharsets.US_ASCII);

  private static final int SHOWN_MAX = 200;

  private static final List<byte[]> MEMBERS = List.of("docs".getBytes(StandardCharsets.US_ASCII));

  private final CouchClient client;
  private final DocumentSelection.Revisions part;
  private final @Nullable Span span;
  private final Members members = new Members();
  private int done;
  private int requestedTo;

  /// What the server said of the first revision that it could not give now; null if it gave all.
  private @Nullable String refusal;

  /// @param part what the split names
  /// @param split it, or a rest of it
  ChangePages(CouchClient client, DocumentSelection.Revisions part, Split split) {
    this.client = client;
    this.part = part;
    span = Span.of(client.label(), split.resource());
    done = Math.toIntExact(split.from() - part.from());
  }

  @Override
  public String arrayName() {
    return "results";
  }

  @Override
  public List<byte[]> members() {
    return MEMBERS;
  }

  @Override
  public @Nullable Page next(long limit, boolean atOnce) {
    List<byte[]> revisions = part.revisions();
    if (done >= revisions.size()) {
      return null;
    }
    requestedTo = (int) Math.min(revisions.size(), done + limit);
    refusal = null;
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes("{\"docs\":[".getBytes(StandardCharsets.US_ASCII));
    for (int i = done; i < requestedTo; i++) {
      if (i > done) {
        request.write(',');
      }
      request.writeBytes(revisions.get(i));
    }
    request.writeBytes("]}".getBytes(StandardCharsets.US_ASCII));
    String url = client.address().databaseUrl("_bulk_get?revs=true&attachments=true");
    return new Page("POST", url, request.toByteArray());
  }

  @Override
  public void begin(long total) {
    // Revisions are asked for by name.
  }

  /// Of `{"id":…,"docs":[{"ok":{…}},{"error":{…}}]}` those that are there: one that has been
  /// compacted away since is not. Any other error is none of the document's: of a server that is
  /// overloaded or goes down (`internal_fabric_error`), with a status of 200. What comes behind it
  /// is asked for again.
  @Override
  public void row(RowScanner rows, Documents into) {
    Range list = rows.member(0);
    if (list == null) {
      return;
    }
    byte[] bytes = rows.bytes();
    int end = list.end() - 1;
    int at = Json.space(bytes, list.start() + 1, end);
    while (at < end) {
      int valueEnd = Json.value(bytes, at, end);
      if (valueEnd < 0) {
        return;
      }
      Range ok = Range.ofMember(members, bytes, at, valueEnd, OK);
      if (ok == null && refusal == null && !isMissing(bytes, at, valueEnd)) {
        refusal = new String(bytes, at, Math.min(valueEnd - at, SHOWN_MAX), StandardCharsets.UTF_8);
      }
      if (refusal != null) {
        return;
      }
      done++;
      if (ok != null) {
        into.add(ok, done, done);
      }
      int comma = Json.space(bytes, valueEnd, end);
      at = comma < end ? Json.space(bytes, comma + 1, end) : end;
    }
  }

  private boolean isMissing(byte[] bytes, int start, int end) {
    Range error = Range.ofMember(members, bytes, start, end, ERROR);
    return error == null
        ? Range.ofMember(members, bytes, start, end, MISSING) != null
        : isNotFound(bytes, error, ERROR) || isNotFound(bytes, error, NAME);
  }

  private boolean isNotFound(byte[] bytes, Range error, byte[] member) {
    Range why = Range.ofMember(members, bytes, error.start(), error.end(), member);
    return why != null && Json.means(NOT_FOUND, bytes, why.start(), why.end());
  }

  @Override
  public void complete() throws RowScanner.CutOff {
    if (refusal != null) {
      throw new RowScanner.CutOff("_bulk_get could not give a document: " + refusal);
    }
    if (done < requestedTo) {
      throw new RowScanner.CutOff("_bulk_get left documents out");
    }
  }

  @Override
  public @Nullable ResumePoint after(byte[] bytes, Range mark, long given) {
    int taken = mark.start();
    String sequence = part.sequences().get(taken - 1);
    return span == null || sequence.isEmpty()
        ? null
        : new ResumePoint(span.from(sequence).resource(client.label()), part.from() + taken);
  }
}
