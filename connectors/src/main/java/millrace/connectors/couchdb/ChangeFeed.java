package millrace.connectors.couchdb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Revisions that `_changes` has named, fetched by `_bulk_get` with their history.
final class ChangeFeed implements Feed {

  private static final byte[] DOCS = "docs".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = {};

  private final CouchClient client;
  private final List<byte[]> revisions;
  private final Paging paging;
  private final Members members = new Members();
  private @Nullable RowScanner page;
  private int done;
  private int askedTo;
  private int at;
  private int end;
  private byte[] bytes = NOTHING;
  private Range document = new Range(0, 0);

  /// @param revisions `{"id":…,"rev":…}` of each
  ChangeFeed(CouchClient client, Calls calls, List<byte[]> revisions, long pageRows) {
    this.client = client;
    this.revisions = revisions;
    paging = new Paging(client, calls, pageRows);
  }

  @Override
  public boolean next() {
    while (done < revisions.size() || page != null) {
      try {
        RowScanner open = page == null ? open() : page;
        if (nextOfRow(open)) {
          paging.progress();
          return true;
        }
        if (!open.next()) {
          page = null;
          paging.done();
          if (done < askedTo) {
            throw new RowScanner.CutOff("_bulk_get left documents out");
          }
        } else {
          enterRow(open);
        }
      } catch (IOException e) {
        page = null;
        paging.failed(e);
      }
    }
    return false;
  }

  private RowScanner open() throws IOException {
    askedTo = (int) Math.min(revisions.size(), done + paging.limit());
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes("{\"docs\":[".getBytes(StandardCharsets.US_ASCII));
    for (int i = done; i < askedTo; i++) {
      if (i > done) {
        request.write(',');
      }
      request.writeBytes(revisions.get(i));
    }
    request.writeBytes("]}".getBytes(StandardCharsets.US_ASCII));
    String url = client.address().databaseUrl("_bulk_get?revs=true&attachments=true");
    RowScanner opened = paging.open("POST", url, request.toByteArray(), "results");
    page = opened;
    at = 0;
    end = 0;
    return opened;
  }

  /// Stands before the first revision of `{"id":…,"docs":[{"ok":{…}},{"error":{…}}]}`.
  private void enterRow(RowScanner open) {
    Range list = open.member(DOCS);
    at = list == null ? 0 : list.start() + 1;
    end = list == null ? 0 : list.end() - 1;
  }

  /// Goes on to the next revision that is there; one that has been compacted away since is not.
  private boolean nextOfRow(RowScanner open) {
    while (at < end) {
      int start = Json.space(open.bytes(), at, end);
      int after = start == end ? Json.INCOMPLETE : Json.value(open.bytes(), start, end);
      if (after < 0) {
        at = end;
        return false;
      }
      int comma = Json.space(open.bytes(), after, end);
      at = comma < end ? comma + 1 : end;
      done++;
      Range ok = Range.ofMember(members, open.bytes(), start, after, OK);
      if (ok != null) {
        bytes = open.bytes();
        document = ok;
        return true;
      }
    }
    return false;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int start() {
    return document.start();
  }

  @Override
  public int end() {
    return document.end();
  }

  @Override
  public void close() {
    paging.close();
  }
}
