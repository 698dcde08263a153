package millrace.connectors.couchdb.write;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.connectors.couchdb.read.DocumentOrigin;
import millrace.connectors.json.Range;

/// Documents on their way into one request of `_bulk_docs`. One thread uses it.
final class Bulk {

  private static final byte[] KEEP =
      "{\"new_edits\":false,\"docs\":[".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MAKE = "{\"docs\":[".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "]}".getBytes(StandardCharsets.US_ASCII);

  /// Twice as large five times, 32 times this, it holds the largest request and little more.
  private static final int FIRST_BYTES = (int) (RequestSize.BYTES_MAX / 31);

  private final byte[] head;
  private final boolean keepsRevisions;
  private byte[] bytes;
  private int used;
  private int[] starts = new int[1024];
  private int[] ends = new int[1024];
  private DocumentOrigin[] origins = new DocumentOrigin[1024];
  private int count;

  /// @param keepsRevisions whether its documents come with the revision that they are to keep
  Bulk(boolean keepsRevisions) {
    this.keepsRevisions = keepsRevisions;
    head = keepsRevisions ? KEEP : MAKE;
    bytes = Arrays.copyOf(head, FIRST_BYTES);
    used = head.length;
  }

  boolean keepsRevisions() {
    return keepsRevisions;
  }

  /// How many documents it holds.
  int count() {
    return count;
  }

  /// About how many bytes its request has.
  int length() {
    return used;
  }

  /// How many bytes it has room for.
  int capacity() {
    return bytes.length;
  }

  /// Adds a document that is one object.
  ///
  /// @param origin where it came from
  /// @param prefix goes first, in the place of the opening brace; empty for the document as it is
  void add(DocumentOrigin origin, byte[] prefix, byte[] document, int start, int end) {
    int from = prefix.length == 0 ? start : start + 1;
    int more = Math.addExact(prefix.length + 1 + END.length, end - from);
    if (bytes.length - used < more) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(used, more), 2 * bytes.length));
    }
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      origins = Arrays.copyOf(origins, 2 * count);
    }
    if (count > 0) {
      bytes[used++] = ',';
    }
    starts[count] = used;
    origins[count] = origin;
    System.arraycopy(prefix, 0, bytes, used, prefix.length);
    used += prefix.length;
    System.arraycopy(document, from, bytes, used, end - from);
    used += end - from;
    ends[count++] = used;
  }

  /// The request of some documents.
  ///
  /// @param from the first, counted from 0
  /// @param to the one after the last
  byte[] request(int from, int to) {
    if (from == 0 && to == count) {
      System.arraycopy(END, 0, bytes, used, END.length);
      return bytes;
    }
    byte[] some = Arrays.copyOf(head, requestLength(from, to));
    int size = ends[to - 1] - starts[from];
    System.arraycopy(bytes, starts[from], some, head.length, size);
    System.arraycopy(END, 0, some, head.length + size, END.length);
    return some;
  }

  /// How many bytes of that request count.
  int requestLength(int from, int to) {
    return head.length + ends[to - 1] - starts[from] + END.length;
  }

  /// A copy of a document.
  byte[] document(int number) {
    return Arrays.copyOfRange(bytes, starts[number], ends[number]);
  }

  /// Where a document came from.
  DocumentOrigin origin(int number) {
    return origins[number];
  }

  /// Where a document lies in {@link #bytes}.
  Range range(int number) {
    return new Range(starts[number], ends[number]);
  }

  byte[] bytes() {
    return bytes;
  }

  /// Empties it.
  void clear() {
    used = head.length;
    Arrays.fill(origins, 0, count, null);
    count = 0;
  }
}
