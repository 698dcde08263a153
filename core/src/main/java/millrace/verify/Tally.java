package millrace.verify;

import millrace.data.Columns;

/// What one side of a verify adds up: rows, a hash sum of each column, and a count and hash sum of
/// whole rows in each bucket.
///
/// One thread adds; {@link #merge} brings the lanes' tallies together. Sums wrap around, on
/// purpose: they do not depend on the order of rows, and unlike xor they tell two from none.
final class Tally implements HashSink {

  /// Buckets by key, a power of two: fine enough that the rows of a few buckets fit memory.
  static final int BUCKETS = 1 << 16;

  private final long[] columnSums;
  private final long[] bucketSums = new long[BUCKETS];
  private final long[] bucketRows = new long[BUCKETS];
  private long rows;

  Tally(int columns) {
    columnSums = new long[columns];
  }

  @Override
  public void row(Columns batch, int row, long[] values, long rowHash, int bucket) {
    for (int i = 0; i < values.length; i++) {
      columnSums[i] += values[i];
    }
    bucketSums[bucket] += rowHash;
    bucketRows[bucket]++;
    rows++;
  }

  void merge(Tally other) {
    add(columnSums, other.columnSums);
    add(bucketSums, other.bucketSums);
    add(bucketRows, other.bucketRows);
    rows += other.rows;
  }

  long rows() {
    return rows;
  }

  long rows(int bucket) {
    return bucketRows[bucket];
  }

  boolean sameColumn(Tally other, int column) {
    return columnSums[column] == other.columnSums[column];
  }

  boolean sameBucket(Tally other, int bucket) {
    return bucketSums[bucket] == other.bucketSums[bucket]
        && bucketRows[bucket] == other.bucketRows[bucket];
  }

  private static void add(long[] sums, long[] more) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += more[i];
    }
  }
}
