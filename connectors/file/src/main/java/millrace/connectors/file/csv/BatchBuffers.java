package millrace.connectors.file.csv;

import java.util.Arrays;
import java.util.BitSet;
import millrace.data.Columns;

/// What belongs to one batch beside its columns, and is used again with it: the buffer that its
/// text lies in, and the places of its records.
public final class BatchBuffers {

  public final TextBuffer textBuffer;
  public final int[] recordStarts;
  final int[] recordEnds;

  /// How many records of the block stand before each.
  public final int[] numbers;

  public BatchBuffers(int rows) {
    textBuffer = new TextBuffer(0);
    recordStarts = new int[rows];
    recordEnds = new int[rows];
    numbers = new int[rows];
  }

  /// Takes rows out of a batch that is not yet filled; those behind them move up.
  ///
  /// @return how many rows are left
  public int remove(BitSet bad, Columns columns, int rows) {
    int left = 0;
    for (int row = 0; row < rows; row++) {
      if (bad.get(row)) {
        continue;
      }
      if (left < row) {
        recordStarts[left] = recordStarts[row];
        recordEnds[left] = recordEnds[row];
        numbers[left] = numbers[row];
        for (int column = 0; column < columns.schema().width(); column++) {
          columns.vector(column).move(row, left);
        }
      }
      left++;
    }
    for (int column = 0; column < columns.schema().width(); column++) {
      Arrays.fill(columns.vector(column).nulls, left, rows, false);
    }
    return left;
  }
}
