package millrace.connectors.file;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import millrace.connectors.file.Complaints.Value;
import millrace.connectors.file.Tokenizer.BadRecord;

/// The bad records of one block, whoever found them: handed over in the order of the file, each
/// once, when the whole block has been looked at.
final class Findings {

  /// Rows of the batch that are bad.
  final BitSet rows = new BitSet();

  private final Map<Integer, Runnable> byNumber = new TreeMap<>();
  private final Complaints complaints;
  private final Slab slab;

  Findings(Complaints complaints, Slab slab) {
    this.complaints = complaints;
    this.slab = slab;
  }

  /// Those that the block reader found.
  void add(BlockReader block) {
    BadRecord tooLong = block.tooLong();
    if (tooLong != null) {
      byNumber.put(0, () -> complaints.reject(slab, tooLong));
      return;
    }
    for (BadRecord bad : block.tokenizer().bad()) {
      byNumber.put(bad.number(), () -> complaints.reject(slab, bad));
    }
  }

  /// A row with a bad value; the first of its values counts.
  void add(Lot lot, int row, Value value) {
    if (!rows.get(row)) {
      rows.set(row);
      int start = lot.recordStarts[row];
      int end = lot.recordEnds[row];
      int number = lot.numbers[row];
      byNumber.put(number, () -> complaints.reject(slab, start, end, number, value));
    }
  }

  /// Hands them over.
  ///
  /// @throws millrace.fault.Fault.Data where no more bad records are allowed
  void reject() {
    byNumber.values().forEach(Runnable::run);
  }
}
