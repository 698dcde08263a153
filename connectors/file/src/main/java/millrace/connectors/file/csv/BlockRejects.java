package millrace.connectors.file.csv;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import millrace.connectors.file.csv.RejectMessages.Value;
import millrace.connectors.file.csv.Tokenizer.BadRecord;
import millrace.spi.Stage;
import millrace.spi.StageClock;

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
    add(batchBuffers, row, () -> value);
  }

  /// The same, of a value that is put into words when it is handed over.
  void add(BatchBuffers batchBuffers, int row, Supplier<Value> value) {
    if (!rows.get(row)) {
      rows.set(row);
      int start = batchBuffers.recordStarts[row];
      int end = batchBuffers.recordEnds[row];
      int number = batchBuffers.numbers[row];
      byNumber.put(
          number, () -> rejectMessages.reject(textBuffer, start, end, number, value.get()));
    }
  }

  /// A row that is no record: nobody is told of it.
  void leaveOut(int row) {
    rows.set(row);
  }

  /// Hands them over.
  ///
  /// @param clock counts the time that this takes
  /// @throws millrace.fault.Fault.Data if no more bad records are allowed
  public void reject(StageClock clock) {
    if (byNumber.isEmpty()) {
      return;
    }
    Stage before = clock.enter(Stage.REJECT);
    byNumber.values().forEach(Runnable::run);
    clock.enter(before);
  }
}
