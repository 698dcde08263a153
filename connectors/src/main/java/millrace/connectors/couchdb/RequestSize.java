package millrace.connectors.couchdb;

import millrace.spi.Amount;
import org.jspecify.annotations.Nullable;

/// How much goes into one request: what was asked for, half of what failed after a failure, and
/// more again after a while. What a server has called too large stays too large.
///
/// One thread uses it.
final class RequestSize {

  private static final int DOCUMENTS = 1_000;
  private static final int BYTES = 1 << 20;

  /// Requests that pass before the next is larger.
  private static final int PASSES = 10;

  private final long documentsMax;
  private final long bytesMax;
  private long documents;
  private long bytes;
  private long bytesTooLarge = Long.MAX_VALUE;
  private int passed;

  /// @param unit what the user asked for, or null
  RequestSize(@Nullable Amount unit) {
    documentsMax = unit == null ? DOCUMENTS : unit.inBytes() ? Long.MAX_VALUE : unit.number();
    bytesMax = unit == null ? BYTES : unit.inBytes() ? unit.number() : 8L * BYTES;
    documents = documentsMax;
    bytes = bytesMax;
  }

  /// Whether a request of so much is large enough to go.
  boolean isFull(int count, long length) {
    return count >= documents || length >= bytes;
  }

  /// Whether a document more would be too much.
  boolean wouldExceed(long length) {
    return length > bytes;
  }

  /// A request of so much has passed.
  void passed() {
    passed++;
    if (passed >= PASSES && (documents < documentsMax || bytes < bytesMax)) {
      passed = 0;
      documents = Math.min(documentsMax, documents + Math.max(1, documents / 2));
      bytes = Math.min(Math.min(bytesMax, bytesTooLarge - bytesTooLarge / 8), bytes + bytes / 2);
    }
  }

  /// A request of so much was refused as too large, or was never answered.
  ///
  /// @param forGood whether the same would be refused again
  void failed(int count, long length, boolean forGood) {
    passed = 0;
    if (forGood) {
      bytesTooLarge = Math.min(bytesTooLarge, length);
    }
    documents = Math.max(1, Math.min(documents, count / 2));
    bytes = Math.max(1, Math.min(bytes, length / 2));
  }
}
