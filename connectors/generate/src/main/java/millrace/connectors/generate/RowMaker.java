package millrace.connectors.generate;

import millrace.data.Columns;

/// Makes the rows of one split after the other, for one lane.
interface RowMaker {

  /// Begins at a step, to go up to another, exclusive.
  void start(long fromStep, long toStep);

  /// Fills a cleared batch from its first row on and says with how many rows; 0 at the end.
  int fill(Columns batch);
}
