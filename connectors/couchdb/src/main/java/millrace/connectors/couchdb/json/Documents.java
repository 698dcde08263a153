package millrace.connectors.couchdb.json;

import java.util.Arrays;
import millrace.connectors.json.Range;

/// Where documents lie in a buffer, and a mark of each that says where to go on behind it. One
/// thread uses it, again and again.
public final class Documents {

  private static final int FIRST = 256;

  private int[] starts = new int[FIRST];
  private int[] ends = new int[FIRST];
  private int[] markStarts = new int[FIRST];
  private int[] markEnds = new int[FIRST];
  private int count;
  private int largestBytes;

  /// Adds a document.
  ///
  /// @param markStart the first of two numbers that mean something to who adds it
  public void add(Range document, int markStart, int markEnd) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      markStarts = Arrays.copyOf(markStarts, 2 * count);
      markEnds = Arrays.copyOf(markEnds, 2 * count);
    }
    starts[count] = document.start();
    ends[count] = document.end();
    markStarts[count] = markStart;
    markEnds[count] = markEnd;
    count++;
    largestBytes = Math.max(largestBytes, document.end() - document.start());
  }

  /// How many bytes the largest had that was ever added.
  public int largestBytes() {
    return largestBytes;
  }

  public void clear() {
    count = 0;
  }

  public int count() {
    return count;
  }

  /// Where a document begins.
  public int start(int number) {
    return starts[number];
  }

  /// The index after a document.
  public int end(int number) {
    return ends[number];
  }

  /// What was said of it.
  public Range mark(int number) {
    return new Range(markStarts[number], markEnds[number]);
  }
}
