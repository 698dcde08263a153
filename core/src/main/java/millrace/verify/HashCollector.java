package millrace.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import millrace.data.Columns;
import millrace.data.spelling.Spelling;
import millrace.fault.Shortened;

/// The second look of a verify: keeps the rows that fall into buckets which differ.
///
/// All lanes of one side share it; it locks for each row that it keeps, which are few.
final class HashCollector implements HashSink {

  /// A row that was kept.
  ///
  /// @param row the hash of the row
  /// @param values the hash of each value, in the reference order
  /// @param texts each value as a user reads it, cut short
  record HeldHash(long row, long[] values, List<String> texts) {}

  private static final int TEXT_CHARS_MAX = 60;

  private final BitSet buckets;
  private final HashTarget.ColumnPairs columnPairs;
  private final List<HeldHash> collected = new ArrayList<>();

  HashCollector(BitSet buckets, HashTarget.ColumnPairs columnPairs) {
    this.buckets = buckets;
    this.columnPairs = columnPairs;
  }

  @Override
  public void row(Columns batch, int row, long[] values, long rowHash, int bucket) {
    if (!buckets.get(bucket)) {
      return;
    }
    List<String> texts = new ArrayList<>(values.length);
    for (HashTarget.ColumnPairs.Paired column : columnPairs.columns()) {
      String text = Spelling.text(batch, column.position(), row);
      texts.add(Shortened.value(text, TEXT_CHARS_MAX));
    }
    synchronized (collected) {
      collected.add(new HeldHash(rowHash, values.clone(), texts));
    }
  }

  /// The rows kept; after the run.
  List<HeldHash> collected() {
    return collected;
  }
}
