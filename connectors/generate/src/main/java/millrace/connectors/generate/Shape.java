package millrace.connectors.generate;

import millrace.data.Schema;

/// A table of made rows, its parameters settled. Lanes share it.
///
/// Splits are cut in steps: a step is a row, or if rows can't be made one by one a fixed part of
/// the table. What a step holds depends on the shape's parameters alone.
interface Shape {

  /// All columns.
  Schema schema();

  /// Mean length in bytes of the given columns of a row, as text, a separator each included.
  double rowBytes(int[] columns);

  /// How many steps the table has.
  long steps();

  /// About how many rows the table has; exact if a step is a row.
  long rows();

  /// Number of a step's first row in the table, from 1, or 0 if only making the rows would tell.
  long firstRow(long step);

  /// What makes the given columns, in that order, for one lane.
  RowMaker maker(int[] columns);
}
