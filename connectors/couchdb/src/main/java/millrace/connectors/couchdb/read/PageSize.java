package millrace.connectors.couchdb.read;

import millrace.connectors.couchdb.write.SizeLimit;
import millrace.text.Amount;
import millrace.tuning.BestUnit;
import millrace.tuning.UnitTuner;
import org.jspecify.annotations.Nullable;

/// How many documents a page has: as many as the user asked for, or as bring most in a second, if
/// the ceiling lets them through. One thread uses it.
final class PageSize {

  private static final long FIRST = 2_000;
  private static final long FIRST_BYTES = 8 << 20;
  private static final long LEAST = 25;
  private static final long MOST = 8_000;
  private static final long MOST_BYTES = 32 << 20;

  /// What a server may hold of one page.
  private static final long SERVER_BYTES_MAX = 64 << 20;

  private final long documents;
  private final @Nullable UnitTuner tuner;
  private final SizeLimit sizeLimit;
  private long largestBytes;

  private PageSize(long documents, @Nullable UnitTuner tuner, SizeLimit sizeLimit) {
    this.documents = documents;
    this.tuner = tuner;
    this.sizeLimit = sizeLimit;
  }

  /// That many.
  static PageSize of(long documents, SizeLimit sizeLimit) {
    return new PageSize(documents, null, sizeLimit);
  }

  /// A good size if nothing is known of the server, for documents of about that many bytes.
  static long first(long documentBytes) {
    return Math.clamp(FIRST_BYTES / documentBytes, 1, FIRST);
  }

  /// What was asked for; if nothing was, the size is found out.
  static PageSize of(
      @Nullable Amount unit, BestUnit best, long documentBytes, SizeLimit sizeLimit) {
    if (unit != null) {
      return of(unit.rows(documentBytes), sizeLimit);
    }
    long first = first(documentBytes);
    long most = Math.clamp(MOST_BYTES / documentBytes, 1, MOST);
    Amount documents = new Amount(first, false);
    UnitTuner tuner = new UnitTuner(best, documents, Math.min(LEAST, most), most);
    return new PageSize(first, tuner, sizeLimit);
  }

  /// How many documents to ask for now.
  long documents() {
    return Math.min(wanted(), sizeLimit.limit());
  }

  private long wanted() {
    return tuner == null ? documents : tuner.unit();
  }

  /// Documents have come, the largest of so many bytes.
  void saw(long bytes) {
    largestBytes = Math.max(largestBytes, bytes);
  }

  /// Whether the server may make a page as a whole before it sends it: if one of documents as large
  /// as the largest so far is nothing to it. Not before any has come, nor while failures keep pages
  /// small.
  boolean fitsServer() {
    return largestBytes > 0
        && wanted() <= SERVER_BYTES_MAX / largestBytes
        && wanted() <= sizeLimit.limit();
  }

  /// A page has come.
  ///
  /// @param rows how many it had
  void came(long rows, long tookNanos) {
    sizeLimit.passed();
    if (tuner != null) {
      tuner.moved(rows, tookNanos);
    }
  }

  /// A page of so many documents has failed or stalled.
  ///
  /// @param waited whether it took long until that was known
  void failed(long requested, boolean waited) {
    sizeLimit.failed(requested, waited);
  }
}
