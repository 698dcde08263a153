package millrace.connectors.couchdb;

import java.io.IOException;
import java.io.InputStream;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// How many documents to ask for at a time: half as many after a page that failed or stalled, twice
/// as many after one that did not, up to what was asked for.
///
/// One thread uses it, for one page after the other.
final class Paging {

  /// Pages that may fail one after the other without a document between them.
  private static final int FAILURES_MAX = 6;

  private final CouchClient client;
  private final Calls calls;
  private final long limitMax;
  private long limit;
  private int failures;
  private @Nullable InputStream body;

  /// @param limitMax most documents of a page
  Paging(CouchClient client, Calls calls, long limitMax) {
    this.client = client;
    this.calls = calls;
    this.limitMax = limitMax;
    limit = limitMax;
  }

  /// How many documents to ask for now.
  long limit() {
    return limit;
  }

  /// Opens a page.
  ///
  /// @param arrayName of the member that holds its rows
  RowScanner open(String method, String url, byte @Nullable [] request, String arrayName)
      throws IOException {
    Calls.Answer answer = calls.call(method, url, request, "reading documents");
    if (answer.status() != 200) {
      try (InputStream in = answer.body()) {
        Fault fault =
            CouchFaults.status(
                client, answer.status(), answer.retryAfterMillis(), in, "reading documents");
        if (answer.status() == 413 || answer.status() >= 500) {
          throw new Refused(fault);
        }
        throw fault;
      }
    }
    body = answer.body();
    return new RowScanner(answer.body(), arrayName);
  }

  /// A document has come.
  void progress() {
    failures = 0;
  }

  /// The page has been read to its end.
  void done() {
    close();
    limit = Math.min(limitMax, 2 * limit);
  }

  /// The page has failed: the next one is smaller.
  ///
  /// @throws Fault where that has happened too often
  void failed(IOException why) {
    close();
    if (calls.isCancelled()) {
      throw new Fault.Cancelled("reading was cancelled");
    }
    failures++;
    if (failures == FAILURES_MAX) {
      throw why instanceof Refused refused ? refused.fault : CouchFaults.io(client, why);
    }
    limit = Math.max(1, limit / 2);
  }

  /// Ends the page that is open, if one is.
  void close() {
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

    Refused(Fault fault) {
      super(fault.getMessage(), fault);
      this.fault = fault;
    }
  }
}
