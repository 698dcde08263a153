package millrace.connectors.couchdb.write;

import java.util.ArrayList;
import java.util.List;
import millrace.spi.write.WriteContext;
import millrace.text.Amount;
import millrace.tuning.UnitTuner;
import org.jspecify.annotations.Nullable;

/// How much goes into one request: what was asked for, or what moves most in a second, if the
/// ceilings let it through.
///
/// One thread uses it.
final class RequestSize {

  /// Several requests of a lane are in memory at a time, in arrays that have to fit into two
  /// regions of the garbage collector, see `RowScanner.CHUNK_BYTES`.
  static final long BYTES_MAX = 2_000_000;

  /// Smaller ones are slower unless something on the way fails on larger ones: see the ceilings.
  private static final long BYTES_MIN = BYTES_MAX / 4;

  /// If documents are counted, they should fit into memory all the same.
  private static final long COUNTED_BYTES_MAX = 8 << 20;

  private final long documentsMax;
  private final long bytesMax;
  private final @Nullable UnitTuner tuner;
  private final Ceilings ceilings;

  /// What the lanes of a target share: how many documents pass in a request, and how many bytes.
  record Ceilings(SizeLimit documents, SizeLimit bytes) {
    Ceilings() {
      this(new SizeLimit(), new SizeLimit());
    }

    /// What there is to tell of them once all has been written, one sentence each.
    List<String> notes() {
      List<String> notes = new ArrayList<>();
      documents.note("Requests to the target", "--write-unit").ifPresent(notes::add);
      if (bytes.most() < Long.MAX_VALUE) {
        notes.add(
            "Requests to the target were kept under "
                + Math.ceilDiv(bytes.most(), 1000)
                + " kB: larger ones were refused as too large (413).");
      }
      return notes;
    }
  }

  RequestSize(WriteContext context, Ceilings ceilings) {
    this.ceilings = ceilings;
    Amount unit = context.writeUnit();
    if (unit == null) {
      documentsMax = Long.MAX_VALUE;
      bytesMax = BYTES_MAX;
      tuner = new UnitTuner(context.bestUnit(), new Amount(BYTES_MAX, true), BYTES_MIN, BYTES_MAX);
    } else {
      documentsMax = unit.inBytes() ? Long.MAX_VALUE : unit.number();
      bytesMax = unit.inBytes() ? unit.number() : COUNTED_BYTES_MAX;
      tuner = null;
    }
  }

  private long documents() {
    return Math.min(documentsMax, ceilings.documents().limit());
  }

  private long bytes() {
    return Math.min(bytesMax, ceilings.bytes().limit());
  }

  private long bytesWanted() {
    return tuner == null ? bytes() : Math.min(bytes(), tuner.unit());
  }

  /// Whether a request of so much is large enough to go.
  boolean isFull(int count, long length) {
    return count >= documents() || length >= bytesWanted();
  }

  /// Whether so much would be too much: if it would pass a limit, and not only what is wanted.
  boolean wouldExceed(int count, long length) {
    return count > documents() || length > bytes();
  }

  /// A request of so much has passed.
  ///
  /// @param tookNanos how long it kept the server busy by itself
  void passed(long length, long tookNanos) {
    if (tuner != null) {
      tuner.moved(length, tookNanos);
    }
    ceilings.documents().passed();
    ceilings.bytes().passed();
  }

  /// A request of so much was never answered, or the server failed on it.
  ///
  /// @param waited whether it took long until that was known
  void failed(int count, long length, boolean waited) {
    ceilings.documents().failed(count, waited);
    ceilings.bytes().failed(length, waited);
  }

  /// A request of so many bytes was refused as too large.
  void tooLarge(long length) {
    ceilings.bytes().tooLarge(length);
  }
}
