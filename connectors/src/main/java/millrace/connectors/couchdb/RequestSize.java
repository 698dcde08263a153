package millrace.connectors.couchdb;

import millrace.spi.Amount;
import millrace.spi.UnitTuner;
import millrace.spi.WriteContext;
import org.jspecify.annotations.Nullable;

/// How much goes into one request: what was asked for, or what moves most in a second; half of what
/// failed after a failure, and more again after a while, which is longer after each failure: a
/// request that is never answered costs all the patience that there is. What a server has called
/// too large stays too large.
///
/// One thread uses it.
final class RequestSize {

  private static final Amount FIRST = new Amount(1 << 20, true);
  private static final long BYTES_MIN = 32 << 10;

  /// Two requests of a lane are in memory at a time.
  private static final long BYTES_MAX = 4 << 20;

  /// Where documents are counted, they should fit into memory all the same.
  private static final long COUNTED_BYTES_MAX = 8 << 20;

  /// Requests that pass before the next is larger: at first, and at most.
  private static final int PASSES = 10;

  private static final int PASSES_MAX = 10_000;

  private final long documentsMax;
  private final long bytesMax;
  private final @Nullable UnitTuner tuner;
  private long documents;
  private long bytes;
  private long bytesTooLarge = Long.MAX_VALUE;
  private int passed;
  private int passesWanted = PASSES;

  RequestSize(WriteContext context) {
    Amount unit = context.writeUnit();
    if (unit == null) {
      documentsMax = Long.MAX_VALUE;
      bytesMax = BYTES_MAX;
      tuner = new UnitTuner(context.bestUnit(), FIRST, BYTES_MIN, BYTES_MAX);
    } else {
      documentsMax = unit.inBytes() ? Long.MAX_VALUE : unit.number();
      bytesMax = unit.inBytes() ? unit.number() : COUNTED_BYTES_MAX;
      tuner = null;
    }
    documents = documentsMax;
    bytes = bytesMax;
  }

  private long bytesWanted() {
    return tuner == null ? bytes : Math.min(bytes, tuner.unit());
  }

  /// Whether a request of so much is large enough to go.
  boolean isFull(int count, long length) {
    return count >= documents || length >= bytesWanted();
  }

  /// Whether a document more would be too much: where it would reach a limit, and not only what is
  /// wanted.
  boolean wouldExceed(long length) {
    return length > bytes;
  }

  /// A request of so much has passed.
  ///
  /// @param tookNanos from its beginning to its answer
  void passed(long length, long tookNanos) {
    if (tuner != null) {
      tuner.moved(length, tookNanos);
    }
    passed++;
    if (passed >= passesWanted && (documents < documentsMax || bytes < bytesMax)) {
      passed = 0;
      documents =
          documents > documentsMax / 2 ? documentsMax : documents + Math.max(1, documents / 2);
      bytes = Math.min(Math.min(bytesMax, bytesTooLarge - bytesTooLarge / 8), bytes + bytes / 2);
    }
  }

  /// A request of so much was refused as too large, or was never answered.
  ///
  /// @param forGood whether the same would be refused again
  void failed(int count, long length, boolean forGood) {
    passed = 0;
    if (!forGood) {
      passesWanted = Math.min(2 * passesWanted, PASSES_MAX);
    } else {
      bytesTooLarge = Math.min(bytesTooLarge, length);
    }
    documents = Math.max(1, Math.min(documents, count / 2));
    bytes = Math.max(1, Math.min(bytes, length / 2));
  }
}
