package millrace.spi.read;

import org.jspecify.annotations.Nullable;

/// Hands out the splits of a source, in source order, as lanes ask for them.
///
/// A source may find its boundaries as it goes. The engine calls it from one lane at a time.
public interface Splits extends AutoCloseable {

  /// The next split, or null when there are no more.
  @Nullable Split next();

  /// Lets go of what finding boundaries held open.
  @Override
  default void close() {}
}
