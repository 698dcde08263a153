package millrace.engine.transform;

import millrace.data.Vector;

/// Converts single values from one type to another; may keep a buffer, so each lane has its own.
@FunctionalInterface
public interface ValueConversion {

  /// Converts the value of a row, which is not null, from one vector into another or into itself.
  ///
  /// @return false if the value does not fit; it then stands in `from` as it was
  boolean convert(Vector from, Vector into, int row);
}
