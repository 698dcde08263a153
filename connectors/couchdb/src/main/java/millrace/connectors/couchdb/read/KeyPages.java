package millrace.connectors.couchdb.read;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.json.Documents;
import millrace.connectors.couchdb.json.RowScanner;
import millrace.connectors.couchdb.write.CouchJournal;
import millrace.connectors.json.Json;
import millrace.connectors.json.Range;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Pages of `_all_docs`: the documents of a key range. A page begins with the last document of the
/// one before, which is left out: so it does not matter what is written or deleted meanwhile.
final class KeyPages implements Pages {

  private static final byte[] ID = "id".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DOC = "doc".getBytes(StandardCharsets.US_ASCII);

  /// By number: {@link #ID}, then {@link #DOC}.
  private static final List<byte[]> MEMBERS = List.of(ID, DOC);

  /// What stands between the database and the id behind which the rest of a split begins.
  private static final String AFTER = " after ";

  private static final byte[] JOURNAL = CouchJournal.PREFIX.getBytes(StandardCharsets.US_ASCII);

  /// CouchDB 3 sends the answer in one, see its `chttpd:buffer_response`; others pass it over.
  private static final String AT_ONCE = "&buffer_response=true";

  private static final byte[] NOTHING = {};

  private final CouchClient client;
  private final HttpCalls calls;
  private final CountGuard countGuard;
  private final KeyRange range;
  private final long from;
  private long requested;
  private long rowsOfPage;
  private byte[] lastId = NOTHING;
  private boolean ended;

  /// @param countGuard tells pages that lack documents
  /// @param range the whole split's
  /// @param split it, or a rest of it
  KeyPages(
      CouchClient client, HttpCalls calls, CountGuard countGuard, KeyRange range, Split split) {
    this.client = client;
    this.calls = calls;
    this.countGuard = countGuard;
    this.range = range;
    from = split.from();
    String prefix = client.label() + AFTER;
    if (split.resource().startsWith(prefix)) {
      lastId = split.resource().substring(prefix.length()).getBytes(StandardCharsets.UTF_8);
    }
  }

  @Override
  public String arrayName() {
    return "rows";
  }

  @Override
  public List<byte[]> members() {
    return MEMBERS;
  }

  @Override
  public @Nullable Page next(long limit, boolean atOnce) {
    if (ended) {
      return null;
    }
    String last = lastId.length == 0 ? null : Json.text(lastId, 0, lastId.length);
    // One more for the document that is there already.
    requested = limit + (last == null ? 0 : 1);
    rowsOfPage = 0;
    String query = range.query(last, requested) + (atOnce ? AT_ONCE : "");
    return new Page("GET", client.address().databaseUrl(query), null);
  }

  @Override
  public void begin(long total) {
    if (!range.local()) {
      countGuard.check(total, calls);
    }
  }

  @Override
  public void row(RowScanner rows, Documents into) {
    rowsOfPage++;
    Range id = rows.member(0);
    Range doc = rows.member(1);
    boolean known =
        rowsOfPage == 1
            && id != null
            && Arrays.equals(rows.bytes(), id.start(), id.end(), lastId, 0, lastId.length);
    if (id == null || known) {
      return;
    }
    lastId = Arrays.copyOfRange(rows.bytes(), id.start(), id.end());
    boolean there = doc != null && rows.bytes()[doc.start()] == '{';
    if (doc != null && there && !isOurs(rows.bytes(), id)) {
      into.add(doc, id.start(), id.end());
    }
  }

  /// Whether it is of the journal of a copy into this database.
  private boolean isOurs(byte[] bytes, Range id) {
    return range.local() && Json.begins(JOURNAL, bytes, id.start(), id.end());
  }

  @Override
  public void complete() {
    ended = rowsOfPage < requested;
  }

  @Override
  public ResumePoint after(byte[] bytes, Range mark, long given) {
    String id = new String(bytes, mark.start(), mark.end() - mark.start(), StandardCharsets.UTF_8);
    return new ResumePoint(client.label() + AFTER + id, from + given);
  }
}
