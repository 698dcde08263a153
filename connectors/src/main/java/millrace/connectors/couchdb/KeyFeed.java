package millrace.connectors.couchdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Documents of a key range, by pages of `_all_docs`. A page begins with the last document of the
/// one before, which is left out: so it does not matter what is written or deleted meanwhile.
final class KeyFeed implements Feed {

  private static final byte[] ID = "id".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DOC = "doc".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = {};

  private final CouchClient client;
  private final KeyRange range;
  private final Paging paging;
  private @Nullable RowScanner page;
  private long asked;
  private long rowsOfPage;
  private byte[] lastId = NOTHING;
  private boolean ended;
  private byte[] bytes = NOTHING;
  private Range document = new Range(0, 0);

  KeyFeed(CouchClient client, Calls calls, KeyRange range, long pageRows) {
    this.client = client;
    this.range = range;
    paging = new Paging(client, calls, pageRows);
  }

  @Override
  public boolean next() {
    while (!ended) {
      try {
        RowScanner open = page == null ? open() : page;
        if (!open.next()) {
          page = null;
          paging.done();
          ended = rowsOfPage < asked;
        } else if (isNew(open)) {
          paging.progress();
          return true;
        }
      } catch (IOException e) {
        page = null;
        paging.failed(e);
      }
    }
    return false;
  }

  private RowScanner open() throws IOException {
    String after = lastId.length == 0 ? null : Json.text(lastId, 0, lastId.length);
    // One more for the document that is there already.
    asked = paging.limit() + (after == null ? 0 : 1);
    rowsOfPage = 0;
    String url = client.address().databaseUrl(range.query(after, asked));
    RowScanner opened = paging.open("GET", url, null, "rows");
    page = opened;
    return opened;
  }

  private boolean isNew(RowScanner open) {
    rowsOfPage++;
    Range id = open.member(ID);
    Range doc = open.member(DOC);
    boolean known =
        id != null && Arrays.equals(open.bytes(), id.start(), id.end(), lastId, 0, lastId.length);
    if (id != null && !known) {
      lastId = Arrays.copyOfRange(open.bytes(), id.start(), id.end());
    }
    boolean there = doc != null && open.bytes()[doc.start()] == '{';
    if (doc == null || known || !there) {
      return false;
    }
    bytes = open.bytes();
    document = doc;
    return true;
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
