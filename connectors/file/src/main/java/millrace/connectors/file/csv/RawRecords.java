package millrace.connectors.file.csv;

import java.util.Arrays;
import java.util.BitSet;
import millrace.connectors.file.FileHead;
import millrace.data.Form;
import millrace.data.Frames;

/// The good records of a block as frames: the block's own bytes if they are all good and all end
/// alike, otherwise a copy in which they do.
public final class RawRecords {

  private final FileHead head;
  private final BatchBuffers batchBuffers;
  private final int rows;
  private final BitSet bad;
  private final byte[] lineEnd;

  public RawRecords(FileHead head, BatchBuffers batchBuffers, int rows, BitSet bad) {
    this.head = head;
    this.batchBuffers = batchBuffers;
    this.rows = rows;
    this.bad = bad;
    lineEnd = head.lineEnd();
  }

  /// The records of the block as frames.
  ///
  /// @param end where the block's records end in the slab
  public Frames frames(Form form, int end, Frames.SourceSpan source) {
    if (bad.isEmpty() && areAllAlike(end)) {
      return new Frames(batchBuffers.textBuffer.bytes, 0, end, rows, form, source, null);
    }
    byte[] copy = new byte[end + rows * lineEnd.length];
    int at = 0;
    int count = 0;
    for (int row = 0; row < rows; row++) {
      if (!bad.get(row)) {
        int start = batchBuffers.recordStarts[row];
        int length = contentEnd(row) - start;
        System.arraycopy(batchBuffers.textBuffer.bytes, start, copy, at, length);
        System.arraycopy(lineEnd, 0, copy, at + length, lineEnd.length);
        at += length + lineEnd.length;
        count++;
      }
    }
    return new Frames(Arrays.copyOf(copy, at), 0, at, count, form, source, null);
  }

  private boolean areAllAlike(int end) {
    long sum = 0;
    for (int row = 0; row < rows; row++) {
      int recordEnd = batchBuffers.recordEnds[row];
      sum += recordEnd - batchBuffers.recordStarts[row];
      if (recordEnd - contentEnd(row) != lineEnd.length) {
        return false;
      }
    }
    return sum == end;
  }

  private int contentEnd(int row) {
    return head.syntax()
        .contentEnd(
            batchBuffers.textBuffer.bytes,
            batchBuffers.recordStarts[row],
            batchBuffers.recordEnds[row]);
  }
}
