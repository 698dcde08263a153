package millrace.verify;

import millrace.data.Columns;

/// Takes the rows of one lane with their hashes.
interface HashSink {

  /// One row; the batch and the array are the caller's and change after the call.
  ///
  /// @param values the hash of each value, in the reference order of columns
  /// @param rowHash the hash of the row
  /// @param bucket where the row's key falls
  void row(Columns batch, int row, long[] values, long rowHash, int bucket);
}
