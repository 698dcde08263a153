package millrace.data.spelling;

import millrace.data.Vector;

/// Spells one value; made by {@link Spelling#formatter}, called for every value that is not null.
///
/// A formatter has no state that changes: threads may share it.
public interface ValueFormatter {

  /// The most bytes that spelling the value may change, at once and without a look at more than its
  /// length.
  int lengthMax(Vector from, int row);

  /// Spells the value of a row.
  ///
  /// @param out has room for {@link #lengthMax} bytes from `at` on; those behind the value may
  ///   change
  /// @return the index after the last byte written
  /// @throws millrace.fault.Fault.Data if a date or time can't be spelled in the pattern that the
  ///   user asked for
  int format(Vector from, int row, byte[] out, int at);
}
