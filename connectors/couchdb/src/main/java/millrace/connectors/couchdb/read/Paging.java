package millrace.connectors.couchdb.read;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.util.Objects;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.CouchFaults;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.json.RowScanner;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Asks for pages, for as many documents at a time as its {@link PageSize} says. One that stalls,
/// or fails twice, makes the next ones smaller.
///
/// One thread uses it, for one page after the other; the next may be asked for while the last of
/// one is passed on.
final class Paging {

  /// Pages that may fail one after the other without a document between them, once they are of one
  /// document each.
  private static final int FAILURES_MAX = 6;

  private static final String WHAT = "reading documents";

  private final CouchClient client;
  private final HttpCalls calls;
  private final PageSize size;
  private long requested;
  private int failures;
  private int failuresInARow;
  private HttpCalls.@Nullable Pending ahead;
  private @Nullable InputStream body;
  private long answerNanos;

  Paging(CouchClient client, HttpCalls calls, PageSize size) {
    this.client = client;
    this.calls = calls;
    this.size = size;
  }

  /// Asks for the next page, and does not wait for it.
  ///
  /// @return false if there is none
  boolean ask(Pages pages) {
    requested = size.documents();
    Pages.Page page = pages.next(requested, size.fitsServer());
    if (page == null) {
      return false;
    }
    byte[] request = page.body();
    int length = request == null ? 0 : request.length;
    ahead = calls.start(page.method(), page.url(), request, length, WHAT);
    return true;
  }

  /// Whether a page has been asked for that is not open yet.
  boolean isAhead() {
    return ahead != null;
  }

  /// Opens the page that was asked for.
  ///
  /// @param buffer to read into; empty if there is none yet
  RowScanner open(Pages pages, byte[] buffer) throws IOException {
    HttpCalls.Pending pending = Objects.requireNonNull(ahead);
    ahead = null;
    HttpCalls.Answer answer = calls.finish(pending);
    if (answer.status() != 200) {
      try (InputStream in = answer.body()) {
        Fault fault =
            CouchFaults.status(client, answer.status(), answer.retryAfterMillis(), in, WHAT);
        if (CouchFaults.mayBeOfSize(answer.status())) {
          throw new Refused(fault, answer.status());
        }
        throw fault;
      }
    }
    body = answer.body();
    answerNanos = answer.tookNanos();
    return buffer.length == 0
        ? new RowScanner(answer.body(), pages.arrayName(), pages.members())
        : new RowScanner(answer.body(), pages.arrayName(), pages.members(), buffer);
  }

  /// The page has been read to its end.
  ///
  /// @param rows how many it had
  /// @param readNanos how long its rows took, once they came
  void done(long rows, long readNanos) {
    close();
    failures = 0;
    failuresInARow = 0;
    size.came(rows, answerNanos + readNanos);
  }

  /// The page has failed: the next one is smaller, unless the same may well pass.
  ///
  /// @param brought whether documents had come since the last failure
  /// @throws Fault if that has happened too often
  void failed(IOException why, boolean brought) {
    close();
    if (calls.isCancelled()) {
      throw new Fault.Cancelled("reading was cancelled");
    }
    if (CouchFaults.isUnreached(why)) {
      // A page of any size would meet the same.
      throw CouchFaults.io(client, why);
    }
    failures = brought ? 1 : failures + 1;
    failuresInARow++;
    if (failures >= FAILURES_MAX && requested == 1) {
      throw why instanceof Refused refused ? refused.fault : CouchFaults.io(client, why);
    }
    int status = why instanceof Refused refused ? refused.status : 0;
    boolean waited = why instanceof HttpTimeoutException || CouchFaults.isBusy(status);
    if (waited || status == 413 || failuresInARow > 1) {
      size.failed(requested, waited);
    }
  }

  /// Ends the page that is open, and the one that was asked for.
  void close() {
    HttpCalls.Pending pending = ahead;
    ahead = null;
    if (pending != null) {
      calls.drop(pending);
    }
    InputStream open = body;
    body = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw CouchFaults.io(client, e);
      }
    }
  }

  /// An answer that a smaller request may not get.
  private static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;
    private final transient Fault fault;
    private final int status;

    Refused(Fault fault, int status) {
      super(fault.getMessage(), fault);
      this.fault = fault;
      this.status = status;
    }
  }
}
