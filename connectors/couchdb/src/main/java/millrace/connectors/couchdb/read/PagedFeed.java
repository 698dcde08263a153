package millrace.connectors.couchdb.read;

import java.io.IOException;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.json.Documents;
import millrace.connectors.couchdb.json.RowScanner;
import millrace.spi.read.Position;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The documents of pages. While the last of a page are passed on, the next page is on its way;
/// what a page that failed or stalled did not bring is asked for in smaller ones.
public final class PagedFeed implements DocumentFeed {

  private static final byte[] NOTHING = {};

  private final Pages pages;
  private final Paging paging;
  private final PageSize size;
  private final Split split;
  private final boolean looksAhead;
  private final Documents found = new Documents();
  private @Nullable RowScanner page;
  private long rowsOfPage;
  private long nanosOfPage;
  private byte[] bytes = NOTHING;
  private int given;
  private long givenBefore;
  private Pages.@Nullable ResumePoint before;

  /// @param size how many documents to ask for
  PagedFeed(CouchClient client, HttpCalls calls, Split split, Pages pages, PageSize size) {
    this(client, calls, split, pages, size, true);
  }

  /// A feed that may only ask for a page when it is wanted.
  PagedFeed(
      CouchClient client,
      HttpCalls calls,
      Split split,
      Pages pages,
      PageSize size,
      boolean looksAhead) {
    this.looksAhead = looksAhead;
    this.pages = pages;
    this.split = split;
    this.size = size;
    paging = new Paging(client, calls, size);
  }

  @Override
  public boolean next() {
    while (given == found.count()) {
      if (!load()) {
        return false;
      }
    }
    given++;
    return true;
  }

  @Override
  public boolean mustWait() {
    return given == found.count();
  }

  /// Takes in a part of a page; false if there are no more.
  private boolean load() {
    before = place();
    givenBefore += given;
    given = 0;
    found.clear();
    try {
      RowScanner open = page == null ? open() : page;
      if (open != null) {
        take(open);
        return true;
      }
      return false;
    } catch (IOException e) {
      // The documents that had come are passed on all the same.
      page = null;
      paging.failed(e, found.count() > 0);
      return true;
    }
  }

  private @Nullable RowScanner open() throws IOException {
    if (!paging.isAhead() && !paging.ask(pages)) {
      return null;
    }
    RowScanner opened = paging.open(pages, bytes);
    page = opened;
    rowsOfPage = 0;
    long begun = System.nanoTime();
    pages.begin(opened.total());
    nanosOfPage = System.nanoTime() - begun;
    return opened;
  }

  private void take(RowScanner open) throws IOException {
    open.letGo();
    long begun = System.nanoTime();
    try {
      boolean more = true;
      while (more && open.bytesBuffered() < RowScanner.CHUNK_BYTES) {
        more = open.next();
        if (more) {
          rowsOfPage++;
          pages.row(open, found);
        }
      }
      nanosOfPage += System.nanoTime() - begun;
      size.saw(found.largestBytes());
      if (!more) {
        endPage();
      }
    } finally {
      // It may have grown.
      bytes = open.bytes();
    }
  }

  private void endPage() throws IOException {
    page = null;
    pages.complete();
    paging.done(rowsOfPage, nanosOfPage);
    if (looksAhead) {
      paging.ask(pages);
    }
  }

  private Pages.@Nullable ResumePoint place() {
    return given == 0 ? before : pages.after(bytes, found.mark(given - 1), givenBefore + given);
  }

  private Position position(long from) {
    return split.position() instanceof Position.Token token
        ? new Position.Token(token.bytes(), from, split.to())
        : new Position.Range(from, split.to());
  }

  @Override
  public @Nullable Split rest() {
    Pages.ResumePoint place = place();
    return place == null
        ? null
        : new Split(split.index(), place.resource(), position(place.from()), 0, 0);
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int start() {
    return found.start(given - 1);
  }

  @Override
  public int end() {
    return found.end(given - 1);
  }

  @Override
  public void close() {
    paging.close();
  }
}
