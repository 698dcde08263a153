package millrace.connectors.file.csv;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import millrace.connectors.file.csv.RejectMessages.Value;
import millrace.connectors.file.csv.Tokenizer.BadRecord;

/// The bad records of one block, whoever found them: handed over in the order of the file, each
/// once, when the whole block has been looked at.
public final class BlockRejects {

  /// Rows of the batch that are bad, or no records.
  public final BitSet rows = new BitSet();

  private final Map<Integer, Runnable> byNumber = new TreeMap<>();
  private final RejectMessages rejectMessages;
  private final TextBuffer textBuffer;

  public BlockRejects(RejectMessages rejectMessages, TextBuffer textBuffer) {
    this.rejectMessages = rejectMessages;
    this.textBuffer = textBuffer;
  }

  /// Those that the block reader found.
  public void add(BlockReader block) {
    BadRecord tooLong = block.tooLong();
    if (tooLong != null) {
      byNumber.put(0, () -> rejectMessages.reject(textBuffer, tooLong));
      return;
    }
    for (BadRecord bad : block.tokenizer().bad()) {
      byNumber.put(bad.number(), () -> rejectMessages.reject(textBuffer, bad));
    }
  }

  /// A row with a bad value; the first of its values counts.
  void add(BatchBuffers batchBuffers, int row, Value value) {
    if (!rows.get(row)) {
      rows.set(row);
      int start = batchBuffers.recordStarts[row];
      int end = batchBuffers.recordEnds[row];
      int number = batchBuffers.numbers[row];
      byNumber.put(number, () -> rejectMessages.reject(textBuffer, start, end, number, value));
    }
  }

  /// A row that is no record: nobody is told of it.
  void leaveOut(int row) {
    rows.set(row);
  }

  /// Hands them over.
  ///
  /// @throws millrace.fault.Fault.Data if no more bad records are allowed
  public void reject() {
    byNumber.values().forEach(Runnable::run);
  }
}
