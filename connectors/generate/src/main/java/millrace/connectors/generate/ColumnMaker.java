package millrace.connectors.generate;

import millrace.data.Vector;

/// Makes the values of one column. Stateless: every value is a function of the column's seed and
/// the row's number alone. Lanes share it.
@FunctionalInterface
interface ColumnMaker {

  /// Fills rows 0 up to `rows` of a cleared vector.
  ///
  /// @param into the vector of the column's type
  /// @param seed the column's own, made from the user's
  /// @param firstRow number of the first row in the table, from 0
  void fill(Vector into, long seed, long firstRow, int rows);
}
