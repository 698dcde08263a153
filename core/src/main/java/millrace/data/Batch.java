package millrace.data;

import millrace.fault.Location;

/// A run of rows on its way from a reader to a writer.
///
/// Whoever holds a batch owns it alone: the reader until it puts it into the exchange, the writer
/// from then on. The writer calls {@link #release} exactly once, when it needs the batch no more;
/// its arrays then go back to the reader.
public sealed interface Batch permits Columns, Frames {

  /// How many rows it holds.
  int rows();

  /// How many bytes of the source it stands for, for rates.
  long sourceBytes();

  /// Where it begins in the source.
  Location location();

  /// Gives the memory back to the reader that made it; the batch must not be touched afterwards.
  void release();
}
