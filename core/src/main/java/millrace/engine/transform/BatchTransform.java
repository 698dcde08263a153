package millrace.engine.transform;

import millrace.data.Columns;

/// Something done to a batch of columns between reader and writer, on the reader's thread.
public interface BatchTransform {

  /// Changes the batch or makes another; takes over the one given and hands on the one returned.
  Columns apply(Columns batch);

  /// Whether more rows make sense; once false, the lane reads no further.
  default boolean wantsMore() {
    return true;
  }
}
